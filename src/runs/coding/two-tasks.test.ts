/**
 * The coding room as a workflow without any agent uses it: two pieces of work one after the other on one branch, each in a
 * copy of its own, each a commit that two commands have verified before it is pushed. Killed anywhere, it ends the same.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CodingRun, withCodingContext } from '../../../test/support/coding-world.ts';
import { cutOffAtEachPoint } from '../../../test/support/cut-off-everywhere.ts';
import { saveEarly } from '../../../test/support/early-saves.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { override } from '../../../test/support/override.ts';
import type { EntryKind, EntryOf } from '../../domain/ledger/ledger-entry.ts';
import type { House } from '../house.ts';
import { type CodingContext, copyNameOf, type Destination } from './coding-context.ts';
import { scanWork } from './collect-work.ts';
import { commitWork, pushCommit, takeBack } from './push-work.ts';
import { type Check, verifyWithAll } from './verify-commit.ts';
import { workInCopy } from './work-in-copy.ts';

const branch = 'ai/issue-7-two-tasks';
const tasks = ['US-001', 'US-002'] as const;

/** A check that leaves something behind, as the tests of an author could who wants the next command to pass. */
const files = {
  '.gitignore': '*.tmp\n',
  'setup.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('fetched.tmp', 'x');\n",
  'first.mjs':
    "import { existsSync, readFileSync, writeFileSync } from 'node:fs';\n" +
    "writeFileSync('left.tmp', 'x');\nwriteFileSync('second.mjs', '');\n" +
    "process.exit(existsSync('fetched.tmp') && !existsSync('note.tmp') ? 0 : 4);\n",
  'second.mjs':
    "import { existsSync, readFileSync } from 'node:fs';\n" +
    "process.exit(existsSync('left.tmp') || readFileSync('notes.txt', 'utf8').includes('wrong') ? 5 : 0);\n",
};
const checks = [
  { argv: ['node', 'first.mjs'] },
  { argv: ['sh', '-c', 'node second.mjs && echo "all well"'] },
];

const works = [
  // What git ignores is in the copy of the agent, and in no other.
  [
    { write: 'notes.txt', content: 'one\n' },
    { write: 'note.tmp', content: 'x' },
  ],
  [{ edit: 'notes.txt', replace: 'one\n', with: 'one\ntwo\n' }],
];

let world: FleetWorld;
afterEach(() => world.remove());

const runId = 'R1';
const prepared = { GATEWRIGHT_SETUP: 'node setup.mjs' };

async function open(
  steps: readonly (readonly object[])[] = works,
  environment: Readonly<Record<string, string>> = {},
): Promise<CodingRun> {
  const plain = await FleetWorld.open(files);
  const cassette = {
    format: 'gatewright-cassette/1',
    about: 'Two tasks.',
    models: { coder: { name: 'claude-test', title: 'Claude' } },
    work: steps.map((one, index) => ({
      ...{ role: 'looper', call: index + 1, request: { includes: [tasks[index]] } },
      ...{ steps: one, outcome: { text: 'Done.' } },
    })),
  };
  world = await plain.reopen({
    GATEWRIGHT_CODER: `cassette:${plain.cassette(cassette)}`,
    ...environment,
  });
  return { runId, subject: `${world.repository}#7`, own: world.own };
}

function destination(task: string, expected: string | null): Destination {
  const message = (isWhole: boolean): string => `${isWhole ? 'feat' : 'wip'}(${task}): notes (#7)\n`;
  return { task, issue: 7, branch, expected, message };
}

/** One task: worked on, scanned, committed, verified, and only then pushed. Null when a check fails. */
async function solve(
  context: CodingContext,
  base: string,
  task: (typeof tasks)[number],
  before: string | null,
  more: { readonly isSavedEarly?: true; readonly checks?: readonly Check[] } = {},
): Promise<string | null> {
  const to = destination(task, before);
  const { left } = await workInCopy(context, to, {
    ...{ role: 'looper', call: tasks.indexOf(task) + 1, schema: null, turnLimit: 20 },
    ...{ instructions: 'Work.', purpose: `working on ${task}`, tools: { mode: 'implement', commands: [] } },
    ...{ start: before ?? base, steeringFrom: base, isSavedEarly: more.isSavedEarly === true },
    describe: async () => `Do ${task}.`,
  });
  await scanWork(context, to, left);
  const commit = await commitWork(context, to, left, true);
  const verified = await verifyWithAll(context, more.checks ?? checks, { commit, steeringFrom: base });
  const isGood = verified.every(({ exitCode }) => exitCode === 0);
  if (isGood) await pushCommit(context, to, commit);
  else await takeBack(context, to, left.start);
  await context.workspaces.remove(copyNameOf(runId, task));
  return isGood ? commit : null;
}

function solveAll(house: House, run: CodingRun, list: readonly Check[] = checks): Promise<string | null> {
  const base = world.git('rev-parse', 'main');
  return withCodingContext(house, run, async (context) => {
    let done: string | null = null;
    for (const task of tasks) done = await solve(context, base, task, done, { checks: list });
    return done;
  });
}

async function entriesOf<K extends EntryKind>({ subject }: CodingRun, kind: K): Promise<EntryOf<K>[]> {
  const entries = await world.house.ledger.readSubject(subject);
  return entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);
}

/** Everything that is left in the end: the branch, its commits, what was verified and paid, and no copy. */
async function look(run: CodingRun): Promise<object> {
  const verified = await entriesOf(run, 'command-verified');
  return {
    branches: world.git('for-each-ref', '--format=%(refname)', 'refs/heads').split('\n'),
    history: world.git('log', '--format=%s by %an at %aI', `main..${branch}`).split('\n'),
    text: world.git('show', `${branch}:notes.txt`),
    verified: verified.map(({ data }) => [data.command.join(' '), data.commit, data.exitCode]),
    pushed: (await entriesOf(run, 'work-pushed')).map(({ data }) => data),
    answers: (await entriesOf(run, 'model-answered')).length,
    copies: readdirSync(join(dirname(world.playground.database), 'workspaces')),
    problems: (await world.house.ledger.verify()).problems,
  };
}

describe('two pieces of work on one branch', () => {
  it('are a commit each, verified by every command in a copy of its own before they are pushed', async () => {
    const run = await open(works, prepared);
    const last = await solveAll(world.house, run);
    const first = world.git('rev-parse', `${branch}~1`);
    const [one, two] = checks.map(({ argv }) => argv.join(' '));
    expect(world.headOf(branch)).toBe(last);
    const moment = 'by gatewright[bot] at 2026-01-02T03:04:05+00:00';
    expect(await look(run)).toEqual({
      branches: [`refs/heads/${branch}`, 'refs/heads/main'],
      history: [`feat(US-002): notes (#7) ${moment}`, `feat(US-001): notes (#7) ${moment}`],
      text: 'one\ntwo',
      verified: [
        [one, first, 0],
        [two, first, 0],
        [one, last, 0],
        [two, last, 0],
      ],
      pushed: [first, last].map((commit) => ({ issue: 7, branch, commit })),
      answers: 2,
      copies: [],
      problems: [],
    });
    expect(world.git('ls-tree', '--name-only', branch).split('\n')).not.toContain('note.tmp');
    // Walked through again, they need no copy and no command.
    const never = async (): Promise<never> => {
      throw new Error('this was done before');
    };
    const { house } = world;
    const workspaces = override(house.workspaces, { open: never });
    expect(await solveAll({ ...house, commands: { run: never }, workspaces }, run)).toBe(last);
    expect(await entriesOf(run, 'work-pushed')).toHaveLength(2);
  });

  it('do not take each other for their own: one that fails is taken back to where it began', async () => {
    const run = await open([works[0] ?? [], []]);
    const base = world.git('rev-parse', 'main');
    const first = await withCodingContext(world.house, run, (context) =>
      solve(context, base, 'US-001', null, { checks: [] }),
    );
    const early = saveEarly(world.house, world, run.subject, [
      { 'notes.txt': 'half\n' },
      { 'notes.txt': 'wrong\n' },
    ]);
    const heads: string[] = [];
    const transport = override(world.house.transport, {
      pushBranch: async (...args) => {
        await world.house.transport.pushBranch(...args);
        heads.push(world.git('show', `${branch}:notes.txt`));
      },
    });
    const second = await withCodingContext({ ...early.house, transport }, run, (context) =>
      solve(context, base, 'US-002', first, { isSavedEarly: true, checks: checks.slice(1) }),
    );
    expect(second).toBeNull();
    expect(heads).toEqual(['half', 'wrong', 'one']);
    expect(world.headOf(branch)).toBe(first);
    const codes = (await entriesOf(run, 'command-verified')).map(({ data }) => data.exitCode);
    expect(codes).toEqual([5]);
  });

  it('leave a branch alone that another has moved', async () => {
    const run = await open();
    const base = world.git('rev-parse', 'main');
    await withCodingContext(world.house, run, async (context) => {
      const first = await solve(context, base, 'US-001', null, { checks: [] });
      const theirs = world.git('commit-tree', '-p', branch, '-m', 'Theirs', `${branch}^{tree}`);
      world.git('update-ref', `refs/heads/${branch}`, theirs);
      const second = solve(context, base, 'US-002', first, { checks: [] });
      await expect(second).rejects.toMatchObject({ code: 'head-moved' });
      expect(world.headOf(branch)).toBe(theirs);
    });
    expect(await entriesOf(run, 'work-pushed')).toHaveLength(1);
  });

  it('bring the rest to the branch when one holds a secret, and stop', async () => {
    const key = ['ghp', 'a1B2'.repeat(9)].join('_');
    const run = await open([[...(works[0] ?? []), { write: 'key.txt', content: `${key}\n` }]]);
    await expect(solveAll(world.house, run)).rejects.toMatchObject({ code: 'work-has-secret' });
    expect(world.git('log', '--format=%s', `main..${branch}`)).toBe('wip(US-001): notes (#7)');
    expect(world.git('show', `${branch}:notes.txt`)).toBe('one');
    expect(world.git('log', '--all', '--format=%H', '-S', key)).toBe('');
    expect(await entriesOf(run, 'command-verified')).toEqual([]);
  });

  it('go on with the second when they are killed between the two', async () => {
    const run = await open();
    const { ledger } = world.house;
    let pushes = 0;
    const mortal = override(ledger, {
      append: async (...args) => {
        if (pushes > 0) throw new Error('killed');
        const written = await ledger.append(...args);
        if (args[0].some(({ kind }) => kind === 'work-pushed')) pushes += 1;
        return written;
      },
    });
    const list = checks.slice(1);
    await expect(solveAll({ ...world.house, ledger: mortal }, run, list)).rejects.toThrow('killed');
    expect(world.git('log', '--format=%s', `main..${branch}`)).toBe('feat(US-001): notes (#7)');
    await solveAll(world.house, run, list);
    expect(world.git('show', `${branch}:notes.txt`)).toBe('one\ntwo');
    expect(await entriesOf(run, 'command-verified')).toHaveLength(2);
    expect(await entriesOf(run, 'model-answered')).toHaveLength(2);
  });

  itLong(
    'end as if nothing had happened, wherever they are cut off',
    async () => {
      const undisturbed = await open(works, prepared);
      await solveAll(world.house, undisturbed);
      const expected = await look(undisturbed);
      world.remove();
      const run = await open(works, prepared);
      const places = await cutOffAtEachPoint(world.house, (mortal) => solveAll(mortal, run));
      expect(places.filter((name) => name === 'after transport.pushBranch').length).toBe(2);
      expect(places.filter((name) => name === 'after commands.run').length).toBe(5);
      const settled = (seen: object): unknown =>
        // The commits differ by their root, which is made at another second.
        JSON.parse(JSON.stringify(seen).replaceAll(/[0-9a-f]{40}/gu, '…'));
      expect(settled(await look(run))).toEqual(settled(expected));
      expect(places.length).toBeGreaterThan(30);
    },
    240_000,
  );
});
