/**
 * Which of several credentials the next attempt may use: the subscription first, the key that is paid by the token only
 * when the subscription got nothing done. Pure: what happened so far and the time are passed in.
 */

/** How an attempt ended, as far as it matters for trying again with another credential. */
export type AttemptEnd =
  | 'finished'
  | 'turns-exhausted'
  | 'refused'
  | 'quota'
  | 'not-authenticated'
  /** No model took a single turn: overloaded or down, a model that is not to be had, a crash before anything was said. */
  | 'unreached'
  | 'failed';

export interface TierAttempt {
  /** Name of the credential, never the secret. */
  readonly credential: string;
  readonly end: AttemptEnd;
}

export type TierChoice =
  | { readonly use: string }
  /** No further attempt: the result of the last one counts. */
  | { readonly use: null; readonly until: null }
  /** None may be used before that time. */
  | { readonly use: null; readonly until: Date };

/** In all other cases a model worked and was paid: the same work with another credential would be paid twice. */
function mayFallBack(end: AttemptEnd): boolean {
  return end === 'quota' || end === 'not-authenticated' || end === 'unreached';
}

/** `exhausted` holds until when a credential is out of quota, as far as that is known. */
export function chooseTier(
  credentials: readonly string[],
  attempts: readonly TierAttempt[],
  exhausted: ReadonlyMap<string, Date>,
  now: Date,
): TierChoice {
  const last = attempts.at(-1);
  if (last !== undefined && !mayFallBack(last.end)) return { use: null, until: null };
  const tried = new Set(attempts.map(({ credential }) => credential));
  const isFree = (name: string): boolean => {
    const until = exhausted.get(name);
    return until === undefined || until <= now;
  };
  const next = credentials.find((name) => !tried.has(name) && isFree(name));
  if (next !== undefined) return { use: next };
  // The provider may be back in a minute, so this attempt need not wait for a quota that comes back in hours.
  if (last?.end === 'unreached') return { use: null, until: null };
  const rejected = new Set(
    attempts.filter(({ end }) => end === 'not-authenticated').map(({ credential }) => credential),
  );
  const resets = credentials.flatMap((name) => (rejected.has(name) ? [] : (exhausted.get(name) ?? [])));
  const times = resets.map((reset) => reset.getTime());
  return { use: null, until: times.length === 0 ? null : new Date(Math.min(...times)) };
}
