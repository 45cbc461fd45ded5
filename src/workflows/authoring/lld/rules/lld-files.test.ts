/** Designs that are only meant to hurt: paths that lead elsewhere, any text at all, and far too much of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { designText } from '../../../../../test/support/cassettes.ts';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { processorMilliseconds } from '../../../../../test/support/processor-time.ts';
import { fewOf } from '../../../../../test/support/property-runs.ts';
import { verdictSchema } from '../../../../domain/drafts/verdict.ts';
import { isUsablePath } from '../../../rules/file-tree.ts';
import { checkLldDraft } from './lld-checks.ts';

const facts = { issue: 7, files: ['README.md', 'docs/guide.md'] };
const good = designText(7);
const readme = '| `README.md` | Modify';

function problems(draft: string, files: readonly string[] = facts.files): string[] {
  return checkLldDraft(draft, { issue: 7, files })
    .filter((finding) => finding.tier === 'blocking')
    .map((finding) => finding.problem);
}

describe('hostile paths', () => {
  it.each([
    '../x',
    'a/../../x',
    '/etc/passwd',
    '.git/config',
    '.GIT/hooks/pre-commit',
    'sub/.git/config',
    '~/.ssh/id',
    'C:/x',
    'a\\b',
    'a//b',
    'a/./b',
    '..',
    '.',
    '',
    'a\u0007b',
    'a\u001B[2Jb',
    'docs/\u202Egnp.md',
    'docs/gu\u200Bide.md',
    'x'.repeat(401),
    '{path from the root of the repository}',
  ])('%j is refused, whatever is done with it', (path) => {
    for (const change of ['Add', 'Modify', 'Delete']) {
      const found = problems(good.replace(readme, () => `| \`${path}\` | ${change}`));
      expect(found.join('\n')).toMatch(/is not a path inside the repository|has \d+ characters/u);
    }
  });
});

describe('isUsablePath', () => {
  it.each([
    'a',
    '.github/workflows/a.yml',
    'a b/c.md',
    '[id]/page.tsx',
    'x..y/z',
    'é/ü.md',
    '.gitignore',
    '@a/b',
  ])('%j is fine', (path) => expect(isUsablePath(path)).toBe(true));
});

describe('did you mean', () => {
  const files = ['src/report.ts', 'lib/report.ts', 'app/report.ts', 'old/report.ts', 'docs/guide.md'];

  it('names three at most, those of the same name first', () => {
    const [problem = ''] = problems(good.replace(readme, '| `core/report.ts` | Modify'), files);
    expect(problem).toMatch(/Did you mean `src\/report\.ts` or `lib\/report\.ts` or `app\/report\.ts`\?$/u);
  });

  it('names nothing when nothing is near', () => {
    const [problem = ''] = problems(good.replace(readme, '| `core/parser/lexer.c` | Modify'), files);
    expect(problem).not.toContain('Did you mean');
  });
});

describe('any text at all', () => {
  const fragments = [
    ...['# LLD-7: x\n', '## 1. C\n', '### 2.1 F\n', '## 3. R\n', '### 10.1 S\n', '## 11. R\n', '## 12. D\n'],
    ...[
      '| File | Change |\n|---|---|\n',
      '| `README.md` | Modify |\n',
      '| a',
      '|',
      '`',
      '```\n',
      '<!--',
      '-->',
    ],
    ...[
      '1. x\n',
      '(REQ-1)',
      '- [ ] ',
      '`docs/x.md`',
      '../',
      '{a b}',
      '\n\n',
      '> ',
      '  ',
      '\\',
      '\u0000',
      '\uD800',
    ],
  ];

  it('is never too much, never approved without its table, and always told in the schema', () => {
    fc.assert(
      fc.property(hostileText(fragments), (text) => {
        const findings = checkLldDraft(text, facts);
        verdictSchema.shape.findings.parse(findings);
        const hasTable = /README\.md/u.test(text) && /\|[ ]?Modify/u.test(text);
        if (!hasTable) expect(findings.some((finding) => finding.tier === 'blocking')).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('with a piece cut out of a good design is still read', () => {
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(good.length), hostileText(fragments), (a, b, text) => {
        const cut = good.slice(0, Math.min(a, b)) + text + good.slice(Math.max(a, b));
        verdictSchema.shape.findings.parse(checkLldDraft(cut, facts));
      }),
      { numRuns: 100 },
    );
  });
});

describe('too much of anything', () => {
  const many = Array.from(
    { length: 20_000 },
    (_, index) => `packages/module-${index % 200}/source/component-${index}/index-${index}.ts`,
  );

  const seconds = (work: () => unknown): number => processorMilliseconds(work) / 1000;

  it('a wrong path among 20,000 files is answered at once', () => {
    const wrong = 'packages/module-7/source/component-77/indexes-7777.ts';
    let found: string[] = [];
    const took = seconds(() => {
      found = problems(good.replace(readme, `| \`${wrong}\` | Modify`), many);
    });
    expect(found.join()).toContain('Did you mean');
    expect(took).toBeLessThan(2);
  });

  const manyRows: [string, (index: number) => string][] = [
    ['wrong', (index: number) => `| packages/module-${index}/sourse/component.ts | Modify | x |`],
    ['new', (index: number) => `| a${index}/b/c/d.ts | Add | x |`],
    ['folders', (index: number) => `| docs/n${index}/ | Add (Directory) | x |`],
    ['equal', () => '| README.md | Modify | x |'],
  ];
  it.each(fewOf(manyRows, 2))('10,000 rows: %s', (_, row) => {
    const rows = Array.from({ length: 10_000 }, (_unused, index) => row(index)).join('\n');
    const short = rows.slice(0, 240_000);
    const took = seconds(() =>
      problems(
        good.replace(/\| `src\/`[^\n]*\n/u, () => `${short}\n`),
        many,
      ),
    );
    expect(took).toBeLessThan(8);
  });

  it.each(['> ', '>', '- ', '1. ', '  > '])('thousands of %j in each other are not even parsed', (mark) => {
    const text = good.replace('One function', () => `\n\n${mark.repeat(60_000 / mark.length)}x\n\n`);
    expect(seconds(() => problems(text))).toBeLessThan(2);
    expect(problems(text)).toEqual(['A line opens more than a hundred quotes or lists in each other.']);
    expect(problems(good.replace('One function', () => `\n\n${mark.repeat(50)}x\n\n`))).toEqual([]);
  });

  it.each([
    ['letters', 'a'],
    ['spaces', ' '],
    ['lines', '\n'],
    ['quotes', '> '],
    ['brackets', '['],
    ['stars', '*a '],
    ['back-ticks', '`a'],
    ['angles', '<a '],
    ['braces', '{a b '],
    ['items', '- a\n'],
    ['cells', '|a'],
    ['imports', 'from '],
  ])('a megabyte of %s is refused, and as much as is read is read soon', (_, piece) => {
    expect(problems(piece.repeat(1_000_000 / piece.length)).length).toBeGreaterThan(0);
    for (const open of ['', '```ts\n', '```py\n', '`x` ']) {
      const text = good.replace('export function', () => `${open}${piece.repeat(30_000 / piece.length)}`);
      const took = seconds(() => problems(text));
      expect(took, open).toBeLessThan(4);
    }
  });
});
