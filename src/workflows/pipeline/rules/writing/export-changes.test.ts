import { describe, expect, it } from 'vitest';
import { makeDiff } from '../../../../../test/support/make-diff.ts';
import { readDiff } from '../../../../runs/coding/proof/rules/read-diff.ts';
import { findExportChanges } from './export-changes.ts';

function look(path: string, before: string, after: string): string[] {
  const files = after === '' ? {} : { [path]: after };
  return findExportChanges(readDiff(makeDiff({ [path]: before }, files))).map(
    ({ name, change, line }) => `${change} ${name} ${line}`,
  );
}

const index = 'src/index.ts';

describe('the exports that a change removes or changes', () => {
  it.each<[string, string, string, readonly string[]]>([
    [index, "export { a, b } from './x';\n", "export { a } from './x';\n", ['removed b 1']],
    [index, "export {\n  a,\n  b,\n} from './x';\n", "export {\n  a,\n} from './x';\n", ['removed b 3']],
    [index, "export { a } from './x';\n", "export { a } from './y';\n", []],
    [index, "export { a as b } from './x';\n", "export { a } from './x';\n", ['removed b 1']],
    [index, 'export { a };\nexport { b };\n', 'export { b, a };\n', []],
    [index, "export * from './x';\n", "export { a } from './x';\n", ["removed * from './x' 1"]],
    [
      index,
      'export function f(a: string): void {\n}\n',
      'export function f(a: string, b = 1): void {\n}\n',
      ['changed f 1'],
    ],
    [index, 'export function f(): void {\n  one();\n}\n', 'export function f(): void {\n  two();\n}\n', []],
    [index, 'export const limit = 5;\n', 'export const limit = 6;\n', []],
    [index, 'export const limit: number = 5;\n', 'export const limit: string = "5";\n', ['changed limit 1']],
    [index, 'export const a = 1;\n', 'const a = 1;\n', ['removed a 1']],
    [index, 'export default f;\n', 'export default g;\n', []],
    [index, 'export default f;\n', 'f();\n', ['removed default 1']],
    [index, 'export type A = string;\nf();\n', 'f();\nexport type A = string;\n', []],
    [index, 'export const a = 1;\n', '', ['removed a 1']],
    [index, 'export const a = 1;\n', 'export const a = 1;\nexport const b = 2;\n', []],
    ['src/other.ts', 'export const a = 1;\n', 'const a = 1;\n', []],
    ['types/x.d.ts', 'export interface A {\n}\n', 'interface A {\n}\n', ['removed A 1']],
    ['pkg/__init__.py', 'from .x import a, b\n', 'from .x import a\n', ['removed b 1']],
    [
      'pkg/__init__.py',
      '__all__ = [\n    "a",\n    "b",\n]\n',
      '__all__ = [\n    "a",\n]\n',
      ['removed b 3'],
    ],
    ['pkg/__init__.py', 'def f(a):\n    pass\n', 'def f(a, b):\n    pass\n', ['changed f 1']],
    ['src/lib.rs', 'pub use a::{b, c};\n', 'pub use a::b;\n', ['removed c 1']],
    ['src/lib.rs', 'pub fn f(a: u8) {}\n', 'fn f(a: u8) {}\n', ['removed f 1']],
    [
      'package.json',
      '{\n  "main": "a.js",\n  "name": "x"\n}\n',
      '{\n  "main": "b.js",\n  "name": "x"\n}\n',
      ['changed main 2'],
    ],
    [
      'package.json',
      '{\n  "exports": {\n    ".": "./a.js",\n    "./b": "./b.js"\n  }\n}\n',
      '{\n  "exports": {\n    ".": "./a.js"\n  }\n}\n',
      ['removed ./b 3'],
    ],
    ['package.json', '{\n  "version": "1"\n}\n', '{\n  "version": "2"\n}\n', []],
  ])('%s: %j → %j', (path, before, after, expected) => {
    expect(look(path, before, after)).toEqual(expected);
  });
});
