/** Keys in what a change adds are found by their form, in whatever kind of file; what only looks similar is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundSecrets, hex, some } from '../../../test/support/secret-examples.ts';
import { findNewSecrets, findSecretKind } from './find-secrets.ts';

const token = `ghp_${some(36)}`;

describe('findNewSecrets', () => {
  it('looks at every line of a file, whatever its number', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
    for (const at of [0, 8, 9, 10, 98, 99, 250, 299]) {
      const text = lines.with(at, `x = ${token}`).join('\n');
      expect(findNewSecrets('a.txt', text, lines.join('\n'))).toEqual([
        { path: 'a.txt', line: at + 1, kind: 'a GitHub token' },
      ]);
    }
  });

  it('leaves alone what was there before, wherever it has moved to', () => {
    expect(findNewSecrets('a', `1\n2\n3 ${token}\n`, `${token}\n`)).toEqual([]);
    const other = `ghp_${some(37).slice(1)}9`;
    expect(findNewSecrets('a', `${token}\n${other}\n`, `${token}\n`)).toEqual([
      { path: 'a', line: 2, kind: 'a GitHub token' },
    ]);
  });

  it('names what stands in a file in its order, each line once', () => {
    const slack = `xox${'b-'}1234567890-${some(12)}`;
    expect(findNewSecrets('a', `\n${slack}\n\n${token} ${slack}9 ${token}8\nend`, null)).toEqual([
      { path: 'a', line: 2, kind: 'a Slack token' },
      { path: 'a', line: 4, kind: 'a GitHub token' },
    ]);
  });

  it.each([
    ...[`ghp_${'x'.repeat(36)}`, `ghp_${'X'.repeat(36)}`, `https://user:${'password'}@host.org`],
    ...[`github_pat_${'x'.repeat(70)}`, `sk-ant-api03-${'x'.repeat(40)}`],
  ])('takes a placeholder for what it is: %s', (text) => expect(findNewSecrets('a', text, null)).toEqual([]));

  it.each([
    ...[`ghp_${some(24)}${'x'.repeat(12)}`, `github_pat_${'x'.repeat(20)}_${some(60)}`],
    `sk-ant-api03-a-${'x'.repeat(40)}`,
  ])('takes no key for a placeholder: %s', (text) => expect(findNewSecrets('a', text, null)).toHaveLength(1));

  it.each(['ghs_', 'glpat-', `sk-${'ant'}-api03-`, `sk-${'proj'}-`, `xox${'b'}-`, 'hvs.'])(
    'finds a key of %s with the end of a placeholder hung onto it',
    (prefix) => {
      for (const end of ['-xxxxxxxxxxxx', '_XXXXXXXXXXXXXXXX', `-${'x'.repeat(40)}`])
        expect(findNewSecrets('a', `${prefix}${some(40)}${end}`, null), end).toHaveLength(1);
    },
  );

  const encode = (bytes: Buffer): string => bytes.toString('latin1');
  it.each<[string, string]>([
    ['after zeros', `\0\0\u0001${token}\0`],
    ['right after a letter', `\0abc${token}\0`],
    ['as UTF-16, little end first', encode(Buffer.from(`\uFEFFkey = ${token}\n`, 'utf16le'))],
    ['as UTF-16, big end first', encode(Buffer.from(`\uFEFFkey = ${token}\n`, 'utf16le').swap16())],
    ['as UTF-16 at an odd place', encode(Buffer.concat([Buffer.from([7]), Buffer.from(token, 'utf16le')]))],
    ['as UTF-32', [...token].map((one) => `${one}\0\0\0`).join('')],
  ])('finds it in binary files: %s', (_, content) => {
    expect(findNewSecrets('a.bin', content, null)).toEqual([
      { path: 'a.bin', line: null, kind: 'a GitHub token' },
    ]);
    expect(findNewSecrets('a.bin', content, content)).toEqual([]);
  });

  it('finds every form at every place of every kind of file', () => {
    const around = fc.string({ unit: fc.constantFrom(...' \n\t"=:;,(){}é\u0001'), maxLength: 40 });
    const encodings = ['latin1', 'utf16le'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...foundSecrets),
        around,
        around,
        fc.constantFrom(...encodings),
        ([, text], before, after, encoding) => {
          const content = encode(Buffer.from(`${before} ${text} ${after}`, encoding));
          expect(findNewSecrets('a', content, null).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    ['hashes', `${hex(40)} ${hex(64)} sha512-${some(86)}==`],
    ['identifiers', '123e4567-e89b-12d3-a456-426614174000'],
    ['names of variables', 'GITHUB_TOKEN ghp_ sk-ant- AKIA npm_config_registry=https://host.org/'],
    ['words', 'a task-list and disk-space, mask-image, risk-management-of-things-that-are-long-enough'],
    ['nothing', ''],
  ])('leaves alone: %s', (_, text) => {
    expect(findNewSecrets('a.txt', text, null)).toEqual([]);
  });

  it('names a line once, by what stands first in it', () => {
    const found = (text: string) => findNewSecrets('a', text, null).map(({ line, kind }) => [line, kind]);
    const other = `npm_${'aB3dE5gH7jK9'.repeat(3)}`;
    const [first, second] = [findSecretKind(token), findSecretKind(other)];
    expect(first).not.toBe(second);
    expect(found(`${token} ${other}`)).toEqual([[1, first]]);
    expect(found(`${other} ${token}`)).toEqual([[1, second]]);
    expect(found(`x\n${other}\n${token}`)).toEqual([
      [2, second],
      [3, first],
    ]);
  });

  it('ends after a number of findings', () => {
    const keys = Array.from({ length: 30 }, (_, index) => `ghp_${String(index).padStart(36, 'a')}`);
    expect(findNewSecrets('a', keys.join('\n'), null)).toHaveLength(20);
    expect(findNewSecrets('a', keys.slice(0, 19).join('\n'), null)).toHaveLength(19);
  });

  const isMutated = process.env.GATEWRIGHT_MUTATE_TESTS !== undefined;
  it.skipIf(isMutated)('takes no time on files made to take it', () => {
    const began = process.cpuUsage();
    const many = Array.from({ length: 50_000 }, (_, index) => `ghp_${String(index).padStart(36, 'a')}`).join(
      ' ',
    );
    expect(findNewSecrets('a', many, many)).toEqual([]);
    expect(findNewSecrets('a', many.replaceAll(' ', '\n'), null)).toHaveLength(20);
    for (const piece of [
      'a',
      '://a:',
      'eyJa.',
      'aws_secret_access_key = ',
      'Q~',
      'BEGIN A ',
      'xapp-1-A-',
      '1234567890:',
    ])
      expect(findNewSecrets('a', piece.repeat(2_000_000 / piece.length), null)).toEqual([]);
    // Of the processor, since others may be at work on it.
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  });
});

describe('findSecretKind', () => {
  it('names the kind of what stands in a name, and null where there is none', () => {
    expect(findSecretKind(`notes-${token}.txt`)).toBe('a GitHub token');
    expect(findSecretKind('notes.txt')).toBeNull();
    expect(findSecretKind(`ghp_${'x'.repeat(36)}`)).toBeNull();
  });
});
