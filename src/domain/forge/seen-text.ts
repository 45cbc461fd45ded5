/**
 * The words of an issue as they stood when somebody gave an order about it. Whoever ordered has agreed to those and to no
 * others: the author of an issue may be anybody, and may write something else into it a second later.
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

/** Line ends are made alike, because editing on a web page changes them all; so is white space that nobody sees. */
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
