/**
 * The chain of the bench: an issue is implemented, reviewed, corrected, reviewed again and merged on the local forge,
 * with models that answer at once. The project has one function and one test of it; every commit is checked by
 * `node --test`, here and by the peer.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { readChildrenTime } from './measure.ts';
import { benchFolder, programFile } from './published-package.ts';

export interface ChainSample {
  readonly milliseconds: number;
  /** Processor time of the program and of everything that it started. */
  readonly cpuMilliseconds: number;
  /** `fsync` and `fdatasync` of the program itself, and of git; null without strace. */
  readonly syncs: { readonly own: number; readonly git: number } | null;
  /** Git processes by their subcommand. */
  readonly git: ReadonlyMap<string, number> | null;
}

const playground = join(benchFolder, 'chain');
const check = 'node --test';

/** As on a machine with Node and git: npm puts hundreds of programs of packages in front, and a sandbox shows each. */
const machinePath = [
  dirname(process.execPath),
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')) && !folder.includes('node-gyp-bin')),
].join(delimiter);

const env = {
  PATH: machinePath,
  HOME: playground,
  GIT_CONFIG_NOSYSTEM: '1',
  GATEWRIGHT_ACTOR: 'alice',
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  TZ: 'UTC',
};

const report = (summary: string) => ({
  text: 'Done.',
  object: { summary, testing: 'None.', risk: 'auto-merge', questions: [] },
});

const review = (call: number, findings: readonly object[]) => ({
  role: 'reviewer',
  call,
  request: { includes: ['src/sum.mjs'] },
  answer: { object: { summary: findings.length === 0 ? 'Fine.' : 'One bug.', findings } },
});

const testOf = (cases: string): string =>
  `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { sum } from '../src/sum.mjs';\n\n${cases}\n`;
const testOfNumbers = "test('of two', () => assert.equal(sum(1, 2), 3));";

const files = {
  'README.md': '# Sums\n',
  'src/sum.mjs': 'export function sum(a, b) {\n  return a - b;\n}\n',
  'test/sum.test.mjs': testOf("test('of nothing', () => assert.equal(sum(0, 0), 0));"),
};

/** The two changes: the files that each leaves behind. */
const changes = [
  {
    'src/sum.mjs': files['src/sum.mjs'].replace('a - b', 'a + b'),
    'test/sum.test.mjs': testOf(testOfNumbers),
  },
  {
    'src/sum.mjs': files['src/sum.mjs'].replace('a - b', 'Number(a) + Number(b)'),
    'test/sum.test.mjs': testOf(`${testOfNumbers}\ntest('of texts', () => assert.equal(sum('1', '2'), 3));`),
  },
] as const;
const write = (change: object) =>
  Object.entries(change).map(([path, content]) => ({ write: path, content: String(content) }));

const tape = {
  format: 'gatewright-cassette/1',
  about: 'A chain of agents.',
  models: {
    coder: { name: 'claude-sonnet-4-5', title: 'Claude' },
    reviewer: { name: 'gemini-2.5-pro', title: 'Gemini' },
    writer: { name: 'gemini-2.5-pro', title: 'Gemini' },
  },
  work: [
    {
      ...{ role: 'implementer', call: 1, request: { includes: ['sum subtracts'] } },
      steps: write(changes[0]),
      outcome: report('sum adds now.'),
    },
    {
      ...{ role: 'fixer', call: 1, request: { includes: ['joined instead of added'] } },
      steps: write(changes[1]),
      outcome: report('Texts are added too.'),
    },
  ],
  calls: [
    review(1, [
      {
        ...{ path: 'src/sum.mjs', line: 2, severity: 'major', category: 'bug' },
        ...{ title: 'Texts are joined instead of added', detail: "sum('1', '2') is '12'." },
      },
    ]),
    review(2, []),
  ],
};

/** A repository with the two files, in a folder of its own on the disk of the project. */
function makeRepository(name: string): string {
  const folder = join(playground, name);
  const repository = join(folder, 'sums');
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(repository, path, '..'), { recursive: true });
    writeFileSync(join(repository, path), content);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, env });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@gatewright.invalid');
  git('config', 'commit.gpgSign', 'false');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');
  return repository;
}

export function removeRepository(name: string): void {
  rmSync(join(playground, name), { recursive: true, force: true });
}

export const hasStrace = spawnSync('strace', ['-V']).status === 0;
const traced = [
  'strace',
  '-f',
  '-qq',
  '-s',
  '200',
  '-e',
  'trace=execve,fsync,fdatasync',
  '-e',
  'signal=none',
];

interface Played {
  readonly command: readonly string[];
  readonly repository: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly isTraced: boolean;
}

const call = /^(?<process>\d+) +(?:execve\("(?<program>[^"]*)", \[(?<args>.*)\]|(?<sync>fsync|fdatasync)\()/u;

/** Counts what a trace holds: a process is git from the moment that it executes git. */
function readTrace(file: string): Pick<ChainSample, 'syncs' | 'git'> {
  const gitProcesses = new Set<string>();
  const counts = new Map<string, number>();
  const syncs = { own: 0, git: 0 };
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const { process: id = '', program, args = '', sync } = call.exec(line)?.groups ?? {};
    if (sync !== undefined) syncs[gitProcesses.has(id) ? 'git' : 'own'] += 1;
    // One that is looked for along PATH fails until it is found.
    if (program === undefined || !/\/git$/u.test(program) || line.includes('= -1 ENOENT')) continue;
    gitProcesses.add(id);
    const name = readSubcommand(args);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { syncs, git: counts };
}

const valued = new Set(['-c', '-C', '--git-dir', '--work-tree', '--shallow-file']);

/** The first word that is neither an option nor the value of one. */
function readSubcommand(args: string): string {
  const words = [...args.matchAll(/"(?<word>(?:[^"\\]|\\.)*)"/gu)]
    .map((match) => match.groups?.word ?? '')
    .slice(1);
  let at = 0;
  while (words[at]?.startsWith('-') === true) at += valued.has(words[at] ?? '') ? 2 : 1;
  return words[at] ?? '?';
}

/** Runs a command to its end; with strace it is slower, so that times and counts come from different runs. */
function measureCommand({ command, repository, environment, isTraced }: Played): ChainSample {
  const trace = join(repository, '..', 'trace');
  const [program = '', ...args] = isTraced ? [...traced, '-o', trace, ...command] : command;
  const before = readChildrenTime();
  const began = performance.now();
  const child = spawnSync(program, args, {
    cwd: repository,
    env: { ...env, ...environment },
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const milliseconds = performance.now() - began;
  if (child.status !== 0)
    throw new Error(`${command.join(' ')} ended with ${child.status ?? child.signal}:\n${child.stderr}`);
  const cpuMilliseconds = readChildrenTime() - before;
  return { milliseconds, cpuMilliseconds, ...(isTraced ? readTrace(trace) : { syncs: null, git: null }) };
}

/**
 * What the chain needs of git and of the project's check, and nothing else: a branch with two commits in a work tree of
 * its own, a difference to read for each review, and one commit on the base. Each commit is checked, and so is the merge;
 * the tests of each commit are also run without its change, where they have to fail.
 */
export function playPeer(name: string, isTraced: boolean): ChainSample {
  const repository = makeRepository(name);
  const change = (index: number): string =>
    Object.keys(changes[0])
      .map((path) => `cp ../change-${index}/${path} ../work/${path}`)
      .join('\n');
  for (const [index, files] of changes.entries())
    for (const [path, content] of Object.entries(files)) {
      const file = join(repository, '..', `change-${index}`, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, content);
    }
  const prove = `
    (cd ../work && ${check})
    git worktree add --quiet --detach ../before main
    git -C ../before checkout --quiet topic -- test
    (cd ../before && ! ${check})
    git worktree remove --force ../before`;
  const script = `
    git worktree add --quiet -b topic ../work main
    ${change(0)}
    git -C ../work commit --quiet --all --message 'Add numbers'
    ${prove}
    git diff main...topic
    ${change(1)}
    git -C ../work commit --quiet --all --message 'Add texts'
    ${prove}
    git diff main...topic
    git worktree remove --force ../work
    git merge --quiet --squash topic
    ${check}
    git commit --quiet --message 'sum subtracts'
    git branch --quiet --delete --force topic`;
  return measureCommand({ command: ['sh', '-e', '-c', script], repository, environment: {}, isTraced });
}

/** Alice files the issue; what agents then do is what is measured. */
export function playChain(name: string, isTraced: boolean, program = programFile): ChainSample {
  const repository = makeRepository(name);
  const cassette = join(repository, '..', 'tape.json');
  writeFileSync(cassette, JSON.stringify(tape));
  const environment = {
    GATEWRIGHT_DATABASE_URL: join(repository, '..', 'gatewright.db'),
    GATEWRIGHT_VERIFY: check,
    GATEWRIGHT_CODER: `cassette:${cassette}`,
    GATEWRIGHT_CODE_REVIEWER: `cassette:${cassette}`,
    GATEWRIGHT_WRITER: `cassette:${cassette}`,
  };
  const words = ['--title', 'sum subtracts', '--body', 'sum(1, 2) is -1. @claude please.'];
  execFileSync(process.execPath, [program, 'forge', 'issue', 'create', ...words], {
    cwd: repository,
    env: { ...env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const command = [process.execPath, program, 'dispatch'];
  const sample = measureCommand({ command, repository, environment, isTraced });
  // A chain that stopped on the way would be a quick one.
  const merged = execFileSync('git', ['show', 'main:src/sum.mjs'], {
    cwd: repository,
    env,
    encoding: 'utf8',
  });
  if (merged !== changes[1]['src/sum.mjs']) throw new Error('The chain did not end with a merge.');
  return sample;
}
