/**
 * A person's own words, cut into sentences that can be looked up: lower case, without the call of the agent, without
 * signs that only decorate. Everything that is not plain stays in its sentence, so that the sentence is in no list.
 * Pure.
 */
import { goodSigns, signNames } from './approval-words.ts';
import { gap, spokenLines, withoutMention } from './spoken-text.ts';

export interface PlainWords {
  readonly sentences: readonly string[];
  /** The good signs that stood in it, each as often as it did. */
  readonly signs: readonly string[];
}

/** Skin tones, and the mark that a sign is meant as a picture. */
const sign = new RegExp(`(${goodSigns.join('|')})[\\u{1F3FB}-\\u{1F3FF}]?\\uFE0F?(?!\\u200D)`, 'gu');
const smile = /(?<=^|\s)(?::-?\)|:-?D|\(:)(?=$|[\s.!])/gu;
const shortName = /:([a-z0-9_+-]+):/giu;

function cutSentences(line: string): string[] {
  return line
    .replace(/\.{2,}|…/gu, gap)
    .split(/[.!;,:–—]|\s-\s/u)
    .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** As programmers write "not": "!approve". After a word it ends a sentence. */
const negation = /(?<![\p{L}\p{N}])!+(?=\p{L})/gu;

/** A name after thanks or a greeting: "Thanks Claude". */
function withoutName(line: string, handle: string): string {
  const name = handle.toLowerCase().replace(/[^a-z0-9]/gu, '\\$&');
  return line.replace(
    new RegExp(`(?<=(?:^|\\s)(?:thanks|thank you|hi|hello|hey)) ${name}(?=$|[\\s,.!])`, 'gu'),
    '',
  );
}

/** @param lines of one block */
export function readPlainBlock(lines: readonly string[], handle: string): PlainWords {
  const signs: string[] = [];
  const sentences = lines.flatMap((line) =>
    cutSentences(
      withoutName(
        // Only these: others become letters of ASCII in lower case, and are not them.
        withoutMention(line, handle).replace(/[A-Z]/gu, (letter) => letter.toLowerCase()),
        handle,
      )
        .replace(/[\u2018\u2019]/gu, "'")
        .replace(shortName, (_, name: string) =>
          Object.hasOwn(signNames, name) ? (signNames[name] ?? gap) : ` ${gap} `,
        )
        .replace(smile, ' ')
        .replace(negation, ` ${gap} `)
        .replace(sign, (_, good: string) => {
          signs.push(good);
          return ' ';
        }),
    ),
  );
  return { sentences, signs };
}

/**
 * What a comment says, block by block, in two readings: each line by itself, and the lines of a block as one, since people
 * end their sentences with a line and programs break lines where they are long.
 */
export function readPlainWords(comment: string, handle: string): readonly (readonly PlainWords[])[] {
  return spokenLines(comment).map((lines) => {
    const asOne = readPlainBlock([lines.join(' ')], handle);
    return lines.length === 1 ? [asOne] : [asOne, readPlainBlock(lines, handle)];
  });
}
