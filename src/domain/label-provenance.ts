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

function nearest(settings: readonly OwnSetting[], at: string): OwnSetting | undefined {
  const distance = (one: OwnSetting): number => Math.abs(Date.parse(one.at) - Date.parse(at));
  return settings
    .filter((one) => distance(one) <= slack)
    .reduce<OwnSetting | undefined>(
      (best, one) => (best === undefined || distance(one) < distance(best) ? one : best),
      undefined,
    );
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
  for (const { actor, actorKind, at } of changes.filter(({ change }) => change === 'added').reverse()) {
    if (actor.toLowerCase() !== own.toLowerCase()) return { by: 'other', actor, actorKind };
    const setting = nearest(settings, at);
    // Where we act under a person's account, that person also sets labels by hand; a program of ours does not.
    if (setting === undefined) return actorKind === 'bot' ? null : { by: 'other', actor, actorKind };
    if (!setting.isPutBack) return { by: 'us' };
  }
  return null;
}
