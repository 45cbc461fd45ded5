/** Plays a recorded run again, without any model or person, and compares every file that comes of it with what was recorded. */

import { canonicalJson, sha256 } from '../../../domain/ledger/hash.ts';
import type { RecordedCassette } from '../../../domain/recordings/cassette.ts';
import { isGatewrightError } from '../../../errors.ts';
import type { Progress } from '../../../ports/progress.ts';
import { acquireLease } from '../../../runs/acquire-lease.ts';
import { noDialogue } from '../../../runs/gates/resolve-gate.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import { driveRun, type Run, type RunOptions } from '../drive-run.ts';
import { foldArtefacts } from '../rules/artefacts.ts';
import { findFiled } from './export-cassette.ts';
import { makeRequest } from './recorded-request.ts';
import { RecordedRun } from './recorded-run.ts';

interface ComparedArtefact {
  readonly path: string;
  /** `extra`: the replay made it, and the recorded run had not. */
  readonly state: 'same' | 'differs' | 'missing' | 'extra';
}

export interface ReplayReport {
  readonly artefacts: readonly ComparedArtefact[];
  /** Calls whose prompts are others by now: the replay proves less about them. */
  readonly changedPrompts: readonly string[];
  /** Why it did not get as far as the recorded run; null when it did. */
  readonly stopped: string | null;
  readonly isSame: boolean;
}

/** The rounds were already limited when the run was recorded; a replay goes as far as the recording does. */
const anyNumberOfRounds = 1_000_000;

async function compareArtefacts(
  house: AuthoringTools,
  cassette: RecordedCassette,
  runId: string,
): Promise<ComparedArtefact[]> {
  const { run } = cassette;
  const compared: ComparedArtefact[] = [];
  const entries = await house.ledger.readRun(runId);
  const made = foldArtefacts(entries);
  // A run that was cut off while it filed is finished by the replay, which moves its files on.
  const isWhole = run.status === 'done';
  for (const { path, writtenAs, sha256: expected } of run.artefacts) {
    const now = isWhole ? path : (made.find((one) => one.writtenAs === writtenAs)?.path ?? path);
    const text = await house.repository.readText(now);
    compared.push({
      path,
      state: text === null ? 'missing' : sha256(text) === expected ? 'same' : 'differs',
    });
  }
  if (!isWhole) return compared;
  const known = new Set(run.artefacts.map((one) => one.path));
  const extra = made.filter((one) => !known.has(one.path));
  compared.push(...extra.map(({ path }) => ({ path, state: 'extra' as const })));
  const filed = findFiled(entries);
  if (run.filed === null && filed === null) return compared;
  const state =
    filed === null
      ? 'missing'
      : run.filed === null
        ? 'extra'
        : canonicalJson(filed) === canonicalJson(run.filed)
          ? 'same'
          : 'differs';
  return [...compared, { path: 'the issue as it was filed', state }];
}

/** The brief is where the composition put it: inside the scratch repository, or beside it. */
export async function replayRun(
  house: AuthoringTools,
  cassette: RecordedCassette,
  brief: string,
  progress: Progress,
): Promise<ReplayReport> {
  const { run: record } = cassette;
  const { request, subject } = await makeRequest(house, record, brief, {
    slug: record.slug,
    drafter: 'record',
    reviewer: 'record',
    strict: record.strict,
    maxIterations: anyNumberOfRounds,
  });
  const recorded = new RecordedRun(cassette, {
    runId: record.id,
    before: Number.POSITIVE_INFINITY,
    draft: null,
    isStrict: false,
  });
  const run: Run = { id: record.id, subject, request };
  const lease = await acquireLease(house, run.subject);
  let stopped: string | null = null;
  try {
    await house.ledger.append(
      [
        {
          subject: run.subject,
          run: run.id,
          actor: house.actor,
          kind: 'run-started',
          key: run.id,
          data: { request },
        },
      ],
      lease,
    );
    const options: RunOptions = {
      // No policy answers a gate that the recording does not answer.
      mode: { auto: false, testMode: false, strict: true },
      maxIterations: null,
      needsEditor: false,
      independenceWaiver: 'a replay asks no model',
      drafter: null,
      reviewer: null,
      dialogue: noDialogue,
      progress,
      recorded,
    };
    let outcome = await driveRun(house, run, options, lease);
    // The recorded run waited while a person changed the brief; the replay stops at the same gate.
    for (const { text } of record.briefs)
      if (outcome.status !== 'done')
        outcome = await driveRun(house, run, { ...options, isResumed: true, briefNow: text }, lease);
    if (outcome.status !== 'done') stopped = outcome.reason.message;
  } catch (error) {
    if (!isGatewrightError(error)) throw error;
    stopped = error.message;
  } finally {
    await lease.release();
  }
  const artefacts = await compareArtefacts(house, cassette, run.id);
  // A run that was recorded before it was done has to stop somewhere.
  const isShort = record.status === 'done' && stopped !== null;
  return {
    artefacts,
    changedPrompts: recorded.changedPrompts,
    stopped: isShort ? stopped : null,
    isSame: !isShort && artefacts.every((one) => one.state === 'same'),
  };
}
