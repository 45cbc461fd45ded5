/**
 * How many tests a command ran, from the report of the test runner itself. The tested code writes into the same text
 * and may write reports of its own: where two reports differ, the number is not known. A program that merely says that
 * all is well has no report.
 */
import { testRunners } from '../../../../domain/changes/test-runners.ts';
import { listedReaders } from './listed-reports.ts';
import { summaryReaders } from './summary-reports.ts';
import type { ReportReader, TestReport } from './test-report.ts';

export interface TestCounts extends TestReport {
  readonly runner: string;
  /** Those that passed and those that failed. */
  readonly executed: number;
}

/** Why there is no number: no runner is recognised, or reports contradict each other. */
export interface NoCounts {
  readonly runner: null;
  readonly why: 'unknown' | 'unclear';
}

/** More of the end is not read: a report stands at the end. */
const longestRead = 256 * 1024;

const readers: Readonly<Record<string, ReportReader>> = { ...summaryReaders, ...listedReaders };

const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/gu;

/** The end of what a command printed, without colours. */
export function toLines(output: string): string[] {
  const text = output.slice(-longestRead).replace(escapes, '').replace(/\r\n?/gu, '\n');
  return text.split('\n').map((line) => line.trimEnd());
}

/** Formats that several runners can be told to write. */
const formats = ['tap', 'junit'];

/** The runners that a command names; only their reports count then. */
function namedIn(command: readonly string[]): string[] {
  const line = command.join(' ');
  return testRunners
    .filter(({ name, called }) => name in readers && called.test(line))
    .map(({ name }) => name);
}

function readAll(lines: readonly string[], runners: readonly string[]): TestCounts[] | 'unclear' {
  const found = new Map<string, TestCounts>();
  for (const runner of runners) {
    const reports = readers[runner]?.(lines) ?? [];
    if (reports === 'contradiction') return 'unclear';
    for (const report of reports) {
      // Two runners that say the same are one run in two formats.
      found.set(JSON.stringify(report), { runner, executed: report.passed + report.failed, ...report });
    }
  }
  return [...found.values()];
}

export function countTests(output: string, command: readonly string[] = []): TestCounts | NoCounts {
  const lines = toLines(output);
  const named = namedIn(command);
  const tried = named.length === 0 ? [Object.keys(readers)] : [named, formats];
  for (const runners of tried) {
    const found = readAll(lines, runners);
    if (found === 'unclear' || found.length > 1) return { runner: null, why: 'unclear' };
    const [counts] = found;
    if (counts !== undefined) return counts;
  }
  return { runner: null, why: 'unknown' };
}
