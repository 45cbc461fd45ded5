/** Prompts are filled in one pass, completely, and come from the package: the repository can only bring templates. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { isGatewrightError } from '../../errors.ts';
import { readTextFile } from '../git/safe-files.ts';
import { fillVariables, PackagePrompts } from './package-prompts.ts';

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return isGatewrightError(error, 'internal') ? error.message : String(error);
  }
  return 'nothing thrown';
}

describe('fillVariables', () => {
  it.each([
    ['one', 'a {{x}} b', { x: '1' }, 'a 1 b'],
    ['the same twice', '{{x}}{{x}}', { x: '1' }, '11'],
    ['two', '{{x}} {{longName}}', { x: '1', longName: '2' }, '1 2'],
    ['an empty value', 'a{{x}}b', { x: '' }, 'ab'],
    ['a value that looks like a variable', '{{x}}{{y}}', { x: '{{y}}', y: '2' }, '{{y}}2'],
    ['a value that completes a variable', '{{x}}y}}', { x: '{{' }, '{{y}}'],
    ['a value with replacement patterns', '{{x}}', { x: '$& $1 $$ $`' }, '$& $1 $$ $`'],
    ['braces that are no variable', '{x} {{ x }} {{X}}', {}, '{x} {{ x }} {{X}}'],
    ['nothing to fill', 'text', {}, 'text'],
  ])('%s', (_, text, variables, filled) => {
    expect(fillVariables(text, variables)).toBe(filled);
  });

  it('puts in any value as it is', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('{{', '}}', 'x', 'y', '$&', "$'", '\n')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(value, value, (x, y) => {
        expect(fillVariables('<{{x}}|{{y}}|{{x}}>', { x, y })).toBe(`<${x}|${y}|${x}>`);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('names a variable that is missing', () => {
    expect(failureOf(() => fillVariables('{{x}} {{brief}}', { x: '1' }))).toContain('"brief"');
  });

  it('does not take what every object has for a variable', () => {
    expect(failureOf(() => fillVariables('{{constructor}}', {}))).toContain('"constructor"');
  });

  it('names every variable that is not used', () => {
    expect(failureOf(() => fillVariables('{{x}}', { x: '1', y: '2', z: '3' }))).toContain('y, z');
  });
});

describe('PackagePrompts', () => {
  let folder = '';
  let prompts: PackagePrompts;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gw-prompts-'));
    for (const path of [
      'package/prompts',
      'package/templates',
      'repository/.gatewright/templates',
      'repository/.gatewright/prompts',
      'repository/prompts',
    ])
      mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'package/prompts/review.md'), 'Be strict: {{draft}}');
    writeFileSync(join(folder, 'repository/prompts/review.md'), 'Be kind: {{draft}}');
    writeFileSync(join(folder, 'repository/.gatewright/prompts/review.md'), 'Be kind: {{draft}}');
    writeFileSync(join(folder, 'package/templates/one.md'), 'the package');
    writeFileSync(join(folder, 'package/templates/two.md'), 'the package');
    writeFileSync(join(folder, 'repository/.gatewright/templates/two.md'), 'the repository');
    for (const place of ['package/templates', 'repository/.gatewright/templates']) {
      mkdirSync(join(folder, place, 'commands'));
      writeFileSync(join(folder, place, 'commands/one.md'), place);
    }
    const root = join(folder, 'repository');
    prompts = new PackagePrompts(join(folder, 'package'), { readText: (path) => readTextFile(root, path) });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reads prompts from the package, whatever the repository holds', async () => {
    expect(await prompts.render('review', { draft: 'x' })).toBe('Be strict: x');
  });

  it('takes from the package what other programs will run as commands', async () => {
    expect(await prompts.template('commands/one')).toBe('package/templates');
  });

  it('lets the repository bring its own template', async () => {
    expect([await prompts.template('one'), await prompts.template('two')]).toEqual([
      'the package',
      'the repository',
    ]);
  });
});

describe('the prompts of designs', () => {
  const root = join(import.meta.dirname, '../../..');
  const prompts = new PackagePrompts(root, { readText: async () => null });

  it.each([
    ['draft-lld', []],
    ['draft-lld-first', ['template', 'repository', 'number', 'issue']],
    ['0702c-lld-review', []],
    ['review-lld', ['number', 'issue', 'findings', 'draft']],
  ])('%s takes %j', async (name, variables) => {
    const text = await prompts.render(name, Object.fromEntries(variables.map((one) => [one, `<${one}>`])));
    for (const one of variables) expect(text).toContain(`<${one}>`);
    expect(text).not.toMatch(/\{\{/u);
  });

  it('the drafter is told of every section that the checks want', async () => {
    const template = await prompts.template('0102-lld');
    for (const heading of ['## 1.', '### 2.1 ', '## 3.', '### 10.1 ', '## 11.', '## 12.'])
      expect(template).toContain(`\n${heading}`);
  });
});
