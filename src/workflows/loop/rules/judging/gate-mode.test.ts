/** The gates besides the commands: evidence of search, code that only looks finished, and when to stop retrying. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { readLoopConfig } from '../planning/loop-config.ts';
import { readAddedLines } from './added-lines.ts';
import { judgeGates } from './gate-mode.ts';
import { scanPlaceholders } from './placeholder-scan.ts';
import { judgeSearch } from './search-evidence.ts';
import { judgeStale, noRetries, type RetryCounters } from './stale-plan.ts';

function configOf(execution: object) {
  const read = readLoopConfig(JSON.stringify({ execution }));
  if (!('config' in read)) throw new Error(JSON.stringify(read));
  return read.config;
}
const config = configOf({});

const diffOf = (path: string, lines: readonly string[]): string =>
  [
    ...[`diff --git a/${path} b/${path}`, 'index 1234567..89abcde 100644', `--- a/${path}`, `+++ b/${path}`],
    ...[`@@ -1,1 +1,${lines.length + 1} @@ head`, ' first', ...lines.map((line) => `+${line}`), ''],
  ].join('\n');

describe('readAddedLines', () => {
  it('reads paths, numbers and words, and no line that only looks like a head', () => {
    const diff = [
      ...[
        'diff --git a/a.ts b/a.ts',
        'index 1..2 100644',
        '--- a/a.ts',
        '+++ b/a.ts',
        '@@ -1,2 +1,4 @@',
        ' one',
      ],
      ...['-two', '+++ b/evil.md', '+@@ -1 +1,9 @@', '+diff --git a/x b/x', '\\ No newline at end of file'],
      ...[
        '@@ -9 +11 @@ x',
        '-old',
        '+new\r',
        'diff --git "a/\\303\\244 b\\t.ts" "b/\\303\\244 b\\t.ts"',
        'new file mode 100644',
      ],
      ...[
        'index 0..1',
        '--- /dev/null',
        '+++ "b/\\303\\244 b\\t.ts"',
        '@@ -0,0 +1 @@',
        '+x',
        'diff --git a/g b/g',
      ],
      ...['deleted file mode 100644', '--- a/g', '+++ /dev/null', '@@ -1 +0,0 @@', '-gone', ''],
    ].join('\n');
    expect(readAddedLines(diff)).toEqual({
      isWhole: true,
      lines: [
        { path: 'a.ts', line: 2, text: '++ b/evil.md' },
        { path: 'a.ts', line: 3, text: '@@ -1 +1,9 @@' },
        { path: 'a.ts', line: 4, text: 'diff --git a/x b/x' },
        { path: 'a.ts', line: 11, text: 'new' },
        { path: 'ä b\t.ts', line: 1, text: 'x' },
      ],
    });
  });

  it.each([
    ['cut in a hunk', diffOf('a.ts', ['x', 'y']).slice(0, -4)],
    ['cut with a remark', `${diffOf('a.ts', ['x'])}… and 12 characters more\n`],
    ['no diff', 'hello'],
  ])('says that one is not whole: %s', (_, diff) => expect(readAddedLines(diff).isWhole).toBe(false));

  it('agrees with git about any change of a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'added-lines-'));
    const line = fc.constantFrom(
      'a',
      'b',
      '',
      '+++ b/x',
      '--- a/x',
      '@@ -1 +1 @@',
      '\\ No newline',
      ' ',
      '-',
      '+',
      'TODO',
      '\r',
      'ä',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));
    try {
      fc.assert(
        fc.property(text, text, (before, after) => {
          writeFileSync(join(folder, 'old'), before);
          writeFileSync(join(folder, 'new'), after);
          let diff = '';
          try {
            execFileSync('git', ['diff', '--no-index', '--no-color', 'old', 'new'], {
              cwd: folder,
              stdio: 'pipe',
            });
          } catch (error) {
            diff = String((error as { stdout: Buffer }).stdout);
          }
          const { lines, isWhole } = readAddedLines(diff);
          expect(isWhole).toBe(true);
          const wanted = after.split('\n').map((one) => one.replace(/\r$/u, ''));
          for (const { line: number, text: shown } of lines) expect(shown).toBe(wanted[number - 1]);
          // What is not added was there before.
          const added = new Set(lines.map(({ line: number }) => number));
          const old = before.split('\n').map((one) => one.replace(/\r$/u, ''));
          for (const [index, one] of wanted.entries())
            if (!added.has(index + 1) && one !== '') expect(old).toContain(one);
        }),
        { numRuns: 20 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('judgeSearch', () => {
  const rule = { required: true, minQueries: 2 };
  it.each<[string, readonly string[] | null, boolean]>([
    ['two queries', ['rg -n "auth" src', 'rg -n "token" src'], true],
    ['nothing', null, false],
    ['none', [], false],
    ['one', ['rg auth'], false],
    ['the same twice', ['rg auth', ' RG  auth '], false],
    ['empty ones', ['rg auth', '', ' ', '--', '.'], false],
    ['words of another script', ['grep Schlüssel', 'grep 鍵の'], true],
  ])('%s', (_, queries, isEnough) => {
    const judged = judgeSearch(queries === null ? null : { queries }, rule);
    expect(judged === null).toBe(isEnough);
    expect(judgeSearch(queries === null ? null : { queries }, { ...rule, required: false })).toBeNull();
  });
});

describe('scanPlaceholders', () => {
  const semantic = configOf({ profile: 'brownfield' }).execution.placeholder;
  const scan = (lines: readonly string[], path = 'src/a.ts', rule = config.execution.placeholder) =>
    scanPlaceholders(
      lines.map((text, index) => ({ path, line: index + 1, text })),
      rule,
    );

  it.each([
    '// TODO later',
    '# fixme: x',
    'const placeholder = 1;',
    'return stub;',
    "throw new Error('Not implemented');",
    '/* mock implementation */',
  ])('finds %s', (line) => expect(scan([line])).toHaveLength(1));

  it.each(['const todos = list();', 'stubborn()', 'the implemented part'])('leaves %s alone', (line) =>
    expect(scan([line])).toEqual([]),
  );

  it('looks into no file that is excluded', () => {
    expect(scan(['TODO'], 'docs/a.md')).toEqual([]);
    expect(scan(['TODO'], 'pkg/tests/a.ts')).toEqual([]);
    expect(scan(['TODO'], 'src/testing.ts')).toHaveLength(1);
    expect(scan(['TODO'], 'src/a.ts', { ...config.execution.placeholder, enabled: false })).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['a function of three lines', ['function isReady() {', '  return true;', '}']],
    ['a method with a type', ['  async load(id: string): Promise<Item[]> {', '    return [];', '  },']],
    ['a method of Go', ['func Ready() bool {', '\treturn true', '}']],
    ['a function of Rust', ['fn ready() -> bool {', '    return true;', '}']],
    ['a function of Python', ['def is_ready(self):', '    return True', '', 'def other():']],
    ['a function of Python at the end', ['async def is_ready(self):', '    return None']],
    ['a function on one line', ['export function isReady(): boolean { return true; }']],
    ['an arrow with a name', ['export const isReady = () => true;']],
    ['an arrow with a body', ['const isReady = async (x) => { return null };']],
    ['Python on one line', ['def ready(): return 0']],
  ])('finds %s that only returns a constant', (_, lines) => {
    expect(scan(lines, 'src/a.ts', semantic).map(({ what }) => what)).toEqual([
      'a function that only returns a constant',
    ]);
    expect(scan(lines)).toEqual([]);
  });

  it.each([
    'if (true) {',
    'if False:',
    '} else if (1) {',
    'while (false) {',
    'if (x || true) {',
    'if x and False:',
    'elif 0:',
    'if (!0) {',
  ])('finds the condition of %s', (line) => expect(scan([line], 'src/a.ts', semantic)).toHaveLength(1));

  it.each<[string, readonly string[]]>([
    ['an early return', ['function a(x) {', '  if (!x) {', '    return true;', '  }', '  return f(x);', '}']],
    ['a function that returns something', ['function a(x) {', '  return x + 1;', '}']],
    ['the end of a longer one', ['  work();', '  return true;', '}']],
    ['a callback', ['list.filter(() => true);', 'every((x) => x === true)']],
    ['an endless loop', ['while (true) {', 'while True:', 'for (;;) {']],
    [
      'a comparison',
      ['if (x === true) {', 'if (trueish) {', 'if (isTrue()) {', 'if (1 < x) {', 'if (0 === x) {'],
    ],
    ['an assignment', ['const x = a || true;', 'const isOn = options.on ?? true;']],
    ['a comment', ['// if (true) {', ' * if False:']],
  ])('leaves %s alone', (_, lines) => expect(scan(lines, 'src/a.ts', semantic)).toEqual([]));

  it('takes no time for lines that are made to take time', () => {
    const parts = [
      '(',
      '{ return ',
      ') { return',
      'if ',
      'a && ',
      ' : ',
      '=> ',
      'def x',
      'function ',
      ' ',
      '|| true',
      ') -> ',
    ];
    const lines = parts.flatMap((part) => [
      part.repeat(50_000),
      `if ${part.repeat(50_000)}x`,
      `const a = ${part.repeat(9000)}`,
    ]);
    const elapsed = startProcessorClock();
    scan(lines, 'src/a.ts', semantic);
    expect(elapsed()).toBeLessThan(20_000);
  });
});

describe('judgeGates', () => {
  const diff = diffOf('src/a.ts', ['// TODO', 'fine']);

  it('warns in mode warn and fails in mode enforce', () => {
    const warned = judgeGates({ config, diff, search: null });
    expect(warned.failures).toEqual([]);
    expect(warned.warnings).toEqual([
      'Search evidence: 2 different queries are wanted before code is written, and none is named.',
      'Placeholder: src/a.ts:2 has the placeholder pattern TODO\\b: // TODO',
    ]);
    const enforcing = configOf({ gateMode: 'enforce' });
    expect(judgeGates({ config: enforcing, diff, search: null })).toEqual({
      failures: warned.warnings,
      warnings: [],
    });
  });

  it('says how many there are when there are many, and when not all could be looked at', () => {
    const many = diffOf(
      'a.ts',
      Array.from({ length: 30 }, () => 'TODO'),
    );
    const search = { queries: ['rg one', 'rg two'] };
    expect(judgeGates({ config, diff: many, search }).warnings.at(-1)).toBe('Placeholder: 10 more lines.');
    const cut = judgeGates({ config, diff: many.slice(0, 200), search }).warnings;
    expect(cut.at(-1)).toContain('too large');
    expect(judgeGates({ config, diff: '', search })).toEqual({ failures: [], warnings: [] });
  });

  it('writes paths and lines of others on one visible line', () => {
    const [, found = ''] = judgeGates({
      config,
      diff: diffOf('a\u202E.ts', [`TODO \u0000${'x'.repeat(900)}`]),
      search: null,
    }).warnings;
    expect(found).toContain('a\\u{202e}.ts:2');
    expect(found.length).toBeLessThan(400);
  });
});

describe('judgeStale', () => {
  const rule = (same: number, inRow: number, enabled = true) => ({
    execution: { stalePlan: { enabled, sameTaskRetryThreshold: same, consecutiveRetryThreshold: inRow } },
  });
  /** Attempts such as `1- 1- 2+`: the task, and whether it passed. */
  const play = (attempts: string, config: ReturnType<typeof rule>): (string | null)[] => {
    let counters: RetryCounters = noRetries;
    return attempts.split(' ').map((one) => {
      const judged = judgeStale(
        counters,
        { task: `US-00${one.charAt(0)}`, isPassed: one.endsWith('+') },
        config,
      );
      counters = judged.counters;
      return judged.replan;
    });
  };

  it.each<[string, number, number, readonly (number | null)[]]>([
    ['1- 1-', 2, 4, [null, 1]],
    ['1- 1+ 1-', 2, 4, [null, null, null]],
    ['1- 2- 1- 2-', 2, 4, [null, null, null, 1]],
    ['1- 2- 3+ 1- 2- 3-', 2, 4, [null, null, null, null, null, null]],
    ['1- 1- 1- 1-', 2, 4, [null, 1, null, 1]],
    ['1-', 1, 3, [1]],
    ['1- 1- 1-', 3, 6, [null, null, 1]],
  ])('%s with %d and %d', (attempts, same, inRow, replans) =>
    expect(play(attempts, rule(same, inRow)).map((reason) => (reason === null ? null : 1))).toEqual(replans),
  );

  it('says why', () => {
    expect(play('1- 1-', rule(2, 4))[1]).toBe('US-001 failed 2 times in a row (the limit is 2).');
    expect(play('1- 2-', rule(9, 2))[1]).toBe('2 attempts failed in a row (the limit is 2).');
  });

  it('does not replan when it is off, or when the task is blocked anyway', () => {
    expect(play('1- 1- 1-', rule(1, 1, false))).toEqual([null, null, null]);
    const attempt = { task: 'US-001', isPassed: false, isExhausted: true };
    expect(judgeStale(noRetries, attempt, rule(1, 1))).toEqual({
      counters: { task: 'US-001', sameTask: 1, consecutive: 1 },
      replan: null,
    });
  });
});
