/** A person's edited verdict approves only in one closed form: not by a word in a sentence, a quote, a comment or a struck line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../test/support/hostile-text.ts';
import { readVerdict } from './read-verdict.ts';
import { type Decision, decisions, renderVerdict, type Verdict } from './verdict.ts';

const header = { reviewer: 'Gemini', prompt: '0701c', review: 1 };

const finding = (tier: 'blocking' | 'high' | 'suggestion', problem: string, fix = 'Name one.') =>
  ({ tier, category: 'Security', section: 'Requirements', problem, fix }) as const;

const clean: Verdict = { decision: 'APPROVED', summary: 'It is fine.', findings: [], questions: [] };
const withSuggestion: Verdict = { ...clean, findings: [finding('suggestion', 'Say how large it may be.')] };
const blocked: Verdict = {
  decision: 'REVISE',
  summary: 'One thing has to be approved by nobody but Legal.',
  findings: [finding('blocking', 'There is no size limit.'), finding('high', 'The columns are not named.')],
  questions: ['Who pays for it?'],
};

const approvedBox = '- [x] **APPROVED**: ready to go on as it is';
const box = (label: Decision, mark = ' ') => {
  const line = renderVerdict(clean, header)
    .split('\n')
    .find((one) => one.includes(`**${label}**`));
  return (line ?? '').replace(/\[.\]/u, `[${mark}]`);
};

/** What a person does who approves: delete what blocks, move the tick. */
function approve(text: string): string {
  return text
    .replace(/## Blocking\n\n(?:- .*\n(?: {2}.*\n)*)+\n/u, '')
    .replace('[x]', '[ ]')
    .replace('[ ] **APPROVED**', '[x] **APPROVED**');
}

const original = renderVerdict(blocked, header);
const approvedByHand = approve(original);

describe('readVerdict', () => {
  it('an approval by hand is one, and so is what was rendered', () => {
    expect(readVerdict(approvedByHand, original)).toEqual({ decision: 'APPROVED', unclear: null });
    expect(readVerdict(original, original).decision).toBe('REVISE');
    for (const verdict of [clean, withSuggestion]) {
      const text = renderVerdict(verdict, header);
      expect(readVerdict(text, text).decision).toBe('APPROVED');
    }
  });

  it.each<[string, string, Decision | null]>([
    ['one box', '- [x] **APPROVED**', 'APPROVED'],
    ['one box with our words', approvedBox, 'APPROVED'],
    ['one of three', '- [ ] **APPROVED**\n- [x] **REVISE**\n- [ ] **DISCUSS**', 'REVISE'],
    ['a capital X', '- [X] **APPROVED**', 'APPROVED'],
    ['another bullet', '* [x] **APPROVED**', 'APPROVED'],
    ['numbered', '1. [x] **APPROVED**', 'APPROVED'],
    ['indented by three', '   - [x] **APPROVED**', 'APPROVED'],
    ['underscores', '- [x] __APPROVED__', 'APPROVED'],
    ['another order', '- [ ] **REVISE**\n- [x] **APPROVED**', 'APPROVED'],
    ['under its heading', `## Verdict\n\n${approvedBox}\n`, 'APPROVED'],
    ['revise, with what is to be done', '- [x] **REVISE**: name the limit', 'REVISE'],
    ['discuss, with why', '- [x] **DISCUSS** – who pays?', 'DISCUSS'],
    ['empty', '', null],
    ['no box', 'This is **APPROVED**.', null],
    ['no tick', '- [ ] **APPROVED**', null],
    ['other words', '- [x] **APPROVED**: fine', null],
    ['colon in the bold name', '- [x] **APPROVED:** fine', null],
    ['an explanation after a dash', '- [x] **APPROVED** – fine', null],
    ['a condition', '- [x] **APPROVED**: but only after the limit is named', null],
    ['our words and more', `${approvedBox}, but not today`, null],
    ['two ticked', '- [x] **APPROVED**\n- [x] **REVISE**', null],
    ['the same twice', '- [x] **APPROVED**\n- [x] **APPROVED**', null],
    ['the same twice, once empty', '- [x] **APPROVED**\n- [ ] **APPROVED**', null],
    ['two ticked in two lists', '- [x] **APPROVED**\n\n## More\n\n- [x] **DISCUSS**', null],
    ['a mark with a space beside it', '- [x] **APPROVED**\n- [x ] **REVISE**', null],
    ['a check mark beside it', '- [x] **APPROVED**\n- [✓] **REVISE**', null],
    ['a check mark in the next list', '- [x] **APPROVED**\n\n* [v] **REVISE**', null],
    ['a mark beside a revise', '- [x] **REVISE**\n- [✓] **APPROVED**', null],
    ['a dash beside it', '- [x] **APPROVED**\n- [-] **REVISE**', null],
    ['a star beside it', '- [x] **APPROVED**\n- [*] **REVISE**', null],
    ['a round box beside it', '- [x] **APPROVED**\n- (x) **REVISE**', null],
    ['an emoji beside it', '- [x] **APPROVED**\n- ✅ **REVISE**', null],
    ['in a code fence', '```\n- [x] **APPROVED**\n```', null],
    ['in indented code', '    - [x] **APPROVED**', null],
    ['in a quote', '> - [x] **APPROVED**', null],
    ['in a nested list', '- a\n  - [x] **APPROVED**', null],
    ['in a table', '| a |\n|---|\n| - [x] **APPROVED** |', null],
    ['in a comment', '<!--\n- [x] **APPROVED**\n-->', null],
    ['in details', '<details>\n\n- [x] **APPROVED**\n\n</details>', null],
    ['in del', '<del>\n\n- [x] **APPROVED**\n\n</del>', null],
    ['in inline del', '- [x] <del>**APPROVED**</del>', null],
    ['NOT APPROVED', '- [x] **NOT APPROVED**', null],
    ['NOT before the bold name', '- [x] NOT **APPROVED**', null],
    ['an item that says not', '- [x] **APPROVED**\n- NOT, see below', null],
    ['a nested item that says not', '- [x] **APPROVED**\n  - NOT, see below', null],
    ['on the next line: not yet', '- [x] **APPROVED**\n  not yet', null],
    ['a sentence after it', `${approvedBox}\n\nNot yet, though.`, null],
    ['a sentence before it', `Only an example:\n\n${approvedBox}`, null],
    ['under another heading', `## Not the verdict\n\n${approvedBox}`, null],
    ['under a heading that is struck out', `## ~~Verdict~~\n\n${approvedBox}`, null],
    ['something blocking above', `## Blocking\n\n- no limit\n\n## Verdict\n\n${approvedBox}`, null],
    ['blocking, said to be none', `## Blocking\n\nNone.\n\n## Verdict\n\n${approvedBox}`, 'APPROVED'],
    ['nothing that blocks', `## Non-blocking\n\n- a typo\n\n## Verdict\n\n${approvedBox}`, 'APPROVED'],
    ['lower case', '- [x] **approved**', null],
    ['not bold', '- [x] APPROVED', null],
    ['only emphasised', '- [x] *APPROVED*', null],
    ['struck out as a whole', '- [x] ~~**APPROVED**~~', null],
    ['struck out inside the bold', '- [x] **~~APPROVED~~**', null],
    ['another sign in the box', '- [v] **APPROVED**', null],
    ['no space in the box', '- [] **APPROVED**', null],
    ['a look-alike letter', '- [x] **АPPROVED**', null],
    ['a direction mark', '- [x] **APPROVED**\u202E', null],
    ['a hidden definition', `[//]: # (not approved)\n\n## Verdict\n\n${approvedBox}`, null],
    ['an open task', `- [ ] ask Legal\n\n## Verdict\n\n${approvedBox}`, null],
    ['a ticked revise nested in it', '- [x] **APPROVED**\n  - [x] **REVISE**', null],
  ])('%s', (_, text, decision) => {
    expect(readVerdict(text).decision).toBe(decision);
  });

  it.each([
    ['quotes', '>'],
    ['numbered lists', '1. '],
  ])('does not fail on %s nested thousands deep', (_, mark) => {
    expect(readVerdict(mark.repeat(10_000 / mark.length)).decision).toBeNull();
    expect(readVerdict(`${mark.repeat(10_000 / mark.length)}\n\n${approvedBox}`).decision).not.toBe('REVISE');
  });

  it('never throws, always says why, and decides nothing without a ticked box and a bold name', () => {
    const anyText = hostileText(
      [
        approvedBox,
        '- [x] **REVISE**',
        '- [ ] **DISCUSS**',
        '[x] **APPROVED**',
        '**APPROVED**',
        'NOT ',
        '- ',
        '1. ',
        '> ',
        '\n',
        '\n\n',
        '\r',
        '    ',
        '\t',
        '```\n',
        '<!--',
        '-->',
        '<details>',
        '# ',
        '## Verdict\n\n',
        '===',
        '|',
        '\\',
        '`',
        '~~',
        '&#91;x&#93; ',
        '\u202E',
        '\0',
        '[a]: b',
      ],
      80,
    );
    const seen = new Map<Decision | null, number>();
    fc.assert(
      fc.property(anyText, (text) => {
        const { decision, unclear } = readVerdict(text, original);
        seen.set(decision, (seen.get(decision) ?? 0) + 1);
        if (decision === null) expect(unclear).toMatch(/\.$|is$/u);
        else expect(text).toMatch(/\[[xX]\]\s+(?:\*\*|__)/u);
      }),
      { numRuns: 1_500 },
    );
    expect(seen.get('APPROVED') ?? 0).toBeGreaterThan(1);
  });
});

/** Edits after which a ticked approval is no longer one, each by itself. */
const boxEdits: readonly ((line: string) => string)[] = [
  // Conditions and negations after the label.
  ...[
    ': but only after the limit is named',
    ' - NOT, see below',
    ' — not yet',
    ': no',
    ': ready to go on as it is?',
    ': ready to go on as it is, once Legal agrees',
    ' (with changes)',
    ' if the limit is named',
    ': ready to go on as it is ❌',
    ' 👎',
    ' 🚫',
    ': as soon as Bob is back',
    ' unless Bob objects',
    ': nearly',
    '!',
    '?',
    ' with remarks',
    ': ready',
  ].map((words) => (line: string) => line.replace(/\*\*APPROVED\*\*.*/u, `**APPROVED**${words}`)),
  // Negations in and before the label.
  ...[
    'NOT APPROVED',
    'UNAPPROVED',
    'APPROVED NOT',
    'DISAPPROVED',
    'APPROVED?',
    'ALMOST APPROVED',
    'APPROVED with changes',
    '~~APPROVED~~',
    '<del>APPROVED</del>',
    '`APPROVED`',
    'approved',
    'APPROVED\u200B',
    '❌ APPROVED',
  ].map((label) => (line: string) => line.replace('**APPROVED**', `**${label}**`)),
  ...['NOT ', 'not yet ', '❌ ', '🛑 ', '~~', '<s>', '`', '\\', '!'].map(
    (words) => (line: string) => line.replace('**APPROVED**', `${words}**APPROVED**`),
  ),
  // Wrapping of the whole line.
  ...[
    '> ',
    '    ',
    '\t',
    '- ',
    '~~',
    '| ',
    '<del>',
    '<!-- ',
    '\\',
    '`',
    '# ',
    '* * ',
    '<details><summary>',
    '1. - ',
    '>> ',
  ].map((prefix) => (line: string) => `${prefix}${line}`),
  ...(
    [
      ['```', '```'],
      ['~~~md', '~~~'],
      ['<!--', '-->'],
      ['<del>\n', '\n</del>'],
      ['<details>\n', '\n</details>'],
      ['<blockquote>\n', '\n</blockquote>'],
      ['<template>\n', '\n</template>'],
      ['<div hidden>\n', '\n</div>'],
      ['<s>\n', '\n</s>'],
      ['<pre>', '</pre>'],
      ['- an example:\n', '\n'],
      ['~~\n', '\n~~'],
    ] as const
  ).map(
    ([open, close]) =>
      (line: string) =>
        `${open}\n${line.replace(/^/u, open.startsWith('- ') ? '  ' : '')}\n${close}`,
  ),
  // What stands in the box.
  ...['v', '✓', '✔', '*', '-', 'x ', ' x', 'xx', '', 'o', '❌', 'X ', '+', '?', 'n', '~', '/'].map(
    (mark) => (line: string) => line.replace('[x]', `[${mark}]`),
  ),
  // What follows.
  ...[
    'Not yet.',
    'But only after the limit is named.',
    '  not yet',
    '  - NOT, see below',
    '- NOT, see below',
    '- [x] **REVISE**',
    '- [x] NOT',
    '## On second thoughts: no',
    '> not yet',
    '<!-- not yet -->',
    '- [x] **APPROVED**',
    '- [ ] **APPROVED**',
    '❌',
    '* [✓] **REVISE**',
    '[x] REVISE',
    '☑ REVISE',
    '- 🛑',
  ].flatMap((words) => [(line: string) => `${line}\n${words}`, (line: string) => `${line}\n\n${words}`]),
];

/** Edits of other boxes: marked in any way, or saying something. */
const otherBoxEdits: readonly ((line: string) => string)[] = [
  ...[
    'x',
    'X',
    'x ',
    ' x',
    '✓',
    '✔',
    'v',
    'V',
    '*',
    '-',
    '+',
    'o',
    '.',
    '❌',
    'xx',
    'yes',
    '/',
    '~',
    '•',
  ].map((mark) => (line: string) => line.replace('[ ]', `[${mark}]`)),
  ...['(x)', '［x］', '☑', '✅', '✔️', '{x}', '[x]('].map(
    (mark) => (line: string) => line.replace('[ ]', mark),
  ),
  (line) => `${line}, please do`,
  (line) => `${line}\n  - this one`,
  (line) => `${line}\n  this one, after all`,
  (line) => `<b>${line}</b>`,
];

/** Things written elsewhere in the file that speak against an approval. */
const remarks: readonly string[] = [
  '## Blocking\n\n- There is still no size limit.',
  '### Blocking\n\nNo size limit.',
  'Blocking\n--------\n\n1. no size limit',
  '## Still blocking\n\n- no size limit',
  '## BLOCKERS\n\n- no size limit',
  '- **Blocking**: no size limit',
  'This is blocking: no size limit.',
  '<!-- There is no size limit. -->',
  'I do not approve this.',
  'Not approved, whatever the box says.',
  'Approved only if Bob agrees.',
  'Hold this until Monday.',
  'Do not file this.',
  "Please don't file it yet.",
  'Wait for Legal.',
  'My verdict: no.',
  '❌ no',
  '🛑',
  '👎 as it is',
  'OK, provided that the limit is named.',
  'Fine as long as the limit is named.',
  'Once Legal agrees.',
  'Fine as soon as the limit is named.',
  'OK, subject to the limit.',
  'Assuming that Bob agrees.',
  '🚧 in work',
  '⚠️ see below',
  '👎🏽',
  '**Blocking**\n\n- no limit',
  '> ## Blocking\n>\n> - no limit',
  '<!-- not closed',
  '```\nnot closed',
  'Please revise the second paragraph.',
  'REVISE',
  '- [x] **REVISE**',
  '> - [x] **REVISE**',
  '```\n- [x] **REVISE**\n```',
  '- [ ] ask Legal',
  '- [✓] REVISE',
  '<details>\n\nnot yet\n\n</details>',
  '<p hidden>x</p>',
  '[//]: # (not yet)',
  '| a |\n|---|\n| no |',
];

/** What the reviewer called blocking, in other places and forms. */
const leftOvers: readonly string[] = [
  '- **Security** (Requirements): There is no size limit.',
  'There is no size limit.',
  '~~There is no size limit.~~',
  '> There is **no** size limit.',
];

function editBox(text: string, label: Decision, edit: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (/^- \[.\] /u.test(line) && line.includes(`**${label}**`) ? edit(line) : line))
    .join('\n');
}

describe('edits after which nothing is approved', () => {
  const bases = [approvedByHand, renderVerdict(clean, header), renderVerdict(withSuggestion, header)];
  const hostile: [string, string][] = [];
  for (const base of bases) {
    for (const edit of boxEdits) hostile.push([base, editBox(base, 'APPROVED', edit)]);
    for (const label of ['REVISE', 'DISCUSS'] as const)
      for (const edit of otherBoxEdits) hostile.push([base, editBox(base, label, edit)]);
    for (const remark of base === approvedByHand ? [...remarks, ...leftOvers] : remarks)
      for (const place of ['## Verdict', 'Reviewer: ', '# Review'])
        hostile.push([base, base.replace(place, `${remark}\n\n${place}`)]);
  }

  it(`none of ${hostile.length} approves`, () => {
    expect(hostile.length).toBeGreaterThan(500);
    const approved = hostile
      .filter(([base, text]) => text !== base)
      .filter(
        ([base, text]) =>
          readVerdict(text, base === approvedByHand ? original : base).decision === 'APPROVED',
      )
      .map(([, text]) => text);
    expect(approved).toEqual([]);
  });

  it('nor do any two of them together, in any order', () => {
    const anyEdit = fc.oneof(
      fc.constantFrom(...boxEdits).map((edit) => (text: string) => editBox(text, 'APPROVED', edit)),
      fc.tuple(fc.constantFrom<Decision>('REVISE', 'DISCUSS'), fc.constantFrom(...otherBoxEdits)).map(
        ([label, edit]) =>
          (text: string) =>
            editBox(text, label, edit),
      ),
      fc
        .tuple(fc.constantFrom(...remarks), fc.constantFrom('## Verdict', '# Review', '- [', 'Reviewer: '))
        .map(
          ([remark, place]) =>
            (text: string) =>
              text.replace(place, () => `${remark}\n\n${place}`),
        ),
    );
    fc.assert(
      fc.property(anyEdit, anyEdit, (first, second) => {
        const text = second(first(approvedByHand));
        if (text !== approvedByHand) expect(readVerdict(text, original).decision).not.toBe('APPROVED');
      }),
      { numRuns: 1_000 },
    );
  });

  it('an approval over what the reviewer called blocking is none, wherever that stands now', () => {
    const ticked = original.replace('[x]', '[ ]').replace('[ ] **APPROVED**', '[x] **APPROVED**');
    const texts = [
      ticked,
      ticked.replace('## Blocking\n\n', ''),
      ticked.replace('## Blocking', '## Suggestions'),
      ticked.replace('## Blocking', '## Settled'),
      ticked.replace('no size limit.', 'no size limit. Fixed!'),
      ticked.replace('- **Security** (Requirements): There', 'There'),
    ];
    for (const text of texts) {
      const reading = readVerdict(text, original);
      expect(reading.decision).toBeNull();
      expect(reading.unclear).toContain('blocking');
    }
  });
});

describe('plain edits of people', () => {
  const remark = [
    'Agreed, the next version will have it.',
    'Not needed for the first version.',
    'See https://example.invalid/limits for the numbers.',
    'I named them in section 3: date, amount, currency.',
    'We talked about it, 10 MB is enough.',
    '10 MB.',
    'done',
    'Out of scope, no longer blocking anybody.',
    '**Bob:** fine with me',
    '- the limit is in the table now',
    '> The columns are not named.\n\nThey are now.',
    '✅ fixed',
    'Thanks!',
    '`limit = 10`',
    "Doesn't matter for CSV.",
  ];
  const under = (text: string, words: string) =>
    text.replace(
      /(- \*\*Security\*\* \(Requirements\): (?:The columns|Say how).*\n(?: {2}.*\n)?)/u,
      (found) =>
        `${found}${words.startsWith('-') || words.startsWith('>') ? `\n${words}\n` : `  ${words}\n`}`,
    );
  const suggestion = renderVerdict(withSuggestion, header);
  const moveTo = (text: string, label: Decision) =>
    text.replace('[x]', '[ ]').replace(`[ ] **${label}**`, `[x] **${label}**`);

  const plain: [string, string, Decision][] = [
    [original, approvedByHand, 'APPROVED'],
    [original, approvedByHand.replaceAll('\n', '\r\n'), 'APPROVED'],
    [original, approvedByHand.replace('[x]', '[X]'), 'APPROVED'],
    [original, approvedByHand.trimEnd(), 'APPROVED'],
    [original, `${approvedByHand}\n\n`, 'APPROVED'],
    [original, approvedByHand.replace(/- \[ \].*\n/gu, ''), 'APPROVED'],
    [original, approvedByHand.replace(': ready to go on as it is', ''), 'APPROVED'],
    [
      original,
      approvedByHand.replace(
        '## Should',
        '## Blocking\n\nNone any more.\n\n## Should'.replace(' any more', ''),
      ),
      'APPROVED',
    ],
    [original, approvedByHand.replace(/## Questions[^#]*/u, ''), 'APPROVED'],
    [original, approvedByHand.replace(/One thing.*/u, 'It is good now.'), 'APPROVED'],
    [original, approvedByHand.replaceAll('- [', '* ['), 'APPROVED'],
    [suggestion, moveTo(suggestion, 'REVISE'), 'REVISE'],
    [suggestion, moveTo(suggestion, 'DISCUSS'), 'DISCUSS'],
    [suggestion, `${moveTo(suggestion, 'REVISE')}\nPlease name the limit.\n`, 'REVISE'],
    [
      suggestion,
      moveTo(suggestion, 'REVISE').replace(box('REVISE', 'x'), '- [x] **REVISE**: name the limit'),
      'REVISE',
    ],
    [original, moveTo(original, 'DISCUSS'), 'DISCUSS'],
    ...remark.flatMap((words): [string, string, Decision][] => [
      [original, under(original, words), 'REVISE'],
      [original, under(approvedByHand, words), 'APPROVED'],
      [suggestion, under(suggestion, words), 'APPROVED'],
      [suggestion, under(moveTo(suggestion, 'REVISE'), words), 'REVISE'],
      [original, original.replace('## Verdict', `${words}\n\n## Verdict`), 'REVISE'],
      [suggestion, `${moveTo(suggestion, 'REVISE')}\n${words}\n`, 'REVISE'],
    ]),
  ];

  it(`at least 95 % of ${plain.length} are understood, and none is taken for something else`, () => {
    expect(decisions).toContain('APPROVED');
    const readings = plain.map(([base, text, decision]) => ({
      decision,
      text,
      reading: readVerdict(text, base),
    }));
    const misread = readings.filter(
      (one) => one.reading.decision !== null && one.reading.decision !== one.decision,
    );
    expect(misread).toEqual([]);
    const asked = readings.filter((one) => one.reading.decision === null);
    expect(asked.length / readings.length, JSON.stringify(asked, null, 2)).toBeLessThan(0.05);
  });
});
