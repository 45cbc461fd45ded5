/** The scripts that a manifest names (package.json, composer.json): which of them check something, and only check. */
import { objectOf } from './recipe.ts';

/** A script by name; a list of commands is one script. */
export type Scripts = ReadonlyMap<string, string>;

export function readScripts(value: unknown): Scripts {
  const lines = (one: unknown): string[] =>
    (Array.isArray(one) ? one : [one]).filter((line) => typeof line === 'string');
  return new Map(Object.entries(objectOf(value)).map(([name, one]) => [name, lines(one).join(' && ')]));
}

const longest = 10_000;

/** What only prints or ends checks nothing: npm writes such a script for a project without tests. */
function isPlaceholder(script: string): boolean {
  if (script.length > longest) return false;
  return (
    script.includes('no test specified') ||
    script.split(/&&|;/u).every((part) => /^(?:echo\b[^|&<>$`]*|true|:|exit(?: \d+)?)?$/u.test(part.trim()))
  );
}

/** A script that repairs what it finds says nothing about what it was given. */
function repairs(script: string): boolean {
  return /\s--(?:fix|write)\b(?!-dry-run)|\bphpcbf\b|\bphp-cs-fixer fix\b(?!.*--dry-run)/u.test(
    script.slice(0, longest),
  );
}

/** The first of the names that stands for a script which checks. */
export function findScript(scripts: Scripts, names: readonly string[]): string | null {
  return (
    names.find((name) => {
      const script = scripts.get(name);
      return script !== undefined && !isPlaceholder(script) && !repairs(script);
    }) ?? null
  );
}

/** Names that people give to scripts which lint. */
export const lintScripts: readonly string[] = [
  ...['lint', 'lint:check', 'lint-check', 'check:lint', 'lint:ci', 'lint:all', 'eslint'],
];

/** Names that people give to scripts which check types. */
export const typeScripts: readonly string[] = [
  ...['typecheck', 'type-check', 'type:check', 'types', 'check-types', 'check:types', 'types:check', 'tsc'],
  ...['check:type', 'check:ts', 'lint:types', 'lint:ts', 'ts:check', 'ts-check', 'test:types'],
];
