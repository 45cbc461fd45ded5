/** Changes as commits of git: what the base holds, and the parts that hostile ones are put together from. */
import fc from 'fast-check';
import type { rowsBeforeTests } from '../../src/domain/changes/path-table.ts';

/** As git keeps it: a file, a program, a link (its target is the content), another repository (its commit is). */
type Mode = '100644' | '100755' | '120000' | '160000';

export type Step =
  | { readonly write: string; readonly mode: Mode; readonly content: string | Buffer }
  | { readonly remove: string }
  | { readonly move: string; readonly to: string };

export interface Change {
  readonly kind: string;
  readonly steps: readonly Step[];
}

/** What the base holds, with its mode. */
export const baseFiles: readonly Extract<Step, { write: string }>[] = [
  file('package.json', '{ "scripts": { "test": "node --test" } }\n'),
  file('README.md', '# Sums\n'),
  file('docs/guide.md', 'How to add.\n\nLike this.\n'),
  file('docs/more.md', 'More.\n'),
  file('src/sum.mjs', 'export const sum = (a, b) => a + b;\n'),
  file(
    'test/sum.test.mjs',
    "import test from 'node:test';\n\ntest('adds', () => undefined);\ntest('more', () => undefined);\n",
  ),
  file('.github/workflows/ci.yml', 'on: push\njobs: {}\n'),
  file('CLAUDE.md', 'Be kind to people.\nAlways.\n'),
  file('.gitattributes', '*.md text\n'),
  file('scripts/run.mjs', 'console.log(1);\nconsole.log(2);\n'),
  file('tool', '#!/bin/sh\nexit 0\n', '100755'),
  file('docs/run.md', '#!/bin/sh\nexit 1\n', '100755'),
  file('docs/link.md', 'guide.md', '120000'),
];

export function file(write: string, content: string | Buffer, mode: Mode = '100644') {
  return { write, mode, content } as const;
}

export const folder = fc.constantFrom(
  '',
  'docs/',
  'src/',
  'src/a/',
  'lib/',
  'packages/x/src/',
  'docs/a/b/',
  'test/',
);
export const stem = fc.stringMatching(/^[a-z]{3,8}$/u).filter((word) => !/^(?:con|prn|aux|nul)/u.test(word));
export const text = 'x\n';
export const commit = 'c0ffee'.repeat(7).slice(0, 40);

export const hostile = (kind: string, steps: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<Change> =>
  steps.map((one) => ({ kind, steps: one }));
export const one = (arbitrary: fc.Arbitrary<Step>): fc.Arbitrary<readonly Step[]> =>
  arbitrary.map((step) => [step]);

export const example = (glob: string): string => glob.replace(/^\//u, '').replaceAll('*', 'x');
export const namesOf = (rows: typeof rowsBeforeTests): string[] =>
  rows.flatMap((row) => [...(row.names ?? []), ...(row.stems ?? []).map((name) => `${name}.mjs`)]);
export const atPath = (above: string, name: string): string =>
  name.startsWith('/') ? example(name) : above + example(name);
