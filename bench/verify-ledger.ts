/**
 * How long `ledger verify` takes over 100,000 and over 1,000,000 entries, and in how much memory, against a program that
 * only reads the same rows and hashes each of them once.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../src/adapters/system/system-clock.ts';
import type { NewEntry } from '../src/domain/ledger/ledger-entry.ts';
import { issueSubject } from '../src/domain/ledger/subject.ts';
import { type Row, timeNode } from './measure.ts';
import { benchFolder, programFile } from './published-package.ts';
import { scaled } from './scale.ts';

const [few, many] = [scaled(100_000), scaled(1_000_000)];
/** Entries about one subject. */
const chainLength = 2_000;
const pageLength = 1_000;

async function seedLedger(name: string, entries: number): Promise<string> {
  const folder = join(benchFolder, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'gatewright.db');
  const database = openDatabase(file);
  database.pragma('synchronous = OFF');
  const ledger = new SqliteLedger(database, systemClock, readSigningKey(file, database));
  for (let at = 0; at < entries; at += pageLength) {
    const page: NewEntry[] = [];
    for (let index = at / 2; index < Math.min(at + pageLength, entries) / 2; index += 1) {
      const subject = issueSubject('acme/project', 1 + Math.floor((index * 2) / chainLength));
      const common = { subject, run: '', actor: 'bench', key: `d-${index}` };
      const event = await ledger.putText(`{"what":"event ${index}","text":"${'words '.repeat(20)}"}`);
      const data = { kind: 'comment-created', actor: 'alice', event } as const;
      page.push(
        { ...common, kind: 'event-received', data },
        { ...common, kind: 'event-settled', data: { runs: [] } },
      );
    }
    await ledger.append(page);
  }
  database.close();
  return file;
}

interface Measured {
  readonly perSecond: number;
  readonly megabytes: number;
}

function measure(words: readonly string[], file: string, entries: number): Measured {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: benchFolder,
    GATEWRIGHT_DATABASE_URL: file,
    GATEWRIGHT_ACTOR: 'bench',
  };
  const { milliseconds, peakMegabytes } = timeNode(words, { cwd: benchFolder, env, withPeak: true });
  return { perSecond: (entries * 1000) / milliseconds, megabytes: peakMegabytes ?? Number.NaN };
}

export async function benchVerifyLedger(): Promise<Row[]> {
  const [small, large] = [await seedLedger('verify-few', few), await seedLedger('verify-many', many)];
  const peer = join(import.meta.dirname, 'verify-ledger-peer.mjs');
  try {
    const verify = (file: string, entries: number) =>
      measure([programFile, 'ledger', 'verify'], file, entries);
    verify(small, few);
    const [ofFew, ofMany] = [verify(small, few), verify(large, many)];
    const bare = measure([peer, large], large, many);
    const row = (
      name: string,
      unit: Row['unit'],
      [ours, theirs]: readonly [number, number],
      peerName: string,
      [goal, isMet]: readonly [string, boolean],
    ): Row => ({
      ...{
        name: `ledger verify, ${many} entries: ${name}`,
        unit,
        ours,
        peer: theirs,
        peerName,
        ratio: ours / theirs,
      },
      ...{ goal, isMet, spread: { ours: [ours, ours], peer: [theirs, theirs] }, rounds: 1 },
    });
    return [
      row('entries', '/s', [ofMany.perSecond, bare.perSecond], 'read and hashed once', [
        '≥ 50000 /s',
        ofMany.perSecond >= 50_000,
      ]),
      row('entries, linear', '/s', [ofMany.perSecond, ofFew.perSecond], `of ${few}`, [
        '≥ 0.8×',
        ofMany.perSecond / ofFew.perSecond >= 0.8,
      ]),
      row('memory', 'MB', [ofMany.megabytes, ofFew.megabytes], `of ${few}`, [
        '≤ 1.2×',
        ofMany.megabytes / ofFew.megabytes <= 1.2,
      ]),
    ];
  } finally {
    for (const name of ['verify-few', 'verify-many'])
      rmSync(join(benchFolder, name), { recursive: true, force: true });
  }
}
