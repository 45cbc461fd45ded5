/** Those that receive deliveries in a bench, each in a process of its own: `serve` as it is published, and Probot. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findPort } from '../test/support/find-port.ts';
import type { GithubFleetWorld } from '../test/support/github-fleet-world.ts';
import { benchFolder, programFile } from './published-package.ts';

export const secret = 'the secret of this bench';
const probot = 'probot@14.3.2';
const connections = 32;

export interface Contestant {
  readonly name: string;
  readonly url: string;
  readonly process: number;
  /** How its process ended and what it said last; null while it runs. */
  readonly ending: () => string | null;
  stop(): Promise<void>;
}

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** In a process of its own, and waited for: the small GitHub in this one has to answer meanwhile. */
export async function load(
  { name, url, ending }: Contestant,
  repository: string,
  seconds: number,
  rate = 0,
): Promise<Load> {
  const file = join(import.meta.dirname, 'webhook-load.ts');
  const words = [url, secret, repository, String(seconds), String(connections), String(rate)];
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...words], { timeout: 600_000 });
  const result = JSON.parse(stdout) as Load;
  const refused = Object.keys(result.statuses).filter((status) => !['200', '202'].includes(status));
  if (refused.length > 0)
    throw new Error(
      `${name} answered ${JSON.stringify(result.statuses)}; ${ending() ?? 'its process still runs'}`,
    );
  return result;
}

/** What a process said last, in characters: its reason when it ends. */
const mostSaid = 4_000;

/** Starts a process and waits until it says at which port it listens. */
function start(
  name: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  listening: RegExp,
): Promise<Contestant> {
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let ending: string | null = null;
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      ending = `its process ended with ${code ?? signal}: ${said}`;
      resolve();
    }),
  );
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-mostSaid);
      const port = listening.exec(said)?.[1];
      if (port === undefined) return;
      const url = `http://127.0.0.1:${port}`;
      resolve({ name, url, process: child.pid ?? 0, ending: () => ending, stop });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    ended.then(() => reject(new Error(`${name}: ${ending}`)));
  });
}

/** The peer is installed for the bench alone: nothing else needs it. */
export function installPeer(): string {
  const folder = join(benchFolder, 'probot');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  if (!existsSync(join(folder, 'node_modules', 'probot')))
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', probot], { cwd: folder });
  copyFileSync(join(import.meta.dirname, 'webhooks-peer.mjs'), join(folder, 'peer.mjs'));
  return folder;
}

export function startPeer(folder: string, database: string | null): Promise<Contestant> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const library = join(import.meta.dirname, '..', 'node_modules', 'better-sqlite3');
  const words = ['peer.mjs', ...(database === null ? [] : [database, library])];
  const env = { ...process.env, BENCH_PRIVATE_KEY: privateKey, BENCH_SECRET: secret };
  return start(
    database === null ? 'Probot' : 'Probot that inserts',
    words,
    { cwd: folder, env },
    /listening (\d+)/u,
  );
}

export async function startOurs(world: GithubFleetWorld): Promise<Contestant> {
  const env = { ...world.playground.environment, ...world.environment, GATEWRIGHT_WEBHOOK_SECRET: secret };
  const words = [programFile, 'serve', '--port', String(await findPort())];
  return start(
    'serve',
    words,
    { cwd: world.playground.repository, env },
    /http:\/\/127\.0\.0\.1:(\d+)\/webhook/u,
  );
}

export const megabytesOf = (process: number): number =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${process}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Clock ticks of the processor, a hundred in a second. */
function ticksOf(process: number): number {
  const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Until it has handled what it took: that must not take time of the one that is measured next. */
export async function untilIdle(process: number): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = ticksOf(process);
    await sleep(300);
    quiet = ticksOf(process) - before <= 1 ? quiet + 1 : 0;
  }
}

/** A file of its own for a peer that inserts. */
export function peerDatabase(folder: string, name = 'bench'): string {
  return join(folder, `${name}-${process.pid}.db`);
}
