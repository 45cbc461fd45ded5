/**
 * The words of an issue at the moment when a person gave an order about it. That person agreed to those words and to no
 * others: the author of the issue may be a stranger, and may change the words a second later.
 */
import { z } from 'zod';
import { type Sha256, sha256 } from '../ledger/hash.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/u);

export const seenTextSchema = z.strictObject({ title: hash, body: hash });
export type SeenText = z.infer<typeof seenTextSchema>;

interface Words {
  readonly title: string;
  readonly body: string;
}

/**
 * Line ends are made alike, because editing on a web page changes them all; so is white space that readers cannot see.
 */
function hashOf(text: string): Sha256 {
  return sha256(text.replace(/\r\n?/gu, '\n').trim());
}

export function seeText({ title, body }: Words): SeenText {
  return { title: hashOf(title), body: hashOf(body) };
}

/** Which of the words are others now. */
export function findChanges(seen: SeenText, now: Words): readonly (keyof SeenText)[] {
  const found = seeText(now);
  return (['title', 'body'] as const).filter((part) => found[part] !== seen[part]);
}
