import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { scoreScope } from './scope-score.ts';

const score = (title: string, body: string) => scoreScope({ title, body, labels: [] });
const lines = (...all: readonly string[]): string => all.join('\n');

const complete = lines(
  '## Summary',
  'Users with emails like "user+test@example.com" get a 500 error. Login should work for any valid email.',
  '## Background',
  'Support gets ten mails a week about this because people cannot log in.',
  '## Requirements',
  '- [ ] POST /login returns 200 for user+test@example.com',
  '## Relevant Files',
  '- `src/api/auth.ts` line 45',
  '## Out of Scope',
  '- Sign-up',
);

/** The template of the workflow as it is before an author fills it in. */
const template = lines(
  '## Summary',
  '<!-- One sentence describing what needs to be done -->',
  '## Background',
  '<!-- Why is this needed? What problem does it solve, so that users need it? -->',
  '## Requirements',
  '- [ ] Requirement 1',
  '- [ ] Requirement 2',
  '### Relevant Files',
  '- `path/to/file.ts`',
  '## Out of Scope',
  '- Not doing X',
);

describe('the score of an issue', () => {
  it('is full when the issue says everything', () => {
    expect(score('Login fails for emails with + character', complete)).toEqual({
      score: 10,
      dimensions: { what: 2, where: 2, why: 2, scope: 2, acceptance: 2 },
      questions: [],
      checkpoints: 1,
    });
  });

  it('is zero when the issue says nothing, and three questions are asked', () => {
    const { score: points, questions } = score('test', 'test');
    expect(points).toBe(0);
    expect(questions.map(({ dimension }) => dimension)).toEqual(['what', 'where', 'acceptance']);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(3);
  });

  it('does not count what a template says before it is filled in', () => {
    expect(score('test', template).score).toBeLessThanOrEqual(1);
  });

  it.each([
    ['what', 'fix it', '', 1],
    [
      'what',
      'Login',
      'It should accept addresses with a plus sign. Today the server answers with an error page instead of the start page.',
      2,
    ],
    ['what', 'Hello', 'World', 0],
    ['where', 'x', 'in src/api/auth.ts', 2],
    ['where', 'x', 'see `lib/a.py:12`.', 2],
    ['where', 'x', 'GET /users answers', 2],
    ['where', 'x', 'in the login form', 1],
    ['where', 'x', 'somewhere in src/', 1],
    ['where', 'x', 'auf der Seite', 1],
    ['where', 'x', 'path/to/file.ts', 0],
    ['where', 'x', 'with Node.js', 0],
    ['why', 'x', 'so that people can log in', 2],
    ['why', 'x', 'damit Kunden sich anmelden', 2],
    ['why', 'x', 'um Zeit beim Export zu sparen', 2],
    ['why', 'x', 'our customers asked', 1],
    ['why', 'x', 'y', 0],
    ['scope', 'x', 'Only the login form changes', 2],
    ['scope', 'x', '## Out of Scope\nsign-up', 2],
    ['scope', 'x', '## Out of Scope\n', 0],
    ['scope', 'x', 'Nur das Formular', 2],
    ['scope', 'x', '## A\na\n## B\nb', 1],
    ['acceptance', 'x', '- [ ] it returns 200', 2],
    ['acceptance', 'x', 'Done when the test passes', 2],
    ['acceptance', 'x', '## Akzeptanzkriterien\n- npm test besteht', 2],
    ['acceptance', 'x', 'It should return 200', 1],
    ['acceptance', 'x', 'Es soll 200 liefern', 1],
    ['acceptance', 'x', 'y', 0],
  ] as const)('in %s of "%s" and "%s" is %s', (dimension, title, body, points) => {
    expect(score(title, body).dimensions[dimension]).toBe(points);
  });

  it('decides how many questions are asked and how often a person looks', () => {
    const asked = new Map<number, readonly [number, number]>();
    const parts = [
      'It should add a plus sign and show it to people at once, as the other pages of this program do today.',
      'in src/a.ts',
      'because of it',
      'only there',
      '- [ ] GET /a returns 200',
      'in the api',
      'should',
    ];
    for (let chosen = 0; chosen < 2 ** parts.length; chosen += 1) {
      const body = parts.filter((_, at) => (chosen >> at) % 2 === 1).join('\n\n');
      const { score: points, questions, checkpoints } = score('x', body);
      asked.set(points, [questions.length, checkpoints]);
    }
    expect([...asked.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const [points, [count, checkpoints]] of asked) {
      expect(count).toBe(points >= 7 ? 0 : points >= 5 ? 1 : 3);
      expect(checkpoints).toBe(points >= 9 ? 1 : points >= 7 ? 2 : 5);
    }
  });

  it('asks only for what is missing, for any text', () => {
    const fragments = [
      'should',
      'src/a.ts',
      'because',
      'only',
      '- [ ] x',
      '## Out of Scope',
      '\n',
      '\n\n',
      '<!--',
      '-->',
      '`',
      '> ',
      '| a |',
      '\u202E',
      ' ',
      '\0',
      '#',
    ];
    fc.assert(
      fc.property(hostileText(fragments, 60), hostileText(fragments, 60), (title, body) => {
        const { score: points, dimensions, questions } = score(title, body);
        expect(points).toBe(Object.values(dimensions).reduce<number>((sum, one) => sum + one, 0));
        for (const { dimension } of questions) expect(dimensions[dimension]).toBeLessThan(2);
      }),
      { numRuns: 60 },
    );
  });

  it('takes no long time for the longest body', () => {
    const elapsed = startProcessorClock();
    for (const part of ['- [ ] a\n', 'um a ', '`', 'src/']) score('x', part.repeat(70_000 / part.length));
    expect(elapsed()).toBeLessThan(20_000);
  });
});
