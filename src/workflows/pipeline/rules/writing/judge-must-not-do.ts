/**
 * Judges a change against the sentences of `must_not_do` where a rule can. A sentence that no rule can read, or whose rule
 * cannot see all of the change, is left to the reviewer, and that is said: silence would look like an approval.
 */
import type { ChangedPath } from '../../../../domain/changes/change-risk.ts';
import { judgePath } from '../../../../domain/changes/path-class.ts';
import { countOf } from '../../../../domain/text/count-of.ts';
import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import { blocksOf, type DiffFile, readDiff } from '../../../../runs/coding/proof/rules/read-diff.ts';
import type { Weakened } from '../../../../runs/coding/proof/rules/weakened.ts';
import { findDependencyChanges } from './dependency-changes.ts';
import { findExportChanges, isEntryFile } from './export-changes.ts';
import { type FileDeed, isMeant, type Prohibition, readProhibitions } from './read-prohibition.ts';

export interface Violation {
  /** The sentence of `must_not_do`, as it was given. */
  readonly sentence: string;
  readonly path: string;
  /** In the new file, or where a removed line was; null when the file as a whole is meant. */
  readonly line: number | null;
  readonly message: string;
}

export interface JudgedSentence {
  readonly sentence: string;
  /** False: the reviewer has to judge it, also when violations were found. */
  readonly isJudged: boolean;
  /** By what it was judged, or why it was not. */
  readonly note: string;
}

interface WorkOfWriter {
  readonly mustNotDo: readonly string[];
  readonly files: readonly ChangedPath[];
  /** The whole change as git prints it. */
  readonly diff: string;
  /** What `findWeakened` finds in the same change. */
  readonly weakened: readonly Weakened[];
}

type Found = Omit<Violation, 'sentence'>;

interface Judgement {
  readonly found: readonly Found[];
  /** Why the rule did not see all that the sentence means; null when it did. */
  readonly gap: string | null;
}

/** More are not listed for a sentence: the work goes back anyway. */
const mostListed = 50;

class Change {
  readonly files: readonly ChangedPath[];
  readonly weakened: readonly Weakened[];
  readonly diffFiles: readonly DiffFile[];
  readonly #byPath: ReadonlyMap<string, DiffFile>;

  constructor({ files, diff, weakened }: WorkOfWriter) {
    this.files = files;
    this.weakened = weakened;
    this.diffFiles = readDiff(diff);
    this.#byPath = new Map(this.diffFiles.map((file) => [file.path, file]));
  }

  /** Whether the difference shows a file whose lines a rule has to read. */
  shows({ path, additions, deletions, isBinary }: ChangedPath): boolean {
    if (isBinary) return false;
    const lines = this.#byPath
      .get(path)
      ?.hunks.flatMap((hunk) => hunk.lines.filter(({ sign }) => sign !== ' '));
    return (lines?.length ?? 0) >= additions + deletions;
  }

  firstLine(path: string): number | null {
    const file = this.#byPath.get(path);
    const block = file === undefined || file.change === 'removed' ? undefined : blocksOf(file)[0];
    return block?.added[0]?.line ?? block?.removed[0]?.line ?? null;
  }
}

const deedsOf: Readonly<Record<ChangedPath['change'], readonly FileDeed[]>> = {
  added: ['add', 'change'],
  modified: ['change'],
  removed: ['remove', 'rename', 'change'],
  renamed: ['rename', 'remove', 'change'],
};
const changeWords: Readonly<Record<ChangedPath['change'], string>> = {
  ...{ added: 'added', modified: 'changed', removed: 'deleted', renamed: 'renamed' },
};

function judgePaths(change: Change, deeds: readonly FileDeed[], paths: readonly string[]): Judgement {
  const found = change.files.flatMap((file): Found[] => {
    const own = file.previousPath === null ? [file.path] : [file.previousPath, file.path];
    const meant =
      paths.length === 0 ? file.path : own.find((path) => paths.some((named) => isMeant(path, named)));
    // What is renamed into a folder is new there.
    const isNewThere = file.change === 'renamed' && paths.some((named) => isMeant(file.path, named));
    const done = isNewThere ? [...deedsOf.renamed, 'add' as const] : deedsOf[file.change];
    if (meant === undefined || !done.some((deed) => deeds.includes(deed))) return [];
    const message = `The change may not do this, and ${inertCode(meant)} was ${changeWords[file.change]}.`;
    return [{ path: meant, line: change.firstLine(file.path), message }];
  });
  return { found, gap: null };
}

function judgeDependencies(change: Change, onlyNew: boolean): Judgement {
  const { changes, unread } = findDependencyChanges(change.diffFiles);
  const hidden = change.files
    .filter((file) => judgePath(file.path).class === 'dependencies' && !change.shows(file))
    .map(({ path }) => path);
  const notRead = [...new Set([...unread, ...hidden])];
  return {
    found: changes
      .filter((one) => !onlyNew || one.change === 'added')
      .map(({ path, line, name, change: what }) => ({
        ...{ path, line, message: `The dependency ${inertCode(name)} was ${what} in ${inertCode(path)}.` },
      })),
    gap:
      notRead.length === 0
        ? null
        : `no rule could read the dependencies in ${notRead
            .slice(0, 3)
            .map((path) => inertCode(path))
            .join(', ')}`,
  };
}

function judgeApi(change: Change): Judgement {
  const found = findExportChanges(change.diffFiles).map(({ path, line, name, change: what }) => ({
    ...{ path, line },
    message: `${inertCode(path)} exported ${inertCode(name)}, and this was ${what}.`,
  }));
  const rest = change.files.filter((file) => {
    const { class: one } = judgePath(file.path);
    const isHarmless = one === 'test' || one === 'test-support' || one === 'prose';
    return !isHarmless && !(isEntryFile(file.path) && change.shows(file));
  });
  return {
    found,
    gap:
      rest.length === 0
        ? null
        : `code compares what entry files export, and ${countOf(rest.length, 'other file')} may change what stands behind it`,
  };
}

const weakKinds: Readonly<Record<'remove' | 'skip' | 'weaken', readonly Weakened['kind'][]>> = {
  remove: ['test-file-removed', 'test-removed'],
  skip: ['test-skipped', 'test-cut-short', 'test-file-removed', 'test-removed'],
  weaken: [
    ...([
      'test-file-removed',
      'test-removed',
      'test-skipped',
      'test-cut-short',
      'assertion-removed',
    ] as const),
    ...(['assertion-weakened', 'threshold-lowered', 'failure-ignored'] as const),
  ],
};

function judgeTests(change: Change, deed: 'remove' | 'skip' | 'weaken' | 'change'): Judgement {
  const kinds = weakKinds[deed === 'change' ? 'weaken' : deed];
  const weak = change.weakened
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ path, line, message }): Found => ({ path, line, message }));
  const known = new Set(weak.map(({ path }) => path));
  // New cases in a file of tests leave those that are there as they were.
  const changed = change.files.filter(
    ({ path, previousPath, deletions }) =>
      deed === 'change' &&
      deletions > 0 &&
      !known.has(path) &&
      judgePath(previousPath ?? path).class === 'test',
  );
  return {
    found: [
      ...weak,
      ...changed.map(({ path }) => ({
        ...{
          path,
          line: change.firstLine(path),
          message: `Lines of the tests in ${inertCode(path)} were changed.`,
        },
      })),
    ],
    gap: null,
  };
}

function judgeOne(change: Change, prohibition: Prohibition): Judgement {
  switch (prohibition.kind) {
    case 'paths':
      return judgePaths(change, prohibition.deeds, prohibition.paths);
    case 'dependencies':
      return judgeDependencies(change, prohibition.onlyNew);
    case 'public-api':
      return judgeApi(change);
    case 'tests':
      return judgeTests(change, prohibition.deed);
  }
}

const ruleNames: Readonly<Record<Prohibition['kind'], string>> = {
  ...{ paths: 'the paths that changed', dependencies: 'the dependencies in the manifests' },
  ...{ 'public-api': 'the exports of entry files', tests: 'the tests that changed' },
};

export function judgeMustNotDo(work: WorkOfWriter): {
  readonly violations: readonly Violation[];
  readonly sentences: readonly JudgedSentence[];
} {
  const change = new Change(work);
  const violations: Violation[] = [];
  const sentences = work.mustNotDo.map((sentence): JudgedSentence => {
    const prohibitions = readProhibitions(sentence);
    if (prohibitions === null)
      return { sentence, isJudged: false, note: 'No rule can read this sentence: the reviewer judges it.' };
    const judged = prohibitions.map((one) => judgeOne(change, one));
    const found = judged.flatMap((one) => one.found).slice(0, mostListed);
    violations.push(...found.map((one) => ({ sentence, ...one })));
    const gap = judged.find((one) => one.gap !== null)?.gap ?? null;
    if (gap !== null) return { sentence, isJudged: false, note: `The reviewer judges it: ${gap}.` };
    const rules = [...new Set(prohibitions.map(({ kind }) => ruleNames[kind]))].join(' and ');
    return { sentence, isJudged: true, note: `Code judged it by ${rules}.` };
  });
  return { violations, sentences };
}
