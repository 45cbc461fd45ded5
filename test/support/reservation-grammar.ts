/** Words that hold an approval back, in all encodings and constructs of Markdown: what tests put beside an approval. */

/** What no careful reader takes for an approval without reservations. */
export const reservations = [
  ...[
    'Must fix: the size limit',
    'Blocker: there is no limit.',
    'Required change: name the limit.',
    'Do not merge',
  ],
  ...[
    'This is blocking.',
    'I do not approve this.',
    'Not approved',
    'NOT APPROVED, whatever the box says',
    'REVISE',
  ],
  ...[
    'Approved only if Bob agrees.',
    'OK, provided that the limit is named.',
    'Fine once Legal agrees',
    'Wait for Legal.',
  ],
  ...[
    'Hold this until Monday.',
    'Please revise the second part.',
    'The limit must be named.',
    'We need a limit here.',
  ],
  ...[
    'It should have a limit before it is filed.',
    'Changes required',
    'Rejected.',
    'No.',
    'No way',
    'never',
    'My verdict: no',
  ],
  ...[
    'Almost approved',
    'Not yet',
    "Don't file it",
    'Subject to the limit being named',
    'Unless Bob objects, fine.',
  ],
  ...[
    'Good, but the limit is missing.',
    'However, this breaks the export.',
    'TODO name the limit',
    'Is this safe?',
  ],
  ...[
    'Critical: data loss',
    'P0',
    'Showstopper',
    'Fix the limit',
    'Add a limit.',
    'I object',
    'Veto',
    'Discuss with Legal',
  ],
  ...[
    'Das muss noch geklärt werden.',
    'Nicht freigegeben',
    'Erst nach der Prüfung',
    'Bloquant',
    'Il faut corriger la limite',
  ],
  ...[
    'No aprobado',
    'Debe corregirse',
    '必须修复',
    'Блокер',
    '🛑',
    '❌',
    '👎',
    '🚫 as it is',
    '-1',
    '!approved',
    '~~Approved~~',
  ],
];

type Change = (text: string, pick: (count: number) => number) => string;

const letters = (text: string, change: (letter: string) => string, pick: (count: number) => number): string =>
  [...text].map((sign) => (/[a-z]/iu.test(sign) && pick(3) > 0 ? change(sign) : sign)).join('');
const between =
  (...signs: readonly string[]): Change =>
  (text, pick) =>
    letters(text, (sign) => `${sign}${signs[pick(signs.length)] ?? ''}`, pick);
const shift =
  (small: number, large: number): Change =>
  (text, pick) =>
    letters(
      text,
      (sign) => {
        const code = sign.codePointAt(0) ?? 0;
        return String.fromCodePoint(code >= 97 ? small + code - 97 : large + code - 65);
      },
      pick,
    );
const cyrillic: Readonly<Record<string, string>> = {
  ...{
    a: 'а',
    c: 'с',
    e: 'е',
    i: 'і',
    o: 'о',
    p: 'р',
    s: 'ѕ',
    x: 'х',
    y: 'у',
    M: 'М',
    B: 'В',
    N: 'Ν',
    T: 'Т',
    O: 'О',
  },
};
const leet: Readonly<Record<string, string>> = { o: '0', i: '1', e: '3', a: '4', s: '5', t: '7' };

/** Other ways to write the same letters. */
export const encodings: Readonly<Record<string, Change>> = {
  'as it is': (text) => text,
  'decimal entities': (text, pick) => letters(text, (sign) => `&#${sign.codePointAt(0) ?? 0};`, pick),
  'hexadecimal entities': (text, pick) =>
    letters(text, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`, pick),
  'named entities between': between('&shy;', '&ZeroWidthSpace;', '&zwj;', '&zwnj;'),
  'percent signs': (text, pick) =>
    letters(text, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`, pick),
  'wide letters': shift(0xff41, 0xff21),
  'bold letters of mathematics': shift(0x1d41a, 0x1d400),
  'letters in circles': shift(0x24d0, 0x24b6),
  'letters in white boxes': (text) =>
    text.toUpperCase().replace(/[A-Z]/gu, (sign) => String.fromCodePoint(0x1f130 + sign.charCodeAt(0) - 65)),
  'letters in black boxes': (text) =>
    text.toUpperCase().replace(/[A-Z]/gu, (sign) => String.fromCodePoint(0x1f170 + sign.charCodeAt(0) - 65)),
  'letters of flags': (text) =>
    text.toUpperCase().replace(/[A-Z]/gu, (sign) => String.fromCodePoint(0x1f1e6 + sign.charCodeAt(0) - 65)),
  'accents apart': between('\u0301', '\u0308', '\u0323'),
  'struck out': between('\u0336', '\u0335', '\u0338'),
  framed: between('\u20DD', '\u20E0'),
  'signs of no width': between('\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u034F', '\u180E'),
  'soft hyphens': between('\u00AD'),
  'marks of direction': between('\u200E', '\u200F', '\u202E', '\u2066', '\u061C'),
  'letters of other scripts': (text) => [...text].map((sign) => cyrillic[sign] ?? sign).join(''),
  'digits for letters': (text) => [...text].map((sign) => leet[sign] ?? sign).join(''),
  capitals: (text) => text.toUpperCase(),
  'small letters': (text) => text.toLowerCase(),
  'parts in emphasis': (text) => text.replace(/(\p{L})(\p{L})(\p{L})/u, '$1*$2*$3'),
  'a word as a link': (text) => text.replace(/\p{L}+/u, '[$&](https://example.com)'),
  'a word as code': (text) => text.replace(/\p{L}+/u, '`$&`'),
  'all as code': (text) => `\`${text}\``,
  escaped: (text) => text.replace(/[.,:!~*_-]/gu, '\\$&'),
  'with odd blanks': (text) => text.replace(/ /gu, '\u00A0'),
  'in other lines': (text) => text.replace(/ /gu, '\n'),
  'with hard breaks': (text) => text.replace(/ /gu, '  \n'),
  'letters apart': (text) => [...text].join(' '),
  'letters with dots': (text) => text.replace(/(\p{L})(?=\p{L})/gu, '$1.'),
  typographic: (text) => text.replace(/'/gu, '’').replace(/-/gu, '–'),
};

/** Where in Markdown it may stand. */
export const constructs: Readonly<Record<string, (text: string) => string>> = {
  'a sentence': (text) => text,
  'after a sentence': (text) => `Looks good. ${text}`,
  'before a sentence': (text) => `${text}. Looks good`,
  'in brackets': (text) => `Fine (${text})`,
  'a bold paragraph': (text) => `**${text}**`,
  'an emphasis': (text) => `*${text}*`,
  'an emphasised line': (text) => `_${text}_`,
  'a heading': (text) => `## ${text}`,
  'a low heading': (text) => `###### ${text}`,
  'a heading underlined': (text) => `${text}\n---`,
  'a heading underlined twice': (text) => `${text}\n===`,
  'our heading': (text) => `## Blocking\n\n${text}`,
  'our other heading': (text) => `## Suggestions\n\n- ${text}`,
  'a list': (text) => `- ${text}`,
  'a nested list': (text) => `- fine\n  - good\n    1. ${text}`,
  'a numbered list': (text) => `1) ${text}`,
  'a quote': (text) => `> ${text}`,
  'a quote in a list': (text) => `- > ${text}`,
  'a lazy quote': (text) => `> fine\n${text}`,
  'a table': (text) => `| a |\n|---|\n| ${text} |`,
  'a comment of HTML': (text) => `<!-- ${text} -->`,
  'an element': (text) => `<b>${text}</b>`,
  'a closed box': (text) => `<details><summary>Fine</summary>\n\n${text}\n\n</details>`,
  'a footnote': (text) => `Fine[^1]\n\n[^1]: ${text}`,
  'a hidden definition': (text) => `[fine]\n\n[fine]: https://example.com "${text.replace(/"/gu, '')}"`,
  'a link by reference': (text) => `[${text}][1]\n\n[1]: https://example.com`,
  'the title of a link': (text) => `[fine](https://example.com "${text.replace(/["\n]/gu, ' ')}")`,
  'a picture': (text) => `![${text}](https://example.com/a.png)`,
  'a block of code': (text) => `\`\`\`\n${text}\n\`\`\``,
  'a block with a longer fence': (text) => `\`\`\`\`\`md\n\`\`\`\n${text}\n\`\`\`\`\``,
  'a block that is not closed': (text) => `~~~\n${text}`,
  'indented code': (text) => `    ${text.replace(/\n/gu, '\n    ')}`,
  'after a rule': (text) => `---\n\n${text}`,
  'a box': (text) => `- [x] ${text}`,
  'an empty box': (text) => `[ ] ${text}`,
};

/** The same numbers for the same seed. */
export function makePick(seed: number): (count: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}
