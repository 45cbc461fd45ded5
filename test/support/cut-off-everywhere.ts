/**
 * Settles everything that is open while the work is cut off after every single entry of the ledger, and once more after
 * every effect that was done and not receipted yet, as if the process had been killed there and started again.
 */
import type { FleetWorld } from './fleet-world.ts';

const mostCuts = 400;

/** How often it was cut off. */
export async function cutOffEverywhere(world: FleetWorld): Promise<number> {
  const { ledger } = world.house;
  const append = ledger.append.bind(ledger);
  /** Places where it was cut off: what is written at each start would otherwise be cut off for ever. */
  const known = new Set<string>();
  let cuts = 0;
  try {
    for (let wasCut = true; wasCut; ) {
      wasCut = false;
      const cut = (): never => {
        wasCut = true;
        cuts += 1;
        throw new Error('killed');
      };
      ledger.append = async (entries, fence) => {
        // Whoever is dead writes nothing more.
        if (wasCut) throw new Error('killed');
        const [first] = entries;
        const place = first === undefined ? '' : `${first.kind} ${first.key ?? first.run}`;
        const isReceipt = first?.kind === 'effect-receipted';
        if (isReceipt && !known.has(`before ${place}`)) {
          known.add(`before ${place}`);
          cut();
        }
        const written = await append(entries, fence);
        if (place === '' || known.has(place)) return written;
        known.add(place);
        return cut();
      };
      if (cuts > mostCuts) throw new Error('It does not come to an end.');
      await world.settle().catch((error: unknown) => {
        if (!wasCut) throw error;
      });
    }
  } finally {
    ledger.append = append;
  }
  return cuts;
}
