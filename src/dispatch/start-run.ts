/** Begins an authoring run on a brief, or takes one up again: reads, leases, settles name collisions, then drives. */
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { makeRunId } from '../domain/ids.ts';
import { activeFolder } from '../domain/lineage.ts';
import type { RunRequest, RunSummary } from '../domain/run.ts';
import { checkSlug, makeSlug } from '../domain/slug.ts';
import { briefSubject } from '../domain/subject.ts';
import { EffectRunner } from '../effects/effect-runner.ts';
import { makePerformers } from '../effects/performers.ts';
import { GatewrightError } from '../errors.ts';
import type { Lease, LeaseHolder } from '../ports/leases.ts';
import { issueDefinition } from '../workflows/authoring/issue-definition.ts';
import { driveRun, type Run, type RunOptions, type RunOutcome } from './drive-run.ts';
import type { House } from './house.ts';
import { readBrief } from './read-brief.ts';
import { resumeCommand } from './resume-command.ts';

/** What a person may do when the short name is in use. */
type Collision =
  | { readonly do: 'resume' | 'clean' | 'abort' }
  | { readonly do: 'rename'; readonly slug: string };

export type SettleCollision = (facts: {
  slug: string;
  canResume: boolean;
  problem: string | null;
}) => Promise<Collision>;

/** The circuit breaker: rounds of drafting before a run stops and asks. */
const defaultMaxIterations = 20;

export interface StartInput {
  /** Absolute path. */
  readonly brief: string;
  readonly slug: string | null;
  readonly dryRun: boolean;
  readonly settleCollision: SettleCollision;
  /** Called once the run exists, before its first node. */
  readonly onStart: (run: Run, isResumed: boolean) => void;
}

export function describeHolder(holder: LeaseHolder): string {
  return `${holder.actor} has been working on it since ${holder.since} (process ${holder.process} on ${holder.host})`;
}

async function acquire(house: House, subject: string): Promise<Lease> {
  const got = await house.leases.acquire(subject);
  if ('lease' in got) return got.lease;
  throw new GatewrightError('lease-held', `${subject}: ${describeHolder(got.heldBy)}.`);
}

function briefPathInside(root: string, file: string): string {
  const inside = relative(root, file);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    ? file
    : inside.split(sep).join('/');
}

/** The newest run of a name in this repository that was not given up; dry runs do not count. */
function findRun(house: Pick<House, 'views' | 'repositoryName'>, slug: string): RunSummary | null {
  const subject = briefSubject(house.repositoryName, slug);
  return house.views.listRuns().find((run) => run.subject === subject && !run.request.dryRun) ?? null;
}

async function isTaken(house: House, slug: string): Promise<{ taken: boolean; open: RunSummary | null }> {
  const run = findRun(house, slug);
  const open = run !== null && run.status !== 'done' ? run : null;
  return { taken: open !== null || (await house.repository.exists(activeFolder(slug))), open };
}

/** Gives up a run: its lineage folder, its checkpoints and its work tree go; the ledger keeps what happened. */
async function cleanUp(house: House, slug: string, open: RunSummary | null): Promise<void> {
  const subject = briefSubject(house.repositoryName, slug);
  const lease = await acquire(house, subject);
  const run = open?.id ?? `clean-${makeRunId(house.clock.now(), house.clock.randomBytes(10))}`;
  try {
    const effects = new EffectRunner({
      ledger: house.ledger,
      performers: makePerformers({ repository: house.repository, forge: house.forge, texts: house.ledger }),
      signingKey: house.signingKey,
      run,
      subject,
      actor: house.actor,
      fence: lease,
      allowance: issueDefinition.allowance,
      dryRun: false,
    });
    await effects.perform('clean/lineage', 'remove-folder', () => ({ path: activeFolder(slug) }));
    if (open === null) return;
    await effects.perform('clean/worktree', 'remove-worktree', () => ({ name: open.id }));
    await (await house.openCheckpoints()).deleteThread(open.id);
    await house.ledger.append(
      [
        {
          subject,
          run: open.id,
          actor: house.actor,
          kind: 'run-dropped',
          data: { why: 'cleaned to begin anew' },
        },
      ],
      lease,
    );
  } finally {
    await lease.release();
  }
}

/** Settles on a free short name, or on the run to resume. Null when the person gave up. */
async function chooseName(
  house: House,
  wanted: string,
  settle: SettleCollision,
): Promise<{ slug: string } | { resume: RunSummary } | null> {
  let slug = wanted;
  let problem: string | null = null;
  for (;;) {
    const { taken, open } = await isTaken(house, slug);
    if (!taken) return { slug };
    const answer = await settle({ slug, canResume: open !== null, problem });
    problem = null;
    switch (answer.do) {
      case 'abort':
        return null;
      case 'resume':
        if (open !== null) return { resume: open };
        problem = 'There is a folder but no run to resume.';
        break;
      case 'clean':
        await cleanUp(house, slug, open);
        break;
      case 'rename':
        problem = await whyNameUnusable(house, answer.slug);
        if (problem === null) slug = answer.slug;
    }
  }
}

async function whyNameUnusable(house: House, typed: string): Promise<string | null> {
  try {
    const candidate = checkSlug(typed);
    return (await isTaken(house, candidate)).taken ? `"${candidate}" is in use as well.` : null;
  } catch (error) {
    if (!(error instanceof GatewrightError)) throw error;
    return `${error.message} ${error.hint}`;
  }
}

/** Starts a run on a brief. Null when the person chose to abort at a name collision. */
export async function startRun(
  house: House,
  input: StartInput,
  options: RunOptions,
): Promise<RunOutcome | null> {
  const brief = await readBrief(input.brief);
  // Both are made now, so that an unusable model is refused before anything is written.
  const drafter = options.drafter ?? house.defaultModels.drafter;
  const reviewer = options.reviewer ?? house.defaultModels.reviewer;
  house.makeModel(drafter, 'drafter');
  house.makeModel(reviewer, 'reviewer');
  const wanted = input.slug === null ? makeSlug(basename(input.brief)) : checkSlug(input.slug);
  const named = input.dryRun ? { slug: wanted } : await chooseName(house, wanted, input.settleCollision);
  if (named === null) return null;
  if ('resume' in named) return resumeRun(house, named.resume, options, input.onStart);
  const { slug } = named;
  const request: RunRequest = {
    workflow: 'issue',
    slug,
    title: brief.title,
    forge: house.forge.kind,
    repository: house.repositoryName,
    root: house.repository.root,
    brief: briefPathInside(house.repository.root, input.brief),
    briefHash: await house.ledger.putText(brief.text),
    drafter,
    reviewer,
    strict: options.mode.strict,
    maxIterations: options.maxIterations ?? defaultMaxIterations,
    dryRun: input.dryRun,
  };
  const id = makeRunId(house.clock.now(), house.clock.randomBytes(10));
  // A dry run has a chain of its own: it neither waits for nor holds up the real one.
  const subject = input.dryRun ? `dry-run:${id}` : briefSubject(house.repositoryName, slug);
  const lease = await acquire(house, subject);
  try {
    if (!input.dryRun) await refuseIfStartedMeanwhile(house, slug);
    const run: Run = { id, subject, request };
    await house.ledger.append(
      [{ subject, run: id, actor: house.actor, kind: 'run-started', key: id, data: { request } }],
      lease,
    );
    input.onStart(run, false);
    return await driveRun(house, run, options, lease);
  } finally {
    await lease.release();
  }
}

/** Two terminals may have found the name free at the same moment; the one that got the lease second stops here. */
async function refuseIfStartedMeanwhile(house: House, slug: string): Promise<void> {
  const { taken } = await isTaken(house, slug);
  if (taken) throw new GatewrightError('slug-taken', `"${slug}" was taken by another process a moment ago.`);
}

/** Takes a run up where it stopped. */
export async function resumeRun(
  house: House,
  summary: RunSummary,
  options: RunOptions,
  onStart: StartInput['onStart'],
): Promise<RunOutcome> {
  if (summary.status === 'done') {
    throw new GatewrightError(
      'run-finished',
      `The run ${summary.id} on "${summary.request.slug}" is done: ${summary.reason?.message ?? ''}.`,
    );
  }
  if ((summary.request.forge ?? 'local') !== house.forge.kind) {
    throw new GatewrightError('usage', `The run ${summary.id} files on another forge than this.`, {
      hint: `Continue with: ${resumeCommand(summary.request)}`,
    });
  }
  const run: Run = { id: summary.id, subject: summary.subject, request: summary.request };
  const lease = await acquire(house, run.subject);
  try {
    // It may have moved on while this process waited for the lease.
    const now = house.views.listRuns().find((one) => one.id === run.id);
    if (now === undefined || now.status === 'done') {
      throw new GatewrightError('run-finished', `The run ${run.id} was finished or given up a moment ago.`);
    }
    await house.ledger.append(
      [
        {
          subject: run.subject,
          run: run.id,
          actor: house.actor,
          kind: 'run-resumed',
          data: { from: summary.status },
        },
      ],
      lease,
    );
    onStart(run, true);
    return await driveRun(house, run, options, lease);
  } finally {
    await lease.release();
  }
}

/** The run that a person means: by brief file, by short name or by run id. */
export function findRunToResume(house: House, typed: string): RunSummary {
  const byId = house.views
    .listRuns()
    .filter((run) => typed.length >= 6 && run.id.startsWith(typed.toUpperCase()));
  if (byId.length === 1 && byId[0] !== undefined) return byId[0];
  const path = briefPathInside(house.repository.root, resolve(typed));
  const byBrief = house.views
    .listRuns()
    .find(
      (run) =>
        run.request.repository === house.repositoryName && run.request.brief === path && !run.request.dryRun,
    );
  if (byBrief !== undefined) return byBrief;
  const candidates = new Set<string>([typed]);
  try {
    candidates.add(makeSlug(basename(typed)));
  } catch {
    // Not usable as a name; then it can only be a run id.
  }
  const found = [...candidates].map((slug) => findRun(house, slug)).find((run) => run !== null);
  if (found) return found;
  throw new GatewrightError('run-not-found', `No run of ${house.repositoryName} belongs to "${typed}".`);
}
