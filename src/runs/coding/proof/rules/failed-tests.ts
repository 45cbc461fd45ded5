/**
 * Which tests failed, by name, from the report of the test runner. The tested code writes into the same text: so names
 * count only if there are exactly as many as the sums of the same report say.
 */
import { toLines } from './count-tests.ts';

type NameReader = (lines: readonly string[]) => Iterable<string> | null;

/** `test at FILE:LINE:COLUMN`, then the test itself, in the list behind the sums. */
const readNode: NameReader = (lines) => {
  const from = lines.lastIndexOf('✖ failing tests:');
  if (from === -1) return null;
  return lines.slice(from).flatMap((line, index, rest) => {
    const [, file] = /^test at (.{1,400}):\d+:\d+$/u.exec(line) ?? [];
    const [, name] = /^✖ (.{1,400}) \([\d.]+ms\)$/u.exec(rest[index + 1] ?? '') ?? [];
    return file === undefined || name === undefined ? [] : [`${file} > ${name}`];
  });
};

const each =
  (form: RegExp): NameReader =>
  (lines) =>
    lines.flatMap((line) => form.exec(line)?.[1] ?? []);

/** `● suite › test` below the line of its file; with many files all of them are listed twice. */
const readJest: NameReader = (lines) => {
  let file = '';
  return lines.flatMap((line) => {
    file = /^FAIL (\S{1,400})/u.exec(line)?.[1] ?? file;
    const [, name] = /^ {2}● (.{1,400})$/u.exec(line) ?? [];
    return name === undefined || file === '' ? [] : [`${file} > ${name}`];
  });
};

/** Tests of a package stand before the line of the package. One that was torn down in the middle ran only some of them. */
const readGo: NameReader = (lines) => {
  if (lines.some((line) => /^(?:panic: |fatal error: |\{".*"Action":)/u.test(line))) return null;
  let open: string[] = [];
  return lines.flatMap((line) => {
    const [, test] = /^--- FAIL: (\S{1,300}) \([\d.]+s\)$/u.exec(line) ?? [];
    if (test !== undefined) open.push(test);
    const [, path] = /^(?:FAIL|ok {2})\t(\S{1,300})/u.exec(line) ?? [];
    if (path === undefined) return [];
    const named = open.map((name) => `${path}.${name}`);
    open = [];
    return named;
  });
};

const readers: Readonly<Record<string, NameReader>> = {
  'node:test': readNode,
  vitest: each(/^ FAIL {2}(.{1,400} > .{1,400})$/u),
  jest: readJest,
  pytest: each(/^FAILED (\S{1,300}::.{1,300}?)(?: - .*)?$/u),
  unittest: each(/^FAIL: (\S.{1,400})$/u),
  go: readGo,
  cargo: each(/^test (\S{1,300}) \.\.\. FAILED$/u),
};

/** Null when the report names them in no form that is known here, or not all of them. */
export function listFailedTests(
  output: string,
  { runner, failed }: { readonly runner: string; readonly failed: number },
): ReadonlySet<string> | null {
  const names = readers[runner]?.(toLines(output)) ?? null;
  if (names === null) return null;
  const once = new Set(names);
  return once.size === failed ? once : null;
}
