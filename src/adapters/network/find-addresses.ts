/** The addresses of a name, asked for again when the name server had no answer at the moment. */
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from '../../errors.ts';

export type Lookup = (
  name: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string }[]>;

/** How long is waited before each further attempt. */
const pauses = [200, 1000] as const;

/** Rejects as `lookup` does. */
export async function findAddresses(name: string, find: Lookup = lookup): Promise<string[]> {
  for (const pause of [...pauses, null]) {
    try {
      const found = await find(name, { all: true });
      return [...new Set(found.map(({ address }) => address))];
    } catch (error) {
      if (pause === null || systemErrorCode(error) !== 'EAI_AGAIN') throw error;
      await sleep(pause);
    }
  }
  return [];
}
