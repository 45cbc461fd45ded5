/** Answers a gate with the answer of a recorded run, after putting its files into the state they had then. */
import type { GateAnswer, GateQuestion } from '../../../domain/drafts/gate.ts';
import type { NewEntry } from '../../../domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Fence } from '../../../ports/ledger.ts';
import { hashTexts, readArtefacts, recordAnswer } from '../../../runs/gates/answer-gate.ts';
import type { ReplayAnswer } from '../../../runs/gates/resolve-gate.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import { makeEffects } from '../../../runs/make-effects.ts';
import type { Run } from '../drive-run.ts';
import type { RecordedRun } from './recorded-run.ts';

interface ReplayedGate {
  readonly run: Run;
  readonly recorded: RecordedRun;
  readonly question: GateQuestion;
  /** Puts the question on the ledger. */
  readonly asking: NewEntry;
  readonly fence: Fence;
}

/** A gate has two files at most. */
const allowance = { 'edit-file': 100_000 };

async function editFiles(
  house: AuthoringTools,
  { run, recorded, question, fence }: ReplayedGate,
): Promise<void> {
  const edits = recorded.editsAt(question);
  const effects = makeEffects(
    { ...house, actor: `record:${recorded.source}` },
    { ...{ run: run.id, subject: run.subject, fence, allowance }, dryRun: run.request.dryRun },
  );
  for (const { name, path } of question.artefacts) {
    const text = Object.hasOwn(edits, name) ? edits[name] : undefined;
    if (text === undefined) continue;
    await effects.perform(`${question.id}/edit/${name}`, 'edit-file', async () => ({
      path,
      content: await house.ledger.putText(text),
    }));
  }
}

/** Null when nothing was recorded for this gate, so that a person has to be asked. */
async function replayGateAnswer(house: AuthoringTools, input: ReplayedGate): Promise<GateAnswer | null> {
  const { run, recorded, question, asking, fence } = input;
  await editFiles(house, input);
  const gate = recorded.gateOf(question);
  if (gate === null) return null;
  const shown = hashTexts(await readArtefacts(question, house.repository, house.ledger, run.request.dryRun));
  const changed = Object.keys(shown).filter((name) => gate.seen[name] !== shown[name]);
  if (recorded.isStrict && changed.length > 0) {
    throw new GatewrightError(
      'cassette-mismatch',
      `The ${changed.join(' and the ')} at gate ${question.id} is not the one that the recorded answer was given for.`,
      { hint: 'Fork from an earlier step; the gate is then asked again.' },
    );
  }
  house.ledger.defer(asking, fence);
  return recordAnswer(house.ledger, house.repository, {
    runId: run.id,
    subject: run.subject,
    question,
    choice: gate.choice,
    ...(gate.feedback === undefined ? {} : { feedback: gate.feedback }),
    by: 'record',
    takenFrom: {
      run: recorded.source,
      by: gate.by,
      ...(gate.actor === undefined ? {} : { actor: gate.actor }),
    },
    actor: house.actor,
    shown,
    isDryRun: run.request.dryRun,
    fence,
  });
}

/** How the gates of a run are answered from the run that it takes over; null when it takes over none. */
export function replayFrom(
  house: AuthoringTools,
  run: Run,
  recorded: RecordedRun | null,
  fence: Fence,
): ReplayAnswer | null {
  if (recorded === null) return null;
  return (question, asking) => replayGateAnswer(house, { run, recorded, question, asking, fence });
}
