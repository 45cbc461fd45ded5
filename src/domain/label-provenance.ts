/**
 * Who is answerable for a label that is there. Labels that a keeper of ours put back count as set by whoever had set them
 * before: otherwise somebody without the right could set one, remove it, and have it put back under our name.
 */
interface LabelChange {
  readonly label: string;
  readonly change: 'added' | 'removed';
  readonly actor: string;
  readonly actorKind: 'person' | 'bot';
  /** ISO 8601. */
  readonly at: string;
}

/** One time that we set it ourselves, by the ledger. */
export interface OwnSetting {
  readonly at: string;
  readonly isPutBack: boolean;
}

type LabelSetter =
  | { readonly by: 'us' }
  | { readonly by: 'other'; readonly actor: string; readonly actorKind: 'person' | 'bot' };

/** Clocks of forges differ from ours, and calls take time. */
const slack = 600_000;

/**
 * Which setting of ours each change is that our login made. Each setting is one change and no other: whoever shares our
 * login, as all workflows of a repository do, and sets the label just after us, has not set it for us.
 */
function matchSettings(
  changes: readonly LabelChange[],
  settings: readonly OwnSetting[],
): ReadonlyMap<LabelChange, OwnSetting> {
  const left = [...settings];
  const matched = new Map<LabelChange, OwnSetting>();
  for (const change of changes) {
    const distance = (one: OwnSetting): number => Math.abs(Date.parse(one.at) - Date.parse(change.at));
    const [nearest] = left
      .filter((one) => distance(one) <= slack)
      .toSorted((a, b) => distance(a) - distance(b));
    if (nearest === undefined) continue;
    left.splice(left.indexOf(nearest), 1);
    matched.set(change, nearest);
  }
  return matched;
}

/** Whether our login made the last of these changes, and the ledger says that it was us. Oldest first. */
export function isOwnChange(
  changes: readonly LabelChange[],
  own: string,
  settings: readonly OwnSetting[],
): boolean {
  const ours = changes.filter(({ actor }) => actor.toLowerCase() === own.toLowerCase());
  const last = changes.at(-1);
  return last !== undefined && matchSettings(ours, settings).has(last);
}

/** Null when it is not there, or nobody known is answerable. `events` oldest first. */
export function findLabelSetter(
  events: readonly LabelChange[],
  label: string,
  own: string,
  settings: readonly OwnSetting[],
): LabelSetter | null {
  const changes = events.filter((event) => event.label.toLowerCase() === label.toLowerCase());
  if (changes.at(-1)?.change !== 'added') return null;
  const isOurs = ({ actor }: LabelChange): boolean => actor.toLowerCase() === own.toLowerCase();
  const added = changes.filter(({ change }) => change === 'added');
  const matched = matchSettings(added.filter(isOurs), settings);
  for (const change of added.toReversed()) {
    const { actor, actorKind } = change;
    if (!isOurs(change)) return { by: 'other', actor, actorKind };
    const setting = matched.get(change);
    // Where we act under a person's account, that person also sets labels by hand; a program of ours does not.
    if (setting === undefined) return actorKind === 'bot' ? null : { by: 'other', actor, actorKind };
    if (!setting.isPutBack) return { by: 'us' };
  }
  return null;
}
