/**
 * One whole run, brief to filed issue with one revision, as a fresh process in a fresh repository with models that
 * answer at once: what the house itself costs in time and memory. The peer does the same without a house.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, interleave, type Row, type Sample, timeNode } from './measure.ts';
import {
  benchFolder,
  bundlePeer,
  packageFolder,
  peerBundle,
  peerSource,
  programFile,
} from './published-package.ts';

const rounds = 21;
const brief = 'ideas/active/export-reports-as-csv.md';
const cassette = join(packageFolder, 'demo', 'export-reports-as-csv.cassette.json');
const playground = join(benchFolder, 'whole-run');
const template = join(playground, 'template');

const env = {
  PATH: process.env.PATH ?? '',
  // A home of its own, so that nobody's git configuration slows down or speeds up one machine only.
  HOME: playground,
  GIT_CONFIG_NOSYSTEM: '1',
  GATEWRIGHT_ACTOR: 'bench',
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  TZ: 'UTC',
};

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
}

/** On the disk that the project is on: a folder for temporary files may be memory, where a sync costs nothing. */
function makeTemplate(): void {
  mkdirSync(join(template, 'ideas', 'active'), { recursive: true });
  writeFileSync(join(template, 'README.md'), '# Reports\n\nA small service that shows sales reports.\n');
  cpSync(join(packageFolder, 'demo', 'export-reports-as-csv.md'), join(template, brief));
  git(template, 'init', '--quiet', '--initial-branch=main');
  git(template, 'config', 'user.name', 'Bench');
  git(template, 'config', 'user.email', 'bench@gatewright.invalid');
  git(template, 'config', 'commit.gpgSign', 'false');
  git(template, 'add', '--all');
  git(template, 'commit', '--quiet', '--message', 'Start');
}

/** What the last commit did to which file. */
function committed(repository: string): string {
  return git(repository, 'show', '--format=', '--name-status', '--no-renames');
}

/** Runs a contestant in a repository of its own and tells what it committed there. */
function play(
  name: string,
  round: number,
  command: (database: string) => readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Sample & { readonly commit: string } {
  const folder = join(playground, `${name}-${round}`);
  const repository = join(folder, 'reports');
  cpSync(template, repository, { recursive: true });
  const sample = timeNode(command(join(folder, 'bench.db')), {
    cwd: repository,
    env: { ...env, ...variables },
    withPeak: true,
  });
  const commit = committed(repository);
  rmSync(folder, { recursive: true, force: true });
  return { ...sample, commit };
}

export async function benchWholeRun(): Promise<Row[]> {
  makeTemplate();
  await bundlePeer();
  const models = ['--drafter', `cassette:${cassette}`, '--reviewer', `cassette:${cassette}`];
  const runs = {
    ours: (round: number) =>
      play('ours', round, (database) => [
        ...[programFile, 'issue', '--brief', brief, '--auto', '--database', database],
        ...models,
      ]),
    peer: (round: number) => play('peer', round, (database) => [peerBundle, brief, cassette, database]),
    // Our program keeps what Node compiled (docs/decisions/2026-11-18-compiled-code-is-kept.md); the peer with it too.
    cached: (round: number) =>
      play('cached', round, (database) => [peerBundle, brief, cassette, database], {
        NODE_COMPILE_CACHE: join(playground, 'peer-code'),
      }),
    unbundled: (round: number) =>
      play('unbundled', round, (database) => [peerSource, brief, cassette, database]),
  };
  // A peer that does less than we do, or we less than it, would make the ratio worthless.
  const [our, their] = [runs.ours(-1).commit, runs.peer(-1).commit];
  if (our !== their || our === '') throw new Error(`The commits differ.\nours:\n${our}\npeer:\n${their}`);

  runs.cached(-1);

  const samples = interleave(rounds, runs);
  const bundled = { ours: samples.ours, peer: samples.peer, peerName: 'bare LangGraph' };
  return [
    compare({
      ...bundled,
      name: 'whole run: wall time',
      measure: 'milliseconds',
      goal: { atMostRatio: 1.3 },
    }),
    compare({ ...bundled, name: 'whole run: peak memory', measure: 'peakMegabytes', goal: { below: 100 } }),
    compare({
      name: 'whole run: wall time',
      ours: samples.ours,
      peer: samples.cached,
      peerName: 'bare LangGraph, compiled code kept',
      measure: 'milliseconds',
      goal: null,
    }),
    compare({
      name: 'whole run: wall time',
      ours: samples.ours,
      peer: samples.unbundled,
      peerName: 'bare LangGraph, not bundled',
      measure: 'milliseconds',
      goal: null,
    }),
  ];
}
