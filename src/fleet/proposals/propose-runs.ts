/**
 * The half of runs that asks models: each run that waits for one is walked again, on a ledger that is thrown away, up to
 * the first effect that is not made yet. What models answered on the way is the proposal.
 */

import { canonicalJson, type Json, sha256 } from '../../domain/ledger/hash.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { RunSummary } from '../../domain/ledger/run.ts';
import {
  isTellable,
  listLeft,
  type Proposal,
  type ProposedRun,
  proposalCaps,
  proposalFormat,
} from '../../domain/proposals/proposal.ts';
import type { ProposalPlace } from '../../domain/proposals/seal-proposal.ts';
import { GatewrightError, isGatewrightError, isPause } from '../../errors.ts';
import type { AskedCall, AskingHalf, WorkedCall } from '../../runs/halves.ts';
import type { FleetTools } from '../../runs/house.ts';
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

export class RunProposer {
  readonly #house: FleetTools;
  readonly #session: FleetSession;

  /** @param house on a ledger that may be written to and counts for nothing */
  constructor(house: FleetTools, session: FleetSession) {
    this.#house = house;
    this.#session = session;
  }

  async propose(place: ProposalPlace, agents: Proposal['agents']): Promise<Proposal> {
    const runs: ProposedRun[] = [];
    const waiting = (await listWaitingRuns(this.#house, agents)).slice(0, proposalCaps.runs);
    if (waiting.length > 0) await this.#house.parcels.checkPacking(place.base);
    for (const run of waiting) {
      if (this.#session.signal?.aborted === true) break;
      runs.push(await this.#walk(run));
    }
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
    try {
      await resumeAny({ ...this.#house, half }, run, this.#session);
    } catch (error) {
      if (!isPause(error) && !isGatewrightError(error, 'lease-held')) throw error;
    }
    const intended = listIntended(await sinceThen());
    return { run: run.id, subject: run.subject, tip: before.at(-1)?.hash ?? '', calls, intended };
  }
}
