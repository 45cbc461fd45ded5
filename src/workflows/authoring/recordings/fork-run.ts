/**
 * Forks a recorded run: a new run that takes over everything before a step and goes on live from there, with another draft
 * or other words to the drafter. What was answered before is never an approval of what comes after: every draft that is
 * filed was reviewed for this very content, and the gate before filing is always asked anew.
 */

import { makeForkSlug } from '../../../domain/drafts/slug.ts';
import { makeRunId } from '../../../domain/ledger/ids.ts';
import type { RunFork } from '../../../domain/ledger/run.ts';
import { isAuthoringRun } from '../../../domain/ledger/run.ts';
import { findStep, type NamedStep, nameSteps, shortNode } from '../../../domain/ledger/run-steps.ts';
import type { RecordedCassette } from '../../../domain/recordings/cassette.ts';
import { GatewrightError } from '../../../errors.ts';
import { acquireLease } from '../../../runs/acquire-lease.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import { isNameTaken } from '../choose-name.ts';
import { driveRun, type Run, type RunOptions, type RunOutcome } from '../drive-run.ts';
import { refuseIfStartedMeanwhile, requireWritePermission } from '../start-run.ts';
import { checkRecordFile } from './keep-record.ts';
import { makeRequest } from './recorded-request.ts';

export interface ForkInput {
  readonly cassette: RecordedCassette;
  /** The same, as text; it is kept on the ledger of the fork. */
  readonly cassetteText: string;
  /** As a person named it. */
  readonly from: string;
  readonly draft: string | null;
  readonly prompt: string | null;
  /** Where the brief is, as the new run names it. */
  readonly brief: string;
  readonly models: { readonly drafter: string; readonly reviewer: string };
  readonly onStart: (run: Run) => void;
}

function refuse(message: string, hint: string): never {
  throw new GatewrightError('fork-refused', message, { hint });
}

/** Where a fork may begin, and what may be changed there. */
export function checkFork(input: Pick<ForkInput, 'cassette' | 'from' | 'draft' | 'prompt'>): NamedStep {
  const { steps } = input.cassette.run;
  const step = findStep(steps, input.from);
  const kind = shortNode(step.node);
  const named = nameSteps(steps);
  const filing = steps.find((one) => shortNode(one.node) === 'N6')?.step ?? Number.POSITIVE_INFINITY;
  const listKinds = (...kinds: string[]): string =>
    named
      .filter((one) => one.step < filing && kinds.includes(shortNode(one.node)))
      .map((one) => one.name)
      .join(', ') || 'none';
  if (input.draft !== null && input.prompt !== null)
    refuse('Change the draft or the prompt, not both.', 'Give one of --draft FILE and --prompt FILE.');
  if (input.prompt !== null && kind === 'N4')
    refuse(
      'The prompt of the reviewer cannot be changed.',
      `Change the prompt of the drafter: ${listKinds('N2')}`,
    );
  if (input.prompt !== null && kind !== 'N2')
    refuse(
      `The step ${step.name} has no drafter, so it has no prompt to change.`,
      `With --prompt, fork from one of: ${listKinds('N2')}`,
    );
  if (input.draft !== null && kind !== 'N3' && kind !== 'N5')
    refuse(`The step ${step.name} has no draft.`, `With --draft, fork from one of: ${listKinds('N3', 'N5')}`);
  // Filing needs an answer that was given for it: the verdict gate before it is always asked anew.
  if (step.step >= filing)
    refuse(
      `At ${step.name} the draft is already approved, and that approval does not count for another issue.`,
      `Fork from the gate before it, or earlier: ${listKinds('N5')}`,
    );
  // What was answered before the change belongs to the old brief, so the steps up to there cannot be taken over.
  const change = input.cassette.run.briefs.find((one) => one.step < step.step);
  if (change !== undefined)
    refuse(
      `The brief was changed before ${step.name}, and a fork cannot repeat that.`,
      `Begin a new run with the new brief, or fork from before the change: ${
        named
          .filter((one) => one.step <= change.step)
          .map((one) => one.name)
          .join(', ') || 'none'
      }`,
    );
  return step;
}

/** `{slug}-fork`, `-fork-2` …: the first that no run here has had. */
async function chooseForkName(house: AuthoringTools, slug: string): Promise<string> {
  const runs = await house.views.listRuns({ root: house.repository.root });
  const used = new Set(runs.filter(isAuthoringRun).map((run) => run.request.slug));
  for (let number = 1; ; number += 1) {
    const name = makeForkSlug(slug, number);
    if (!used.has(name) && !(await isNameTaken(house, name)).taken) return name;
  }
}

export async function forkRun(
  house: AuthoringTools,
  input: ForkInput,
  options: RunOptions,
): Promise<RunOutcome> {
  const step = checkFork(input);
  const { ledger } = house;
  const { run: record } = input.cassette;
  await requireWritePermission(house, house.repositoryName);
  await checkRecordFile(house, options.record, null);
  const drafter = options.drafter ?? input.models.drafter;
  const reviewer = options.reviewer ?? input.models.reviewer;
  house.makeModel(drafter, 'drafter');
  house.makeModel(reviewer, 'reviewer');
  const slug = await chooseForkName(house, record.slug);
  const fork: RunFork = {
    run: record.id,
    step: step.step,
    record: await ledger.putText(input.cassetteText),
    ...(input.draft === null ? {} : { draft: await ledger.putText(input.draft) }),
    ...(input.prompt === null ? {} : { prompt: await ledger.putText(input.prompt) }),
  };
  const { request, subject } = await makeRequest(house, record, input.brief, {
    slug,
    drafter,
    reviewer,
    strict: options.mode.strict || record.strict,
    maxIterations: options.maxIterations ?? house.maxIterations,
  });
  const run: Run = {
    id: makeRunId(house.clock.now(), house.clock.randomBytes(10)),
    subject,
    request: { ...request, ...(options.record == null ? {} : { record: options.record }), fork },
  };
  const lease = await acquireLease(house, run.subject);
  try {
    await refuseIfStartedMeanwhile(house, slug);
    await ledger.append(
      [
        {
          subject: run.subject,
          run: run.id,
          actor: house.actor,
          kind: 'run-started',
          key: run.id,
          data: { request: run.request },
        },
      ],
      lease,
    );
    input.onStart(run);
    return await driveRun(house, run, options, lease);
  } finally {
    await lease.release();
  }
}
