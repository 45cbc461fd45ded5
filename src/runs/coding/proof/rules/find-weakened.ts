/**
 * Where a change makes tests weaker: tests and assertions that are gone or demand less, tests that are skipped or cut
 * short, and changes to what runs the tests. A test that stands elsewhere now, or has another name, is not gone.
 */
import { judgePath } from '../../../../domain/changes/path-class.ts';
import { type TestRunner, testRunners } from '../../../../domain/changes/test-runners.ts';
import { strengthOf } from './assertions.ts';
import { blocksOf, type DiffFile, type DiffLine, readDiff } from './read-diff.ts';
import { findScriptChanges } from './script-changes.ts';
import { changedCases, isComment, type TestCase } from './test-cases.ts';
import type { Weakened } from './weakened.ts';

interface Options {
  /** Those that the project has; every file that a known runner would run counts too. */
  readonly runners?: readonly TestRunner[];
  /** The words of the command that verifies. */
  readonly verify?: readonly string[];
}

/** More are not listed: a person looks at the change anyway. */
const mostListed = 100;
const shownName = (name: string): string => `“${name.slice(0, 120)}”`;

const skipMark =
  /\b(?:it|test|describe|suite|context|specify|bench|scenario)(?:\.[A-Za-z]+){0,3}\.(?:skip|only|todo|fixme|skipIf|runIf|failing|fails|fail)\b|\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\s*\(|[{,]\s*(?:skip|only|todo)\s*:\s*(?!false)|\b(?:this|t|ctx|context)\.(?:skip|todo)\(|\bpytest\.(?:mark\.(?:skip|skipif|xfail)|skip|xfail|importorskip)\b|\bunittest\.(?:skip\w*|expectedFailure|SkipTest)\b|@(?:skip|skipIf|skipUnless|expectedFailure)\b|\bself\.skipTest\(|\b__test__\s*=\s*False|\bcollect_ignore|@(?:Ignore|Disabled\w*)\b|\[(?:Ignore|Skip|Explicit)\b|\bSkip\s*=\s*"|#\[(?:ignore|should_panic)\b|#\[cfg\((?!test\b)|\bt\.Skip(?:f|Now)?\(|\btesting\.Short\(|^\/\/go:build\b|^\/\/ \+build\b|\bmarkTestSkipped\(|@tag :skip|\bpending\b\s*(?:\(|["'])|\bAssume\.|\bassume(?:True|False)\(/u;
const endsEarly =
  /\bprocess\.(?:exit|reallyExit|abort|kill)\b|\bprocess\s*(?:\?\.)?\[|\}\s*=\s*process\s*(?:;|$)|["'](?:node:)?process["']|\bprocess\.exitCode\s*=|\bprocess\.(?:on|once|prependListener)\(\s*["'](?:exit|beforeExit)|\bos\._exit\b|\bsys\.exit\b|\bSystemExit\b|\batexit\.|\bos\.(?:Exit|abort)\s*\((?!m\.Run\(\)\))|\bprocess::(?:exit|abort)\b|\bSystem\.exit\s*\(|\bRuntime\.getRuntime\(\)\.halt|\bDeno\.exit\s*\(|^\s*(?:quit|exit)\s*\(|\bpytest\.exit\(/u;
/** Puts something else in the place of what checks. */
const replaces =
  /^\s*(?:globalThis\.|global\.|window\.)?(?:assert(?:\.\w+)?|expect(?:\.\w+)?|it|test|describe|unittest\.\w+|self\.assert\w+)\s*=(?![=>])|\bsetattr\(\s*(?:unittest|pytest|self)\b|\bObject\.(?:assign|defineProperty)\(\s*(?:assert|expect|globalThis)\b/u;
/** The same from a file that is no test: tests load it. */
const replacesFromAfar =
  /\b(?:assert|expect)\.\w+\s*=(?![=>])|\bObject\.(?:assign|defineProperty)\(\s*(?:assert|expect)\b/u;
/** A table without rows makes a test that never runs. */
const emptyTable = /\.(?:each|for)\(\s*\[\s*\]\s*\)|\bparametrize\([^[]*\[\s*\]\s*\)/u;
const leftOutOfCoverage =
  /\b(?:istanbul|c8|v8|node:coverage) (?:ignore|disable)\b|pragma:\s*no\s?cover|coverage:\s?ignore|LCOV_EXCL/u;
const swallows =
  /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|\bexcept\b[^:]*:\s*pass\b|\.catch\(\s*\(\)\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)/u;
const neverRuns =
  /^\s*(?:false|null|0|!1|!true)\s*&&|\bif\s*\(\s*(?:false|0|!1|!true)\s*\)|^\s*if\s+(?:False|0)\s*:/u;
const hooks = /\bdef\s+pytest_\w+|\bpytest_plugins\b/u;
const printsReport =
  /["'`].{0,200}(?:[#ℹ] (?:tests|pass|suites) {1,2}\S|Tests: {7}|Test Files {2}|test result: (?:ok|FAILED)\.|\bpassed(?:,[^"'`]*)? in \S+s\b|Ran \S+ tests? in |\bpassing \(|"Action"\s*:\s*"pass"|<testsuite)/u;

function isTestPath(path: string, runners: readonly TestRunner[]): boolean {
  return (
    judgePath(path, runners).class === 'test' || judgePath(path).class === 'test' || path.endsWith('.rs')
  );
}

const isBeside = (path: string): boolean =>
  judgePath(path).class === 'test-support' || /(?:^|\/)conftest\.py$/u.test(path);

/** Removed and added cases in one block are the same tests with other names, as many as there are of both. */
function takeRenamed(removed: readonly TestCase[], added: readonly TestCase[]): TestCase[] {
  return removed.slice(Math.min(removed.length, added.length));
}

interface Changed {
  readonly file: DiffFile;
  readonly removed: readonly TestCase[];
  readonly added: readonly TestCase[];
}

/** Cases that are gone, when those that stand in another file now are taken out. */
function findRemovedCases(changes: readonly Changed[]): Weakened[] {
  const elsewhere = new Map<string, number>();
  for (const { added } of changes)
    for (const { name } of added) elsewhere.set(name, (elsewhere.get(name) ?? 0) + 1);
  const takeMoved = ({ name }: TestCase): boolean => {
    const count = elsewhere.get(name) ?? 0;
    if (count > 0) elsewhere.set(name, count - 1);
    return count > 0;
  };
  return changes.flatMap(({ file, removed, added }): Weakened[] => {
    const gone = removed.filter((one) => !takeMoved(one));
    // A file that is gone is listed as such, unless all of its tests stand elsewhere.
    if (file.change === 'removed') {
      if (removed.length > 0 && gone.length === 0) return [];
      const what = gone.length === 0 ? '' : ` with ${gone.length} ${gone.length === 1 ? 'test' : 'tests'}`;
      return [
        { path: file.path, line: 1, kind: 'test-file-removed', message: `A test file was removed${what}.` },
      ] as const;
    }
    const names = new Set(removed.map(({ name }) => name));
    const fresh = added.filter(({ name }) => !names.has(name));
    return takeRenamed(gone, fresh).map(
      ({ name, line }) =>
        ({
          path: file.path,
          line,
          kind: 'test-removed',
          message: `A test was removed: ${shownName(name)}.`,
        }) as const,
    );
  });
}

const plain = ({ text }: DiffLine): string => text.replace(/\s+/gu, ' ').trim();

/** Removed assertions that no added one stands for: one that demands as much or more. */
function withoutReplaced(gone: readonly DiffLine[], more: readonly DiffLine[]): DiffLine[] {
  const left = [...more];
  return gone.filter(({ text }) => {
    const index = left.findIndex((one) => strengthOf(one.text) >= strengthOf(text));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** Assertions that are gone or demand less; `moved` holds those that stand elsewhere now. */
function findWeakAssertions(file: DiffFile, moved: Map<string, number>): Weakened[] {
  const found: Weakened[] = [];
  const gone: DiffLine[] = [];
  const more: DiffLine[] = [];
  const isMoved = (line: DiffLine): boolean => {
    const count = moved.get(plain(line)) ?? 0;
    if (count > 0) moved.set(plain(line), count - 1);
    return count > 0;
  };
  for (const { removed, added } of blocksOf(file)) {
    const texts = new Set(removed.map(plain));
    const before = removed.filter(({ text }) => strengthOf(text) > 0).filter((line) => !isMoved(line));
    const now = added.filter((line) => strengthOf(line.text) > 0 && !texts.has(plain(line)));
    for (const [index, line] of before.entries()) {
      const next = now[index];
      if (next === undefined) gone.push(line);
      else if (strengthOf(next.text) < strengthOf(line.text))
        found.push({
          ...{ path: file.path, line: next.line, kind: 'assertion-weakened' },
          message: `An assertion demands less than before: ${shownName(plain(next))} in the place of ${shownName(plain(line))}.`,
        });
    }
    more.push(...now.slice(before.length));
  }
  for (const line of withoutReplaced(gone, more))
    found.push({
      ...{ path: file.path, line: line.line, kind: 'assertion-removed' },
      message: `An assertion was removed: ${shownName(plain(line))}.`,
    });
  return found;
}

/** Added lines of a form, beyond the removed ones of that form in the same block: an edit of such a line is none. */
function addedBeyond(file: DiffFile, form: RegExp, hasComments = false): DiffLine[] {
  const isOne = ({ text }: DiffLine): boolean =>
    text.length <= 2000 && form.test(text) && (hasComments || !isComment(text));
  return blocksOf(file).flatMap(({ removed, added }) =>
    added.filter(isOne).slice(removed.filter(isOne).length),
  );
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** A new block around lines that were there and did not move: a function that is never called, for example. */
function opensBlock(text: string, next: string): boolean {
  const isGroup = /\b(?:describe|suite|context|namespace|module|class|mod)\b/u.test(text);
  return /\{\s*$/u.test(text) && !isGroup && next.trim() !== '' && indentOf(next) <= indentOf(text);
}

/** The line before which a block was opened already: it was only changed. */
function replacesOpening(lines: readonly DiffLine[], index: number): boolean {
  for (let at = index - 1; at >= 0 && lines[at]?.sign !== ' '; at -= 1)
    if (lines[at]?.sign === '-' && /\{\s*$/u.test(lines[at]?.text ?? '')) return true;
  return false;
}

/** A comment or a return that is set before lines which were there, so that they do not run any more. */
function findCutOff(file: DiffFile): DiffLine[] {
  return file.hunks.flatMap(({ lines }) =>
    lines.filter(
      ({ sign, text }, index) =>
        sign === '+' &&
        lines[index + 1]?.sign === ' ' &&
        lines[index + 1]?.text.trim() !== '}' &&
        (/^\s*return\s*;?\s*$/u.test(text) ||
          /^\s*\/\*(?!\*)(?!.*\*\/)/u.test(text) ||
          (opensBlock(text, lines[index + 1]?.text ?? '') && !replacesOpening(lines, index))),
    ),
  );
}

function findInTest(file: DiffFile): Weakened[] {
  const each = (lines: readonly DiffLine[], kind: Weakened['kind'], message: string): Weakened[] =>
    lines.map(({ line }) => ({ path: file.path, line, kind, message }));
  return [
    // A build tag of Go has the form of a comment.
    ...each(
      addedBeyond(file, skipMark, true).filter(
        ({ text }) => !isComment(text) || /^\/\/(?:go:build| \+build)/u.test(text),
      ),
      'test-skipped',
      'A test is skipped, left for later, expected to fail, or run alone.',
    ),
    ...each(addedBeyond(file, endsEarly), 'test-cut-short', 'A test ends the program that runs it.'),
    ...each(addedBeyond(file, emptyTable), 'test-skipped', 'A test has no case to run with.'),
    ...each(addedBeyond(file, swallows), 'test-cut-short', 'A test hides an error.'),
    ...each(addedBeyond(file, replaces), 'test-cut-short', 'This replaces what checks.'),
    ...each(
      [...addedBeyond(file, neverRuns), ...findCutOff(file)],
      'test-cut-short',
      'Lines of a test do not run any more.',
    ),
  ];
}

function findBeside(file: DiffFile): Weakened[] {
  return addedBeyond(file, hooks).map(
    ({ line }) =>
      ({
        path: file.path,
        line,
        kind: 'runner-configured',
        message: 'This changes how pytest runs tests.',
      }) as const,
  );
}

/** Tests start the code of a project, so it can print what they would. */
function findAnywhere(file: DiffFile): Weakened[] {
  const each = (form: RegExp, kind: Weakened['kind'], message: string, hasComments = false): Weakened[] =>
    addedBeyond(file, form, hasComments).map(({ line }) => ({ path: file.path, line, kind, message }));
  return [
    ...each(printsReport, 'report-printed', 'This prints what looks like the report of a test runner.'),
    ...each(replacesFromAfar, 'test-cut-short', 'This replaces what checks.'),
    ...each(leftOutOfCoverage, 'threshold-lowered', 'Lines are left out of coverage.', true),
  ];
}

function findInFile(file: DiffFile, runners: readonly TestRunner[], verify: readonly string[]): Weakened[] {
  const [is, was] = [isTestPath(file.path, runners), isTestPath(file.previousPath, runners)];
  const isHelp = isBeside(file.path);
  const isSwitchedOff = file.change === 'renamed' && was && !is;
  return [
    ...findScriptChanges(file, verify),
    ...(isSwitchedOff
      ? [
          {
            path: file.path,
            line: 1,
            kind: 'test-file-removed',
            message: `A test file was renamed so that no runner finds it: ${shownName(file.previousPath)}.`,
          } as const,
        ]
      : []),
    ...(is && file.change !== 'removed' ? findInTest(file) : []),
    ...(isHelp && file.change !== 'removed'
      ? addedBeyond(file, endsEarly).map(
          ({ line }) =>
            ({
              path: file.path,
              line,
              kind: 'test-cut-short',
              message: 'A helper of tests ends the program that runs them.',
            }) as const,
        )
      : []),
    ...(is || isHelp ? findBeside(file) : []),
    ...(judgePath(file.path).class === 'prose' ? [] : findAnywhere(file)),
  ];
}

export function findWeakened(diff: string, { runners = testRunners, verify = [] }: Options = {}): Weakened[] {
  const files = readDiff(diff);
  const tests = files.filter(
    ({ path, previousPath }) => isTestPath(path, runners) || isTestPath(previousPath, runners),
  );
  const moved = new Map<string, number>();
  for (const file of tests)
    for (const line of blocksOf(file).flatMap(({ added }) => added))
      if (strengthOf(line.text) > 0) moved.set(plain(line), (moved.get(plain(line)) ?? 0) + 1);
  const found = [
    ...findRemovedCases(tests.map((file) => ({ file, ...changedCases(file) }))),
    // Those of a file that is gone are listed with the file.
    ...tests.filter(({ change }) => change !== 'removed').flatMap((file) => findWeakAssertions(file, moved)),
    ...files.flatMap((file) => findInFile(file, runners, verify)),
  ];
  const places = new Map(found.map((one) => [`${one.kind} ${one.line} ${one.path} ${one.message}`, one]));
  return [...places.values()]
    .sort((one, other) => (one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1))
    .slice(0, mostListed);
}

/** How many test cases a change adds beyond those that it takes away. */
export function countNewCases(diff: string, runners: readonly TestRunner[] = testRunners): number {
  const changes = readDiff(diff)
    .filter(({ path }) => isTestPath(path, runners))
    .map(changedCases);
  const gone = new Set(changes.flatMap(({ removed }) => removed.map(({ name }) => name)));
  const added = changes.flatMap((one) => one.added).filter(({ name }) => !gone.has(name)).length;
  const removed = changes
    .flatMap((one) => one.removed)
    .filter(({ name }) => !changes.some((one) => one.added.some((other) => other.name === name))).length;
  return Math.max(0, added - removed);
}
