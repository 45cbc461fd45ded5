/** Words that readers see and that are read as no speech: under them nothing is approved and nothing dismissed. */
import { describe, expect, it } from 'vitest';
import { readPlanAnswer } from '../../../domain/spoken/plan-approval.ts';
import { isSurelyMail } from '../../../domain/spoken/spoken-mail.ts';
import { isPartlyRead, mentions } from '../../../domain/spoken/spoken-text.ts';
import { readDismissals } from './dismissal.ts';

const id = '3f9a0c11d2';
const takingBack = [
  'not yet',
  "don't",
  'no',
  'wait for Bob',
  'but only after the tests pass',
  'just kidding',
];

const places: readonly (readonly [string, (words: string) => string])[] = [
  ['after a wide mark of a quote', (words) => `\n＞ ${words}`],
  ['after an escaped mark of a quote', (words) => `\n\\> ${words}`],
  ['after an entity of a quote', (words) => `\n&gt; ${words}`],
  ['under two hyphens', (words) => `\n--\n${words}`],
  ['under two hyphens of their own', (words) => `\n\n--\n${words}`],
  ['under two hyphens and a blank line', (words) => `\n\n-- \n\n${words}`],
  ['under a line that looks like a mail', (words) => `\n\nOn hold, as I wrote:\n\n> ${words}`],
  ['right under such a line', (words) => `\nOn the condition I wrote:\n${words}`],
  ['under such a line in German', (words) => `\n\nAm besten wie Bob schrieb:\n> ${words}`],
  ['under lines that look like a header', (words) => `\n\nFrom: now on\nTo: be clear, ${words}`],
  ['in a warning', (words) => `\n\n> [!WARNING]\n> ${words}`],
  ['in a footnote', (words) => `\n[^1]: it is ${words}`],
  ['after many quotes', (words) => `\n\n${'> '.repeat(200)}x\n\n${words}`],
  ['after many lists', (words) => `\n\n${'- '.repeat(300)}x\n\n${words}`],
];

describe('words that take it back', () => {
  it.each(places)('%s', (_, place) => {
    for (const words of takingBack) {
      for (const yes of ['approve', 'LGTM', '@claude go ahead', 'yes', '👍'])
        expect(readPlanAnswer(`${yes}${place(words)}`, 'claude'), yes + place(words)).not.toBeOneOf([
          'approves',
          'assents',
        ]);
      expect(readDismissals(`@claude dismiss ${id}${place(words)}`, 'claude')).toEqual([]);
    }
  });

  it('between lines of hyphens at the head', () => {
    expect(readPlanAnswer('---\nnot yet\n---\napprove', 'claude')).toBe('unclear');
    expect(readPlanAnswer('---\n\nnot yet\n\n---\n\napprove', 'claude')).toBe('unclear');
  });

  it.each([
    `@claude dismiss ${id}\n\nOn second thought, don't.`,
    `Do not do this:\n\n@claude dismiss ${id}`,
    `Never. @claude dismiss ${id}`,
    `What happens if I write\n\n@claude dismiss ${id}`,
    `1. don’t:\n   - @claude dismiss ${id}`,
    `@claude dismiss ${id}\n\nNo, wait.`,
    `@claude dismiss ${id} because I was wrong, do not dismiss it`,
    `@claude dismiss ${id} as soon as Bob agrees`,
    `@claude dismiss ${id} as long as the tests pass`,
    `@claude dismiss ${id} because it is fine, provided that Bob agrees`,
    `@claude dismiss ${id} since we will know tomorrow, wait until then`,
    `@claude dismiss ${id} because not`,
  ])('dismiss nothing: %j', (text) => expect(readDismissals(text, 'claude')).toEqual([]));

  it.each([
    `Good catch, thanks!\n\n@claude dismiss ${id} because it is not reached`,
    `Thanks for the review.\n\n@claude dismiss ${id} because the lock is held until the commit`,
    `@claude dismiss ${id} because the value is provided by the caller\n\n--\nbob@example.org`,
  ])('are not found in %j', (text) => expect(readDismissals(text, 'claude')).toHaveLength(1));
});

describe('a request to others to approve', () => {
  it.each([
    ...[
      'Please, approve',
      'please now approve',
      'Team, please, approve',
      'everyone approve',
      'Hi all, approve',
    ],
    ...[
      'folks, approve this now',
      'approve, please',
      'Kindly: approve',
      'please all approve',
      'pls. approve it',
    ],
  ])('%s', (text) => expect(readPlanAnswer(text, 'claude')).toBe('unclear'));
  it.each([
    'thanks all, approved',
    'I approve, please go ahead',
    '@claude please, approve',
    '/approve please',
  ])('is not %s', (text) => expect(readPlanAnswer(text, 'claude')).toBe('approves'));
});

describe('what stands under two hyphens', () => {
  it.each(['http://maybe', 'Maybe', 'Bob Smith', 'www.example.org', 'Soon.', 'Ja, aber', '¯\\_(ツ)_/¯'])(
    'makes an approval a question: %s',
    (words) => {
      for (const yes of ['approve', 'LGTM', '@claude go ahead', '/approve'])
        for (const mark of ['\n--\n', '\n\n-- \n', '\n\n--\n\n'])
          expect(readPlanAnswer(`${yes}${mark}${words}`, 'claude')).toBe('unclear');
    },
  );
});

describe('an approval under a quote', () => {
  it.each(['approve', 'LGTM', '/approve', '@claude implement it', 'Approved.', 'yes'])(
    'of something else than the question of the plan is asked about: %s',
    (yes) => {
      expect(readPlanAnswer(`> 1. Rename the file.\n\n${yes}`, 'claude')).toBe('unclear');
      expect(readPlanAnswer(`${yes}\n\n> only the first step`, 'claude')).toBe('unclear');
      expect(readPlanAnswer(`> Shall this be carried out?\n\n${yes}`, 'claude')).toBeOneOf([
        'approves',
        'assents',
      ]);
    },
  );
});

describe('what comes with a mail', () => {
  it.each([
    'LGTM\n\n--\n+49 30 123456\nbob@example.org',
    'LGTM\n\n-- \nbob@example.org\nTel: +49 (30) 123-456',
    'LGTM\n-- \nSent from my iPhone',
    'LGTM\n\nOn Mon, Nov 16, 2026 at 9:00 AM Bob <b@example.org> wrote:\n\n> is this not for later?',
    'LGTM\n\nFrom: Bob <b@example.org>\nSent: Monday, November 16, 2026 9:00\nTo: Ann',
    'LGTM\n\n-----Original Message-----\n\n> not yet',
  ])('leaves the approval: %j', (text) => {
    expect(isPartlyRead(text)).toBe(false);
    expect(readPlanAnswer(text, 'claude')).toBe('approves');
  });
  it.each([
    'LGTM\n\nFrom: Bob <b@example.org>\nSent: Monday, November 16, 2026 9:00\nTo: Ann\n\nnot yet',
    'LGTM\n\n-----Original Message-----\nnot yet',
    'LGTM\n\nOn Mon, Nov 16, 2026 at 9:00 AM Bob <b@example.org> wrote:\n\nnot yet',
  ])('may be more than a mail where nothing is quoted: %j', (text) => {
    expect(isPartlyRead(text)).toBe(true);
    expect(readPlanAnswer(text, 'claude')).toBe('unclear');
  });
  it('keeps the call that stands before it', () =>
    expect(mentions('@claude go\n\nOn hold, as I wrote:\n\n> x', 'claude')).toBe(true));
  it.each([
    [['--', 'bob@example.org', '+49 30 123456'], true],
    [['--', 'Bob', 'Example Ltd'], false],
    [['--', 'http://maybe'], false],
    [['--', 'https://not.yet.example'], false],
    [['--', 'Maybe'], false],
    [['--', 'bob@example.org', 'Conditionally'], false],
    [['--', 'bob@example.org, not yet'], false],
    [['--', '12345 if Bob agrees'], false],
    [['--', ...Array<string>(9).fill('bob@example.org')], false],
    [['--', 'No'], false],
    [['--', '👎'], false],
    [['--', ...Array<string>(9).fill('Bob')], false],
    [['On Monday Bob wrote:'], false],
    [['Begin forwarded message:'], true],
  ])('%j', (lines, expected) => expect(isSurelyMail(lines)).toBe(expected));
});
