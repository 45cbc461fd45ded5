/**
 * The world of a recorded run, so that a replay makes the same files: its clock shows the recorded moments, its forge
 * gives the recorded numbers, addresses and refusals, and files get the numbers they had, whatever else lay beside them.
 */
import type { LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import { momentKey, type RecordedForgeAnswer, type Recording } from '../../domain/recordings/recording.ts';
import { type ErrorCode, GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Forge } from '../../ports/forge/forge.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Repository } from '../../ports/repository.ts';
import { overrideMethods } from './override-methods.ts';

/** Stands still at the last recorded moment, and knows at which step the replay is. */
export class ReplayClock implements Clock {
  step = 0;
  #now: Date;
  readonly #clock: Clock;

  constructor(recording: Recording, clock: Clock) {
    this.#now = new Date(recording.moments[0]?.at ?? 0);
    this.#clock = clock;
  }

  show(moment: Date): void {
    this.#now = moment;
  }

  now(): Date {
    return this.#now;
  }

  randomBytes(length: number): Uint8Array {
    return this.#clock.randomBytes(length);
  }

  sleep(milliseconds: number): Promise<void> {
    return this.#clock.sleep(milliseconds);
  }
}

/** Every entry is dated as the same one was in the recorded run. */
export function replayMoments<L extends Ledger>(ledger: L, recording: Recording, clock: ReplayClock): L {
  const moments = new Map(recording.moments.map(({ key, at }) => [key, new Date(at)]));
  const append: Ledger['append'] = (entries: readonly NewEntry[], fence): Promise<LedgerEntry[]> => {
    for (const { kind, key } of entries) {
      const moment = moments.get(momentKey(recording.id, kind, key ?? ''));
      if (moment !== undefined) clock.show(moment);
    }
    return ledger.append(entries, fence);
  };
  const defer: Ledger['defer'] = (entry, fence) => {
    if (entry.kind === 'node-begun') clock.step = entry.data.step;
    const moment = moments.get(momentKey(recording.id, entry.kind, entry.key ?? ''));
    if (moment !== undefined) clock.show(moment);
    ledger.defer(entry, fence);
  };
  return overrideMethods<L>(ledger, { append, defer } as Partial<L>);
}

interface NumberedForge extends Forge {
  startNumbersAt(repository: string, number: number): Promise<void>;
}

function refuse(failed: { code: string; message: string }): never {
  throw new GatewrightError(failed.code as ErrorCode, failed.message);
}

export function replayForge<F extends NumberedForge>(forge: F, recording: Recording): F {
  const next = <E extends RecordedForgeAnswer['effect']>(effect: E) => {
    const answers = recording.forge.filter((answer) => answer.effect === effect);
    let index = 0;
    return () => {
      const answer = answers[index];
      index += 1;
      return answer;
    };
  };
  const nextLabel = next('ensure-label');
  const nextIssue = next('create-issue');
  const ensureLabel: Forge['ensureLabel'] = async (repository, label) => {
    const answer = nextLabel();
    if (answer !== undefined && 'failed' in answer) refuse(answer.failed);
    return forge.ensureLabel(repository, label);
  };
  const createIssue: Forge['createIssue'] = async (repository, issue) => {
    const answer = nextIssue();
    if (answer !== undefined && 'failed' in answer) refuse(answer.failed);
    if (answer === undefined || !('number' in answer)) return forge.createIssue(repository, issue);
    await forge.startNumbersAt(repository, answer.number);
    return { ...(await forge.createIssue(repository, issue)), url: answer.url };
  };
  return overrideMethods<F>(forge, { ensureLabel, createIssue } as Partial<F>);
}

/**
 * File numbers follow from what is in the folder. A recording does not hold the files that people had put there, only
 * that they existed; of the files of the repository it holds only the names.
 */
export function replayFiles<R extends Repository>(
  repository: R,
  recording: Recording,
  clock: ReplayClock,
): R {
  const written = new Set<string>();
  const createFile: Repository['createFile'] = async (path, content) => {
    written.add(path);
    return repository.createFile(path, content);
  };
  const listFolder: Repository['listFolder'] = async (folder) => {
    const names = await repository.listFolder(folder);
    const next = recording.artefacts.find((one) => !written.has(one.writtenAs))?.writtenAs ?? '';
    const number = next.startsWith(`${folder}/`) ? /\/(\d{3,6})-[^/]*$/u.exec(next)?.[1] : undefined;
    const before = Number(number ?? 0) - 1;
    return before < 1 ? names : [...names, `${String(before).padStart(3, '0')}-before`];
  };
  const listFiles: Repository['listFiles'] = async () =>
    recording.files.findLast((one) => one.step <= clock.step)?.names ?? (await repository.listFiles());
  return overrideMethods<R>(repository, { createFile, listFolder, listFiles } as Partial<R>);
}
