/**
 * For which commit and which base the label that lets a pull request be merged was set, and which later commits it still covers. A
 * grant holds for the head that it was given at. Of later pushes only our own carry it on, as the ledger has them.
 */
import { listBeginnings } from '../../../domain/fleet/implementer-history.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';

/** Who gave it: our own rules, a program that is listed, a person who may; or an account that may not. */
type GrantedBy = 'us' | 'program' | 'person' | 'nobody';

export interface MergeGrant {
  readonly by: GrantedBy;
  /** The account that is answerable for it. */
  readonly actor: string;
  /** When the label was set; tells one grant from the next. */
  readonly at: string;
  /** The head that it was given at; null when that is not known, and then it is not given. */
  readonly head: string | null;
  /** The branch that the change was to go onto then; null when that is not known. On another it is another change. */
  readonly base: string | null;
  /** Whether it covers the head as it is now. */
  readonly isCovering: boolean;
  /** The commits of ours after the head that it was given at; empty when it does not cover the present head. */
  readonly carriedBy: readonly string[];
}

/** A label that was set, as a delivery told it. */
export interface ToldLabel {
  readonly label: string;
  readonly actor: string;
  readonly at: string;
  readonly head: string | null;
  readonly base: string | null;
}

/** A delivery is written down by the forge in the same moment as the change; clocks of its machines differ a little. */
const nearEnough = 60_000;

interface SetLabel {
  readonly label: string;
  readonly actor: string;
  readonly at: string;
}

/**
 * The head and the base at which a label was set, read from the deliveries: same label, same account, same moment. Each
 * delivery belongs to one setting of the label, and the nearest in time are matched first, so a delivery about an
 * earlier setting says nothing about a later one. Null when no delivery tells of it, or when two equally near ones name
 * different heads or bases.
 * @param settings every time that the label was set, this one included
 */
export function findToldPlace(
  change: SetLabel,
  settings: readonly SetLabel[],
  told: readonly ToldLabel[],
): Pick<ToldLabel, 'head' | 'base'> | null {
  const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  const pairs = settings
    .flatMap((setting) => told.map((telling) => ({ setting, telling })))
    .filter(
      ({ setting, telling }) => isSame(setting.label, telling.label) && isSame(setting.actor, telling.actor),
    )
    .map((pair) => ({
      ...pair,
      distance: Math.abs(Date.parse(pair.telling.at) - Date.parse(pair.setting.at)),
    }))
    .filter(({ distance }) => distance <= nearEnough)
    .toSorted((one, other) => one.distance - other.distance);
  const used = new Set<SetLabel | ToldLabel>();
  for (const { setting, telling, distance } of pairs) {
    if (used.has(setting) || used.has(telling)) continue;
    if (setting === change) {
      const isUnsure = pairs.some(
        (one) =>
          one.setting === change &&
          one.distance === distance &&
          !used.has(one.telling) &&
          (one.telling.head !== telling.head || one.telling.base !== telling.base),
      );
      return isUnsure ? null : { head: telling.head, base: telling.base };
    }
    used.add(setting).add(telling);
  }
  return null;
}

/** A move of the branch that we made ourselves. */
export interface OwnMove {
  readonly kind: 'push' | 'update';
  readonly from: string;
  readonly to: string;
  /** Whether the fixer made it by itself, for what a review found, and not for an order. */
  readonly isFix: boolean;
}

/** @param entries all that the ledger has of the pull request and of the work that it came of */
export function listOwnMoves(entries: readonly LedgerEntry[], number: number, branch: string): OwnMove[] {
  const fixes = new Set(
    listBeginnings(entries)
      .filter(({ kind }) => kind === 'handed-on')
      .map(({ run }) => run),
  );
  // A person who granted the old head has not seen how a conflict was settled.
  for (const entry of entries) if (entry.kind === 'conflict-met') fixes.delete(entry.run);
  const receipts = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'effect-receipted' ? [[entry.key, entry.data.result] as const] : [],
    ),
  );
  return entries.flatMap((entry): OwnMove[] => {
    if (entry.kind !== 'effect-intended' || entry.data.dryRun) return [];
    const { effect } = entry.data;
    const result = receipts.get(entry.key);
    if (result === undefined) return [];
    const isFix = fixes.has(entry.run);
    if (effect.kind === 'push-branch' && effect.branch === branch && effect.expected !== null)
      return [{ kind: 'push', from: effect.expected, to: effect.commit, isFix }];
    if (effect.kind === 'update-branch' && effect.number === number && 'head' in result)
      return [{ kind: 'update', from: effect.head, to: result.head, isFix: false }];
    return [];
  });
}

/** The base of a pull request that we opened ourselves; null when the ledger does not have it. */
export function findOwnBase(entries: readonly LedgerEntry[], number: number): string | null {
  const opened = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'effect-receipted' &&
      'number' in entry.data.result &&
      entry.data.result.number === number
        ? [entry.key]
        : [],
    ),
  );
  for (const entry of entries)
    if (entry.kind === 'effect-intended' && opened.has(entry.key) && !entry.data.dryRun) {
      const { effect } = entry.data;
      if (effect.kind === 'create-pull-request') return effect.base;
    }
  return null;
}

/**
 * The moves that lead from the head of the grant to the present head; empty when they are the same, null when no moves
 * lead there. A person's grant is carried on by corrections of findings and by updates with the base. A grant of our
 * own rules is carried on by all our pushes, because the rules are checked again each time.
 */
export function findWay(
  grant: Pick<MergeGrant, 'by' | 'head'>,
  head: string,
  moves: readonly OwnMove[],
): readonly OwnMove[] | null {
  if (grant.head === null) return null;
  const usable = moves.filter(({ kind, isFix }) => kind === 'update' || isFix || grant.by === 'us');
  const way: OwnMove[] = [];
  for (let at = head; at !== grant.head; ) {
    const move = usable.findLast(
      ({ to, from }) => to === at && from !== at && !way.some((one) => one.to === to),
    );
    if (move === undefined) return null;
    way.unshift(move);
    at = move.from;
  }
  return way;
}
