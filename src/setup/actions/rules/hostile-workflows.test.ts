/** No file makes the linter fail or wait: whatever it contains, it is judged or refused with a name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askActionlint } from '../../../../test/support/expression-oracle.ts';
import { goodWorkflows } from '../../../../test/support/good-workflows.ts';
import { processorMilliseconds } from '../../../../test/support/processor-time.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { lintWorkflows } from './lint-workflows.ts';

const lint = (text: string) => lintWorkflows([{ path: '.github/workflows/a.yml', text }]);

/** Pieces of YAML, workflows, expressions and scripts. */
const words = [
  ...[
    'on',
    'jobs',
    'steps',
    'run',
    'uses',
    'with',
    'env',
    'if',
    'needs',
    'outputs',
    'permissions',
    'strategy',
  ],
  ...[
    'matrix',
    'container',
    'services',
    'runs',
    'inputs',
    'defaults',
    'secrets',
    'inherit',
    'push',
    'workflow_call',
  ],
  ...[
    'pull_request_target',
    'workflow_run',
    'actions/checkout@v4',
    './x',
    'docker://a',
    'ref',
    'a',
    'b',
    '<<',
    '~',
  ],
];
const pieces = [
  ...[
    '&a ',
    '*a',
    '!x ',
    '- ',
    '? ',
    ': ',
    '|',
    '>-',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    '%',
    '@',
    '`',
    '\\',
  ],
  ...[
    '$' + '{{ ',
    ' }}',
    'github.event.issue.title',
    "github['x']",
    'steps.a.outputs.b',
    'env.A',
    'inputs.b',
    '\t',
  ],
  ...[
    'echo $A >> $GITHUB_ENV',
    'git fetch pull/1',
    'eval "$A"',
    '# gatewright: allow x',
    '---',
    '...',
    '\uFEFF',
    '\0',
  ],
];

const scalar = fc.oneof(
  fc.constantFrom(...words, ...pieces),
  fc.array(fc.constantFrom(...words, ...pieces), { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary-ascii', maxLength: 8 }),
);

/** A tree of YAML, written out with blocks; scalars are put in as they are, which breaks it now and then. */
const { node } = fc.letrec<{ node: readonly string[] }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar.map((text) => [text]),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...words), scalar), tie('node')), { maxLength: 5 })
      .map((entries) => entries.flatMap(([key, lines]) => [`${key}:`, ...lines.map((line) => `  ${line}`)])),
    fc
      .array(tie('node'), { maxLength: 4 })
      .map((items) => items.flatMap((lines) => ['-', ...lines.map((line) => `  ${line}`)])),
  ),
}));

describe('any file', () => {
  it('is judged without an error', () => {
    fc.assert(
      fc.property(node, fc.boolean(), (lines, isWorkflow) => {
        const text = lines.join('\n');
        const whole = isWorkflow
          ? `on: pull_request_target\njobs:\n  a:\n    steps:\n      -\n${lines.map((line) => `        ${line}`).join('\n')}`
          : text;
        for (const { line, column } of lint(whole).findings) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(whole.split('\n').length);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  it('of any characters is judged without an error', () => {
    // Beside the plain ones: blanks and breaks of other kinds, halves of characters, what cannot be seen.
    const odd = fc.constantFrom(
      '\u0085',
      '\u00A0',
      '\u2028',
      '\uD800',
      '\uDC00',
      '\uFEFF',
      '\u202E',
      '\u{1F600}',
    );
    const unit = fc.oneof(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }), odd);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
        lint(text);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });
});

const size = 100_000;
const repeat = (text: string): string => text.repeat(Math.floor(size / text.length));
const head = 'on: pull_request_target\njobs:\n  a:\n    steps:\n';
const layers = (make: (id: string, next: readonly string[]) => string): string =>
  `on: workflow_run\njobs:\n${Array.from({ length: 60 }, (_, layer) =>
    ['x', 'y'].map((side) => make(`${side}${layer}`, [`x${layer + 1}`, `y${layer + 1}`])).join(''),
  ).join('')}`;

describe('a file that is made to take long', () => {
  it.each([
    ['brackets', repeat('[')],
    ['dashes', repeat('- ')],
    ['question marks', repeat('? ')],
    ['quotes', repeat('"')],
    ['keys', `a:\n${Array.from({ length: 9000 }, (_, index) => ` k${index}: v`).join('\n')}`],
    ['aliases', `a: &a x\nb:\n${repeat(' - *a\n')}`],
    ['expressions', `${head}      - run: |\n${repeat('          $' + '{{ github.sha }}\n')}`],
    ['open expressions', `${head}      - run: ${repeat('$' + '{{ ')}`],
    ['options of git', `${head}      - run: git ${repeat('-c ')}`],
    ['commands of gh', `${head}      - run: ${repeat('gh pr diff ')}`],
    ['redirections', `${head}      - run: ${repeat('>> ')}`],
    [
      'assignments',
      `${head}      - run: |\n${Array.from({ length: 4000 }, (_, index) => `          A${index}=$A${index + 1}\n`).join('')}`,
    ],
    ['a comment of dashes', `${head}      - uses: a/b@${'0'.repeat(40)} # ${repeat('-')}`],
    ['jobs that need each other', layers((id, next) => `  ${id}:\n    needs: [${next}]\n    steps: []\n`)],
    [
      'outputs that lead to each other',
      layers(
        (id, [x, y]) =>
          `  ${id}:\n    outputs:\n      o: $` +
          `{{ needs.${x}.outputs.o }}$` +
          `{{ needs.${y}.outputs.o }}\n    steps:\n      - run: $` +
          `{{ needs.${x}.outputs.o }}\n`,
      ),
    ],
  ])('by %s', (_, text) => {
    expect(processorMilliseconds(() => lint(text))).toBeLessThan(5_000);
  });
});

describe('the examples without a fault', () => {
  const workflows = goodWorkflows.flatMap(({ title, files }) =>
    Object.entries(files)
      .filter(([path]) => path.includes('/workflows/'))
      .map(([path, text]) => ({ title: `${title} (${path})`, text })),
  );

  it('are workflows for actionlint as well', async () => {
    const told: string[] = [];
    for (const { title, text } of workflows)
      for (const message of await askActionlint(text)) told.push(`${title}: ${message}`);
    expect(told).toEqual([]);
  });
});
