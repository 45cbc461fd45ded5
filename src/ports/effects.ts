/** How workflows change anything outside: they hand over an effect and get its receipt. */
import type { EffectKind, EffectOf, EffectResults } from '../domain/ledger/effect.ts';

export interface Effects {
  /**
   * Does the effect once, however often it is called with the same key. The effect is built only the first time; when
   * an earlier attempt was cut off, what it intended is what is finished.
   */
  perform<K extends EffectKind>(
    key: string,
    kind: K,
    build: () => Promise<Omit<EffectOf<K>, 'kind'>> | Omit<EffectOf<K>, 'kind'>,
  ): Promise<EffectResults[K]>;

  /** When the effect with that key was done, by the ledger; null when it was not. What is dated in an artefact is dated by this. */
  momentOf(key: string): Promise<Date | null>;
}
