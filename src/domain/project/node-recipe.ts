/** Node.js: npm, pnpm, yarn and bun. */
import { firstName, noteMissing, objectOf, type ProjectFacts, parseObject, type Recipe } from './recipe.ts';
import { findScript, lintScripts, readScripts, type Scripts, typeScripts } from './scripts-of-project.ts';

interface Manifest {
  readonly scripts: Scripts;
  readonly dependencies: ReadonlySet<string>;
  /** The name before the `@` in `packageManager`. */
  readonly manager: string;
}

function readManifest(text: string | null): Manifest {
  const { scripts, dependencies, devDependencies, packageManager } = parseObject(text);
  return {
    scripts: readScripts(scripts),
    dependencies: new Set([dependencies, devDependencies].flatMap((one) => Object.keys(objectOf(one)))),
    manager: typeof packageManager === 'string' ? (packageManager.split('@')[0] ?? '') : '',
  };
}

const lockFiles = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
] as const;

type NodeManager = (typeof lockFiles)[number][1];

/** A lock file that installing makes would be taken for a part of the change. */
const withoutLock: Readonly<Record<NodeManager, string>> = {
  npm: ' --no-package-lock',
  pnpm: ' --no-lockfile',
  yarn: ' --no-lockfile',
  bun: ' --no-save',
};

function installCommand(manager: NodeManager, lockFile: string | null, isModernYarn: boolean): string {
  // Newer yarn cannot do without one.
  if (lockFile === null) return `${manager} install${isModernYarn ? '' : withoutLock[manager]}`;
  if (manager === 'npm') return 'npm ci';
  return `${manager} install ${manager === 'yarn' && isModernYarn ? '--immutable' : '--frozen-lockfile'}`;
}

/** How a manager starts a program that a dependency brings, without fetching it. */
const starters: Readonly<Record<NodeManager, string>> = {
  npm: 'npm exec --no --',
  pnpm: 'pnpm exec',
  yarn: 'yarn run',
  bun: 'bun run',
};

/** For all packages or for a scope, in a line that is no comment. */
function namesRegistry(settings: string | null): boolean {
  return /^[ \t]*(?:@[^\s=:]+:)?registry[ \t]*=/mu.test(settings ?? '');
}

interface Checker {
  readonly tool: string;
  /** The package that brings it. */
  readonly dependency: string;
  /** Files whose presence shows that it is set up. */
  readonly files: RegExp;
  readonly command: string;
}

const linters: readonly Checker[] = [
  { tool: 'Biome', dependency: '@biomejs/biome', files: /^biome\.jsonc?$/u, command: 'biome ci .' },
  {
    ...{ tool: 'ESLint', dependency: 'eslint', command: 'eslint .' },
    files: /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?)$/u,
  },
];

const compiler: Checker = {
  tool: 'TypeScript',
  dependency: 'typescript',
  files: /^tsconfig\.json$/u,
  command: 'tsc --noEmit',
};

interface Check {
  readonly command: string | null;
  readonly notes: readonly string[];
}

/** A tool that is set up and that no script runs. */
function findChecker(
  { names }: ProjectFacts,
  checkers: readonly Checker[],
  { dependencies }: Manifest,
  start: string,
  what: 'lint' | 'type check',
): Check {
  const found = checkers.filter(({ files }) => [...names].some((name) => files.test(name)));
  const installed = found.find(({ dependency }) => dependencies.has(dependency));
  if (installed !== undefined) return { command: `${start} ${installed.command}`, notes: [] };
  return { command: null, notes: found.slice(0, 1).map(({ tool }) => noteMissing(tool, what)) };
}

function findLint(facts: ProjectFacts, manifest: Manifest, manager: NodeManager): Check {
  const script = findScript(manifest.scripts, lintScripts);
  if (script !== null) return { command: `${manager} run ${script}`, notes: [] };
  return findChecker(facts, linters, manifest, starters[manager], 'lint');
}

function findTypes(facts: ProjectFacts, manifest: Manifest, manager: NodeManager): Check {
  const script = findScript(manifest.scripts, typeScripts);
  if (script !== null) return { command: `${manager} run ${script}`, notes: [] };
  // Such a file usually only lists other projects, and the compiler would look at none of them.
  const isSplit = /"references"\s*:/u.test(facts.textOf('tsconfig.json') ?? '');
  if (isSplit && facts.names.has('tsconfig.json'))
    return {
      command: null,
      notes: ['tsconfig.json refers to other projects: add a script "typecheck" to package.json'],
    };
  return findChecker(facts, [compiler], manifest, starters[manager], 'type check');
}

/** "bun test" is bun's own runner, whatever the script says. */
function testCommand(manager: NodeManager, hasTests: boolean): string | null {
  if (!hasTests) return null;
  return manager === 'bun' ? 'bun run test' : `${manager} test`;
}

export function detectNode(facts: ProjectFacts): Recipe | null {
  const { names, textOf } = facts;
  if (!names.has('package.json')) return null;
  const manifest = readManifest(textOf('package.json'));
  const lockFile = firstName(
    names,
    lockFiles.map(([file]) => file),
  );
  const known = lockFiles.find(([file, one]) =>
    lockFile === null ? one === manifest.manager : file === lockFile,
  );
  const manager = known?.[1] ?? 'npm';
  const needsSetup = lockFile !== null || manifest.dependencies.size > 0;
  const hasTests = findScript(manifest.scripts, ['test']) !== null;
  const [lint, types] = [findLint(facts, manifest, manager), findTypes(facts, manifest, manager)];
  return {
    program: manager,
    file: lockFile ?? 'package.json',
    setup: needsSetup ? installCommand(manager, lockFile, names.has('.yarnrc.yml')) : null,
    hosts: ['registry.npmjs.org:443'],
    verify: testCommand(manager, hasTests),
    lint: lint.command,
    types: types.command,
    testNotes: hasTests ? [] : ['package.json has no test script, so no test command is proposed'],
    setupNotes:
      needsSetup && namesRegistry(textOf('.npmrc'))
        ? ['.npmrc names a registry: add its host to fleet.setupHosts, if it is another than npm’s own']
        : [],
    checkNotes: [...lint.notes, ...types.notes],
  };
}
