/**
 * A person may answer what the draft asks in the brief itself. When the run is resumed, a brief that was changed is read
 * again, and the run goes on from N2 with it. An answer that a person has already given counts more than the brief,
 * unless it sends the draft back to its drafter.
 */
import { resolve } from 'node:path';
import type { GateAnswer } from '../../domain/drafts/gate.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import { isGatewrightError } from '../../errors.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Drivable, Place } from '../../runs/graph/standing.ts';
import type { AuthoringTools } from '../../runs/house.ts';
import type { AuthoringContext } from './definition.ts';
import type { Run, RunOptions } from './drive-run.ts';
import { readOwnBrief } from './run-source.ts';
import type { AuthoringState } from './state.ts';

interface Opened {
  readonly context: AuthoringContext;
  readonly graph: Drivable<AuthoringState>;
}

/** Places from which a run may go back to its drafter: nothing of it is decided for good. */
const openPlaces: readonly string[] = [
  'N0_load_brief',
  'N1_sandbox',
  'N2_draft',
  'N3_human_edit_draft',
  'N4_review',
  'N5_human_edit_verdict',
];

/** The text that the run uses: the last one that it was told of. */
async function knownBrief(house: AuthoringTools, run: Run): Promise<Sha256> {
  const entries = await house.ledger.readRun(run.id);
  const last = entries.findLast((entry) => entry.kind === 'brief-changed');
  return last?.kind === 'brief-changed' ? last.data.brief : run.request.briefHash;
}

/** What the file of the brief holds now; null when there is none to read. */
async function readAgain(house: AuthoringTools, run: Run, options: RunOptions): Promise<string | null> {
  const { request } = run;
  if (options.briefNow !== undefined) return options.briefNow;
  if (request.issue !== undefined || request.brief === '' || request.dryRun) return null;
  try {
    return (await readOwnBrief(house, resolve(request.root, request.brief))).text;
  } catch (error) {
    if (!isGatewrightError(error)) throw error;
    const message = `The brief cannot be read again, so the run goes on with what it said: ${error.message}`;
    options.progress({ kind: 'warning', message });
    return null;
  }
}

/** What a person answered at the gate that the run is at; null when it has no answer. */
async function answerAt(house: AuthoringTools, place: Place<AuthoringState>): Promise<GateAnswer | null> {
  if (place.question === null) return null;
  return (await house.ledger.find('gate-answered', place.question.id))?.data.answer ?? null;
}

/** A draft that goes back to its drafter is not decided on: the drafter gets the changed brief together with the feedback. */
async function isDecided(house: AuthoringTools, place: Place<AuthoringState>): Promise<boolean> {
  const answer = await answerAt(house, place);
  return answer !== null && answer.choice !== 'revise';
}

/** The draft as a person left it in its file, so that nothing of it is lost. */
async function draftNow(house: AuthoringTools, { draft }: AuthoringState): Promise<AuthoringState['draft']> {
  const text = draft === null ? null : await house.repository.readText(draft.path);
  return draft === null || text === null
    ? draft
    : { path: draft.path, hash: await house.ledger.putText(text) };
}

export async function followBrief(
  house: AuthoringTools,
  run: Run,
  options: RunOptions,
  lease: Lease,
  openAt: (brief: Sha256) => Opened,
): Promise<Opened> {
  const known = await knownBrief(house, run);
  const opened = openAt(known);
  if (options.isResumed !== true) return opened;
  const text = await readAgain(house, run, options);
  const brief = text === null ? known : await house.ledger.putText(text);
  let mayFollow = brief !== known;
  await opened.graph.returnTo('N1_sandbox', async (place) => {
    if (mayFollow) mayFollow = openPlaces.includes(place.node) && !(await isDecided(house, place));
    return null;
  });
  if (brief !== known && !mayFollow) {
    const message = 'The brief was changed, but the draft is decided on: the run goes on with it.';
    options.progress({ kind: 'warning', message });
  }
  if (mayFollow) {
    const data = { brief, previous: known };
    const entry = {
      subject: run.subject,
      run: run.id,
      actor: house.actor,
      kind: 'brief-changed',
      data,
    } as const;
    await house.ledger.append([entry], lease);
  }
  const followed = mayFollow ? openAt(brief) : opened;
  const now = mayFollow ? brief : known;
  // Asked of the checkpoint and not of the file: the process that wrote the entry may have died right after it.
  await followed.graph.returnTo('N1_sandbox', async (place) => {
    const { state } = place;
    const made = state.brief ?? run.request.briefHash;
    if (state.draft === null || made === now || !openPlaces.includes(place.node)) return null;
    if (await isDecided(house, place)) return null;
    const answer = await answerAt(house, place);
    options.progress({
      kind: 'warning',
      message: 'The brief was changed: the draft is written again from N2.',
    });
    return {
      ...state,
      ...{ step: state.step + 1, draft: await draftNow(house, state), route: 'revise' },
      // From here on the run is at the new brief: a process that is killed before the draft is written does not go back
      // a second time, which would save the brief twice.
      ...{ brief: now, previousBrief: state.previousBrief ?? made },
      ...(answer === null ? {} : { iteration: state.iteration + 1 }),
      ...{ feedback: answer?.feedback ?? '', isUnchanged: false, mustAsk: false, filingError: null },
    };
  });
  return followed;
}
