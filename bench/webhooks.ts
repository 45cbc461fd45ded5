/**
 * How many signed deliveries of 10 KB a second are committed before they are acknowledged, over 32 connections: `serve` as
 * it is published, on the small GitHub, against Probot with an empty handler and with one that inserts into SQLite. Servers
 * are asked in turn, round after round; nobody here reacts to the deliveries, so `serve` settles them meanwhile.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPort } from '../test/support/find-port.ts';
import { GithubFleetWorld } from '../test/support/github-fleet-world.ts';
import type { Row } from './measure.ts';
import { benchFolder, programFile } from './published-package.ts';

const secret = 'the secret of this bench';
const probot = 'probot@14.3.2';
const rounds = 3;
const seconds = 5;
const connections = 32;

interface Contestant {
  readonly url: string;
  readonly process: number;
  stop(): Promise<void>;
}

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** In a process of its own, and waited for: the small GitHub in this one has to answer meanwhile. */
async function load(url: string, repository: string): Promise<Load> {
  const file = join(import.meta.dirname, 'webhook-load.ts');
  const words = [url, secret, repository, String(seconds), String(connections)];
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...words], { timeout: 600_000 });
  const result = JSON.parse(stdout) as Load;
  const refused = Object.keys(result.statuses).filter((status) => !['200', '202'].includes(status));
  if (refused.length > 0) throw new Error(`${url} answered ${JSON.stringify(result.statuses)}`);
  return result;
}

/** Starts a process and waits until it says at which port it listens. */
function start(
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  listening: RegExp,
): Promise<Contestant> {
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      if (said.length > 100_000) return;
      said += chunk.toString();
      const port = listening.exec(said)?.[1];
      if (port === undefined) return;
      said = 'x'.repeat(100_001);
      const stop = async (): Promise<void> => {
        child.kill('SIGTERM');
        await ended;
      };
      resolve({ url: `http://127.0.0.1:${port}`, process: child.pid ?? 0, stop });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    ended.then(() => reject(new Error(`It ended: ${said}`)));
  });
}

/** The peer is installed for the bench alone: nothing else needs it. */
function installPeer(): string {
  const folder = join(benchFolder, 'probot');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  if (!existsSync(join(folder, 'node_modules', 'probot')))
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', probot], { cwd: folder });
  copyFileSync(join(import.meta.dirname, 'webhooks-peer.mjs'), join(folder, 'peer.mjs'));
  return folder;
}

function startPeer(folder: string, database: string | null): Promise<Contestant> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const library = join(import.meta.dirname, '..', 'node_modules', 'better-sqlite3');
  const words = ['peer.mjs', ...(database === null ? [] : [database, library])];
  const env = { ...process.env, BENCH_PRIVATE_KEY: privateKey, BENCH_SECRET: secret };
  return start(words, folder, env, /listening (\d+)/u);
}

async function startOurs(world: GithubFleetWorld): Promise<Contestant> {
  const env = { ...world.playground.environment, ...world.environment, GATEWRIGHT_WEBHOOK_SECRET: secret };
  const words = [programFile, 'serve', '--port', String(await findPort())];
  return start(words, world.playground.repository, env, /http:\/\/127\.0\.0\.1:(\d+)\/webhook/u);
}

const megabytesOf = (process: number): number =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${process}/status`, 'utf8'))?.[1] ?? 0) / 1024;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function toRow(
  name: string,
  ours: readonly number[],
  peer: readonly number[],
  peerName: string,
  least: number,
): Row {
  const [mine, theirs] = [median(ours), median(peer)];
  const ratio = mine / theirs;
  return {
    ...{
      name,
      unit: '/s',
      ours: mine,
      peer: theirs,
      peerName,
      ratio,
      goal: `≥ ${least}×`,
      isMet: ratio >= least,
    },
    spread: {
      ours: [Math.min(...ours), Math.max(...ours)],
      peer: [Math.min(...peer), Math.max(...peer)],
    },
    rounds,
  };
}

async function race(
  world: GithubFleetWorld,
  contestants: Readonly<Record<'ours' | 'empty' | 'inserting', Contestant>>,
): Promise<Row[]> {
  const results = { ours: [] as Load[], empty: [] as Load[], inserting: [] as Load[] };
  for (let round = 0; round <= rounds; round += 1)
    for (const name of ['ours', 'empty', 'inserting'] as const) {
      const { url, process: id } = contestants[name];
      const one = await load(url, world.repository);
      if (round > 0) results[name].push(one);
      const memory = megabytesOf(id).toFixed(0);
      process.stderr.write(
        `  ${name} ${one.perSecond.toFixed(0)}/s, p99 ${one.p99.toFixed(0)} ms, ${memory} MB\n`,
      );
    }
  const rate = (loads: readonly Load[]): number[] => loads.map(({ perSecond }) => perSecond);
  return [
    toRow('deliveries acknowledged', rate(results.ours), rate(results.empty), 'Probot, empty handler', 1),
    toRow('deliveries stored', rate(results.ours), rate(results.inserting), 'Probot that inserts', 2),
  ];
}

export async function benchWebhooks(): Promise<Row[]> {
  const folder = installPeer();
  const world = await GithubFleetWorld.open({ 'a.txt': 'a\n' }, {});
  const started: Contestant[] = [];
  const begin = async (one: Promise<Contestant>): Promise<Contestant> => {
    started.push(await one);
    return one;
  };
  try {
    return await race(world, {
      ours: await begin(startOurs(world)),
      empty: await begin(startPeer(folder, null)),
      inserting: await begin(startPeer(folder, join(folder, `bench-${process.pid}.db`))),
    });
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await world.remove();
  }
}
