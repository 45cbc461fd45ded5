/**
 * Which actor is answerable for a label that is set. A label that label-keeper put back counts as set by the actor who
 * had set it before: otherwise an actor without the right could set a label, remove it, and have it put back under our
 * name.
 */
interface LabelChange {
  readonly label: string;
  readonly change: 'added' | 'removed';
  readonly actor: string;
  readonly actorKind: 'person' | 'bot';
  /** ISO 8601. */
  readonly at: string;
}

/**
 * One time that we changed the label ourselves, by the ledger. If the label was already so, the forge knows of no
 * change.
 */
export interface OwnSetting {
  /** When the ledger recorded that we were about to change it. */
  readonly from: string;
  /** When the ledger recorded that we had changed it. */
  readonly at: string;
  readonly isPutBack: boolean;
  /** The commit that the same run had pushed before; null when it had pushed none. */
  readonly head?: string | null;
}

/** With the change that counts: a label that was put back counts as set when it was set first. */
type LabelSetter<C> =
  | { readonly by: 'us'; readonly change: C; readonly setting: OwnSetting }
  | {
      readonly by: 'other';
      readonly change: C;
      readonly actor: string;
      readonly actorKind: 'person' | 'bot';
    };

/** Clocks of forges differ from ours, and calls take time. */
const slack = 600_000;
/** By how much a forge may be behind us: what it says happened earlier than this before our call was not our call. */
const mostBehind = 120_000;

const isAfter = (one: string, other: string): boolean => Date.parse(one) > Date.parse(other);

/**
 * Whether that setting of ours had anything to change. When the opposite change came after it, or the label was already
 * so before it, we changed nothing: another user of our login made this change.
 */
function hadEffect(changes: readonly LabelChange[], change: LabelChange, setting: OwnSetting): boolean {
  const before = changes.slice(0, changes.indexOf(change)).findLast((one) => one.change !== change.change);
  if (before !== undefined && isAfter(before.at, setting.at)) return false;
  return Date.parse(change.at) >= Date.parse(setting.from) - mostBehind;
}

/**
 * Matches each change by our login with the entry of the ledger in which we made it; the nearest in time are matched
 * first. Each entry matches one change only: another user of our login, such as a workflow of the repository, may set
 * the label just after us, and that change is not ours.
 */
function matchSettings<C extends LabelChange>(
  changes: readonly C[],
  settings: readonly OwnSetting[],
  isPossible: (change: C, setting: OwnSetting) => boolean,
): ReadonlyMap<C, OwnSetting> {
  const pairs = changes
    .flatMap((change) =>
      settings.map((setting) => {
        const distance = Math.abs(Date.parse(setting.at) - Date.parse(change.at));
        return { change, setting, distance };
      }),
    )
    .filter(({ change, setting, distance }) => distance <= slack && isPossible(change, setting))
    .toSorted((a, b) => a.distance - b.distance);
  const matched = new Map<C, OwnSetting>();
  const used = new Set<OwnSetting>();
  for (const { change, setting } of pairs) {
    if (matched.has(change) || used.has(setting)) continue;
    matched.set(change, setting);
    used.add(setting);
  }
  return matched;
}

const madeBy =
  (login: string) =>
  ({ actor }: LabelChange): boolean =>
    actor.toLowerCase() === login.toLowerCase();

function isLastMatched(
  changes: readonly LabelChange[],
  own: string,
  settings: readonly OwnSetting[],
  isPossible: (change: LabelChange, setting: OwnSetting) => boolean,
): boolean {
  const last = changes.at(-1);
  if (last === undefined) return false;
  const alike = changes.filter(({ change }) => change === last.change).filter(madeBy(own));
  return matchSettings(alike, settings, isPossible).has(last);
}

/**
 * Whether our login made the last of these changes, and the ledger says that it was us.
 * @param changes all of one label, oldest first @param settings of the kind that the last change is
 */
export function isOwnChange(
  changes: readonly LabelChange[],
  own: string,
  settings: readonly OwnSetting[],
): boolean {
  return isLastMatched(changes, own, settings, (change, setting) => hadEffect(changes, change, setting));
}

/**
 * The same in doubtful cases: for callers where it does harm to take our own change for a person's, whatever the clocks
 * say.
 */
export function mayBeOwnChange(
  changes: readonly LabelChange[],
  own: string,
  settings: readonly OwnSetting[],
): boolean {
  return isLastMatched(changes, own, settings, () => true);
}

/** Null when the label is absent, or no known actor is answerable for it. `events` oldest first. */
export function findLabelSetter<C extends LabelChange>(
  events: readonly C[],
  label: string,
  own: string,
  settings: readonly OwnSetting[],
): LabelSetter<C> | null {
  const changes = events.filter((event) => event.label.toLowerCase() === label.toLowerCase());
  if (changes.at(-1)?.change !== 'added') return null;
  const isOurs = madeBy(own);
  const added = changes.filter(({ change }) => change === 'added');
  const matched = matchSettings(added.filter(isOurs), settings, (change, setting) =>
    hadEffect(changes, change, setting),
  );
  for (const change of added.toReversed()) {
    const { actor, actorKind } = change;
    if (!isOurs(change)) return { by: 'other', change, actor, actorKind };
    const setting = matched.get(change);
    // Where we act under a person's account, that person also sets labels by hand; a program of ours does not.
    if (setting === undefined) return actorKind === 'bot' ? null : { by: 'other', change, actor, actorKind };
    if (!setting.isPutBack) return { by: 'us', change, setting };
  }
  return null;
}
