/** Whose words are around an approval: answers between the lines of a mail, requests to other people, lists of steps. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlanAnswer } from './plan-approval.ts';

const answer = (text: string) => readPlanAnswer(text, 'claude');

const headers = [
  'On Mon, Nov 16, 2026 at 10:00 AM Bob <bob@example.com> wrote:',
  'Am 16.11.2026 schrieb Bob:',
  'Le lun. 16 nov. 2026 à 09:00, Bob a écrit :',
  'On Mon, Nov 16, 2026 at 10:00 AM Bob Example\n<bob@example.com> wrote:',
];
const agreements = ['LGTM', 'Approve', '@claude approve', '@claude yes', 'I approve this plan.'];

describe('an answer between the lines of a mail', () => {
  it.each(headers.flatMap((header) => agreements.map((agreement): [string, string] => [agreement, header])))(
    '%j before %j',
    (agreement, header) => {
      for (const inline of [
        "> step 1: drop the table\nI'd rather not do this one\n> step 2",
        '> Shall this be carried out?\nNot yet.',
        '> x\nnicht so',
        '> x\n   not this one',
        '> - step 1\nnot this one',
        '> > x\nnot this one',
        '> x\n\n> y\nnot this one',
      ]) {
        expect(answer(`${agreement}\n\n${header}\n${inline}`), inline).toBe('unclear');
        expect(answer(`${agreement}\n\n${header}\n\n${inline}`), inline).toBe('unclear');
        expect(answer(`${agreement}\r\n\r\n${header}\r\n${inline}`.replace(/\r?\n/gu, '\r\n'))).toBe(
          'unclear',
        );
      }
      for (const inline of [
        'step 1: drop the table\n-> not this one',
        'step 1',
        '- step 1\n- step 2',
        '    step 1',
        '```\nstep 1\n```',
        '| step |\n|---|\n| 1 |',
        '<b>not this one</b>',
      ]) {
        expect(answer(`${agreement}\n\n${header}\n${inline}`), inline).toBe('unclear');
        expect(answer(`${agreement}\n\n${header}\n\n${inline}`), inline).toBe('unclear');
      }
    },
  );

  it('wherever it stands between quoted lines', () => {
    const quoted = fc.constantFrom(
      '> step 1',
      '>',
      '> - step 2',
      '> > older',
      '>> older',
      '  > step 3',
      '> ```',
      '> # title',
    );
    const own = fc.constantFrom(
      'not this one',
      'No.',
      '-> nicht so',
      '  rather not',
      '- not this one',
      '1. skip it',
      '**no**',
      '`no`',
    );
    const blank = fc.constantFrom('', '\n', '\n\n');
    fc.assert(
      fc.property(
        fc.constantFrom(...agreements),
        fc.constantFrom(...headers, ''),
        fc.array(quoted, { maxLength: 5 }),
        own,
        fc.array(quoted, { maxLength: 5 }),
        blank,
        (agreement, header, before, answered, after, space) => {
          const text = `${agreement}\n\n${[header, ...before, space + answered, ...after].join('\n')}`;
          expect(['approves', 'assents'], text).not.toContain(answer(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('without a mail, and in a list', () => {
    for (const agreement of agreements) {
      expect(answer(`> Shall this be carried out?\nNot yet.\n\n${agreement}`)).toBe('unclear');
      expect(answer(`${agreement}\n\n> Shall this be carried out?\nNot yet.`)).toBe('unclear');
      expect(answer(`${agreement}\n\n- > Shall this be carried out?\n  Not yet.`)).toBe('unclear');
    }
  });

  it.each([
    'From: Bob\nSent: Monday, 16 November 2026\nTo: Eve\nSubject: Plan\n\nstep 1\n-> not this one',
    '-----Original Message-----\nstep 1\n-> not this one',
    '-----Original Message-----\nFrom: Bob\nSent: Monday\n\nnot this one',
    'Begin forwarded message:\n\nnot this one',
  ])('a mail that is not quoted at all: %j', (mail) => {
    expect(answer(`Approve\n\n${mail}`)).toBe('unclear');
  });

  it.each([
    'On 2026 I would not do this, as Bob wrote:',
    'On step 1.2 I say no, as I wrote:',
    'On 1.2 no. Bob wrote:',
    'On 16.11.2026 drop the second step as Bob wrote:',
    'Am 16.11.2026 nicht machen, schrieb Bob:',
    'From: Bob\nTo: do not do this 2026',
    'From: Bob\nSubject: leave the second step out\nDate: 2026',
  ])('a header that is a sentence: %j', (header) => {
    expect(answer(`LGTM\n\n${header}`)).toBe('unclear');
    expect(answer(`LGTM\n\n${header}\n\n> x`)).toBe('unclear');
  });

  it('no words but quoted ones: the approval stands', () => {
    for (const header of headers) {
      expect(answer(`LGTM\n\n${header}`)).toBe('approves');
      expect(answer(`LGTM\n\n${header}\n> step 1\n> step 2`)).toBe('approves');
      expect(answer(`LGTM\n\n${header}\n\n> step 1\n>\n> > step 2\n> more\n`)).toBe('approves');
      expect(answer(`LGTM\n\n${header}\n> step 1\n\n-- \nbob@example.org`)).toBe('approves');
    }
  });
});

describe('"approve" that asks other people', () => {
  it.each([
    ...['go ahead and approve', 'you can go ahead and approve it', 'Now approve it', 'So, approve it then'],
    ...[
      'approve everyone',
      'Approve, team',
      'go ahead, approve',
      'go ahead\napprove',
      'Go ahead. Approve it.',
    ],
    ...['Feel free to go ahead and approve this plan', 'then approve', 'and approve it', 'approve then'],
    ...[
      "let's go approve",
      'you may proceed and approve',
      'Now\napprove it',
      'please\n\napprove',
      'all approve',
    ],
    ...[
      'go ahead and lgtm',
      'please lgtm',
      'please /approve',
      'go ahead and /approve',
      'So approve the plan',
    ],
    ...['LGTM. Now approve it.', 'Do it, approve', 'go for it, approve', 'Great plan, now approve it'],
    ...[
      ...[
        'everyone approved',
        'all approved',
        'team approved',
        'Hey, approve it',
        'hi there, approve',
        'Approve it, at once',
      ],
      'And then we approve',
      'Go ahead, then I approve',
      'go ahead and then I approve it',
      'make it so, approve',
    ],
  ])('%j', (text) => expect(answer(text)).toBe('unclear'));
  it.each([
    ...[
      'Approve',
      'approve it',
      'Approve this plan.',
      'approve now',
      'LGTM, approve',
      'LGTM\napprove',
      'yes, approve',
    ],
    ...[
      'Yes approve',
      '@claude go ahead and approve',
      '@claude now approve it',
      'So I approve',
      'Great! Approve.',
    ],
    ...[
      'I approve. Go ahead.',
      'Approved. Now go ahead and implement it',
      'Approve 👍',
      'approve, thanks',
      'Hi all\napproved',
      'Hi team, approved',
    ],
  ])('but not %j', (text) => expect(answer(text)).toBe('approves'));
});

describe('a list of steps', () => {
  it.each([
    ...['1. Plan\n2. Approve\n3. Implement', 'Plan:\n- approve\n- implement', '- approve\n- implement'],
    ...['* Plan\n* Implement', '1) approve\n2) implement it', '@claude\n1. Approve\n2. Implement'],
    ...[
      'Plan, approve, implement',
      'Plan\nApprove\nImplement',
      'Plan. Approve. Implement.',
      '- LGTM\n  - approve',
    ],
    ...['1. approve\n\n2. ship it', '- approved\n- implement', 'Plan. Implement. Ship it.'],
  ])('%j', (text) => expect(answer(text)).toBe('unclear'));
  it.each(['- Approve', '1. LGTM', 'Plan: approved', 'Decision: approve'])('but not %j', (text) =>
    expect(answer(text)).toBe('approves'),
  );
});

describe('words by which people approve', () => {
  it.each([
    ...['@claude yes, carry it out', 'carry it out', 'Carry this out, please', 'carry the plan out'],
    ...[
      'I accept the plan',
      'I accept this plan.',
      'We approve',
      'We approve this plan',
      'I approve of this plan.',
    ],
    ...[
      'Reviewed, LGTM',
      'Reviewed and approved',
      'Thanks Claude, approved',
      'Hi Claude, approved. Thank you Claude!',
    ],
  ])('%j approves', (text) => expect(answer(text)).toBe('approves'));
  it.each([
    ...['The plan is good', 'I agree with the plan', 'I agree with this plan.', 'Looks fine to me'],
    ...['looks great to me', 'that works', 'Alright, go ahead', 'Alright', 'This plan is good, thanks'],
  ])('%j is a yes', (text) => expect(answer(text)).toBe('assents'));
  it.each([
    ...[
      'carry it out tomorrow',
      "don't carry it out",
      'carry it out?',
      'carry step 1 out',
      'The plan is good but long',
    ],
    ...['I agree with the plan in general', 'that works on my machine', 'I accept the plan if it is small'],
    ...[
      'Alright, thanks',
      'I accept that',
      'Reviewed',
      'Thanks Bob, approved',
      'Should we approve?',
      'Claude approved',
    ],
    ...[
      'We approve nothing',
      'We would approve',
      'the plan is good enough',
      'Thanks Claude, not approved',
      'that works?',
    ],
  ])('%j does not', (text) => expect(['approves', 'assents']).not.toContain(answer(text)));
});
