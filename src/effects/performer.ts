/** How one kind of effect is done, how a finished one is found again after a crash, and what a dry run pretends. */
import type { EffectKind, EffectOf, EffectResults } from '../domain/ledger/effect.ts';

export interface Attempt<K extends EffectKind> {
  readonly effect: EffectOf<K>;
  readonly marker: string;
  /** When it was intended, ISO 8601: nothing older can be its result. */
  readonly since: string;
}

export interface Performer<K extends EffectKind> {
  perform(attempt: Attempt<K>): Promise<EffectResults[K]>;
  /** Looks at what is there now and repeats nothing. */
  find(attempt: Attempt<K>): Promise<EffectResults[K] | null>;
  pretend(effect: EffectOf<K>): EffectResults[K];
}

/** Clocks of two machines differ; looking an hour further back costs nothing. */
export function withSlack(moment: string): string {
  return new Date(new Date(moment).getTime() - 3_600_000).toISOString();
}
