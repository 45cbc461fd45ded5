/** A sandbox is built in memory where that is possible, unless a person chose another place. */
import { readdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { boxPlace, makeOwnFolder } from './scratch-folder.ts';

it('is where the person keeps temporary files, if they chose a folder', () => {
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) expect(boxPlace({ [name]: '/elsewhere' })).toBe(tmpdir());
});

it('is a folder in memory, or the usual one', () => {
  const place = boxPlace({});
  expect([tmpdir(), '/dev/shm']).toContain(place);
  if (place === '/dev/shm') expect(statfsSync(place).type).toBe(0x01021994);
});

it('holds nothing of a sandbox that was removed', () => {
  const before = readdirSync(boxPlace());
  const own = makeOwnFolder({ user: 1000, group: 1000 }, {}, { programs: {}, settings: {} });
  expect(own.shown.startsWith(`${boxPlace()}/gw-box-${process.pid}-`)).toBe(true);
  own.remove();
  expect(readdirSync(boxPlace()).filter((name) => name.startsWith(`gw-box-${process.pid}-`))).toEqual(
    before.filter((name) => name.startsWith(`gw-box-${process.pid}-`)),
  );
});
