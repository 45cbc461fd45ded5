/** What only a replayed agent does: match its task, never guess, delete, cost nothing. The contract stands elsewhere. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode, thrownCode } from '../../../test/support/thrown-code.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import type { CodingAgent, CodingReport, CodingTask } from '../../ports/coding-agent.ts';
import { makeCassetteAgent, taskText } from './cassette-agent.ts';

let folder = '';
let worktree = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-cassette-work-'));
  worktree = join(folder, 'worktree');
  mkdirSync(worktree);
  writeFileSync(join(worktree, 'a.txt'), 'one two two');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const base = {
  role: 'coder',
  call: 1,
  request: { includes: ['Fix it.'] },
  steps: [] as object[],
  outcome: { text: 'Done.' } as object,
};

function make(work: Partial<typeof base>, role = 'coder'): CodingAgent {
  const file = join(folder, 'cassette.json');
  const models = { coder: { name: 'claude-opus-4-5', title: 'Claude' } };
  const all = { ...base, ...work };
  writeFileSync(file, JSON.stringify({ format: 'gatewright-cassette/1', about: 'x', models, work: [all] }));
  return makeCassetteAgent(file, role, {});
}

const task = (more: Partial<CodingTask> = {}): CodingTask => ({
  ...{ role: 'coder', call: 1, folder: worktree, instructions: 'Be careful.', task: 'Fix it.' },
  ...{ tools: { mode: 'implement', commands: [] }, turnLimit: 10, limitMilliseconds: 5_000 },
  ...more,
});

const work = (agent: CodingAgent, more: Partial<CodingTask> = {}): Promise<CodingReport<unknown>> =>
  agent.work(task(more), null);

describe('matching', () => {
  it.each<[string, Partial<typeof base>, Partial<CodingTask>, string]>([
    ['the task it was made for', {}, {}, 'nothing thrown'],
    ['another task', {}, { task: 'Break it.' }, 'cassette-mismatch'],
    ['another call', {}, { call: 2 }, 'cassette-mismatch'],
    ['another role', {}, { role: 'planner' }, 'cassette-mismatch'],
    [
      'text that is not there once',
      { steps: [{ edit: 'a.txt', replace: 'two', with: '2' }] },
      {},
      'cassette-mismatch',
    ],
    [
      'text that is not there',
      { steps: [{ edit: 'a.txt', replace: 'six', with: '6' }] },
      {},
      'cassette-mismatch',
    ],
    [
      'a file that is not there',
      { steps: [{ edit: 'b.txt', replace: 'x', with: 'y' }] },
      {},
      'cassette-mismatch',
    ],
  ])('%s', async (_, made, asked, code) => {
    expect(await rejectedCode(work(make(made), asked))).toBe(code);
  });

  it('a recorded hash stands for the whole task', async () => {
    const agent = make({ request: { sha256: sha256(taskText(task())) } as never });
    expect(await rejectedCode(work(agent))).toBe('nothing thrown');
    expect(await rejectedCode(work(agent, { instructions: 'Be quick.' }))).toBe('cassette-mismatch');
    expect(await rejectedCode(work(agent, { tools: { mode: 'plan' } }))).toBe('cassette-mismatch');
  });

  it.each<[string, Partial<typeof base>]>([
    ['a step of two kinds', { steps: [{ write: 'a', content: '', delete: 'b' }] }],
    ['a line for a shell', { steps: [{ run: 'rm -rf /' }] }],
    ['an outcome nobody knows', { outcome: { perhaps: true } }],
    ['a request that anything matches', { request: { includes: [] } }],
  ])('refuses %s', (_, made) => expect(thrownCode(() => make(made))).toBe('cassette-invalid'));

  it('needs a model for its role', () =>
    expect(thrownCode(() => make({}, 'planner'))).toBe('cassette-invalid'));
});

describe('replaying', () => {
  it.each<[string, string, string, string]>([
    ['with other words', 'one', '1', '1 two two'],
    ['with more words', 'one', 'one and a half', 'one and a half two two'],
  ])('finds an edit done that was made before it was cut off: %s', async (_name, replace, words, left) => {
    const agent = make({ steps: [{ edit: 'a.txt', replace, with: words }] });
    for (const _ of [1, 2]) expect((await agent.work(task(), null)).outcome.kind).toBe('finished');
    expect(readFileSync(join(worktree, 'a.txt'), 'utf8')).toBe(left);
  });

  it('holds several pieces of work for one role and call, told apart by what was asked', async () => {
    const file = join(folder, 'several.json');
    const models = { coder: { name: 'claude-opus-4-5', title: 'Claude' } };
    const work = ['First.', 'Fix it.', 'Fix'].map((part) => ({
      ...{ ...base, request: { includes: [part] } },
      outcome: { text: part },
    }));
    writeFileSync(file, JSON.stringify({ format: 'gatewright-cassette/1', about: 'x', models, work }));
    const agent = makeCassetteAgent(file, 'coder', {});
    expect((await agent.work(task(), null)).outcome).toMatchObject({ text: 'Fix it.' });
    await expect(agent.work(task({ task: 'Else.' }), null)).rejects.toThrow(/does not contain "First\."/u);
  });

  it('edits exactly once, deletes, overwrites, and keeps the lines of a text', async () => {
    writeFileSync(join(worktree, 'old.txt'), 'x');
    const report = await work(
      make({
        steps: [
          { say: ['First', 'look.'] },
          { edit: 'a.txt', replace: 'one ', with: '' },
          { delete: 'old.txt' },
          { write: 'b.txt', content: ['l1', 'l2', ''] },
          { write: 'b.txt', content: 'again' },
        ],
      }),
    );
    expect(report).toMatchObject({ outcome: { kind: 'finished', text: 'Done.' }, denials: [] });
    expect(readFileSync(join(worktree, 'a.txt'), 'utf8')).toBe('two two');
    expect(readFileSync(join(worktree, 'b.txt'), 'utf8')).toBe('again');
    expect(existsSync(join(worktree, 'old.txt'))).toBe(false);
    expect(report.usage.turns).toBe(6);
  });

  it.each([
    ...[
      '/etc/x',
      '..',
      '.',
      '../x',
      'a/../../x',
      'a/../../worktree-evil/x',
      'link',
      'link/x',
      './.git/config',
    ],
    ...['sub/.git/hooks/x', '.Git/hooks/x', '.CLAUDE/settings.json', '.mcp.json', 'a\0b'],
  ])('%j is denied, for writing and for deleting', async (path) => {
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(worktree, 'link'));
    const report = await work(make({ steps: [{ write: path, content: 'x' }, { delete: path }] }));
    expect(report.outcome).toMatchObject({ kind: 'refused', by: 'permissions' });
    expect(report.denials).toEqual([
      { tool: 'Write', target: path },
      { tool: 'Delete', target: path },
    ]);
    expect([existsSync(join(folder, 'elsewhere')), existsSync(join(folder, 'x'))]).toEqual([true, false]);
  });

  it.each<[object, object]>([
    [{ turnsExhausted: true }, { kind: 'turns-exhausted' }],
    [{ quota: { until: null } }, { kind: 'quota', until: null }],
    [{ refused: 'No.' }, { kind: 'refused', by: 'model', detail: 'No.' }],
    [{ failed: 'overload' }, { kind: 'failed', why: 'overload' }],
  ])('%j', async (outcome, expected) => {
    expect((await work(make({ outcome }))).outcome).toMatchObject(expected);
  });

  it('costs nothing, whatever it cost when it was recorded', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, costUsd: 0.5 };
    const report = await work(make({ usage } as never));
    expect(report.usage).toEqual({ ...usage, costUsd: 0, turns: 1 });
    expect(report).toMatchObject({ reportedModel: 'claude-opus-4-5', credential: 'none' });
  });
});
