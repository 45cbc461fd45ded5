/**
 * The half of runs that asks models: each run that waits for one is walked again, on a ledger that is thrown away, up to
 * the first effect that is not made yet. What models answered on the way is the proposal.
 */

import { manifests } from '../../agents/agents.ts';
import { workflowNames } from '../../domain/fleet/agent-names.ts';
import { canonicalJson, type Json, sha256 } from '../../domain/ledger/hash.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { RunSummary } from '../../domain/ledger/run.ts';
import { minutesToAsk } from '../../domain/proposals/job-minutes.ts';
import {
  isTellable,
  listLeft,
  type Proposal,
  type ProposedRun,
  proposalCaps,
  proposalFormat,
} from '../../domain/proposals/proposal.ts';
import type { ProposalPlace } from '../../domain/proposals/seal-proposal.ts';
import { GatewrightError, isGatewrightError, isPause, toGatewrightError } from '../../errors.ts';
import type { AskedCall, AskingHalf, WorkedCall } from '../../runs/halves.ts';
import type { FleetTools } from '../../runs/house.ts';
import { type Failure, Failures } from '../failures.ts';
import { resumeAny } from '../resume-any.ts';
import type { FleetSession } from '../run-agent.ts';
import { listWaitingRuns } from './waiting-runs.ts';

type Call = ProposedRun['calls'][number];

/** A call that ended with its process told nothing that another one could go on with. */
function isToldWhole(done: AskedCall | WorkedCall): boolean {
  if (done.kind === 'asked')
    return (
      done.spent.every(({ why }) => isTellable(why)) &&
      (!('failure' in done.end) || isTellable(done.end.failure.code))
    );
  return [done.report, ...done.report.earlier].every(
    ({ outcome }) => outcome.kind !== 'failed' || outcome.why !== 'aborted',
  );
}

/** What the run was about to do, for people: the other half works it out anew. */
function listIntended(entries: readonly LedgerEntry[]): ProposedRun['intended'] {
  return entries
    .flatMap(({ kind, key, data }) =>
      kind === 'effect-intended'
        ? [
            {
              key: (key ?? '').slice(0, 300),
              kind: data.effect.kind,
              hash: sha256(canonicalJson(data.effect as unknown as Json)),
            },
          ]
        : [],
    )
    .slice(0, proposalCaps.intended);
}

/** Half of the time that the job has: the run that is begun last gets the other half. In milliseconds. */
function timeToBegin(agents: Proposal['agents']): number {
  const hasCoder = agents.some(
    (name) =>
      workflowNames.some((one) => one === name) ||
      manifests.some((manifest) => manifest.name === name && manifest.model === 'coder'),
  );
  return (minutesToAsk[hasCoder ? 'coder' : 'model'] / 2) * 60_000;
}

/** A run that no model was asked about, and what kept it from that. */
interface Unasked {
  readonly subject: string;
  readonly why: string;
}

export class RunProposer {
  readonly #house: FleetTools;
  readonly #session: FleetSession;
  readonly #failures = new Failures();
  readonly #unasked: Unasked[] = [];

  /** @param house on a ledger that may be written to and counts for nothing */
  constructor(house: FleetTools, session: FleetSession) {
    this.#house = house;
    this.#session = session;
  }

  /** Runs that could not be walked: they wait on, and what the others were answered is proposed. */
  get failures(): readonly Failure[] {
    return this.#failures.all;
  }

  /** Runs that came to a change outside, or to another process, before they asked. */
  get unasked(): readonly Unasked[] {
    return this.#unasked;
  }

  /** Throws only where nothing was answered that would be lost with it. */
  async propose(place: ProposalPlace, agents: Proposal['agents']): Promise<Proposal> {
    const runs: ProposedRun[] = [];
    const waiting = (await listWaitingRuns(this.#house, agents)).slice(0, proposalCaps.runs);
    if (waiting.length > 0) await this.#house.parcels.checkPacking(place.base);
    const until = this.#house.clock.now().getTime() + timeToBegin(agents);
    for (const run of waiting) {
      if (this.#session.signal?.aborted === true) break;
      // A job that GitHub stops leaves no file: all of it would be paid for again. The next job goes on with the rest.
      if (runs.length > 0 && this.#house.clock.now().getTime() >= until) break;
      runs.push(await this.#walk(run));
    }
    const [failure] = this.failures;
    if (failure !== undefined && runs.every(({ calls }) => calls.length === 0)) throw failure.error;
    const parcel = await this.#house.parcels.pack(place.base, listLeft({ runs }));
    const { repository, workflowRun, attempt, event, base } = place;
    return {
      ...{ format: proposalFormat, repository, workflowRun, attempt, agents, event, base, runs },
      bundle: parcel === null ? null : { base64: parcel, hash: sha256(parcel) },
    };
  }

  async #walk(run: RunSummary): Promise<ProposedRun> {
    const { ledger } = this.#house;
    const before = await ledger.readRun(run.id);
    const calls: Call[] = [];
    const sinceThen = async (): Promise<LedgerEntry[]> => (await ledger.readRun(run.id)).slice(before.length);
    const half: AskingHalf = {
      kind: 'asks',
      note: ({ role, call, prompt }, done) => {
        if (isToldWhole(done)) calls.push({ role, call, prompt, done } as Call);
      },
      checkMayAsk: async () => {
        // The other half runs the command again, and it may print something else: an answer to this question would be
        // paid for and of no use.
        if ((await sinceThen()).some(({ kind }) => kind === 'command-verified'))
          throw new GatewrightError('effect-held-back', 'What a command said is asked about once it counts.');
      },
    };
    await this.#failures.collect(run.subject, undefined, async () => {
      try {
        await resumeAny({ ...this.#house, half }, run, this.#session);
      } catch (error) {
        if (!isPause(error) && !isGatewrightError(error, 'lease-held')) throw error;
        if (calls.length === 0)
          this.#unasked.push({ subject: run.subject, why: toGatewrightError(error).message });
      }
    });
    const intended = listIntended(await sinceThen());
    return { run: run.id, subject: run.subject, tip: before.at(-1)?.hash ?? '', calls, intended };
  }
}
