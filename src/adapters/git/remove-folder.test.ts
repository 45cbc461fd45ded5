/** Whatever is in a folder, it goes, and nothing else does. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, removeWithCare } from './remove-folder.ts';

let folder = '';
let place = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-remove-')));
  place = join(folder, 'place');
  mkdirSync(place);
});
afterEach(() => execFileSync('rm', ['-rf', folder]));

/** Deeper than any path can say. */
const digger = `
const { mkdirSync, writeFileSync } = require('node:fs');
for (let depth = 0; depth < 300; depth += 1) {
  mkdirSync('d'.repeat(100)); process.chdir('d'.repeat(100)); writeFileSync('file', '');
}`;

it.each([
  ['as it comes', removeFolder],
  ['with care', removeWithCare],
])(
  'removes links, pipes, names that are not text, locked folders and folders beyond every path, %s',
  async (_, remove) => {
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside', 'file'), 'stays');
    symlinkSync('../outside', join(place, 'link'));
    symlinkSync(join(folder, 'outside', 'file'), join(place, 'file'));
    execFileSync('mkfifo', [join(place, 'pipe')]);
    const strange = Buffer.concat([Buffer.from(`${place}/`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(strange);
    writeFileSync(Buffer.concat([strange, Buffer.from('/x\n\xe9', 'latin1')]), 'x');
    mkdirSync(join(place, 'locked', 'in'), { recursive: true });
    writeFileSync(join(place, 'locked', 'in', 'x'), 'x');
    for (const path of ['locked/in', 'locked']) chmodSync(join(place, path), 0);
    execFileSync(process.execPath, ['-e', digger], { cwd: place });
    await remove(place);
    expect(readdirSync(folder)).toEqual(['outside']);
    expect(existsSync(join(folder, 'outside', 'file'))).toBe(true);
  },
);

it('removes a link in its place and not what it leads to; says when there is nothing', async () => {
  symlinkSync(place, join(folder, 'link'));
  expect(await removeFolder(join(folder, 'link'))).toBe(true);
  expect(readdirSync(folder)).toEqual(['place']);
  expect(await removeFolder(join(folder, 'nothing'))).toBe(false);
});

it('goes on with what was left half done', async () => {
  mkdirSync(`${place}.removed/7/x`, { recursive: true });
  mkdirSync(join(place, 'a', 'b'), { recursive: true });
  expect(await removeFolder(place)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(`${place}.removed/7/x`, { recursive: true });
  expect(await removeFolder(place)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it('lets the process do other things meanwhile', async () => {
  for (let number = 0; number < 500; number += 1) writeFileSync(join(place, `${number}`), '');
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await removeFolder(place);
  expect([hadTurn, existsSync(place)]).toEqual([true, false]);
});
