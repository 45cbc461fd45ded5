/**
 * Runners that end with one summary: node:test, vitest, jest, mocha, ava, tap, pytest and unittest. Each has a form of
 * its own, with all of its lines in their order; a text that only speaks of tests has none of these forms.
 */
import { makeReport, type ReportReader, readParts, sumOf, type TestReport } from './test-report.ts';

type Found = { readonly report: TestReport; readonly size: number } | 'contradiction' | null;

function makeFound(size: number, parts: Partial<TestReport>): Found {
  return { report: makeReport(parts), size };
}

/**
 * Tries a form at each line.
 * @param part lines that stand only in such a form: one that is left over shows that another text came between
 */
function readEach(
  lines: readonly string[],
  part: RegExp | null,
  read: (at: number) => Found,
): ReturnType<ReportReader> {
  const reports: TestReport[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const found = read(at);
    if (found === 'contradiction') return found;
    if (found !== null) {
      reports.push(found.report);
      at += found.size - 1;
    } else if (part?.test(lines[at] ?? '') === true) return 'contradiction';
  }
  return reports;
}

const nodeKeys = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms'] as const;
/** A file that holds no test, or that ended before its tests began, is reported as one test with the name of the file. */
const fileAsTest = /^(?:(✔|✖)|(ok|not ok) \d+ -) ([^\s()]+\.[cm]?[jt]sx?)(?: \([\d.]+ms\))?$/u;

const isFine = (mark: string): boolean => mark === '✔' || mark === 'ok';

/** The files of which node:test reports no test: those that hold none or ended early, and those that could not be run. */
export function listFilesAsTests(output: string): {
  readonly empty: readonly string[];
  readonly broken: readonly string[];
} {
  const files = output.split(/\r?\n/u).flatMap((line) => {
    const [, sign, word, name = ''] = fileAsTest.exec(line.trim()) ?? [];
    const mark = sign ?? word;
    return mark === undefined ? [] : [{ name, isFine: isFine(mark) }];
  });
  const namesOf = (fine: boolean): string[] => [
    ...new Set(files.filter((file) => file.isFine === fine).map(({ name }) => name)),
  ];
  return { empty: namesOf(true), broken: namesOf(false) };
}

function readNodeAt(lines: readonly string[], at: number, since: number): Found {
  const values = new Map<string, number>();
  let next = at;
  for (const key of nodeKeys) {
    const [, name, value] = /^(?:#|ℹ) ([a-z_]+) (\d{1,9}(?:\.\d+)?)$/u.exec(lines[next] ?? '') ?? [];
    // Suites came later than the rest.
    if (name !== key && key === 'suites') continue;
    if (name !== key) return null;
    values.set(key, Number(value));
    next += 1;
  }
  const [passed, failed] = [values.get('pass') ?? 0, sumOf(values, ['fail', 'cancelled'])];
  const skipped = sumOf(values, ['skipped', 'todo']);
  if (passed + failed + skipped !== values.get('tests')) return 'contradiction';
  const files = lines
    .slice(since, at)
    .map((line) => fileAsTest.exec(line))
    .filter((match) => match !== null)
    .map(([, sign, word]) => isFine(sign ?? word ?? ''));
  const empty = Math.min(passed, files.filter((one) => one).length);
  const broken = Math.min(failed, files.filter((one) => !one).length);
  return makeFound(next - at, { passed: passed - empty, failed: failed - broken, skipped, errors: broken });
}

const readNode: ReportReader = (lines) => {
  let since = 0;
  return readEach(lines, /^(?:#|ℹ) (?:cancelled|duration_ms) [\d.]+$/u, (at) => {
    const found = readNodeAt(lines, at, since);
    if (found !== null) since = at + nodeKeys.length;
    return found;
  });
};

const vitestWords = ['failed', 'passed', 'skipped', 'todo', 'expected fail'];

/** `1 failed | 2 passed (3)`, or `no tests`. */
function readTotalled(text: string): ReadonlyMap<string, number> | 'contradiction' | null {
  if (text === 'no tests') return new Map();
  const [, list = '', total] = /^(.{1,200}) \((\d{1,9})\)$/u.exec(text) ?? [];
  const parts = total === undefined ? null : readParts(list, '|', vitestWords);
  if (parts === null) return null;
  return sumOf(parts, vitestWords) === Number(total) ? parts : 'contradiction';
}

/** Errors outside of tests, and where the lines about them end; there are two such lines at most. */
function readLooseErrors(
  lines: readonly string[],
  at: number,
): { readonly errors: number; readonly next: number } {
  let [errors, next] = [0, at];
  for (; next < at + 2; next += 1) {
    const match = /^ *(?:Type )?Errors {2}(?:(\d{1,9}) errors?|no errors)$/u.exec(lines[next] ?? '');
    if (match === null) break;
    errors += Number(match[1] ?? 0);
  }
  return { errors, next };
}

const readVitest: ReportReader = (lines) =>
  readEach(lines, /^ (?:Test Files| {5}Tests| {2}Start at) {2}\S/u, (at) => {
    const line = lines[at] ?? '';
    if (/^No test files found, exiting with code \d+$/u.test(line)) return makeFound(1, {});
    const files = readTotalled(/^ Test Files {2}(.+)$/u.exec(line)?.[1] ?? '');
    const tests = readTotalled(/^ {6}Tests {2}(.+)$/u.exec(lines[at + 1] ?? '')?.[1] ?? '');
    if (files === null || tests === null) return null;
    if (files === 'contradiction' || tests === 'contradiction') return 'contradiction';
    const loose = readLooseErrors(lines, at + 2);
    const [start = '', duration = ''] = lines.slice(loose.next);
    if (!/^ {3}Start at {2}\S/u.test(start) || !/^ {3}Duration {2}\S/u.test(duration)) return null;
    const failed = tests.get('failed') ?? 0;
    // A file that could not be loaded has failed without a failed test in it.
    const errors = loose.errors + (failed === 0 ? (files.get('failed') ?? 0) : 0);
    const skipped = sumOf(tests, ['skipped', 'todo', 'expected fail']);
    return makeFound(loose.next + 2 - at, { passed: tests.get('passed') ?? 0, failed, skipped, errors });
  });

const jestWords = ['failed', 'skipped', 'todo', 'passed', 'total'];

const readJest: ReportReader = (lines) =>
  readEach(lines, /^(?:Test Suites: |Tests: {7}|Snapshots: {3})\d/u, (at) => {
    const line = lines[at] ?? '';
    if (/^No tests found, exiting with code \d+$/u.test(line)) return makeFound(1, {});
    const suites = readParts(
      /^Test Suites: (.+)$/u.exec(line)?.[1]?.replace(/, (\d+) of (\d+) total$/u, ', $1 total') ?? '',
      ',',
      jestWords,
    );
    const tests = readParts(/^Tests: {7}(.+)$/u.exec(lines[at + 1] ?? '')?.[1] ?? '', ',', jestWords);
    if (suites === null || tests === null) return null;
    if (!/^Snapshots: {3}\S/u.test(lines[at + 2] ?? '') || !/^Time: {8}\S/u.test(lines[at + 3] ?? ''))
      return null;
    const [passed, failed] = [tests.get('passed') ?? 0, tests.get('failed') ?? 0];
    const skipped = sumOf(tests, ['skipped', 'todo']);
    if (passed + failed + skipped !== tests.get('total')) return 'contradiction';
    return makeFound(4, { passed, failed, skipped, errors: failed === 0 ? (suites.get('failed') ?? 0) : 0 });
  });

const readMocha: ReportReader = (lines) =>
  readEach(lines, /^ {2}\d+ (?:pending|failing)$/u, (at) => {
    const [, passed] = /^ {2}(\d{1,9}) passing \(\d+(?:ms|s|m|h)\)$/u.exec(lines[at] ?? '') ?? [];
    if (passed === undefined) return null;
    const [, pending] = /^ {2}(\d{1,9}) pending$/u.exec(lines[at + 1] ?? '') ?? [];
    const [, failed] =
      /^ {2}(\d{1,9}) failing$/u.exec(lines[at + (pending === undefined ? 1 : 2)] ?? '') ?? [];
    const size = [passed, pending, failed].filter((one) => one !== undefined).length;
    return makeFound(size, {
      passed: Number(passed),
      failed: Number(failed ?? 0),
      skipped: Number(pending ?? 0),
    });
  });

const avaLine =
  /^ {2}(\d{1,9}) (tests? (?:passed|failed|skipped|todo)|hooks? failed|known failures?|uncaught exceptions?|unhandled rejections?|tests? remained pending.*)$/u;

const readAva: ReportReader = (lines) =>
  readEach(lines, avaLine, (at) => {
    if (lines[at] !== '  ─' || lines[at + 1] !== '') return null;
    const counts = { passed: 0, failed: 0, skipped: 0, errors: 0 };
    let next = at + 2;
    for (; ; next += 1) {
      const [, count, what = ''] = avaLine.exec(lines[next] ?? '') ?? [];
      if (count === undefined) break;
      if (/passed$/u.test(what)) counts.passed += Number(count);
      else if (/^tests? failed$/u.test(what)) counts.failed += Number(count);
      else if (/skipped$|todo$|^known/u.test(what)) counts.skipped += Number(count);
      else counts.errors += Number(count);
    }
    if (next === at + 2) return null;
    // Where a test failed, those that passed are not counted.
    return makeFound(next - at, { ...counts, isMinimum: counts.failed + counts.errors > 0 });
  });

function readTapBraces(line: string, following: string): Found {
  const [, inside] = /^# \{ (total: \d{1,9}(?:, [a-z]+: \d{1,9}){0,5}) \}$/u.exec(line) ?? [];
  if (inside === undefined || !/^# time=[\d.]+m?s$/u.test(following)) return null;
  const parts = new Map(
    inside.split(', ').map((part) => [part.split(': ')[0] ?? '', Number(part.split(': ')[1])]),
  );
  const [passed, failed] = [parts.get('pass') ?? 0, parts.get('fail') ?? 0];
  const skipped = sumOf(parts, ['skip', 'todo']);
  return passed + failed + skipped === parts.get('total')
    ? makeFound(2, { passed, failed, skipped })
    : 'contradiction';
}

function readTapAsserts(suites: string, asserts: string, time: string): Found {
  if (!/^Suites: {3}.* of \d+ completed$/u.test(suites) || !/^Time: {5}\S/u.test(time)) return null;
  const [, list, total] = /^Asserts: {2}(?:(.{1,200}), of|0 of) (\d{1,9})$/u.exec(asserts) ?? [];
  const parts =
    list === undefined
      ? new Map<string, number>()
      : readParts(list, ',', ['failed', 'passed', 'skip', 'todo']);
  if (total === undefined || parts === null) return null;
  const [passed, failed] = [parts.get('passed') ?? 0, parts.get('failed') ?? 0];
  const skipped = sumOf(parts, ['skip', 'todo']);
  return passed + failed + skipped === Number(total)
    ? makeFound(3, { passed, failed, skipped })
    : 'contradiction';
}

/** `# tests 3`, `# pass  2`, `# fail  1` after a plan, as tape and others write it. */
function readTapComments(lines: readonly string[], at: number): Found {
  const [, tests] = /^# tests (\d{1,9})$/u.exec(lines[at] ?? '') ?? [];
  const plan = lines.slice(Math.max(0, at - 2), at).some((line) => line === `1..${tests ?? ''}`);
  const [, pass] = /^# pass {1,2}(\d{1,9})$/u.exec(lines[at + 1] ?? '') ?? [];
  if (tests === undefined || pass === undefined || !plan) return null;
  const rest = lines.slice(at + 2, at + 5);
  // Of node:test, which has lines of its own.
  if (rest.some((line) => /^# cancelled /u.test(line))) return null;
  const value = (name: string): number =>
    Number(
      rest
        .map((line) => new RegExp(`^# ${name} {1,2}(\\d{1,9})$`, 'u').exec(line)?.[1])
        .find((one) => one !== undefined) ?? 0,
    );
  const [failed, skipped] = [value('fail'), value('skip') + value('todo')];
  return Number(pass) + failed + skipped === Number(tests)
    ? makeFound(2, { passed: Number(pass), failed, skipped })
    : 'contradiction';
}

const plan = /^1\.\.\d{1,9}(?: #.*)?$/u;

/** The plain protocol: a version, numbered results, and a plan with as many. */
function readTapPlain(lines: readonly string[]): readonly TestReport[] | 'contradiction' {
  if (!lines.some((line) => /^TAP version 1[34]$/u.test(line))) return [];
  const plans = lines.filter((line) => plan.test(line));
  const results = lines
    .map((line) => /^(ok|not ok) (\d{1,9})\b(.*)$/u.exec(line))
    .filter((match) => match !== null);
  const [only] = plans;
  // A result with results in it says nothing about how many they are.
  if (only === undefined || results.some(([line]) => line.endsWith('{'))) return [];
  const isOrdered = results.every(([, , number], index) => Number(number) === index + 1);
  if (
    plans.length > 1 ||
    !isOrdered ||
    Number(/\d+$/u.exec(only.split(' ')[0] ?? '')?.[0]) !== results.length
  )
    return 'contradiction';
  const skipped = results.filter(([, , , rest = '']) => /# (?:skip|todo)/iu.test(rest)).length;
  const failed = results.filter(
    ([, word, , rest = '']) => word === 'not ok' && !/# (?:skip|todo)/iu.test(rest),
  ).length;
  return [makeReport({ passed: results.length - skipped - failed, failed, skipped })];
}

const readTap: ReportReader = (lines) => {
  const found = readEach(
    lines,
    /^# \{ total: |^Asserts: {2}\d|^# pass {2}\d/u,
    (at) =>
      readTapBraces(lines[at] ?? '', lines[at + 1] ?? '') ??
      readTapAsserts(lines[at] ?? '', lines[at + 1] ?? '', lines[at + 2] ?? '') ??
      readTapComments(lines, at),
  );
  if (found === 'contradiction') return found;
  // What node:test writes in this protocol is read as its own.
  if (found.length === 0 && !lines.some((line) => /^# cancelled \d+$/u.test(line)))
    return readTapPlain(lines);
  // A plan more than there are reports with one is that of another program.
  const reports = lines.filter((line) => /^# (?:tests \d+$|\{ total: )/u.test(line)).length;
  return lines.filter((line) => plan.test(line)).length > reports ? 'contradiction' : found;
};

const pytestWords = [
  ...[
    'passed',
    'failed',
    'error',
    'errors',
    'skipped',
    'xfailed',
    'xpassed',
    'deselected',
    'warning',
    'warnings',
  ],
  ...['rerun', 'subtests passed', 'subtests failed'],
];

const readPytest: ReportReader = (lines) =>
  readEach(lines, null, (at) => {
    const [, said] =
      /^(?:=+ )?([a-z\d, ]{5,200}) in \d+\.\d+s(?: \(\d+:\d\d:\d\d\))?(?: =+)?$/u.exec(lines[at] ?? '') ?? [];
    if (said === undefined) return null;
    const shown = said.replace(/^no tests (?:ran|collected),? ?/u, '');
    const parts = shown === '' ? new Map<string, number>() : readParts(shown, ',', pytestWords);
    if (parts === null) return null;
    return makeFound(1, {
      passed: sumOf(parts, ['passed', 'xpassed']),
      failed: sumOf(parts, ['failed', 'subtests failed']),
      skipped: sumOf(parts, ['skipped', 'xfailed']),
      errors: sumOf(parts, ['error', 'errors']),
    });
  });

const unittestWords = ['failures', 'errors', 'skipped', 'expected failures', 'unexpected successes'];

const readUnittest: ReportReader = (lines) =>
  readEach(lines, /^Ran \d+ tests? in \d|^FAILED \([a-z]+=\d/u, (at) => {
    const [, count] = /^Ran (\d{1,9}) tests? in \d+\.\d+s$/u.exec(lines[at] ?? '') ?? [];
    const [, word, list] =
      /^(OK|FAILED|NO TESTS RAN)(?: \(([a-z\d=, ]{1,200})\))?$/u.exec(lines[at + 2] ?? '') ?? [];
    if (count === undefined || lines[at + 1] !== '' || word === undefined) return null;
    const turned = (list ?? '').split(', ').map((part) => part.replace(/^([a-z ]+)=(\d+)$/u, '$2 $1'));
    const parts =
      list === undefined ? new Map<string, number>() : readParts(turned.join(','), ',', unittestWords);
    if (parts === null) return 'contradiction';
    const failed = sumOf(parts, ['failures', 'unexpected successes']);
    const errors = parts.get('errors') ?? 0;
    if (failed + errors > 0 !== (word === 'FAILED')) return 'contradiction';
    const skipped = sumOf(parts, ['skipped', 'expected failures']);
    const passed = Math.max(0, Number(count) - failed - errors - skipped);
    return makeFound(3, { passed, failed, skipped, errors });
  });

export const summaryReaders: Readonly<Record<string, ReportReader>> = {
  'node:test': readNode,
  vitest: readVitest,
  jest: readJest,
  mocha: readMocha,
  ava: readAva,
  tap: readTap,
  pytest: readPytest,
  unittest: readUnittest,
};
