/**
 * Settles everything that is open while the work is cut off at every single point (house-points.ts), each of them once,
 * as if the process had been killed there and started again.
 */

import { expect } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../../src/errors.ts';
import { handleOpenEvents } from '../../src/fleet/handle-event.ts';
import type { House } from '../../src/runs/house.ts';
import { isExhaustive } from './crash-everywhere.ts';
import type { FleetRoom } from './fleet-room.ts';
import { type Point, withHousePoints } from './house-points.ts';

const mostCuts = 1500;

/** The same point of the same work has the same name whenever it is come by, so that each is cut off at once. */
export function placeOf(name: string, args: readonly unknown[]): string {
  if (name.endsWith('checkpoints.put')) {
    const { source, step } = args[2] as { readonly source: string; readonly step: number };
    // What is handed in anew after a kill has a new number each time.
    return source === 'input' ? `${name} ${source}` : `${name} ${source} ${step}`;
  }
  if (name.endsWith('checkpoints.putWrites')) {
    const writes = args[1] as readonly (readonly [string, { readonly step?: number } | null])[];
    return `${name} ${writes.map(([channel, value]) => `${channel} ${value?.step ?? ''}`).join(' ')}`;
  }
  // A commit that was not pushed yet is made anew, at another time.
  if (!/ledger\.append(?:New)?$/u.test(name))
    return `${name} ${JSON.stringify(args).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '')}`;
  const [first] = args[0] as readonly NewEntry[];
  // Nothing is written where the lease is only asked for.
  return first === undefined ? '' : `${name} ${first.kind} ${first.key ?? first.run}`;
}

const seed = process.env.GATEWRIGHT_TEST_SEED ?? '20261115';

/** What a loop does over and over in the same way. */
const common =
  /^after (?:workspaces|commands|checkpoints|ledger\.append (?:node-begun|prompt-sent|command-verified))/u;

/** Of what is done over and over one in so many is enough, chosen by the seed, unless asked for all. */
export function makeIsLeftOut(oneIn: number): (place: string) => boolean {
  return (place) =>
    !isExhaustive &&
    common.test(place) &&
    Number.parseInt(sha256(`${seed} ${place}`).slice(0, 8), 16) % oneIn !== 0;
}

/** Events come and go by the dozen, all in the same way: unless asked for all, a few of them are enough. */
function makeIsMore(most: number): (place: string) => boolean {
  const counts = new Map<string, number>();
  return (place) => {
    const kind = / (event-received|event-settled) /u.exec(place)?.[1];
    if (kind === undefined || isExhaustive) return false;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count > most;
  };
}

/** @param isDead whether it was cut off meanwhile: what handles events goes on with the next one */
type Settle = (house: House, isDead: () => boolean) => Promise<unknown>;

/**
 * Where it was cut off, in order.
 * @param nameOf the name of a point; it is not cut off where that is empty
 */
export async function cutOffAtEachPoint(
  house: House,
  settle: Settle,
  nameOf: (name: string, args: readonly unknown[]) => string = placeOf,
): Promise<string[]> {
  const places: string[] = [];
  const known = new Set<string>();
  const isMore = makeIsMore(3);
  for (let isDead = true; isDead; ) {
    isDead = false;
    const die = (): never => {
      isDead = true;
      // Whoever lost its lease may write nothing more, not even why it stopped.
      throw new GatewrightError('lease-lost', 'killed');
    };
    const enter = (): void => {
      if (isDead) die();
    };
    const point: Point = (name, args) => {
      enter();
      // What is left by whoever is killed before a change is what was left after the last entry.
      const place = name.startsWith('before ') ? '' : nameOf(name, args);
      if (place === '' || known.has(place) || isMore(place)) return;
      known.add(place);
      places.push(name);
      die();
    };
    if (places.length > mostCuts)
      throw new Error(`It does not come to an end: ${places.slice(-20).join(', ')}`);
    try {
      await settle(withHousePoints(house, { enter, point }), () => isDead);
    } catch (error) {
      if (!isDead) throw error;
    }
  }
  return places;
}

/** The same house, and the names of the changes that are come by in it, each place once. */
export function watchPlaces(house: House): { readonly house: House; readonly places: string[] } {
  const places: string[] = [];
  const known = new Set<string>();
  const point: Point = (name, args) => {
    // What is asked for next depends on what was read before a kill; nothing is otherwise after it.
    const isChange = !name.startsWith('before ') && name !== 'after happenings.since';
    const place = isChange ? placeOf(name, args) : '';
    if (place === '' || known.has(place)) return;
    known.add(place);
    places.push(name);
  };
  return { house: withHousePoints(house, { point }), places };
}

/**
 * A harness that stops looking would pass everything: work that is cut off everywhere was cut off after each kind of
 * change at least as often as undisturbed work makes one.
 * @param sampled more than so many, unless asked for all
 */
export function expectCutOffEverywhere(
  places: readonly string[],
  undisturbed: readonly string[],
  sampled: number,
): void {
  const kinds = [...new Set(undisturbed)].toSorted();
  expect(kinds).toContain('after ledger.append');
  if (!isExhaustive) {
    expect(places.length).toBeGreaterThan(sampled);
    return;
  }
  const count = (names: readonly string[], kind: string): number =>
    names.filter((name) => name === kind).length;
  // A kill numbers the checkpoints that follow anew, and one that gets the number of an earlier one is not told from it;
  // the last is written after the end of a run, which is not begun again for it.
  const least = (kind: string): number =>
    kind === 'after checkpoints.put' ? count(undisturbed, kind) / 2 : count(undisturbed, kind);
  expect(kinds.filter((kind) => count(places, kind) < least(kind))).toEqual([]);
}

/** How often what is open in a world was cut off. */
export async function cutOffEverywhere({ house, own }: FleetRoom): Promise<number> {
  const places = await cutOffAtEachPoint(house, (mortal) =>
    handleOpenEvents(mortal, { own }, () => undefined),
  );
  return places.length;
}
