/** Whether a request is the one that an answer on a cassette was given for. A replay never guesses. */
import { sha256 } from '../../domain/ledger/hash.ts';

interface WantedRequest {
  readonly sha256?: string | undefined;
  readonly prompt?: string | undefined;
  readonly includes?: readonly string[] | undefined;
}

/** What speaks against it; null when it matches. `hashed` is what recording takes the hash of, `text` all that is said. */
function findMismatch(wanted: WantedRequest, hashed: string, text: string): string | null {
  const isOther =
    (wanted.sha256 !== undefined && wanted.sha256 !== sha256(hashed)) ||
    (wanted.prompt !== undefined && wanted.prompt !== sha256(text));
  if (isOther) return 'the request is not the one that was recorded.';
  const missing = (wanted.includes ?? []).find((part) => !text.includes(part));
  return missing === undefined ? null : `the request does not contain "${missing.slice(0, 80)}".`;
}

/** What was recorded for a role and a call; where a cassette holds several, the first that this request was recorded for. */
export function findRecorded<
  T extends { readonly role: string; readonly call: number; readonly request: WantedRequest },
>(
  recorded: readonly T[],
  asked: { readonly role: string; readonly call: number; readonly hashed: string; readonly text: string },
): { readonly found: T } | { readonly mismatch: string | null } {
  let mismatch: string | null = null;
  for (const one of recorded) {
    if (one.role !== asked.role || one.call !== asked.call) continue;
    const problem = findMismatch(one.request, asked.hashed, asked.text);
    if (problem === null) return { found: one };
    mismatch ??= problem;
  }
  return { mismatch };
}
