/**
 * A ledger on a git ref with 100,000 entries against one with 1,000: how long a new machine, such as a job of GitHub
 * Actions, takes to have it and to read one text, how long one more entry takes, and how large it is. Half of the entries
 * are events with a text each, the other half says that they were handled. The server puts its objects together before,
 * as GitHub does by itself.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitLedger } from '../src/adapters/git-ledger/git-ledger.ts';
import { LedgerMirror } from '../src/adapters/git-ledger/ledger-mirror.ts';
import { type LedgerServer, RemoteLedgerPlace } from '../src/adapters/git-ledger/ledger-place.ts';
import { SharedLedger } from '../src/adapters/git-ledger/shared-ledger.ts';
import { openDatabase } from '../src/adapters/sqlite/database.ts';
import { systemClock } from '../src/adapters/system/system-clock.ts';
import type { NewEntry } from '../src/domain/ledger/ledger-entry.ts';
import { issueSubject } from '../src/domain/ledger/subject.ts';
import { type Row, readChildrenTime } from './measure.ts';
import { benchFolder } from './published-package.ts';
import { scaled } from './scale.ts';

const [few, many] = [scaled(1_000), scaled(100_000)];
const pageLength = 5_000;
const appends = 20;
const rounds = 5;
/** In milliseconds of processor time. */
const longest = 3_000;
const folder = join(benchFolder, 'git-ledger');
const environment = { PATH: process.env.PATH ?? '', HOME: benchFolder };
const signingKey = '0'.repeat(64);

function openMachine(name: string, repository: string) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const database = openDatabase(join(own, 'mirror.db'));
  // As the program opens it: the ref has everything.
  database.pragma('synchronous = NORMAL');
  const server: LedgerServer = { talk: (_, run) => run(repository, {}) };
  const place = new RemoteLedgerPlace(join(own, 'ref.git'), environment, server);
  const mirror = new LedgerMirror(database, signingKey);
  const shared = new SharedLedger({ place, mirror, clock: systemClock, freshFor: 2_000 });
  return { ledger: new GitLedger({ shared, clock: systemClock, signingKey }), own, database };
}

const subjectOf = (index: number) => issueSubject('acme/project', 1 + Math.floor(index / 500));

const entryOf = (index: number, event: string): NewEntry => ({
  ...{ subject: subjectOf(index), run: '', actor: 'bench' },
  kind: 'event-received',
  key: `d-${index}`,
  data: { kind: 'comment-created', actor: 'alice', event },
});

const endOf = (index: number): NewEntry => ({
  ...{ subject: subjectOf(index), run: '', actor: 'bench', kind: 'event-settled', key: `d-${index}` },
  data: { runs: [] },
});

/** About as long as an event of GitHub is on the ledger. */
const textOf = (index: number): string =>
  JSON.stringify({ what: `event ${index}`, body: `${index} `.repeat(60) });

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Of this process, and of the git processes on both sides: what else the machine does, the clock on the wall tells too. */
async function timedOnProcessor(work: () => Promise<unknown>): Promise<number> {
  const [own, children] = [process.cpuUsage(), readChildrenTime()];
  await work();
  const { user, system } = process.cpuUsage(own);
  return (user + system) / 1000 + readChildrenTime() - children;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function prepare(count: number) {
  const repository = join(folder, `repository-${count}.git`);
  execFileSync('git', ['init', '--bare', '--quiet', repository], { env: environment });
  const writer = openMachine(`writer-${count}`, repository);
  for (let at = 0; at < count; at += pageLength) {
    const page: NewEntry[] = [];
    for (let index = at; index < Math.min(at + pageLength, count); index += 2)
      page.push(entryOf(index, await writer.ledger.putText(textOf(index))), endOf(index));
    await writer.ledger.append(page);
  }
  // As GitHub does: files can be left out of a fetch, and objects are put together now and then.
  const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words], { env: environment });
  git('config', 'uploadpack.allowFilter', 'true');
  git('gc', '--quiet');
  const openings: number[] = [];
  let reader = openMachine(`reader-${count}-0`, repository);
  for (let round = 1; round <= rounds; round += 1) {
    reader.database.close();
    reader = openMachine(`reader-${count}-${round}`, repository);
    const { ledger } = reader;
    openings.push(
      await timedOnProcessor(async () => {
        const [newest] = (await ledger.readSubject(subjectOf(count - 2))).slice(-2);
        if (newest?.kind === 'event-received') await ledger.getText(newest.data.event);
      }),
    );
  }
  const opening = median(openings);
  const size = execFileSync('du', ['-sk', join(reader.own, 'ref.git')], { encoding: 'utf8' });
  const times: number[] = [];
  return {
    ...{ opening, megabytes: Number.parseInt(size, 10) / 1024, times },
    append: async (index: number) => {
      const event = await reader.ledger.putText(`{"what":"late event ${index}"}`);
      times.push(await timed(() => reader.ledger.append([entryOf(count + index, event)])));
    },
    close: () => {
      for (const { database } of [writer, reader]) database.close();
    },
  };
}

export async function benchGitLedger(): Promise<Row[]> {
  try {
    const [small, large] = [await prepare(few), await prepare(many)];
    // In turns, so that what else the machine does is felt by both.
    for (let index = 0; index < appends; index += 1)
      for (const one of [small, large]) await one.append(index);
    for (const one of [small, large]) one.close();
    const [one, other] = [median(large.times), median(small.times)];
    const row = (
      name: string,
      unit: Row['unit'],
      [ours, peer]: readonly [number, number],
      [goal, isMet]: readonly [string, boolean | null],
    ): Row => ({
      ...{ name: `ledger on a git ref, ${many} entries: ${name}`, unit, ours, peer, ratio: ours / peer },
      ...{ peerName: `${few} entries`, goal, isMet, rounds: 1 },
      spread: { ours: [ours, ours], peer: [peer, peer] },
    });
    const ratio = one / other;
    return [
      row(
        'processor time until a new machine has it',
        'ms',
        [large.opening, small.opening],
        [`< ${longest} ms`, large.opening < longest],
      ),
      row('one more entry', 'ms', [one, other], ['≤ 2×', ratio <= 2]),
      row('size of what is fetched', 'MB', [large.megabytes, small.megabytes], ['', null]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
