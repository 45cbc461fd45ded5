/**
 * Comments that were written as answers to a mail: what other people wrote comes after a line that says so, and a
 * signature after two hyphens. Neither is said by the writer. Pure.
 */

/** Two ways to say who wrote what follows: first words of the line, and its last ones. */
const attributions: readonly (readonly [string, string])[] = [
  ['on', 'wrote'],
  ['on', 'writes'],
  ['am', 'schrieb'],
  ['le', 'a écrit'],
  ['el', 'escribió'],
  ['il', 'ha scritto'],
  ['op', 'schreef'],
  ['em', 'escreveu'],
  ['den', 'skrev'],
  ['dnia', 'napisał'],
];

/** Lines after which all text is another person's, with or without marks of a quote. */
const forwarded = [
  /^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original) ?-{2,}$/iu,
  /^begin forwarded message:$/iu,
];
const headerLine = /^\*?(?:from|von|de|da|van):\*?\s/iu;
const secondHeaderLine =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto):\*?\s/iu;
const signature = /^--\s*$/u;

/** Longer than any program writes that line. */
const longestAttribution = 300;

function isAttribution(line: string): boolean {
  if (line.length > longestAttribution || !line.trimEnd().endsWith(':')) return false;
  const text = line.toLowerCase().replace(/\s+/gu, ' ').trim();
  return attributions.some(([first, last]) => {
    const from = text.startsWith(`${first} `) ? text.indexOf(` ${last}`) : -1;
    // A name may follow: "Am … schrieb Bob:".
    return from !== -1 && /^[^.!?]{0,80}: ?$/u.test(text.slice(from + last.length + 1));
  });
}

/**
 * What a block says before another person's words or a signature begin, and what follows: `quote` when a quote should
 * come next, `nothing` when all that follows is not the writer's, `more` when nothing of that kind is in it.
 */
export function cutMail(lines: readonly string[]): {
  readonly said: readonly string[];
  readonly next: 'more' | 'quote' | 'nothing';
} {
  const until = (index: number, next: 'quote' | 'nothing') => ({ said: lines.slice(0, index), next });
  for (const [index, line] of lines.entries()) {
    const after = lines[index + 1];
    if (signature.test(line) || forwarded.some((pattern) => pattern.test(line.trim())))
      return until(index, 'nothing');
    if (headerLine.test(line) && after !== undefined && secondHeaderLine.test(after))
      return until(index, 'nothing');
    if (isAttribution(line)) return until(index, after === undefined ? 'quote' : 'nothing');
    // The line may be broken where it is too long.
    if (after !== undefined && isAttribution(`${line} ${after}`))
      return until(index, index + 2 === lines.length ? 'quote' : 'nothing');
  }
  return { said: lines, next: 'more' };
}

const dated = /\b20\d\d\b|\d:\d\d|\d[./-]\d/u;

/**
 * Lines under two hyphens that can only be a signature: addresses of mail, numbers to call, and the lines that
 * telephones add. A name looks like any other word ("Maybe"), so no name is in this list.
 */
const signatureLines: readonly RegExp[] = [
  /^<?[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+>?$/iu,
  /^(?:(?:tel|phone|mobile|fax)[.:]? ?)?\+?\d[\d ()/.-]{5,24}$/iu,
  /^sent from my (?:iphone|ipad|phone|android phone|mobile phone)\.?$/iu,
];
const mostSignatureLines = 8;

function isSigned(lines: readonly string[]): boolean {
  return (
    lines.length <= mostSignatureLines &&
    lines.every((line) => signatureLines.some((form) => form.test(line.trim())))
  );
}

/** How many of the lines say who wrote what follows, and to whom. */
function countHeaderLines(lines: readonly string[]): number {
  const [first = '', second = ''] = lines;
  if (isAttribution(first)) return 1;
  if (isAttribution(`${first} ${second}`)) return 2;
  const from = forwarded.some((pattern) => pattern.test(first.trim())) ? 1 : 0;
  const other = lines.slice(from).findIndex((line) => !headerLine.test(line) && !secondHeaderLine.test(line));
  return other === -1 ? lines.length : from + other;
}

/** Words that no program puts into the header of a mail: a sentence of the writer may look like one. */
const ownWord =
  /(?<![\p{L}'’])(?:i|we|no|not|none|never|nothing|don['’]?t|won['’]?t|can['’]?t|cannot|would|should|could|must|only|if|but|unless|until|wait|stop|hold|later|instead|rather|nicht|kein|keine|nein|ich|wir|aber|erst|pas|non|je|mais|no|nunca|pero|yo)(?![\p{L}])/iu;
/** Names and addresses may have small letters; more of such words make a sentence. */
const smallWord = /(?<![\p{L}\p{N}<@.'’-])\p{Ll}+(?![\p{L}\p{N}@])/gu;
const headerWords: ReadonlySet<string> = new Set(
  `on at am pm um wrote writes schrieb le à a écrit el las escribió il giorno alle ore ha scritto op om schreef em às de do
  den kl skrev dnia o napisał uhr h the von van der da di lun mar mer jeu ven sam dim lunes ma di wo do vr za zo seg ter qua
  qui sex sáb dom mån tis ons tors fre lör sön man tir jan feb mär apr mai jun jul aug sep sept oct okt nov dec dez janv févr
  mars avr juin juil août déc enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gen
  mag giu lug ago set ott dic mrt mei fev abr jun jul out novembre listopada`.split(/\s+/u),
);
const mostSmallWords = 2;

function isPlainHeader(lines: readonly string[]): boolean {
  const text = lines.join(' ').replace(/<[^<>\s]*>/gu, ' ');
  const small = (text.match(smallWord) ?? []).filter((word) => !headerWords.has(word));
  return !ownWord.test(text) && small.length <= mostSmallWords;
}

/**
 * Whether what was cut off surely came with a mail: a date beside who wrote it and nothing after that, or a signature of
 * a closed form. All else is shown to readers and may be the writer's own words, such as an answer between the lines of
 * a mail that is not quoted; they are left out here and must not be taken for agreement.
 * @param lines from the first one that was cut off
 */
export function isSurelyMail(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '');
  const [first = '', ...rest] = written;
  if (signature.test(first)) return isSigned(rest);
  if (countHeaderLines(written) < written.length || !isPlainHeader(written)) return false;
  return (
    forwarded.some((pattern) => pattern.test(first.trim())) ||
    dated.test([first, ...rest.slice(0, 3)].join(' '))
  );
}
