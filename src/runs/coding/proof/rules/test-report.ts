/** What one report of a test runner says. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** Also tests that are only planned, and tests that are expected to fail: they show nothing. */
  readonly skipped: number;
  /** Files, suites and hooks that could not be run. */
  readonly errors: number;
  /** Whether the runner names fewer tests than it ran, as `go test` does without `-v`. */
  readonly isMinimum: boolean;
}

/**
 * All reports of one runner in what a command printed, in their order; `contradiction` when the text says two things at
 * once, such as sums that are wrong.
 */
export type ReportReader = (lines: readonly string[]) => readonly TestReport[] | 'contradiction';

const numberOf = (text: string | undefined): number => Number(text ?? 0);

export function makeReport(parts: Partial<TestReport>): TestReport {
  return { passed: 0, failed: 0, skipped: 0, errors: 0, isMinimum: false, ...parts };
}

/** `3 passed, 1 failed` by its words; null when a part has another form, or a word that is not in the list. */
export function readParts(
  text: string,
  separator: string,
  words: readonly string[],
): ReadonlyMap<string, number> | null {
  const parts = new Map<string, number>();
  for (const part of text.split(separator)) {
    const [, count, word = ''] = /^\s*(\d{1,9}) ([a-z ]{1,30}?)\s*$/u.exec(part) ?? [];
    if (count === undefined || !words.includes(word) || parts.has(word)) return null;
    parts.set(word, numberOf(count));
  }
  return parts;
}

export function sumOf(parts: ReadonlyMap<string, number>, words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (parts.get(word) ?? 0), 0);
}
