/**
 * Which commands install a project's dependencies and run its tests, by the files in its root. A copy that agents work in
 * has no home folder to keep a cache in, so every command keeps what it fetches below the project.
 *
 * Commands and hosts come from this file alone. What a repository writes into its files decides which of them is proposed,
 * and never becomes a part of one.
 */

export interface ProjectFacts {
  /** Names of files and folders in the root. */
  readonly names: ReadonlySet<string>;
  /** Texts of the files that are read: `package.json`, `.gitignore` and the like; null when they are not there. */
  readonly textOf: (name: string) => string | null;
  /** Whether a program is on the search path. */
  readonly hasProgram: (name: string) => boolean;
}

export interface DetectedProject {
  /** What kind it was taken for, and by which file: "npm (package-lock.json)". */
  readonly kind: string;
  /** Null: nothing has to be installed, or it is not known how. */
  readonly setup: string | null;
  readonly setupHosts: readonly string[];
  readonly verify: string | null;
  /** What a person should know about it. */
  readonly notes: readonly string[];
}

interface Recipe {
  readonly program: string;
  readonly setup: string | null;
  readonly hosts: readonly string[];
  readonly verify: string | null;
  readonly notes?: readonly string[];
}

const npmHosts = ['registry.npmjs.org:443'];
const pythonHosts = ['pypi.org:443', 'files.pythonhosted.org:443'];
const cargoHosts = ['index.crates.io:443', 'static.crates.io:443'];
const mavenHosts = ['repo.maven.apache.org:443'];
const gradleHosts = [
  ...mavenHosts,
  ...['services.gradle.org:443', 'downloads.gradle.org:443', 'plugins.gradle.org:443'],
];

interface Manifest {
  readonly testScript: string;
  readonly hasDependencies: boolean;
  /** The name before the `@` in `packageManager`. */
  readonly manager: string;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function readManifest(text: string | null): Manifest {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    // A file that npm cannot read either: nothing is known of it.
  }
  const { scripts, dependencies, devDependencies, packageManager } = objectOf(value);
  const { test } = objectOf(scripts);
  return {
    testScript: typeof test === 'string' ? test : '',
    hasDependencies: [dependencies, devDependencies].some((one) => Object.keys(objectOf(one)).length > 0),
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

function installCommand(manager: NodeManager, lockFile: string | null, isModernYarn: boolean): string {
  if (lockFile === null) return `${manager} install`;
  if (manager === 'npm') return 'npm ci';
  return `${manager} install ${manager === 'yarn' && isModernYarn ? '--immutable' : '--frozen-lockfile'}`;
}

/** For all packages or for a scope, in a line that is no comment. */
function namesRegistry(settings: string | null): boolean {
  return /^[ \t]*(?:@[^\s=:]+:)?registry[ \t]*=/mu.test(settings ?? '');
}

function detectNode({ names, textOf }: ProjectFacts): [string, Recipe] | null {
  if (!names.has('package.json')) return null;
  const { testScript, hasDependencies, manager: named } = readManifest(textOf('package.json'));
  const [lockFile, locked] = lockFiles.find(([file]) => names.has(file)) ?? [null, null];
  const manager = locked ?? lockFiles.find(([, one]) => one === named)?.[1] ?? 'npm';
  const needsSetup = lockFile !== null || hasDependencies;
  // What npm writes for a project without tests fails by design.
  const hasTests = testScript.trim() !== '' && !testScript.includes('no test specified');
  const notes = [
    ...(hasTests ? [] : ['package.json has no test script, so no test command is proposed']),
    ...(needsSetup && namesRegistry(textOf('.npmrc'))
      ? ['.npmrc names a registry: add its host to fleet.setupHosts, if it is another than npm’s own']
      : []),
  ];
  return [
    lockFile ?? 'package.json',
    {
      program: manager,
      setup: needsSetup ? installCommand(manager, lockFile, names.has('.yarnrc.yml')) : null,
      hosts: npmHosts,
      // "bun test" is bun's own runner, whatever the script says.
      verify: hasTests ? (manager === 'bun' ? 'bun run test' : `${manager} test`) : null,
      notes,
    },
  ];
}

/** Whether git is told to leave a folder out. An entry that is written in another way is not recognised. */
function isIgnored({ textOf }: ProjectFacts, folder: string): boolean {
  const lines = (textOf('.gitignore') ?? '').split(/\r?\n/u).map((line) => line.trim());
  return lines.some((line) => [folder, `/${folder}`, `${folder}/`, `/${folder}/`].includes(line));
}

function unlessIgnored(facts: ProjectFacts, folder: string): string[] {
  return isIgnored(facts, folder)
    ? []
    : [`add ${folder}/ to .gitignore: dependencies are installed there, and must not be committed`];
}

function hasPytest({ names, textOf }: ProjectFacts): boolean {
  const told = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt'];
  return names.has('pytest.ini') || told.some((name) => /\bpytest\b/u.test(textOf(name) ?? ''));
}

function detectPython(facts: ProjectFacts): [string, Recipe] | null {
  const { names } = facts;
  const test = hasPytest(facts) ? 'pytest' : 'unittest';
  if (names.has('uv.lock'))
    return [
      'uv.lock',
      {
        ...{ program: 'uv', setup: 'uv sync --locked', hosts: pythonHosts },
        verify: `uv run --offline python -m ${test}`,
      },
    ];
  if (names.has('poetry.lock'))
    return [
      'poetry.lock',
      {
        program: 'poetry',
        setup: 'env POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
        hosts: pythonHosts,
        verify: `poetry run python -m ${test}`,
        notes: unlessIgnored(facts, '.venv'),
      },
    ];
  if (names.has('requirements.txt'))
    return [
      'requirements.txt',
      {
        program: 'python3',
        setup: 'python3 -m pip install --target .venv/packages -r requirements.txt',
        hosts: pythonHosts,
        verify: `env PYTHONPATH=.venv/packages python3 -m ${test}`,
        notes: unlessIgnored(facts, '.venv'),
      },
    ];
  if (!names.has('pyproject.toml') && !names.has('setup.py')) return null;
  const file = names.has('pyproject.toml') ? 'pyproject.toml' : 'setup.py';
  return [
    file,
    {
      program: 'python3',
      setup: 'python3 -m pip install --target .venv/packages .',
      hosts: pythonHosts,
      verify: `env PYTHONPATH=.venv/packages python3 -m ${test}`,
      notes: unlessIgnored(facts, '.venv'),
    },
  ];
}

function detectGo(facts: ProjectFacts): [string, Recipe] | null {
  const { names } = facts;
  if (!names.has('go.mod')) return null;
  const needsModules = names.has('go.sum') && !names.has('vendor');
  return [
    'go.mod',
    {
      program: 'go',
      // The usual cache is in the home folder; a vendor folder is used without further words.
      setup: needsModules ? 'go mod vendor' : null,
      hosts: ['proxy.golang.org:443', 'sum.golang.org:443'],
      verify: 'go test ./...',
      notes: needsModules ? unlessIgnored(facts, 'vendor') : [],
    },
  ];
}

function detectCargo(facts: ProjectFacts): [string, Recipe] | null {
  if (!facts.names.has('Cargo.toml')) return null;
  const home = 'env CARGO_HOME=target/cargo-home cargo';
  return [
    'Cargo.toml',
    {
      program: 'cargo',
      setup: `${home} fetch${facts.names.has('Cargo.lock') ? ' --locked' : ''}`,
      hosts: cargoHosts,
      verify: `${home} test --offline`,
      notes: unlessIgnored(facts, 'target'),
    },
  ];
}

function detectMaven(facts: ProjectFacts): [string, Recipe] | null {
  const { names } = facts;
  if (!names.has('pom.xml')) return null;
  const hasWrapper = names.has('mvnw');
  const maven = `${hasWrapper ? 'env MAVEN_USER_HOME=target/maven ./mvnw' : 'mvn'} -B -Dmaven.repo.local=target/maven-repository`;
  return [
    'pom.xml',
    {
      program: hasWrapper ? 'java' : 'mvn',
      setup: `${maven} dependency:go-offline`,
      hosts: mavenHosts,
      verify: `${maven} -o test`,
      notes: unlessIgnored(facts, 'target'),
    },
  ];
}

function detectGradle(facts: ProjectFacts): [string, Recipe] | null {
  const { names } = facts;
  const file = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'].find((name) =>
    names.has(name),
  );
  if (file === undefined) return null;
  const hasWrapper = names.has('gradlew');
  const gradle = `env GRADLE_USER_HOME=.gradle/home ${hasWrapper ? './gradlew' : 'gradle'} --no-daemon`;
  return [
    file,
    {
      program: hasWrapper ? 'java' : 'gradle',
      setup: `${gradle} testClasses`,
      hosts: gradleHosts,
      verify: `${gradle} --offline test`,
      notes: unlessIgnored(facts, '.gradle'),
    },
  ];
}

function detectMake({ names, textOf }: ProjectFacts): [string, Recipe] | null {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => names.has(name));
  if (file === undefined) return null;
  const text = textOf(file) ?? '';
  const target = (...wanted: string[]): string | undefined =>
    wanted.find((name) => new RegExp(`^${name}[ \\t]*:(?!=)`, 'mu').test(text));
  const [setup, verify] = [target('setup', 'deps'), target('test', 'check')];
  if (verify === undefined) return null;
  const notes =
    setup === undefined ? [] : [`add the hosts that "make ${setup}" has to reach to fleet.setupHosts`];
  return [
    file,
    {
      ...{ program: 'make', hosts: [], notes },
      setup: setup === undefined ? null : `make ${setup}`,
      verify: `make ${verify}`,
    },
  ];
}

const detectors = [detectNode, detectPython, detectGo, detectCargo, detectMaven, detectGradle, detectMake];

/** The first kind that fits, with the others named; null when none does. */
export function detectProject(facts: ProjectFacts): DetectedProject | null {
  const [first, ...others] = detectors.map((detect) => detect(facts)).filter((one) => one !== null);
  if (first === undefined) return null;
  const [file, { program, setup, hosts, verify, notes = [] }] = first;
  // A Makefile beside another build is often a front for it.
  const fromMake = verify === null ? others.find(([, one]) => one.program === 'make')?.[1].verify : undefined;
  if (!facts.hasProgram(program))
    return {
      ...{ kind: `${program} (${file})`, setup: null, setupHosts: [], verify: null },
      notes: [`${file} is there, but "${program}" is not on your PATH, so no command is proposed`],
    };
  return {
    kind: `${program} (${file})`,
    setup,
    setupHosts: setup === null ? [] : hosts,
    verify: fromMake ?? verify,
    notes: [
      ...notes,
      ...(others.length === 0
        ? []
        : [`also found, and not proposed: ${others.map(([name]) => name).join(', ')}`]),
    ],
  };
}
