/**
 * What the agent of a task is told, gathered from 10, 100, 1,000 and 10,000 comments: the time has to grow as their number
 * does, and the text has to stay within its budget. Each number is compared with ten times the one before it.
 */

import { sha256 } from '../src/domain/ledger/hash.ts';
import type { LedgerEntry } from '../src/domain/ledger/ledger-entry.ts';
import type { ForgeComment } from '../src/ports/forge/forge-issues.ts';
import { gatherContext } from '../src/workflows/loop/nodes/gather-context.ts';
import { writeDiscoveryNote } from '../src/workflows/loop/rules/comments/discovery-note.ts';
import { writeTaskLog } from '../src/workflows/loop/rules/comments/task-log.ts';
import { writeWisp } from '../src/workflows/loop/rules/comments/wisp.ts';
import { initialState, type LoopState } from '../src/workflows/loop/state.ts';
import type { Row } from './measure.ts';
import { scaled } from './scale.ts';

const counts = [10, 100, 1_000, 10_000];
const rounds = 5;
/** Four bytes to each of 24,000 tokens. */
const budgetKilobytes = (24_000 * 4) / 1024;

const texts = new Map<string, string>();
function keep(text: string): string {
  const hash = sha256(text);
  texts.set(hash, text);
  return hash;
}

const now = Date.parse('2026-03-01T10:00:00Z');
const timeOf = (index: number): string => new Date(now - (20_000 - index) * 60_000).toISOString();
const words = 'The reports service keeps its rows sorted, and every file has a test beside it. '.repeat(6);

function bodyOf(index: number): string {
  const taskUid = `tsk_${String(index % 4).padStart(12, '0')}`;
  const taskId = `US-${String((index % 4) + 1).padStart(3, '0')}`;
  if (index % 10 === 7) return `I had a look at ${index}. ${words}`;
  if (index % 10 === 8)
    return writeDiscoveryNote({
      taskId,
      at: timeOf(index),
      pattern: words,
      files: ['src/a.ts'],
      impacts: '',
    });
  if (index % 10 === 9)
    return writeWisp({ issue: 1, taskUid, note: `hint ${index}`, expiresAt: '2026-03-01T12:00:00Z' });
  return writeTaskLog({
    event: {
      ...{ v: 1, type: 'task_log', issue: 1, taskId, taskUid, status: index % 3 === 0 ? 'fail' : 'pass' },
      ...{
        attempt: 1 + (index % 3),
        commit: '',
        verify: { passed: ['npm test'], failed: [] },
        discovered: [],
      },
      ts: timeOf(index),
    },
    ...{ title: 'A task', summary: words, changes: [{ path: 'src/a.ts', what: 'changed' }] },
    ...{ verification: [{ command: 'npm test', isPassed: true }], learnings: words, nextAttempt: words },
  });
}

const story = (place: number) => ({
  ...{ id: `US-00${place}`, uid: `tsk_${String(place - 1).padStart(12, '0')}`, title: `Task ${place}` },
  ...{ description: words, acceptanceCriteria: ['npm test passes'], verifyCommands: ['npm test'] },
  ...{ passes: false, attempts: 1 },
});

const state: LoopState = {
  ...initialState,
  issue: keep(JSON.stringify({ number: 1, title: 'Reports', body: words, url: '', labels: [] })),
  prd: keep(
    JSON.stringify({
      ...{ project: 'reports', issueNumber: 1, branchName: 'ai/issue-1-reports' },
      userStories: [1, 2, 3, 4].map(story),
    }),
  ),
  branch: 'ai/issue-1-reports',
  head: 'a'.repeat(40),
};

/** The comments as the forge lists them, and the receipts of those that are ours. */
function makeReader(count: number): Parameters<typeof gatherContext>[0] {
  const comments = Array.from({ length: count }, (_, index) => {
    const at = timeOf(index);
    return {
      ...{
        id: index + 1,
        author: 'claude',
        authorKind: 'bot',
        body: bodyOf(index),
        url: `local://1#${index}`,
      },
      ...{ createdAt: at, updatedAt: at },
    } as unknown as ForgeComment;
  });
  const receipts = comments
    .filter((_, index) => index % 10 !== 7)
    .map(({ id }) => ({ kind: 'effect-receipted', data: { result: { id, url: '' }, found: false } }));
  return {
    ...{ own: 'claude', repository: 'local/reports', runId: 'run' },
    forge: {
      listComments: async () => comments,
      listCommits: async () => [],
      permissionOf: async () => 'none',
    },
    ledger: {
      readRun: async () => receipts as unknown as LedgerEntry[],
      getText: async (hash: string) => texts.get(hash) ?? '',
    },
    request: { number: 1 },
    trees: {
      listFiles: async () => Array.from({ length: 200 }, (_, index) => ({ path: `src/${index}.ts` })),
    },
    clock: { now: () => new Date(now) },
  } as unknown as Parameters<typeof gatherContext>[0];
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measure(
  count: number,
): Promise<{ readonly milliseconds: number[]; readonly kilobytes: number }> {
  const reader = makeReader(count);
  const milliseconds: number[] = [];
  let kilobytes = 0;
  // Few comments take so little time that it is measured over many turns.
  const turns = Math.max(1, Math.round(1_000 / count));
  for (let round = 0; round <= scaled(rounds); round += 1) {
    const began = performance.now();
    for (let turn = 0; turn < turns; turn += 1) {
      const { text } = await gatherContext(reader, state, { task: 'US-001' });
      kilobytes = Buffer.byteLength(text) / 1024;
    }
    if (round > 0) milliseconds.push((performance.now() - began) / turns);
  }
  return { milliseconds, kilobytes };
}

export async function benchLoopContext(): Promise<Row[]> {
  const rows: Row[] = [];
  let before: { readonly count: number; readonly time: number } | null = null;
  for (const count of counts) {
    const { milliseconds, kilobytes } = await measure(count);
    const time = median(milliseconds);
    const spread = [Math.min(...milliseconds), Math.max(...milliseconds)] as const;
    const name = `loop context of ${count} comments`;
    const peer = before === null ? time : before.time * 10;
    rows.push({
      ...{ name: `${name}: time`, unit: 'ms', ours: time, peer, ratio: time / peer },
      peerName: before === null ? 'itself' : `ten times ${before.count}`,
      goal: before === null ? '' : '≤ 1.5×',
      isMet: before === null ? null : time / peer <= 1.5,
      ...{ spread: { ours: spread, peer: [peer, peer] }, rounds: milliseconds.length },
    });
    rows.push({
      ...{
        name: `${name}: size`,
        unit: 'KB',
        ours: kilobytes,
        peer: budgetKilobytes,
        peerName: 'the budget',
      },
      ...{ ratio: kilobytes / budgetKilobytes, goal: '≤ 1×', isMet: kilobytes <= budgetKilobytes, rounds: 1 },
      spread: { ours: [kilobytes, kilobytes], peer: [budgetKilobytes, budgetKilobytes] },
    });
    before = { count, time };
  }
  return rows;
}
