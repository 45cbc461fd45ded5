/**
 * Runners that report in several parts, which are added up: `go test` by package, `cargo test` by program, JUnit XML by
 * suite. Parts that overlap, or whose sums are wrong, are a contradiction.
 */
import { makeReport, type ReportReader, type TestReport } from './test-report.ts';

function addUp(reports: readonly TestReport[]): TestReport {
  const sum = (key: 'passed' | 'failed' | 'skipped' | 'errors'): number =>
    reports.reduce((all, report) => all + report[key], 0);
  return {
    ...{ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), errors: sum('errors') },
    isMinimum: reports.some(({ isMinimum }) => isMinimum),
  };
}

const cargoResult =
  /^test result: (ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; (\d{1,9}) filtered out(?:; finished in [\d.]+s)?$/u;
const cargoBroken = /^error: could not compile `[^`]+` \([^)]*\btest\b[^)]*\) due to /u;

const readCargo: ReportReader = (lines) => {
  const reports: TestReport[] = [];
  let open: number | null = null;
  for (const line of lines) {
    const [, running] = /^running (\d{1,9}) tests?$/u.exec(line) ?? [];
    if (running !== undefined) {
      if (open !== null) return 'contradiction';
      open = Number(running);
    }
    if (cargoBroken.test(line)) reports.push(makeReport({ errors: 1 }));
    const [, word, ...counts] = cargoResult.exec(line) ?? [];
    if (word === undefined) continue;
    const [passed = 0, failed = 0, ignored = 0, measured = 0] = counts.map(Number);
    if (open !== passed + failed + ignored + measured || (word === 'FAILED') !== failed > 0)
      return 'contradiction';
    reports.push(makeReport({ passed: passed + measured, failed, skipped: ignored }));
    open = null;
  }
  // A program that ended in the middle of its tests.
  if (open !== null) reports.push(makeReport({ errors: 1 }));
  return reports.length === 0 ? [] : [addUp(reports)];
};

const goPackage = /^(ok {2}|FAIL|\? {3}|---)\t(\S{1,300})(?:[\t ](.{0,200}))?$/u;
const goTest = /^--- (PASS|FAIL|SKIP): (\S{1,300}) \([\d.]+s\)$/u;

/** The results of one package: those that it names, or at least one where it names none. */
function packageReport(word: string, rest: string, named: readonly string[]): TestReport {
  const count = (end: string): number => named.filter((one) => one === end).length;
  const [passed, failed, skipped] = [count('PASS'), count('FAIL'), count('SKIP')];
  if (word === '?   ' || /\[no test(?: file)?s(?: to run)?\]/u.test(rest))
    return makeReport({ passed, failed, skipped });
  if (word === 'ok  ')
    return named.length > 0
      ? makeReport({ passed, failed, skipped })
      : makeReport({ passed: 1, isMinimum: true });
  const hasFailed = failed > 0;
  return makeReport({ passed, failed, skipped, errors: hasFailed ? 0 : 1, isMinimum: passed === 0 });
}

const readGoText: ReportReader = (lines) => {
  const reports: TestReport[] = [];
  const seen = new Set<string>();
  const begun = new Set<string>();
  let named: string[] = [];
  let names = new Set<string>();
  for (const line of lines) {
    const [, run] = /^=== RUN {3}(\S{1,300})$/u.exec(line) ?? [];
    if (run !== undefined) begun.add(run);
    const [, end, test = ''] = goTest.exec(line) ?? [];
    if (end !== undefined) {
      // With -v each test is announced; a result that was not announced is no result of the runner.
      if (names.has(test) || (begun.size > 0 && !begun.has(test))) return 'contradiction';
      names.add(test);
      named.push(end);
    }
    const [, word, path = '', rest = ''] = goPackage.exec(line) ?? [];
    if (word === undefined || word === '---') continue;
    if (seen.has(path)) return 'contradiction';
    if (word === 'ok  ' && named.includes('FAIL')) return 'contradiction';
    seen.add(path);
    reports.push(packageReport(word, rest, named));
    named = [];
    names = new Set();
    begun.clear();
  }
  return reports.length === 0 ? [] : [addUp(reports)];
};

interface GoEvent {
  readonly Action?: unknown;
  readonly Package?: unknown;
  readonly Test?: unknown;
}

function readGoEvent(line: string): GoEvent | null {
  if (!line.startsWith('{"') || !line.includes('"Action":')) return null;
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null ? json : null;
  } catch {
    return null;
  }
}

const readGoJson: ReportReader = (lines) => {
  const ends = new Map<string, string>();
  const packages = new Map<string, string>();
  const begun = new Set<string>();
  for (const line of lines) {
    const event = readGoEvent(line);
    if (event === null || typeof event.Package !== 'string' || typeof event.Action !== 'string') continue;
    const { Action: action, Package: path, Test: test } = event;
    const name = typeof test === 'string' ? `${path}\n${test}` : null;
    if (action === 'run' && name !== null) begun.add(name);
    if (!['pass', 'fail', 'skip'].includes(action)) continue;
    // Subtests are parts of their test.
    if (name?.includes('/', path.length) === true) continue;
    const where = name === null ? packages : ends;
    const key = name ?? path;
    if (where.has(key) || (name !== null && !begun.has(name))) return 'contradiction';
    where.set(key, action);
  }
  if (packages.size === 0) return [];
  const count = (end: string): number => [...ends.values()].filter((one) => one === end).length;
  const isRed = [...packages.values()].includes('fail');
  const failed = count('fail');
  if (failed > 0 && !isRed) return 'contradiction';
  return [
    makeReport({
      passed: count('pass'),
      failed,
      skipped: count('skip'),
      errors: isRed && failed === 0 ? 1 : 0,
    }),
  ];
};

const readGo: ReportReader = (lines) => {
  const [text, json] = [readGoText(lines), readGoJson(lines)];
  if (text === 'contradiction' || json === 'contradiction') return 'contradiction';
  return [...text, ...json];
};

const attribute = (tag: string, name: string): number | null => {
  const [, value] = new RegExp(`\\s${name}="(\\d{1,9})"`, 'u').exec(tag) ?? [];
  return value === undefined ? null : Number(value);
};

/** Character data and comments may hold anything, also tags. */
const notMarkup = /<!\[CDATA\[.*?\]\]>|<!--.*?-->/gsu;
const junitTag = /<(\/?)(testsuite|testcase|failure|error|skipped)\b[^<>]{0,4000}>/gu;

/** What the suites that stand in no other suite say of themselves; null when they give no numbers. */
function readClaims(tags: readonly RegExpMatchArray[]): { tests: number; bad: number } | null {
  const claimed = { tests: 0, bad: 0, hasNumbers: false };
  let depth = 0;
  for (const [tag, close, name] of tags.filter(([, , one]) => one === 'testsuite')) {
    if (close === '' && name !== undefined && depth === 0 && attribute(tag, 'tests') !== null) {
      claimed.hasNumbers = true;
      claimed.tests += attribute(tag, 'tests') ?? 0;
      claimed.bad += (attribute(tag, 'failures') ?? 0) + (attribute(tag, 'errors') ?? 0);
    }
    if (!tag.endsWith('/>')) depth += close === '' ? 1 : -1;
  }
  return claimed.hasNumbers ? claimed : null;
}

/** The elements decide; what a suite says of its sums has to agree with them. */
function readDocument(text: string): TestReport | 'contradiction' {
  const tags = [...text.replace(notMarkup, '').matchAll(junitTag)];
  const found = { testcase: 0, failure: 0, error: 0, skipped: 0 };
  let isInCase = false;
  for (const [tag, close, name = ''] of tags) {
    if (name === 'testcase') {
      if (close === '' && isInCase) return 'contradiction';
      if (close === '') found.testcase += 1;
      isInCase = close === '' && !tag.endsWith('/>');
    } else if (close === '' && isInCase && (name === 'failure' || name === 'error' || name === 'skipped'))
      found[name] += 1;
  }
  const claimed = readClaims(tags);
  const bad = found.failure + found.error;
  if (claimed !== null && (claimed.tests !== found.testcase || claimed.bad > 0 !== bad > 0))
    return 'contradiction';
  const passed = found.testcase - bad - found.skipped;
  if (passed < 0) return 'contradiction';
  return makeReport({ passed, failed: found.failure, skipped: found.skipped, errors: found.error });
}

const readJunit: ReportReader = (lines) => {
  const text = lines.join('\n');
  const start = text.search(/<testsuites?[\s>]/u);
  if (start === -1) return [];
  const end = Math.max(text.lastIndexOf('</testsuites>'), text.lastIndexOf('</testsuite>'));
  // Cut off, or with nothing in it.
  if (end < start) return /^<testsuites?\b[^<>]{0,4000}\/>/u.test(text.slice(start)) ? [makeReport({})] : [];
  const report = readDocument(text.slice(start, end));
  return report === 'contradiction' ? report : [report];
};

export const listedReaders: Readonly<Record<string, ReportReader>> = {
  go: readGo,
  cargo: readCargo,
  junit: readJunit,
};
