/**
 * Changes to what decides which tests run and whether a failure counts: scripts, settings of runners and of coverage,
 * builds, and programs that would be started in the place of a runner.
 */
import { judgePath } from '../../../../domain/changes/path-class.ts';
import { blocksOf, type DiffFile, type DiffLine } from './read-diff.ts';
import { isComment } from './test-cases.ts';
import type { Weakened } from './weakened.ts';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** Files whose whole content is about tests and coverage. */
const runnerConfig =
  /^(?:(?:vitest|jest|ava|karma|playwright|cypress|wdio)(?:\.[\w-]+)*\.(?:config|conf|workspace)\.[cm]?[jt]s(?:on)?|(?:vitest|jest|ava|karma|playwright|cypress)\.(?:config|conf|workspace|setup)\.\w+|\.mocharc(?:\.\w+)?|mocha\.opts|\.taprc|\.nycrc(?:\.\w+)?|\.c8rc(?:\.\w+)?|pytest\.ini|\.coveragerc|nextest\.toml|phpunit\.xml(?:\.dist)?|\.rspec|codecov\.ya?ml|\.codecov\.ya?ml)$/u;
/** Files that hold such settings among others. */
const mixedConfig =
  /^(?:package\.json|pyproject\.toml|tox\.ini|setup\.cfg|vite\.config\.\w+|cargo\.toml|noxfile\.py|deno\.jsonc?|bunfig\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/u;
const chosenTests =
  /["']?\b(?:testMatch|testRegex|testPathIgnorePatterns|testNamePattern|testpaths|python_files|python_functions|python_classes|addopts|norecursedirs|collect_ignore|passWithNoTests|allowOnly|dangerouslyIgnoreUnhandledErrors|bail|include|exclude|spec|ignore|files|retry|retries|coverageThreshold|setupFiles(?:AfterEnv)?|globalSetup|alias|moduleNameMapper|runner|testRunner|testEnvironment)\b["']?\s*[:=]/u;
const threshold =
  /["']?\b(branches|functions|lines|statements|fail_under|cov-fail-under|threshold|target|minimum|check-coverage)\b["']?\s*[:= ]\s*["']?(\d{1,3}(?:\.\d+)?|true|false)/u;

/** A line of a script that makes a failure count for nothing. */
const ignored =
  /\|\|\s*(?:true\b|:(?=\s|["';]|$)|exit\s+0\b|echo\b|return\s+0\b)|;\s*(?:true|exit\s+0)\s*(?:["';]|$)|^\s*exit\s+0\s*$|--pass-?with-?no-?tests\b|\bset\s+\+e\b|\bcontinue-on-error\s*:\s*true\b|\ballow_failure\s*:\s*true\b|--no-fail-on|\btrap\s+['"]?exit 0|--exitfirst-never|\bignore_errors\s*[:=]\s*(?:true|yes)|--suppress-no-test-exit-code/iu;

const scriptFile =
  /^(?:package\.json|makefile.*|gnumakefile|.*\.mk|justfile|taskfile\.ya?ml|tox\.ini|noxfile\.py|rakefile|.*\.(?:sh|bash|zsh|ps1|cmd|bat|ya?ml|toml|json))$/u;
const makeFile = /^(?:makefile.*|gnumakefile|.*\.mk|justfile)$/u;
const checkName = /^(?:pre|post)?(?:test|tests|verify|check|ci|coverage|unit|spec)(?:[:_-][\w:-]*)?$/u;

/** What a shell or a runner starts or loads by its name alone. */
const programs =
  /^(?:node|npm|npx|pnpm|yarn|bun|deno|vitest|jest|mocha|ava|tap|tape|pytest|python3?|go|cargo|make|sh|bash|env|git)(?:\.(?:sh|cmd|bat|exe|ps1|js|mjs|cjs|py))?$/u;
const loadedByName =
  /^(?:sitecustomize|usercustomize|unittest|pytest)\.py$|\.pth$|^\.npmrc$|^\.yarnrc(?:\.yml)?$|^\.pnpmfile\.cjs$|^\.node-version-hook$/u;

interface Where {
  readonly path: string;
  readonly line: number;
}

function firstChange(file: DiffFile): number {
  return blocksOf(file)[0]?.added[0]?.line ?? blocksOf(file)[0]?.removed[0]?.line ?? 1;
}

const at = (file: DiffFile, line: number): Where => ({ path: file.path, line });

/** The names of scripts and the files that the command calls. */
function readCommand(verify: readonly string[]): {
  readonly scripts: readonly string[];
  readonly files: readonly string[];
} {
  const words = verify.flatMap((word) => word.split(/[\s;&|()]+/u)).map((word) => word.replace(/^\.\//u, ''));
  return { scripts: words.filter((word) => /^[\w:.-]+$/u.test(word)), files: words };
}

function findStubs(file: DiffFile): Weakened[] {
  const name = nameOf(file.path);
  const isStub =
    /(?:^|\/)node_modules\//u.test(file.path) ||
    (programs.test(name) && !/(?:^|\/)(?:docs?|src|lib)\//u.test(file.path)) ||
    loadedByName.test(name);
  if (!isStub || file.change === 'removed') return [];
  return [
    {
      ...at(file, firstChange(file)),
      kind: 'runner-replaced',
      message: 'This file can be started or loaded in the place of a test runner.',
    },
  ];
}

/** A package of that name from another place than the registry. */
function findRedirected(file: DiffFile): Weakened[] {
  if (nameOf(file.path) !== 'package.json') return [];
  const isOther = ({ text }: DiffLine): boolean =>
    /^\s*"(?:vitest|jest|mocha|ava|tap|tape|vite|ts-jest|node-tap|c8|nyc|pytest|@[\w-]+\/[\w-]+)"\s*:\s*"(?:file:|link:|portal:|npm:|git|https?:|github:|\.{0,2}\/)/u.test(
      text,
    );
  return blocksOf(file)
    .flatMap(({ added }) => added)
    .filter(isOther)
    .map(
      ({ line }) =>
        ({
          ...at(file, line),
          kind: 'runner-replaced',
          message: 'A package comes from another place than the registry.',
        }) as const,
    );
}

function findThresholds(file: DiffFile): Weakened[] {
  return blocksOf(file).flatMap(({ removed, added }) => {
    const read = (lines: readonly DiffLine[]): [string, number, number][] =>
      lines.flatMap(({ text, line }) => {
        const [, key, value] = isComment(text) ? [] : (threshold.exec(text) ?? []);
        if (key === undefined) return [];
        return [[key, value === 'true' ? 100 : value === 'false' ? 0 : Number(value), line]];
      });
    const now = read(added);
    return read(removed).flatMap(([key, before, line]) => {
      const index = now.findIndex(([name]) => name === key);
      const [found] = index === -1 ? [] : now.splice(index, 1);
      if (found !== undefined && found[1] >= before) return [];
      const message =
        found === undefined
          ? `A threshold was removed: ${key} ${before}.`
          : `A threshold was lowered: ${key} from ${before} to ${found[1]}.`;
      return [{ ...at(file, found?.[2] ?? line), kind: 'threshold-lowered', message } as const];
    });
  });
}

function findConfig(file: DiffFile): Weakened[] {
  const name = nameOf(file.path);
  if (runnerConfig.test(name) || runnerConfig.test(nameOf(file.previousPath)))
    return [
      ...findThresholds(file),
      {
        ...at(file, firstChange(file)),
        kind: 'runner-configured',
        message: 'The settings of the test runner or of coverage were changed.',
      },
    ];
  if (!mixedConfig.test(name)) return [];
  const chosen = blocksOf(file)
    .flatMap(({ removed, added }) => [...removed, ...added])
    .find(({ text }) => chosenTests.test(text) && !(name === 'package.json' && /"files"/u.test(text)));
  return [
    ...findThresholds(file),
    ...(chosen === undefined
      ? []
      : [
          {
            ...at(file, chosen.line),
            kind: 'runner-configured',
            message: 'Which tests run was changed.',
          } as const,
        ]),
  ];
}

function findIgnored(file: DiffFile): Weakened[] {
  const isScript = scriptFile.test(nameOf(file.path)) || judgePath(file.path).class === 'steering';
  if (!isScript) return [];
  return blocksOf(file).flatMap(({ removed, added }) => {
    const before = removed.filter(({ text }) => ignored.test(text)).length;
    const now = added.filter(({ text }) => ignored.test(text) && !/^\s*(?:#|\/\/)/u.test(text));
    return now.slice(before).map(
      ({ line }) =>
        ({
          ...at(file, line),
          kind: 'failure-ignored',
          message: 'A failure of this command counts for nothing.',
        }) as const,
    );
  });
}

/** Scripts of package.json that the command calls, or whose name says that they test. */
function findPackageScripts(file: DiffFile, scripts: readonly string[]): Weakened[] {
  if (nameOf(file.path) !== 'package.json' || file.change === 'added') return [];
  return blocksOf(file).flatMap(({ removed, added }) => {
    const keys = (lines: readonly DiffLine[]): { key: string; text: string; line: number }[] =>
      lines.flatMap(({ text, line }) => {
        const [, key, value = ''] = /^\s*"([^"]{1,100})"\s*:\s*"(.{0,2000})"\s*,?\s*$/u.exec(text) ?? [];
        // A version of a package has the same form.
        if (key === undefined || /^(?:[\^~<>=]|\d|npm:|file:|workspace:|git)/u.test(value)) return [];
        return checkName.test(key) || scripts.includes(key)
          ? [{ key, text: text.trim().replace(/,$/u, ''), line }]
          : [];
      });
    const [before, now] = [keys(removed), keys(added)];
    const changed = [...before, ...now].filter(
      ({ text }) =>
        before.filter((one) => one.text === text).length !== now.filter((one) => one.text === text).length,
    );
    return [...new Map(changed.map((one) => [one.key, one])).values()].map(
      ({ key, line }) =>
        ({
          ...at(file, line),
          kind: 'check-changed',
          message: `The script ${JSON.stringify(key)} was changed.`,
        }) as const,
    );
  });
}

/** Recipes of targets that test; where the target is not shown, it may be one. */
function findTargets(file: DiffFile, scripts: readonly string[]): Weakened[] {
  if (!makeFile.test(nameOf(file.path)) || file.change === 'added') return [];
  return file.hunks.flatMap(({ below, lines }) => {
    let target = /^([\w.-]+)\s*:/u.exec(below)?.[1] ?? null;
    const found: Weakened[] = [];
    for (const { sign, text, line } of lines) {
      target = /^([\w.-]+)(?:\s[^:=]*)?:(?!=)/u.exec(text)?.[1] ?? target;
      const isCheck = target === null || checkName.test(target) || scripts.includes(target);
      if (sign === ' ' || !isCheck || text.trim() === '' || isComment(text)) continue;
      const message =
        target === null ? 'A recipe was changed.' : `The target ${JSON.stringify(target)} was changed.`;
      if (!found.some((one) => one.message === message))
        found.push({ ...at(file, line), kind: 'check-changed', message });
    }
    return found;
  });
}

/** Make reads these names before `Makefile`. */
const earlierMakefile = /(?:^|\/)(?:GNUmakefile|makefile)$/u;

function findOtherMakefile(file: DiffFile, scripts: readonly string[]): Weakened[] {
  if (file.change !== 'added' || !earlierMakefile.test(file.path) || !scripts.includes('make')) return [];
  const message = 'Make reads this file in the place of another one.';
  return [{ ...at(file, firstChange(file)), kind: 'check-changed', message }];
}

export function findScriptChanges(file: DiffFile, verify: readonly string[]): Weakened[] {
  const { scripts, files } = readCommand(verify);
  const judged = judgePath(file.path);
  const isCalled = files.includes(file.path) || files.includes(file.previousPath);
  const isBuild = judged.class === 'steering' && judged.what.startsWith('continuous integration');
  return [
    ...findStubs(file),
    ...findRedirected(file),
    ...findConfig(file),
    ...findIgnored(file),
    ...findPackageScripts(file, scripts),
    ...findTargets(file, scripts),
    ...findOtherMakefile(file, scripts),
    ...(isCalled && judged.class !== 'test'
      ? [
          {
            ...at(file, firstChange(file)),
            kind: 'check-changed',
            message: 'The command that verifies runs this file.',
          } as const,
        ]
      : []),
    ...(isBuild
      ? [
          {
            ...at(file, firstChange(file)),
            kind: 'check-changed',
            message: 'Continuous integration was changed.',
          } as const,
        ]
      : []),
  ];
}
