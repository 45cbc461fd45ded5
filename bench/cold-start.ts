/** How long the quick commands take from key press to prompt, against a Node that does nothing at all. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../src/adapters/sqlite/sqlite-ledger.ts';
import { makeGateId, makeRunId } from '../src/domain/ledger/ids.ts';
import type { NewEntry } from '../src/domain/ledger/ledger-entry.ts';
import type { RunRequest } from '../src/domain/ledger/run.ts';
import { briefSubject } from '../src/domain/ledger/subject.ts';
import { compare, interleave, type Row, timeNode } from './measure.ts';
import { benchFolder, programFile } from './published-package.ts';

const rounds = 40;
const runCount = 10_000;
/** Every so many runs one is left waiting at a gate. */
const waitingEvery = 2_000;
/** Runs whose entries are written in one transaction. */
const runsTogether = 100;
const nodes = ['N0_load_brief', 'N1_sandbox', 'N2_draft', 'N4_review', 'N2_draft', 'N4_review', 'N6_file'];
const hash = 'a'.repeat(64);

function entriesOfRun(index: number, id: string): NewEntry[] {
  const slug = `idea-${index}`;
  const subject = briefSubject('local/reports', slug);
  const common = { subject, run: id, actor: 'bench' };
  const request: RunRequest = {
    workflow: 'issue',
    slug,
    title: `Idea number ${index}`,
    repository: 'local/reports',
    root: join(benchFolder, 'reports'),
    brief: `ideas/active/${slug}.md`,
    briefHash: hash,
    drafter: 'cassette:drafter',
    reviewer: 'cassette:reviewer',
    strict: false,
    maxIterations: 20,
    dryRun: false,
  };
  const entries: NewEntry[] = [{ ...common, kind: 'run-started', key: id, data: { request } }];
  for (const [step, node] of nodes.entries()) {
    entries.push({ ...common, kind: 'node-begun', key: `${id}/${step}`, data: { node, step } });
    const role = node === 'N2_draft' ? 'drafter' : node === 'N4_review' ? 'reviewer' : null;
    if (role === null) continue;
    entries.push({
      ...common,
      kind: 'model-answered',
      key: `${id}/${role}#${step}`,
      data: {
        role,
        model: `cassette:${role}`,
        reportedModel: role,
        answer: hash,
        usage: { inputTokens: 2000, outputTokens: 500, costUsd: 0.02, turns: 1 },
        milliseconds: 20_000,
      },
    });
  }
  if (index % waitingEvery !== 0) {
    const reason = { code: 'finished', message: `filed as #${index}`, owner: 'nobody', resume: '' } as const;
    const result = { number: index, url: `local://local/reports/issues/${index}` };
    return [...entries, { ...common, kind: 'run-ended', data: { reason, result } }];
  }
  const question = {
    id: makeGateId(id, nodes.length),
    kind: 'draft',
    title: request.title,
    iteration: 1,
    drafts: 1,
    verdicts: 0,
    artefacts: [{ name: 'draft', path: `docs/lineage/active/${slug}/002-draft.md`, hash }],
    choices: [{ name: 'send', key: 'G', label: '[G]o - send for review' }],
  } as const;
  const reason = {
    code: 'gate',
    message: 'waiting for a person',
    owner: 'person',
    resume: 'gatewright',
  } as const;
  return [
    ...entries,
    { ...common, kind: 'gate-asked', key: question.id, data: { question } },
    { ...common, kind: 'run-stopped', data: { status: 'waiting', reason } },
  ];
}

/** A database as months of work leave it, written by the ledger itself; closed, so that nothing is left in its log. */
async function seedDatabase(): Promise<string> {
  const file = join(benchFolder, 'status', 'gatewright.db');
  mkdirSync(join(benchFolder, 'status'), { recursive: true });
  const database = openDatabase(file);
  const hour = 3_600_000;
  const now = { moment: Date.now() - runCount * hour };
  const ledger = new SqliteLedger(
    database,
    { now: () => new Date(now.moment) },
    readSigningKey(file, database),
  );
  let entries: NewEntry[] = [];
  for (let index = 1; index <= runCount; index += 1) {
    now.moment += hour;
    const random = Uint8Array.from({ length: 10 }, (_, place) => (index * 31 + place) % 256);
    entries.push(...entriesOfRun(index, makeRunId(new Date(now.moment), random)));
    if (index % runsTogether > 0) continue;
    await ledger.append(entries);
    entries = [];
  }
  database.close();
  return file;
}

export async function benchColdStart(): Promise<Row[]> {
  const database = await seedDatabase();
  const options = {
    cwd: benchFolder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: benchFolder,
      GATEWRIGHT_DATABASE_URL: database,
      GATEWRIGHT_ACTOR: 'bench',
      TZ: 'UTC',
    },
  };
  const time = (...args: string[]) => timeNode(args, options);
  const shown = JSON.parse(time(programFile, 'status', '--json').output) as { waiting: unknown[] };
  if (shown.waiting.length !== runCount / waitingEvery)
    throw new Error('status does not see the seeded runs.');

  const { version, status, bare } = interleave(rounds, {
    version: () => time(programFile, '--version'),
    bare: () => time('-e', '0'),
    status: () => time(programFile, 'status'),
  });
  const row = (name: string, ours: typeof version, atMostRatio: number): Row =>
    compare({
      name,
      ours,
      peer: bare,
      peerName: 'node -e 0',
      measure: 'milliseconds',
      goal: { atMostRatio },
    });
  return [
    row('cold start: --version', version, 1.25),
    row(`cold start: status, ${runCount} runs`, status, 2),
  ];
}
