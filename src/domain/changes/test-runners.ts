/**
 * Which files the common test runners run, by their own conventions, and which of the runners a project has. A file
 * that only looks like a test does not count as one: it shows nothing about the change that it comes with.
 */

import { configuredRuns, filesInCommand, type Manifest } from './configured-tests.ts';
import { globsToExpression, noTests } from './test-globs.ts';

export interface TestRunner {
  readonly name: string;
  /** What it runs, by its own defaults. */
  readonly runs: RegExp;
  /** How a command or a script calls it. */
  readonly called: RegExp;
  /** Files at the root of a project that show that it is used, small letters. */
  readonly shownBy?: readonly string[];
}

const script = '[cm]?[jt]sx?';

export const testRunners: readonly TestRunner[] = [
  {
    name: 'vitest',
    runs: new RegExp(`(^|/)[^/]+\\.(test|spec)\\.${script}$`, 'u'),
    called: /\bvitest\b/u,
  },
  {
    name: 'jest',
    runs: new RegExp(`(^|/)[^/]+\\.(test|spec)\\.${script}$|(^|/)__tests__/([^/]+/)*[^/]+\\.${script}$`, 'u'),
    called: /\bjest\b|\breact-scripts test\b/u,
  },
  { name: 'mocha', runs: /(^|\/)test\/[^/]+\.[cm]?js$/u, called: /\bmocha\b/u },
  {
    name: 'ava',
    runs: /(^|\/)([^/]+\.(test|spec)|test-[^/]+|test)\.[cm]?js$|(^|\/)(tests?|__tests__)\/([^/]+\/)*[^/_][^/]*\.[cm]?js$/u,
    called: /\bava\b/u,
  },
  {
    name: 'node:test',
    runs: /(^|\/)([^/]+[._-]test|test-[^/]+|test)\.[cm]?[jt]s$|(^|\/)test\/([^/]+\/)*[^/]+\.[cm]?[jt]s$/u,
    called: /\bnode\b.*\s--test\b/u,
  },
  {
    name: 'bun',
    runs: /(^|\/)[^/]+[._](test|spec)\.[jt]sx?$/u,
    called: /\bbun test\b/u,
  },
  {
    name: 'deno',
    runs: /(^|\/)([^/]+[._])?test\.(ts|tsx|mts|js|mjs|jsx)$/u,
    called: /\bdeno test\b/u,
    shownBy: ['deno.json', 'deno.jsonc'],
  },
  { name: 'playwright', runs: /(^|\/)[^/]+\.(test|spec)\.[cm]?[jt]s$/u, called: /\bplaywright test\b/u },
  {
    name: 'pytest',
    runs: /(^|\/)(test_[^/]+|[^/]+_test)\.py$/u,
    called: /\bpytest\b|\bpy\.test\b/u,
    shownBy: ['pytest.ini', 'conftest.py', 'tox.ini', 'noxfile.py'],
  },
  { name: 'unittest', runs: /(^|\/)test[^/]*\.py$/u, called: /\bunittest\b|\bmanage\.py test\b/u },
  {
    name: 'go',
    runs: /(^|\/)[^_./][^/]*_test\.go$/u,
    called: /\bgo test\b|\bgotestsum\b/u,
    shownBy: ['go.mod'],
  },
  {
    name: 'cargo',
    runs: /(^|\/)tests\/([^/]+|[^/]+\/main)\.rs$/u,
    called: /\bcargo (test|nextest)\b/u,
    shownBy: ['cargo.toml'],
  },
  {
    name: 'rspec',
    runs: /(^|\/)spec\/([^/]+\/)*[^/]+_spec\.rb$/u,
    called: /\brspec\b/u,
    shownBy: ['.rspec'],
  },
  {
    name: 'minitest',
    runs: /(^|\/)test\/([^/]+\/)*([^/]+_test|test_[^/]+)\.rb$/u,
    called: /\bminitest\b|\brails test\b|\brake test\b/u,
  },
  {
    name: 'phpunit',
    runs: /(^|\/)tests?\/([^/]+\/)*[^/]+Test\.php$/u,
    called: /\b(phpunit|pest|artisan test)\b/u,
    shownBy: ['phpunit.xml', 'phpunit.xml.dist'],
  },
  {
    name: 'junit',
    runs: /(^|\/)src\/test\/(java|kotlin|groovy)\/([^/]+\/)*(Test[^/]*|[^/]+(Test|Tests|TestCase))\.(java|kt)$/u,
    called: /\b(mvnw?|gradlew?)\b/u,
    shownBy: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
  },
  {
    name: 'dotnet test',
    runs: /(^|\/)([^/]+\.)?(Unit|Integration)?Tests?\/([^/]+\/)*[^/]+Tests?\.(cs|fs|vb)$/u,
    called: /\bdotnet test\b/u,
  },
  {
    name: 'mix test',
    runs: /(^|\/)test\/([^/]+\/)*[^/]+_test\.exs$/u,
    called: /\bmix test\b/u,
    shownBy: ['mix.exs'],
  },
  {
    name: 'swift test',
    runs: /(^|\/)Tests\/([^/]+\/)*[^/]+Tests?\.swift$/u,
    called: /\bswift test\b|\bxcodebuild\b/u,
    shownBy: ['package.swift'],
  },
  {
    name: 'dart test',
    runs: /(^|\/)test\/([^/]+\/)*[^/]+_test\.dart$/u,
    called: /\b(dart|flutter) test\b/u,
    shownBy: ['pubspec.yaml'],
  },
  {
    name: 'sbt',
    runs: /(^|\/)src\/test\/scala\/([^/]+\/)*[^/]+(Test|Spec|Suite)\.scala$/u,
    called: /\bsbt\b/u,
    shownBy: ['build.sbt'],
  },
];

/**
 * The facts that show which runners a project has. They come from the base, because a change could bring its own
 * runner.
 */
export interface ProjectFacts {
  /** The command that verifies; null when none is set. */
  readonly verify: readonly string[] | null;
  /** Names of the files at the root. */
  readonly rootFiles: readonly string[];
  /** Files that say how tests are run, at the root and above what is changed. */
  readonly manifests: readonly Manifest[];
}

/** Programs that only call what a manifest says. */
const scriptCallers = /^(npm|pnpm|yarn|bun|npx|corepack)\b/u;
const builders =
  /^(make|gmake|just|task|tox|nox|poetry|uv|pdm|hatch|pipenv|bundle|rake|composer|bazel|ctest|\.\/gradlew|\.\/mvnw)\b/u;

function readPackage(text: string): { readonly scripts: string; readonly dependencies: readonly string[] } {
  const none = { scripts: '', dependencies: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return none;
  }
  if (typeof json !== 'object' || json === null) return none;
  const part = (name: string): object => {
    const value: unknown = Object.getOwnPropertyDescriptor(json, name)?.value;
    return typeof value === 'object' && value !== null ? value : {};
  };
  const scripts = Object.values(part('scripts')).filter((one) => typeof one === 'string');
  return {
    scripts: scripts.join('\n'),
    dependencies: [...Object.keys(part('devDependencies')), ...Object.keys(part('dependencies'))],
  };
}

/** The files that a command or a script names itself, as a runner of its own; null when it names none. */
function findNamedFiles(
  commands: readonly { readonly folder: string; readonly line: string }[],
): TestRunner | null {
  const found = commands.flatMap(({ folder, line }) => {
    const files = filesInCommand(line);
    return files.length === 0 ? [] : [globsToExpression(files, folder).source];
  });
  if (found.length === 0) return null;
  return { name: 'the command', runs: new RegExp(found.join('|'), 'u'), called: noTests };
}

/**
 * The runners that a project’s own command starts, each with what its configuration says is a test. Empty when they
 * cannot be determined: then no file counts as a test that was run.
 */
export function findTestRunners(facts: ProjectFacts): readonly TestRunner[] {
  return listRunners(facts).map((runner) => {
    const runs = configuredRuns(facts.manifests, runner.name);
    return runs === null ? runner : { ...runner, runs };
  });
}

function listRunners({ verify, rootFiles, manifests }: ProjectFacts): readonly TestRunner[] {
  const command = (verify ?? []).join(' ');
  const named = testRunners.filter(({ called }) => called.test(command));
  const own = findNamedFiles([{ folder: '', line: command }]);
  if (named.length > 0 || own !== null) return own === null ? named : [...named, own];
  const packages = manifests
    .filter(({ path }) => path.endsWith('package.json'))
    .map(({ path, text }) => ({ folder: path.slice(0, -'package.json'.length), ...readPackage(text) }));
  const lines = packages.flatMap(({ folder, scripts }) =>
    scripts.split('\n').map((line) => ({ folder, line })),
  );
  const inScripts = testRunners.filter(
    ({ name, called }) =>
      lines.some(({ line }) => called.test(line)) ||
      packages.some(({ dependencies }) => dependencies.includes(name)),
  );
  const files = findNamedFiles(lines);
  const behindScripts = files === null ? inScripts : [...inScripts, files];
  if (scriptCallers.test(command)) return behindScripts;
  if (command !== '' && !builders.test(command)) return [];
  const roots = rootFiles.map((name) => name.toLowerCase());
  const python = manifests.filter(({ path }) => path.endsWith('.toml')).map(({ text }) => text);
  const shown = testRunners.filter(
    ({ name, shownBy = [] }) =>
      shownBy.some((file) => roots.includes(file)) ||
      (name === 'pytest' && python.some((text) => /\bpytest\b/u.test(text))),
  );
  return [...new Set([...behindScripts, ...shown])];
}
