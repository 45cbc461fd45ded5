/** What models cost, by what is known here. */
import type { Price } from '../domain/models/model-price.ts';

export interface Prices {
  /** @param model as it is configured, `provider:model`; null when its price is not known */
  find(model: string): Price | null;
}

/** Loaded when the first model is asked: a catalogue is large. */
export type LoadPrices = () => Promise<Prices>;
