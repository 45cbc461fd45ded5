/** Criteria drawn from grammars: good ones are taken, opinions are not, and nothing keeps the judge busy. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { type CriterionKind, judgeCriterion } from './judge-criterion.ts';

function kindOf(criterion: string): CriterionKind | 'none' {
  const verdict = judgeCriterion(criterion, ['npm run typecheck', 'npm run test -- auth']);
  return verdict.isVerifiable ? verdict.kind : 'none';
}

describe('any text', () => {
  // Sentences made of the words that people use for what cannot be checked, and of signs that hurt parsers.
  const subject = fc.constantFrom(
    'The code',
    'The page',
    'Everything',
    'The user',
    'Der Code',
    'Die Seite',
    'It',
    'The module',
    'The API',
  );
  const verb = fc.constantFrom(
    'is',
    'looks',
    'works',
    'feels',
    'handles errors',
    'ist',
    'wirkt',
    'behaves',
    'should be',
    'can be used',
    'returns data',
  );
  const opinion = fc.constantFrom(
    'clean',
    'correctly',
    'properly',
    'good',
    'as expected',
    'sauber',
    'korrekt',
    'gut',
    'nicely',
    'fast',
    'schnell',
    '',
    'modern',
    'reliably',
  );
  const joint = fc.constantFrom(' and ', ', ', ' und ', '; ', ' ');
  const sentence = fc.tuple(subject, verb, opinion).map((parts) => parts.join(' '));

  it('made of opinions is never taken for a check', () => {
    fc.assert(
      fc.property(sentence, joint, sentence, (one, between, other) => {
        expect(kindOf(`${one}${between}${other}`)).toBe('none');
      }),
      { numRuns: 400 },
    );
  });

  it('is not taken for a check because a good criterion has an opinion added', () => {
    const good = fc.constantFrom(
      'npm test passes',
      'GET /health returns 200',
      'src/a.ts exists',
      'The CLI exits with code 2',
      'Test "x" passes',
      'It prints "ok"',
    );
    fc.assert(
      fc.property(
        good,
        joint,
        fc.tuple(subject, fc.constantFrom('is', 'works', 'ist')),
        opinion.filter((one) => one !== ''),
        (start, between, said, end) => {
          expect(kindOf(`${start}${between}${said.join(' ')} ${end}`)).toBe('none');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is taken when it names a command and its result, a request and its status, or a file and what is in it', () => {
    const command = fc.constantFrom(
      'npm test',
      'npm run test -- auth',
      '`npx vitest run`',
      'cargo test',
      'go test ./...',
      '`make check`',
      'pytest -q',
      './gradlew test',
      'Running `bun test`',
    );
    const outcome = fc.constantFrom(
      'passes',
      'succeeds',
      'exits with code 0',
      'is green',
      'läuft durch',
      'ist erfolgreich',
      'fails before the change',
      'reports no errors',
      'prints "3 passed"',
    );
    const request = fc
      .tuple(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
        fc.constantFrom('/', '/api/users', '/users/{id}', '/a?b=c', 'http://localhost:3000/health'),
        fc.constantFrom('returns', 'responds with', 'antwortet mit', 'gives', '=>', '→'),
        fc.integer({ min: 100, max: 599 }),
      )
      .map((parts) => parts.join(' '));
    const file = fc
      .tuple(
        fc.constantFrom(
          'src/a.ts',
          '`docs/b.md`',
          'package.json',
          './run.sh',
          'Dockerfile',
          '.github/workflows/ci.yml',
        ),
        fc.constantFrom(
          'exists',
          'contains "x"',
          'exports makeSlug',
          'existiert',
          'enthält `x`',
          'ist gelöscht',
          'does not exist',
        ),
      )
      .map((parts) => parts.join(' '));
    const ending = fc.constantFrom(
      '',
      '.',
      ' for an empty list',
      ' when it is called twice',
      ' bei leerer Liste',
    );
    const good = fc.oneof(
      fc.tuple(command, outcome).map((parts) => parts.join(' ')),
      request,
      file,
    );
    fc.assert(
      fc.property(good, ending, (criterion, end) => {
        expect(kindOf(`${criterion}${end}`)).not.toBe('none');
      }),
      { numRuns: 500 },
    );
  });

  it('is judged without delay, whatever it holds', () => {
    const sign = fc.constantFrom(
      '`',
      '"',
      "'",
      '„',
      '“',
      '«',
      '(',
      ')',
      '/',
      '.',
      'exit',
      ' ',
      '0',
      'npm',
      'GET',
      'src/a.ts',
      'a',
      '\u202E',
      '\n',
      'ß',
      '{',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.array(sign, { maxLength: 40 }).map((signs) => signs.join('')),
        (criterion) => {
          expect(typeof kindOf(criterion)).toBe('string');
        },
      ),
      { numRuns: 400 },
    );
    const elapsed = startProcessorClock();
    for (const part of ['`', '"a', "'a ", '„', '/a', 'exit ', '. ', 'a.', '(', 'GET /', 'a-', ')"'])
      kindOf(part.repeat(2000).slice(0, 2000));
    expect(elapsed()).toBeLessThan(2000);
  });
});
