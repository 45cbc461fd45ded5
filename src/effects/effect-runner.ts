/**
 * The only room that changes anything outside. It writes every change to the ledger as intended, then makes it, then
 * writes its receipt. Before it repeats an attempt that was cut off, it looks for the result, so that no effect happens
 * twice, no matter when the process dies.
 */

import type { EffectAllowance, EffectKind, EffectOf, EffectResults } from '../domain/ledger/effect.ts';
import type { EntryOf, NewEntry } from '../domain/ledger/ledger-entry.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import { countOf } from '../domain/text/count-of.ts';
import { GatewrightError, toGatewrightError } from '../errors.ts';
import type { Effects } from '../ports/effects.ts';
import type { Fence, Ledger } from '../ports/ledger.ts';
import { makeMarker } from './marker.ts';
import type { Attempt, Performer } from './performer.ts';
import type { Performers } from './performers.ts';

interface EffectRunnerOptions {
  readonly ledger: Ledger;
  readonly performers: Performers;
  readonly signingKey: string;
  readonly run: string;
  readonly subject: Subject;
  readonly actor: string;
  readonly fence: Fence;
  readonly allowance: EffectAllowance;
  readonly dryRun: boolean;
  /** Effects are intended and not made: another process makes them. */
  readonly isHeldBack?: boolean;
}

/** The next step of an effect: what is left to be done of it, or what came of it. */
type Step<K extends EffectKind> =
  | { readonly is: 'done'; readonly result: EffectResults[K] }
  | { readonly is: 'to-do'; readonly key: string; readonly attempt: Attempt<K> };

function heldBack(key: string, kind: EffectKind): GatewrightError {
  return new GatewrightError('effect-held-back', `"${kind}" (${key}) is made by the process that applies.`);
}

export class EffectRunner implements Effects {
  readonly #options: EffectRunnerOptions;
  #counts: Map<EffectKind, number> | null = null;

  constructor(options: EffectRunnerOptions) {
    this.#options = options;
  }

  async perform<K extends EffectKind>(
    key: string,
    kind: K,
    build: () => Promise<Omit<EffectOf<K>, 'kind'>> | Omit<EffectOf<K>, 'kind'>,
  ): Promise<EffectResults[K]> {
    const performer = this.#options.performers[kind] as unknown as Performer<K>;
    const step = await this.#intend(key, kind, performer, build);
    return step.is === 'done' ? step.result : this.#do(step.key, performer, step.attempt);
  }

  /** The first of the two steps: after it, the ledger holds the whole effect, and nothing outside has changed. */
  async #intend<K extends EffectKind>(
    key: string,
    kind: K,
    performer: Performer<K>,
    build: () => Promise<Omit<EffectOf<K>, 'kind'>> | Omit<EffectOf<K>, 'kind'>,
  ): Promise<Step<K>> {
    const { ledger, run, dryRun, isHeldBack = false } = this.#options;
    const runKey = `${run}/${key}`;
    const marker = makeMarker(this.#options.signingKey, runKey);
    for (let number = 1; ; number += 1) {
      const attemptKey = `${runKey}#${number}`;
      const receipt = await ledger.find('effect-receipted', attemptKey);
      if (receipt !== null) return { is: 'done', result: receipt.data.result as EffectResults[K] };
      const intent = await ledger.find('effect-intended', attemptKey);
      if (intent === null) {
        const effect = { ...(await build()), kind } as EffectOf<K>;
        const at = await this.#writeIntent(attemptKey, effect);
        if (dryRun) return { is: 'done', result: performer.pretend(effect) };
        if (isHeldBack) throw heldBack(key, kind);
        return { is: 'to-do', key: attemptKey, attempt: { effect, marker, since: at } };
      }
      if (intent.data.dryRun)
        return { is: 'done', result: performer.pretend(intent.data.effect as EffectOf<K>) };
      const failure = await ledger.find('effect-failed', attemptKey);
      // A file of another author had this path: what is there now is theirs, not a result of ours.
      if (failure?.data.code === 'file-conflict') continue;
      // Whether it reached the forge is found out by the process that may write it down.
      if (isHeldBack) throw heldBack(key, kind);
      const attempt: Attempt<K> = { effect: intent.data.effect as EffectOf<K>, marker, since: intent.at };
      const found = await performer.find(attempt);
      if (found !== null) {
        await this.#write([
          { ...this.#entry(attemptKey), kind: 'effect-receipted', data: { result: found, found: true } },
        ]);
        return { is: 'done', result: found };
      }
      // A failed attempt may be built anew (a person changed the draft); one that was cut off is finished as intended.
      if (failure === null) return { is: 'to-do', key: attemptKey, attempt };
    }
  }

  async momentOf(key: string): Promise<Date | null> {
    const { ledger, run } = this.#options;
    for (let number = 1; ; number += 1) {
      const attemptKey = `${run}/${key}#${number}`;
      const intent = await ledger.find('effect-intended', attemptKey);
      if (intent === null) return null;
      // A dry run does nothing: for it, what it intended is done.
      const done = intent.data.dryRun ? intent : await ledger.find('effect-receipted', attemptKey);
      if (done !== null) return new Date(done.at);
    }
  }

  /** The second step: makes the change, and writes its receipt. */
  async #do<K extends EffectKind>(
    key: string,
    performer: Performer<K>,
    attempt: Attempt<K>,
  ): Promise<EffectResults[K]> {
    let result: EffectResults[K];
    // Throws when this process has lost its lease: then it may change nothing any more, not even finish a begun effect.
    await this.#write([]);
    try {
      result = await performer.perform(attempt);
    } catch (error) {
      const { code, message } = toGatewrightError(error);
      await this.#write([{ ...this.#entry(key), kind: 'effect-failed', data: { code, message } }]);
      // It changed nothing, so another attempt may take its place.
      this.#counts = null;
      throw error;
    }
    await this.#write([{ ...this.#entry(key), kind: 'effect-receipted', data: { result, found: false } }]);
    return result;
  }

  async #writeIntent<K extends EffectKind>(key: string, effect: EffectOf<K>): Promise<string> {
    const { allowance, dryRun } = this.#options;
    const cap = allowance[effect.kind];
    if (cap === undefined) {
      throw new GatewrightError('effect-not-allowed', `This workflow may not do "${effect.kind}".`);
    }
    const counts = await this.#readCounts();
    const count = (counts.get(effect.kind) ?? 0) + 1;
    if (count > cap)
      throw new GatewrightError(
        'effect-over-cap',
        `This run may do "${effect.kind}" ${countOf(cap, 'time')} at most.`,
      );
    const [entry] = await this.#write([
      { ...this.#entry(key), kind: 'effect-intended', data: { effect, dryRun } },
    ]);
    counts.set(effect.kind, count);
    return entry?.at ?? '';
  }

  /** How many of each kind this run has done or begun; failed attempts changed nothing and do not count. */
  async #readCounts(): Promise<Map<EffectKind, number>> {
    if (this.#counts !== null) return this.#counts;
    const entries = await this.#options.ledger.readRun(this.#options.run);
    const failed = new Set(
      entries.filter((entry) => entry.kind === 'effect-failed').map((entry) => entry.key),
    );
    const counts = new Map<EffectKind, number>();
    for (const entry of entries) {
      if (entry.kind !== 'effect-intended' || failed.has(entry.key)) continue;
      const { kind } = (entry as EntryOf<'effect-intended'>).data.effect;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    this.#counts = counts;
    return counts;
  }

  #entry(key: string): { subject: string; run: string; actor: string; key: string } {
    const { subject, run, actor } = this.#options;
    return { subject, run, actor, key };
  }

  #write(entries: readonly NewEntry[]): ReturnType<Ledger['append']> {
    return this.#options.ledger.append(entries, this.#options.fence);
  }
}
