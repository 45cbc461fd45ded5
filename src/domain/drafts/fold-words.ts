/**
 * What a reader sees, as words of plain Latin letters: whatever an editor, an encoding or a trick made of the letters.
 * Used to refuse, never to approve. Pure.
 */

/** Latin letters that stand for other letters, and do not fall apart into a letter and its accent. */
const ligatures: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', þ: 'th', ð: 'd' },
};

/** What people and keyboards set for an apostrophe. */
const apostrophes = /[’‘ʼ´`]/gu;

/** Small letters without accents; everything that is no letter stays. */
export function foldLetters(text: string): string {
  return text
    .replace(apostrophes, "'")
    .normalize('NFKD')
    .replace(/\p{M}|\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđłıþð]/gu, (letter) => ligatures[letter] ?? letter);
}

/** Digits and signs that are read as letters inside a word. */
const lookalikes: Readonly<Record<string, string>> = {
  ...{ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', $: 's', '@': 'a', '!': 'i' },
};

function guessLetters(folded: string): string {
  return folded.replace(/[0-9$@!]*[a-z][a-z0-9$@!]*/gu, (word) =>
    word.replace(/[013457$@!]/gu, (sign) => lookalikes[sign] ?? sign),
  );
}

/** The words one after the other, with one blank before, between and behind them. */
function part(folded: string): string {
  const words = folded.match(/[a-z0-9]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}

/**
 * The words of a text in each way in which a reader may put them together: as they stand, with digits read as letters,
 * with words joined that a line, a sign or a blank breaks, and with words parted that capitals part. Apostrophes are left out.
 */
export function listReadings(text: string): string[] {
  const folded = foldLetters(text).replaceAll("'", '');
  const guessed = guessLetters(folded);
  const joined = folded.replace(/[-‐‑]\s*\n\s*/gu, '');
  const squeezed = folded.replace(/(?<=[a-z])[^\sa-z0-9](?=[a-z])/gu, '');
  const spelled = folded.replace(/(?<![a-z0-9])([a-z0-9])[^a-z0-9]{1,3}([a-z0-9])(?![a-z0-9])/gu, '$1$2');
  const parted = foldLetters(
    text
      .replace(apostrophes, '')
      .replaceAll("'", '')
      .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu}{2})(?=\p{Ll})/gu, ' '),
  );
  return [...new Set([folded, guessed, joined, squeezed, spelled, guessLetters(spelled), parted].map(part))];
}

/** The letters alone, for words that are written together or apart. */
export function joinLetters(text: string): string {
  return foldLetters(text).replace(/[^a-z]/gu, '');
}
