/** `labels` and `agents` in the built program: what they show needs no database, and a sync makes only what is missing. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentNames } from '../../src/domain/fleet/agent-names.ts';
import { labelTable, standardLabels } from '../../src/domain/forge/label-table.ts';
import { Playground } from '../support/playground.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

interface Label {
  readonly name: string;
  readonly colour: string;
  readonly description: string;
}
interface Synced {
  readonly changed: boolean;
  readonly labels: (Label & { state: string; existing?: Omit<Label, 'name'> })[];
}

const onForge = () => playground.json<Label[]>(['forge', 'label', 'list']);
const stateOf = ({ labels }: Synced, name: string) => labels.find((one) => one.name === name)?.state;

it('the tables are shown without a repository’s database', async () => {
  const agents = await playground.json<{ name: string; help: object }[]>(['agents']);
  expect(agents.map(({ name }) => name)).toEqual([...agentNames]);
  const one = await playground.run(['agents', 'ci-doctor']);
  expect([one.code, one.stdout.split('\n')[0]]).toEqual([0, 'ci-doctor']);
  const labels = await playground.json<Label[]>(['labels', 'list']);
  expect(labels.map(({ name }) => name)).toEqual(labelTable.map(({ name }) => name));
  expect((await playground.run(['labels'])).stdout).toMatch(
    /^planning +state +write permission +implementer/mu,
  );
  const unknown = await playground.run(['agents', 'plumber']);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('NAME has to be one of: implementer'),
  ]);
  expect(existsSync(playground.database)).toBe(false);
});

it('a sync makes what is missing, leaves what is there, and has nothing to do the second time', async () => {
  playground.write(
    'gatewright.config.json',
    JSON.stringify({
      labels: [
        { name: 'ux', colour: '5319e7' },
        { name: 'chore', colour: '000000' },
      ],
    }),
  );
  await playground.run(['forge', 'label', 'create', 'Bug', '--color', '123456', '--description', 'ours']);
  const dry = await playground.json<Synced>(['labels', 'sync', '--dry-run']);
  expect([dry.changed, stateOf(dry, 'stale'), stateOf(dry, 'ux'), stateOf(dry, 'bug')]).toEqual([
    false,
    'new',
    'new',
    'differs',
  ]);
  expect(await onForge()).toHaveLength(1);

  const done = await playground.run(['labels', 'sync']);
  expect(done.code, done.all).toBe(0);
  expect(done.stdout).toContain('bug keeps the colour #123456 (not #d73a4a) and the description "ours"');
  // Once: what is made is what is listed.
  expect(done.all.split('AI: In Progress')).toHaveLength(2);
  expect(done.stdout).toMatch(/^ {2}\+ AI: In Progress +#/mu);
  expect(done.stderr).toMatch(/^Made \d+ labels\.$/mu);
  const there = await onForge();
  expect(there.map(({ name }) => name.toLowerCase()).sort()).toEqual(
    [...standardLabels.map(({ name }) => name.toLowerCase()), 'ux'].sort(),
  );
  const find = (name: string) => there.find((one) => one.name === name);
  expect([find('Bug')?.colour, find('chore')?.colour, find('ux')?.colour]).toEqual([
    '123456',
    '000000',
    '5319e7',
  ]);

  const again = await playground.json<Synced>(['labels', 'sync']);
  expect(again.changed).toBe(false);
  expect(again.labels.filter(({ state }) => state !== 'there')).toMatchObject([
    { name: 'bug', state: 'differs', existing: { colour: '123456', description: 'ours' } },
  ]);
  expect((await playground.run(['labels', 'sync'])).stderr).toContain('Nothing to do.');
  expect((await playground.run(['ledger', 'verify'])).stdout).toContain('Sound');

  await playground.run(['forge', 'permission', 'set', 'mallory', 'read']);
  playground.write('gatewright.config.json', JSON.stringify({ labels: [{ name: 'more' }] }));
  const refused = await playground.run(['labels', 'sync'], { env: { GATEWRIGHT_ACTOR: 'mallory' } });
  expect(refused.code).not.toBe(0);
  expect(refused.all).toContain('needs "write" permission');
  expect(await onForge()).toHaveLength(there.length);
});
