/**
 * What a loop costs besides the agent and the verify commands: one task, from its choice to its log, as a process of its
 * own. The peer is a shell loop that runs the same agent and the same commands as often, and commits. Then ten loops at
 * once in one repository, against the same ten one after the other.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coded, loopFiles, plan, planned, task, write } from '../test/support/loop-cassette.ts';
import { type Row, toRow } from './measure.ts';
import { benchFolder, programFile } from './published-package.ts';
import { scaled } from './scale.ts';

const rounds = 7;
const folder = join(benchFolder, 'loop');
const cassette = join(folder, 'cassette.json');
const agent = join(folder, 'agent.mjs');
const commands = ['node --test test/difference.test.js', 'node --test test/sum.test.js'];
const waits = 10;

const env = {
  PATH: process.env.PATH ?? '',
  // A home of its own, so that nobody's git configuration slows down or speeds up one machine only.
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GATEWRIGHT_ACTOR: 'bench',
  GATEWRIGHT_FORGE: 'local',
  GATEWRIGHT_CODER: `cassette:${cassette}`,
  GATEWRIGHT_PLANNER: `cassette:${cassette}`,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  TZ: 'UTC',
};

function prepare(): void {
  mkdirSync(folder, { recursive: true });
  const work = [planned(1, plan([task('difference')])), coded(1, write('difference'))];
  const models = { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } };
  writeFileSync(
    cassette,
    JSON.stringify({ format: 'gatewright-cassette/1', about: 'A loop.', models, work }),
  );
  const files = write('difference').flatMap((step) => ('write' in step ? [[step.write, step.content]] : []));
  const lines = files.map(
    ([path, content]) => `writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(content)});`,
  );
  writeFileSync(agent, `import { writeFileSync } from 'node:fs';\n${lines.join('\n')}\n`);
}

class Place {
  readonly root: string;
  readonly repository: string;
  readonly database: string;

  constructor(name: string) {
    this.root = join(folder, name);
    this.repository = join(this.root, 'project');
    this.database = join(this.root, 'gatewright.db');
    for (const [path, text] of Object.entries(loopFiles)) {
      mkdirSync(join(this.repository, path, '..'), { recursive: true });
      writeFileSync(join(this.repository, path), text);
    }
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('config', 'user.name', 'Bench');
    this.git('config', 'user.email', 'bench@gatewright.invalid');
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'Start');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.repository, env, encoding: 'utf8' }).trim();
  }

  words(...args: string[]): string[] {
    return [programFile, ...args, '--database', this.database];
  }

  /** A command that ends, or waits for a person. */
  run(...args: string[]): string {
    const options = { cwd: this.repository, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, this.words(...args), options);
    if (status !== 0 && status !== waits) throw new Error(`${args.join(' ')}: ${status}\n${stderr}${stdout}`);
    return stdout;
  }

  /** An issue whose plan is approved. */
  plan(number: number): void {
    const body = 'Add `difference` in src/, because people subtract by hand. Done when `node --test` passes.';
    this.run('forge', 'issue', 'create', '--title', 'More operations', '--body', body);
    this.run('loop', 'plan', String(number), '--quick');
    this.run('loop', 'plan', String(number), '--approve');
  }

  start(...args: string[]): Promise<void> {
    const child = spawn(process.execPath, this.words(...args), {
      ...{ cwd: this.repository, env, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) =>
        code === waits && said.includes('all tasks passed')
          ? resolve()
          : reject(new Error(`${args.join(' ')}: ${code}\n${said}`)),
      );
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

interface Sample {
  readonly wall: number;
  /** Of the verify commands. */
  readonly inCommands: number;
  readonly runs: number;
}

interface Entry {
  readonly kind: string;
  readonly data: { readonly milliseconds?: number };
}

function playOurs(round: number): Sample {
  const place = new Place(`ours-${round}`);
  try {
    place.plan(1);
    const began = performance.now();
    place.run('loop', 'implement', 'next', '--no-input');
    const wall = performance.now() - began;
    const shown = place.run('ledger', 'show', 'local/project~loop-1', '--json');
    const entries = shown
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
    const verified = entries.filter(({ kind }) => kind === 'command-verified');
    if (!entries.some(({ kind }) => kind === 'task-judged')) throw new Error('No task was judged.');
    const inCommands = verified.reduce((sum, { data }) => sum + (data.milliseconds ?? 0), 0);
    return { wall, inCommands, runs: verified.length };
  } finally {
    place.remove();
  }
}

/** What a person would write in an evening: a clean copy, the agent, a commit, the commands, a push. */
function playPeer(round: number, runs: number): Sample {
  const place = new Place(`peer-${round}`);
  try {
    const lines = Array.from({ length: runs }, (_, index) => commands[index % commands.length]);
    const script = [
      'set -e',
      'git worktree add --quiet -b ai/issue-1 ../work HEAD',
      'cd ../work',
      `node ${agent}`,
      'git add --all',
      'git commit --quiet --message "feat(US-001): Add difference (#1)"',
      'git worktree add --quiet --detach ../clean HEAD',
      'cd ../clean',
      ...lines.flatMap((line) => ['t=$(date +%s%N)', `${line} > /dev/null`, 'echo $(($(date +%s%N) - t))']),
      'cd ../project',
      'git worktree remove --force ../clean',
      'git worktree remove --force ../work',
    ].join('\n');
    const began = performance.now();
    const out = execFileSync('sh', ['-c', script], { cwd: place.repository, env, encoding: 'utf8' });
    const wall = performance.now() - began;
    const times = out.trim().split('\n').map(Number);
    return { wall, inCommands: times.reduce((sum, time) => sum + time / 1e6, 0), runs: times.length };
  } finally {
    place.remove();
  }
}

async function playMany(count: number, isAtOnce: boolean): Promise<number> {
  const place = new Place(isAtOnce ? 'at-once' : 'in-turn');
  try {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    for (const number of numbers) place.plan(number);
    const start = (number: number): Promise<void> =>
      place.start('loop', 'implement', 'loop', '--issue', String(number), '--no-input');
    const began = performance.now();
    if (isAtOnce) await Promise.all(numbers.map(start));
    else for (const number of numbers) await start(number);
    return performance.now() - began;
  } finally {
    place.remove();
  }
}

export async function benchLoopTask(): Promise<Row[]> {
  prepare();
  const ours: Sample[] = [];
  const peers: Sample[] = [];
  // The first round fills the caches of the file system.
  for (let round = 0; round <= scaled(rounds); round += 1) {
    const our = playOurs(round);
    const peer = playPeer(round, our.runs);
    if (round === 0) continue;
    ours.push(our);
    peers.push(peer);
  }
  const rest = ({ wall, inCommands }: Sample): number => wall - inCommands;
  const shell = 'a shell loop';
  const many = Math.max(2, scaled(10));
  const [atOnce, inTurn] = [await playMany(many, true), await playMany(many, false)];
  return [
    toRow(
      'loop: one task, wall time',
      'ms',
      [ours.map(({ wall }) => wall), peers.map(({ wall }) => wall)],
      shell,
      null,
    ),
    toRow('loop: one task without agent and commands', 'ms', [ours.map(rest), peers.map(rest)], shell, {
      text: '≤ 1500 ms',
      isMet: (our) => our <= 1500,
    }),
    toRow(`loop: ${many} loops at once`, 'ms', [[atOnce], [inTurn]], 'one after the other', {
      text: '≤ 1×',
      isMet: (_, ratio) => ratio <= 1,
    }),
  ];
}
