/** Verdict files as people and attackers edit them, put together from a grammar of edits: nothing but a plain approval approves. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import {
  approvedByHand,
  box,
  clean,
  header,
  original,
  withSuggestion,
} from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';
import { type Decision, decisions, renderVerdict } from './verdict.ts';

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
      for (const place of ['## Notes', 'Reviewer: ', '# Review'])
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
      fc.tuple(fc.constantFrom(...remarks), fc.constantFrom('## Notes', '# Review', '- [', 'Reviewer: ')).map(
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
      { numRuns: propertyRuns(5_000) },
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
    'Good enough for the release in May.',
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
    'Looks good to me, see the talk with Bob.',
  ];
  const isSentence = (words: string) => !/^[->*]/u.test(words);
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
    [original, approvedByHand.replace(/One thing.*\n/u, ''), 'APPROVED'],
    [original, approvedByHand.replace(/## Should[^#]*/u, ''), 'APPROVED'],
    [original, approvedByHand.replace(/## Notes[^#]*/u, ''), 'APPROVED'],
    [original, approvedByHand.replace(/ {2}Fix: .*\n/u, ''), 'APPROVED'],
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
      ...(isSentence(words)
        ? ([
            [original, approvedByHand.replace('## Verdict', `${words}\n\n## Verdict`), 'APPROVED'],
            [suggestion, suggestion.replace(/(## Notes\n\n).*\n/u, `$1${words}\n`), 'APPROVED'],
          ] satisfies [string, string, Decision][])
        : []),
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
