/** Begins an authoring run on a brief or an issue, or resumes one: reads, leases, settles the name, then drives. */

import { describeMissingWrite, howToGetWrite, isAtLeast } from '../../domain/forge/permission.ts';
import { makeRunId } from '../../domain/ledger/ids.ts';
import { type AuthoringRequest, type AuthoringRun, resumeCommandOf } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import { describeEnd } from '../../runs/end-run.ts';
import type { AuthoringTools } from '../../runs/house.ts';
import { chooseName, isNameTaken, type ResolveCollision } from './choose-name.ts';
import { driveRun, type Run, type RunOptions, type RunOutcome } from './drive-run.ts';
import type { MovedAside } from './move-cancelled-aside.ts';
import { readHome } from './read-home.ts';
import { checkRecordFile } from './recordings/keep-record.ts';
import type { RunSource } from './run-source.ts';

export interface StartInput {
  readonly source: RunSource;
  readonly dryRun: boolean;
  readonly resolveCollision: ResolveCollision;
  /** The files of a cancelled run that had the short name were moved. */
  readonly onMovedAside?: (moved: MovedAside) => void;
  /** Called once the run exists, before its first node. */
  readonly onStart: (run: Run, isResumed: boolean) => void;
}

/** Only an account with write permission may decide about a run, by answering a gate or by resuming it in auto mode. */
export async function requireWritePermission(
  house: Pick<AuthoringTools, 'forge' | 'actor'>,
  repository: string,
): Promise<void> {
  const permission = await house.forge.permissionOf(repository, await house.forge.whoAmI());
  if (isAtLeast(permission, 'write')) return;
  throw new GatewrightError(
    'forge-forbidden',
    `${describeMissingWrite(house.actor, permission, repository)}.`,
    { hint: `To continue, ${howToGetWrite(house.forge.kind, house.actor, repository)}` },
  );
}

/** Starts a run. Null when the person chose to abort at a name collision. */
export async function startRun(
  house: AuthoringTools,
  input: StartInput,
  options: RunOptions,
): Promise<RunOutcome | null> {
  const { source } = input;
  // Both are made now, so that an unusable model is refused before anything is written.
  const chosen = house.modelsFor(source.workflow);
  const drafter = options.drafter ?? chosen.drafter;
  const reviewer = options.reviewer ?? chosen.reviewer;
  house.makeModel(drafter, 'drafter');
  house.makeModel(reviewer, 'reviewer');
  await checkRecordFile(house, options.record, null);
  const named = input.dryRun
    ? { slug: source.slug }
    : await chooseName(house, source.slug, input.resolveCollision, input.onMovedAside);
  if (named === null) return null;
  if ('resume' in named) return resumeRun(house, named.resume, options, input.onStart);
  const { slug } = named;
  const request: AuthoringRequest = {
    workflow: source.workflow,
    slug,
    title: source.title,
    forge: house.forge.kind,
    repository: house.repositoryName,
    root: house.repository.root,
    ...(await readHome(house)),
    ...source.from,
    briefHash: await house.ledger.putText(source.text),
    ...(source.context === '' ? {} : { contextHash: await house.ledger.putText(source.context) }),
    drafter,
    reviewer,
    strict: options.mode.strict,
    maxIterations: options.maxIterations ?? house.maxIterations,
    dryRun: input.dryRun,
    ...(options.record == null ? {} : { record: options.record }),
  };
  const id = makeRunId(house.clock.now(), house.clock.randomBytes(10));
  // A dry run has a chain of its own: it neither waits for nor holds up the real one.
  const subject = input.dryRun ? `dry-run:${id}` : source.subjectOf(slug);
  const lease = await acquireLease(house, subject);
  try {
    if (!input.dryRun) {
      await refuseIfStartedMeanwhile(house, slug);
      await source.requireOpen();
    }
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
export async function refuseIfStartedMeanwhile(house: AuthoringTools, slug: string): Promise<void> {
  const { taken } = await isNameTaken(house, slug);
  if (taken) throw new GatewrightError('slug-taken', `"${slug}" was taken by another process a moment ago.`);
}

/** Resumes a run where it stopped. */
export async function resumeRun(
  house: AuthoringTools,
  summary: AuthoringRun,
  options: RunOptions,
  onStart: StartInput['onStart'],
): Promise<RunOutcome> {
  if (summary.status === 'done') {
    throw new GatewrightError('run-finished', describeEnd(summary), {
      hint: `See what it did with: gatewright runs show ${summary.id}`,
    });
  }
  if (summary.request.root !== house.repository.root) {
    throw new GatewrightError(
      'run-not-found',
      `The run ${summary.id} works in ${summary.request.root}, not in ${house.repository.root}.`,
      { hint: `Continue it with: ${resumeCommandOf(summary.request, summary.id, house.commandSuffix)}` },
    );
  }
  if ((summary.request.forge ?? 'local') !== house.forge.kind) {
    throw new GatewrightError('usage', `The run ${summary.id} uses another forge.`, {
      hint: `Continue with: ${resumeCommandOf(summary.request, summary.id, house.commandSuffix)}`,
    });
  }
  await checkRecordFile(house, options.record, summary.id);
  const run: Run = { id: summary.id, subject: summary.subject, request: summary.request };
  const lease = await acquireLease(house, run.subject);
  try {
    await requireWritePermission(house, run.request.repository);
    // It may have moved on while this process waited for the lease.
    const now = await house.views.findRun(run.id);
    if (now === null || now.status === 'done') {
      throw new GatewrightError('run-finished', `The run ${run.id} was finished or dropped a moment ago.`, {
        hint: `See what it did with: gatewright runs show ${run.id}`,
      });
    }
    await house.ledger.append(
      [
        {
          subject: run.subject,
          run: run.id,
          actor: house.actor,
          kind: 'run-resumed',
          data: {
            from: summary.status,
            drafter: options.drafter ?? summary.request.drafter,
            reviewer: options.reviewer ?? summary.request.reviewer,
            ...(summary.movedFrom === undefined ? {} : { root: house.repository.root }),
            ...(options.record == null ? {} : { record: options.record }),
          },
        },
      ],
      lease,
    );
    onStart(run, true);
    return await driveRun(house, run, { ...options, isResumed: true }, lease);
  } finally {
    await lease.release();
  }
}
