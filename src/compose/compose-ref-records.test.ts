/** What is recorded in a scratch copy stays there, and the copy goes away with the program. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground, runProcess } from '../../test/support/playground.ts';
import { RefMachines } from '../../test/support/ref-machines.ts';
import { readConfig } from '../config/read-config.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import { composeRecords } from './compose-records.ts';

const subject = 'local/project#1';
const entry = (step: number): NewEntry => ({
  ...{ subject, run: 'R', actor: 'alice', kind: 'node-begun', key: `R/${step}` },
  data: { node: 'draft', step },
});

let playground: Playground;
beforeEach(() => {
  playground = new Playground();
});
afterEach(() => playground.remove());

describe.each(['ref', 'local'])('a scratch copy of a ledger that is %s', (kind) => {
  it('begins with what is there, and nothing of it comes back', async () => {
    const environment = { ...playground.environment, ...new RefMachines(playground).next() };
    const config = readConfig({ ...environment, GATEWRIGHT_LEDGER: kind });
    const home = { root: playground.repository, name: null, forge: 'local' } as const;
    const real = await composeRecords(config, 'write', home);
    await real.records.ledger.append([entry(1)]);
    const scratch = await composeRecords(config, 'scratch', home);
    const { ledger, leases } = scratch.records;
    const got = await leases.acquire(subject);
    if (!('lease' in got)) throw new Error('The lease is held.');
    await ledger.append([entry(2)], got.lease);
    const saver = await scratch.openCheckpoints();
    const checkpoint = { v: 4, id: 'c', ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} };
    const thread = { configurable: { thread_id: 'R', checkpoint_ns: '' } };
    await saver.put(thread, checkpoint, { source: 'loop', step: 1, parents: {} }, {});
    expect((await saver.getTuple(thread))?.checkpoint.id).toBe('c');
    expect(await ledger.readSubject(subject)).toHaveLength(2);
    expect((await ledger.verify()).problems).toEqual([]);
    const again = await composeRecords(config, 'write', home);
    expect(await again.records.ledger.readSubject(subject)).toHaveLength(1);
    expect(await again.records.leases.holderOf(subject)).toBeNull();
    expect(await (await again.openCheckpoints()).getTuple(thread)).toBeUndefined();
    // The local forge is a copy, too, and what else is made goes beside it.
    expect(scratch.database.name).not.toBe(real.database.name);
    expect(scratch.folder).toContain('gatewright-scratch-');
  });
});

it('a scratch copy is removed at the end of a program', async () => {
  const temporary = join(playground.folder, 'temporary');
  mkdirSync(temporary);
  const child = `
    import { composeRecords } from '${join(import.meta.dirname, 'compose-records.ts')}';
    import { readConfig } from '${join(import.meta.dirname, '../config/read-config.ts')}';
    const { records } = await composeRecords(readConfig(process.env), 'scratch');
    console.log((await records.ledger.listSubjects()).length);`;
  const env = { ...playground.environment, ...new RefMachines(playground).next(), TMPDIR: temporary };
  const result = await runProcess(['--input-type=module', '--eval', child], {
    cwd: playground.repository,
    env,
  });
  expect([result.code, result.stdout, result.stderr]).toEqual([0, '0\n', '']);
  expect(readdirSync(temporary)).toEqual([]);
});
