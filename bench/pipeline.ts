/**
 * What the pipeline costs besides its models and the commands of the project: one issue from the order to its pull request,
 * as a process of its own with models that answer at once. The peer does the same six stages on bare LangGraph. Then how
 * often the state document is written, and what each stage is given: from attempt to attempt that should not grow.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  analysed,
  brokenSum,
  finding,
  fixed,
  PipelineWorld,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from '../test/support/pipeline-world.ts';
import { type Row, toRow } from './measure.ts';
import {
  barePipeline,
  benchFolder,
  bundleBarePipeline,
  packageFolder,
  programFile,
} from './published-package.ts';
import { scaled } from './scale.ts';

const rounds = 9;
const folder = join(benchFolder, 'pipeline');
const cassette = join(folder, 'cassette.json');

const env = {
  PATH: process.env.PATH ?? '',
  // A home of its own, so that nobody's git configuration slows down or speeds up one machine only.
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@gatewright.invalid',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@gatewright.invalid',
  GATEWRIGHT_ACTOR: 'bench',
  GATEWRIGHT_FORGE: 'local',
  ...Object.fromEntries(
    ['CODER', 'PLANNER', 'CODE_REVIEWER', 'WRITER'].map((role) => [
      `GATEWRIGHT_${role}`,
      `cassette:${cassette}`,
    ]),
  ),
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  TZ: 'UTC',
};

function prepare(): void {
  mkdirSync(folder, { recursive: true });
  const model = { name: 'claude-sonnet-4-5', title: 'Claude' };
  const models = { coder: model, reviewer: model, writer: model };
  const [calls, work] = [
    [triaged(), reviewed()],
    [analysed(), written()],
  ];
  writeFileSync(
    cassette,
    JSON.stringify({ format: 'gatewright-cassette/1', about: 'A pipeline.', models, calls, work }),
  );
}

interface Sample {
  readonly wall: number;
  /** Of the process and of all that it started. */
  readonly processor: number;
  /** The tree of the commit that the branch is at. */
  readonly tree: string;
}

class Place {
  readonly root: string;
  readonly repository: string;
  readonly database: string;

  constructor(name: string) {
    this.root = join(folder, name);
    this.repository = join(this.root, 'project');
    this.database = join(this.root, 'bench.db');
    for (const [path, text] of Object.entries(pipelineFiles)) {
      mkdirSync(join(this.repository, path, '..'), { recursive: true });
      writeFileSync(join(this.repository, path), text);
    }
    writeFileSync(join(this.root, 'issue.json'), JSON.stringify(brokenSum));
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'Start');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.repository, env, encoding: 'utf8' }).trim();
  }

  run(...words: string[]): string {
    const args = [programFile, ...words, '--database', this.database];
    return execFileSync(process.execPath, args, { cwd: this.repository, env, encoding: 'utf8' });
  }

  /** `times` of the shell says what its children used, and what theirs did. */
  time(...words: string[]): Sample {
    const script = '"$@" || exit $?; times';
    const began = performance.now();
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...words], {
      ...{ cwd: this.repository, env, encoding: 'utf8' },
    });
    const wall = performance.now() - began;
    if (status !== 0) throw new Error(`${words.join(' ')}: ${status}\n${stderr}${stdout}`);
    const used = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/gu)];
    const processor = used.reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60e3 + Number(seconds) * 1e3,
      0,
    );
    return { wall, processor, tree: this.git('rev-parse', 'agent/issue-1^{tree}') };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function playOurs(round: number): Sample & { readonly writes: number } {
  const place = new Place(`ours-${round}`);
  try {
    place.run(
      ...['forge', 'issue', 'create', '--title', brokenSum.title, '--body', brokenSum.body, '--label', 'bug'],
    );
    const sample = place.time(programFile, 'solve', '1', '--no-input', '--database', place.database);
    const entries = place.run('ledger', 'show', 'local/project~pipeline-1', '--json').trim().split('\n');
    const writes = entries.filter((line) => {
      const { kind, data } = JSON.parse(line) as { kind: string; data: { effect?: { kind: string } } };
      return kind === 'effect-intended' && data.effect?.kind === 'show-state';
    });
    return { ...sample, writes: writes.length };
  } finally {
    place.remove();
  }
}

function playPeer(round: number): Sample {
  const place = new Place(`peer-${round}`);
  try {
    return place.time(barePipeline, cassette, place.database, join(packageFolder, 'prompts'));
  } finally {
    place.remove();
  }
}

/** At four bytes to a token. */
const tokens = (text: string): number => Buffer.byteLength(text) / 4;

function sameBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Three attempts: the review finds something else twice. The prompts of each stage, in their order. */
async function collectPrompts(): Promise<Map<string, string[]>> {
  const reject = (issue: string, call: number) =>
    reviewed(
      {
        verdict: 'REJECTED',
        issues: [finding(issue, { line: call, category: `part ${call}` })],
        feedback_for_writer: `${issue} Mend that.`,
      },
      call,
    );
  const comment = (words: string) => ({
    write: 'src/sum.js',
    content: `// ${words}\nexport function sum(a, b) {\n  return a + b;\n}\n`,
  });
  const world = await PipelineWorld.open([
    triaged(),
    analysed(),
    written(fixed),
    reject('It does not say what it takes.', 1),
    written([comment('Adds two numbers.')], {}, 2),
    reject('It does not say what it gives.', 2),
    written([comment('Adds two numbers and gives a number.')], {}, 3),
    reviewed({}, 3),
  ]);
  try {
    const { status, reason } = await world.go();
    if (status !== 'done') throw new Error(reason.message);
    const prompts = new Map<string, string[]>();
    for (const { data } of await world.entriesOf('prompt-sent')) {
      const stage = data.role.replace('pipeline-', '');
      prompts.set(stage, [...(prompts.get(stage) ?? []), await world.house.ledger.getText(data.prompt)]);
    }
    return prompts;
  } finally {
    world.remove();
  }
}

async function listTokens(): Promise<Row[]> {
  const prompts = await collectPrompts();
  const rows: Row[] = [];
  for (const [stage, [first = '', second, third]] of prompts) {
    if (second === undefined || third === undefined) {
      rows.push(
        toRow(
          `pipeline: given to the ${stage}`,
          'tokens',
          [[tokens(first)], [tokens(first)]],
          'its only attempt',
          null,
        ),
      );
      continue;
    }
    const fresh = (text: string, before: string) => tokens(text.slice(sameBeginning(text, before)));
    rows.push(
      toRow(
        `pipeline: given to the ${stage}, third attempt`,
        'tokens',
        [[tokens(third)], [tokens(first)]],
        'first attempt',
        null,
      ),
      toRow(
        `pipeline: given to the ${stage} behind what a provider has cached`,
        'tokens',
        [[fresh(third, second)], [fresh(second, first)]],
        'second attempt',
        { text: '≤ 1.2×', isMet: (_, ratio) => ratio <= 1.2 },
      ),
    );
  }
  return rows;
}

export async function benchPipeline(): Promise<Row[]> {
  prepare();
  await bundleBarePipeline();
  const ours: ReturnType<typeof playOurs>[] = [];
  const peers: Sample[] = [];
  // The first round fills the caches of the file system; the order changes from round to round.
  for (let round = 0; round <= scaled(rounds); round += 1) {
    const peerFirst = round % 2 === 1 ? playPeer(round) : null;
    const our = playOurs(round);
    const peer = peerFirst ?? playPeer(round);
    // A peer that does less than we do, or we less than it, would make the ratio worthless.
    if (our.tree !== peer.tree) throw new Error(`The trees differ: ${our.tree} and ${peer.tree}.`);
    if (round === 0) continue;
    ours.push(our);
    peers.push(peer);
  }
  const values = (key: 'wall' | 'processor') =>
    [ours.map((one) => one[key]), peers.map((one) => one[key])] as const;
  const goal = { text: '≤ 1.5×', isMet: (_: number, ratio: number) => ratio <= 1.5 };
  const langGraph = 'bare LangGraph';
  return [
    toRow('pipeline: six stages, wall time', 'ms', values('wall'), langGraph, goal),
    toRow('pipeline: six stages, processor time', 'ms', values('processor'), langGraph, goal),
    toRow(
      'pipeline: writes of issue-state.json',
      'writes',
      [ours.map(({ writes }) => writes), [13]],
      langGraph,
      null,
    ),
    ...(await listTokens()),
  ];
}
