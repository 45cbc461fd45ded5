/** The addresses of a name, asked for again when the name server had no answer at the moment. */
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from '../../errors.ts';

export type Lookup = (
  name: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string }[]>;

/**
 * How long is waited before each further attempt. One answer of two that is lost can look as if the name had no address: a
 * name that is asked for in both families, and has an address in the lost one only.
 */
const pauses: Readonly<Record<string, readonly number[]>> = { EAI_AGAIN: [200, 1000], ENOTFOUND: [200] };

/** Does something again that failed because a name could not be looked up; nothing was sent then. */
export async function retryNames<T>(work: () => Promise<T>, codeOf: (error: unknown) => string): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauses[codeOf(error)]?.[attempt];
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

/** Rejects as `lookup` does. */
export async function findAddresses(name: string, find: Lookup = lookup): Promise<string[]> {
  const found = await retryNames(() => find(name, { all: true }), systemErrorCode);
  return [...new Set(found.map(({ address }) => address))];
}
