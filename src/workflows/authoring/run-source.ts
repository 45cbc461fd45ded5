/** What a run is made from: a brief, or an issue that needs a design. Read and checked before anything is written. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import { readIssueText } from '../../domain/drafts/issue-text.ts';
import { lineageDone, numberedSlugs } from '../../domain/drafts/lineage.ts';
import { checkSlug, makeSlug } from '../../domain/drafts/slug.ts';
import type { AuthoringRequest, AuthoringWorkflow } from '../../domain/ledger/run.ts';
import { briefSubject, issueSubject, type Subject } from '../../domain/ledger/subject.ts';
import { cutTitle } from '../../domain/text/cut-title.ts';
import { GatewrightError } from '../../errors.ts';
import { briefPathInside } from '../../runs/find-run.ts';
import type { AuthoringTools } from '../../runs/house.ts';
import { gatherFacts } from './issue/gather-facts.ts';
import { type Brief, readBrief } from './issue/read-brief.ts';
import { approvedDesigns } from './lld/rules/design-index.ts';
import { describeRepository } from './repository-context.ts';

export interface RunSource {
  readonly workflow: AuthoringWorkflow;
  /** The short name it gets if that is free. */
  readonly slug: string;
  readonly title: string;
  readonly text: string;
  /** What the drafter is shown besides; empty when there is nothing. */
  readonly context: string;
  readonly from: Pick<AuthoringRequest, 'brief' | 'issue'>;
  readonly subjectOf: (slug: string) => Subject;
  /**
   * Throws when there is nothing left to do. Called once more when this process holds the lease, so that no other
   * process can work on it.
   */
  readonly requireOpen: () => Promise<void>;
}

/** Where a file lies in the repository, by the names that were typed; null when it does not. */
function placeInside(root: string, file: string): string | null {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (realpathSync(folder) === root) return relative(folder, file).split(sep).join('/');
    if (folder === dirname(folder)) return null;
  }
}

/**
 * A link that another author committed may lead to any file whose path they can guess, a key or a token among them: its
 * content must not get into an issue. A link that a person made on this machine is their own decision.
 */
async function refuseForeignLink(repository: AuthoringTools['repository'], file: string): Promise<void> {
  const real = briefPathInside(repository.root, realpathSync(file));
  if (!isAbsolute(real) && !real.toLowerCase().split('/').includes('.git')) return;
  const parts = placeInside(repository.root, file)?.split('/') ?? [];
  for (const index of parts.keys()) {
    const place = parts.slice(0, index + 1).join('/');
    if (!(await repository.hasLink(place))) continue;
    throw new GatewrightError('path-outside-root', `${place} is a link that leads out of the repository.`, {
      hint: 'It came with the repository. Check its target; if you mean that file, give its own path.',
    });
  }
}

/** Reads a brief that is not led to by a link of other authors. @param file absolute path */
export async function readOwnBrief(
  { repository }: Pick<AuthoringTools, 'repository'>,
  file: string,
): Promise<Brief> {
  const brief = await readBrief(file);
  await refuseForeignLink(repository, file);
  return brief;
}

/** @param file absolute path */
export async function readBriefSource(
  house: Pick<AuthoringTools, 'repository' | 'repositoryName' | 'forge' | 'clock'>,
  file: string,
  slug: string | null,
): Promise<RunSource> {
  const brief = await readOwnBrief(house, file);
  return {
    workflow: 'issue',
    slug: slug === null ? makeSlug(basename(file)) : checkSlug(slug),
    title: brief.title,
    text: brief.text,
    context: JSON.stringify(await gatherFacts(house)),
    // By its real place: a link in ideas/active to a file elsewhere is not ours to move.
    from: { brief: briefPathInside(house.repository.root, realpathSync(file)) },
    subjectOf: (name) => briefSubject(house.repositoryName, name),
    requireOpen: async () => undefined,
  };
}

interface IssueChoice {
  readonly slug: string | null;
  /** Files of the repository whose content the drafter is shown. */
  readonly contextFiles: readonly string[];
  /** Whether a design that is approved for this very text may be made once more. */
  readonly again: boolean;
}

/** The first of `42-lld`, `42-lld-2`, … that no finished run has. */
async function freeSlug(house: Pick<AuthoringTools, 'repository'>, number: number): Promise<string> {
  for (const slug of numberedSlugs(`${number}-lld`)) {
    if (!(await house.repository.exists(`${lineageDone}/${slug}`))) return slug;
  }
  throw new GatewrightError('internal', 'All names are in use.');
}

export async function readIssueSource(
  house: Pick<AuthoringTools, 'repository' | 'repositoryName' | 'forge' | 'ledger' | 'views'>,
  number: number,
  choice: IssueChoice,
): Promise<RunSource> {
  const issue = await house.forge.getIssue(house.repositoryName, number);
  const text = readIssueText(issue);
  const subject = issueSubject(house.repositoryName, number);
  const hash = await house.ledger.putText(text);
  const place = { forge: house.forge.kind, repository: house.repositoryName };
  const requireOpen = async (): Promise<void> => {
    const known = approvedDesigns(
      await house.views.listRuns({ repository: place.repository, workflows: ['lld'] }),
      place,
    ).find((one) => one.issue === number);
    if (choice.again || known?.textHash !== hash || !(await house.repository.exists(known.path))) return;
    throw new GatewrightError(
      'design-approved',
      `#${number} has an approved design for its present text: ${known.path}.`,
    );
  };
  await requireOpen();
  return {
    workflow: 'lld',
    slug: choice.slug === null ? await freeSlug(house, number) : checkSlug(choice.slug),
    title: cutTitle(issue.title),
    text,
    context: await describeRepository(house.repository, choice.contextFiles),
    from: { brief: `#${number}`, issue: { number, url: issue.url } },
    subjectOf: () => subject,
    requireOpen,
  };
}
