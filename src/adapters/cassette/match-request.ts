/** Whether a request is the one that an answer on a cassette was given for. A replay never guesses. */
import { sha256 } from '../../domain/hash.ts';

interface WantedRequest {
  readonly sha256?: string | undefined;
  readonly prompt?: string | undefined;
  readonly includes?: readonly string[] | undefined;
}

/** What speaks against it; null when it matches. `hashed` is what recording takes the hash of, `text` all that is said. */
export function findMismatch(wanted: WantedRequest, hashed: string, text: string): string | null {
  const isOther =
    (wanted.sha256 !== undefined && wanted.sha256 !== sha256(hashed)) ||
    (wanted.prompt !== undefined && wanted.prompt !== sha256(text));
  if (isOther) return 'the request is not the one that was recorded.';
  const missing = (wanted.includes ?? []).find((part) => !text.includes(part));
  return missing === undefined ? null : `the request does not contain "${missing.slice(0, 80)}".`;
}
