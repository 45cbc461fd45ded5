/**
 * Prices from the catalogue of the field, which comes with the program: nothing is asked for over the network. What a
 * person sets in the configuration counts more.
 */
import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { flatPrice, flatRate, type Price, type Rate } from '../../domain/models/model-price.ts';
import type { LoadPrices } from '../../ports/model.ts';

/** What a person set for one model, in USD for a million tokens. */
export interface SetPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/**
 * What the Claude Code CLI calls the newest of a size, as the dearest that it may mean. The CLI itself reports what a
 * call has cost; this is only for what the next one may cost.
 */
const claudeNames: Readonly<Record<string, string>> = {
  default: 'claude-opus-5',
  opus: 'claude-opus-5',
  sonnet: 'claude-sonnet-4-5',
  haiku: 'claude-haiku-4-5',
  fable: 'claude-fable-5',
};

function readRate(given: number | TieredPrices | undefined): Rate | null {
  if (given === undefined) return null;
  if (typeof given === 'number') return flatRate(given);
  const above = given.tiers
    .map(({ start, price }) => ({ tokens: start, rate: price }))
    .sort((a, b) => a.tokens - b.tokens);
  return { base: given.base, above };
}

function readPrice(listed: ModelPrice): Price | null {
  const [input, output] = [readRate(listed.input_mtok), readRate(listed.output_mtok)];
  if (input === null || output === null) return null;
  return {
    input,
    output,
    cacheRead: readRate(listed.cache_read_mtok) ?? input,
    cacheWrite: readRate(listed.cache_write_mtok) ?? input,
  };
}

const catalogueNames: Readonly<Record<string, string>> = {
  google: 'google',
  anthropic: 'anthropic',
  openai: 'openai',
  claude: 'anthropic',
};

export function makePriceCatalogue(set: Readonly<Record<string, SetPrice>> = {}): LoadPrices {
  let loading: ReturnType<LoadPrices> | null = null;
  const load: LoadPrices = async () => {
    const { calcPrice } = await import('@pydantic/genai-prices');
    const look = (providerId: string, model: string): Price | null => {
      // Some prices depend on the day, so it is asked each time.
      const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model.toLowerCase(), { providerId });
      return found === null ? null : readPrice(found.model_price);
    };
    return {
      find(spec) {
        const own = Object.hasOwn(set, spec) ? set[spec] : undefined;
        if (own !== undefined)
          return flatPrice(own.input, own.output, { read: own.cacheRead, write: own.cacheWrite });
        const [provider = '', ...rest] = spec.split(':');
        const model = rest.join(':');
        const listed = Object.hasOwn(catalogueNames, provider) ? catalogueNames[provider] : undefined;
        if (listed === undefined) return null;
        if (provider !== 'claude') return look(listed, model);
        const known = Object.hasOwn(claudeNames, model) ? claudeNames[model] : model;
        // The CLI may know a model by a name of its own: it is taken for a large one, to be on the safe side.
        return look(listed, known ?? model) ?? look(listed, claudeNames.default ?? '');
      },
    };
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
