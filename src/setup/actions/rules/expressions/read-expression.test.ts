/** Our reader of expressions takes what GitHub takes, and refuses what GitHub refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextNames, makeGithubReader } from '../../../../../test/support/expression-oracle.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { everyPart, pathOf } from './expression.ts';
import { readExpression } from './read-expression.ts';
import { readTemplate } from './read-template.ts';

const isTaken = await makeGithubReader();
const takes = (text: string): boolean => typeof readExpression(text) !== 'string';

describe('an expression', () => {
  it.each([
    'github.event.issue.title',
    "github['event'].issue[0].*",
    "github.event.commits.*.message == 'it''s'",
    "!(github.ref == 'a' && env.X || needs.a.outputs.b) != false",
    "format('{0}', toJSON(github), )",
    '1.5 <= -.5e3 || 0x1F > 0o7 || +1 || NaN || Infinity',
    'github.event.true.null',
    "(github || env)['x'].y",
    'success() && !cancelled() && always()',
    "case(true, 'a', 'b')",
    "hashFiles('**/x')",
    'matrix.*.a',
    `${'('.repeat(40)}1${')'.repeat(40)}`,
  ])('%s is taken', (text) => {
    expect(isTaken(text)).toBe(true);
    expect(takes(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'github.',
    'github..a',
    "'open",
    'github = 1',
    'a & b',
    'github.event[',
    "'text'[0]",
    '1.a',
    '()',
    'contains(github.a)',
    'case(true, 1)',
    'github.a b',
    '"double"',
    'github.ä',
    'a,b',
    '1 2',
    `${'('.repeat(60)}1${')'.repeat(60)}`,
    `${'!'.repeat(60)}1`,
    `github${'.a'.repeat(60)}`,
    'x'.repeat(21_001),
  ])('%s is refused', (text) => {
    expect(isTaken(text)).toBe(false);
    expect(takes(text)).toBe(false);
  });

  it('is taken as GitHub takes it, whatever it is made of', () => {
    const part = fc.constantFrom(
      ...contextNames.slice(0, 4),
      ...[
        '.a',
        '.true',
        '.*',
        '[0]',
        '[*]',
        "['x']",
        '(',
        ')',
        '[',
        ']',
        '.',
        ',',
        '!',
        '==',
        '!=',
        '<',
        '>=',
      ],
      ...[
        '&&',
        '||',
        '&',
        '|',
        '=',
        '*',
        '1',
        '-1',
        '.5',
        '0x1f',
        '1e3',
        '1.2.3',
        '-',
        '+',
        "'it''s'",
        "'",
        "''",
      ],
      ...[
        'true',
        'null',
        'NaN',
        'True',
        'contains(',
        'format(',
        'fromJSON(',
        'success()',
        'case(',
        ' ',
        '\n',
        '\t',
      ],
      ...['-a', '_', 'é', '$', '{', '}', '"'],
    );
    const text = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (one) => {
        const expression = readExpression(one);
        // Which names there are is not a question of grammar.
        const parts = typeof expression === 'string' ? [] : [...everyPart(expression)];
        const contexts = parts.flatMap((part) => (part.kind === 'context' ? [part.name] : []));
        const functions = parts.flatMap((part) => (part.kind === 'call' ? [part.name] : []));
        expect(typeof expression !== 'string').toBe(isTaken(one, contexts, functions));
      }),
      { numRuns: propertyRuns(30_000) },
    );
  });

  it('of any form is read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        readExpression(text);
        const at = { line: 1, column: 1 };
        readTemplate({
          kind: 'scalar',
          text: `a $\{{${text}}} b`,
          isText: true,
          at,
          openings: [at],
          comment: '',
        });
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each([
    ["GitHub['Event'].ISSUE", 'github.event.issue'],
    ['github.event[env.x].title', 'github.event.*.title'],
    ['github.event.commits[0].*', 'github.event.commits.*.*'],
    ['(github).event', 'github.event'],
    ['fromJSON(env.x).a', null],
    ['(github || env).a', null],
  ])('%s has the path %s', (text, path) => {
    const expression = readExpression(text);
    if (typeof expression === 'string') throw new Error(expression);
    expect(pathOf(expression)?.join('.') ?? null).toBe(path);
  });
});
