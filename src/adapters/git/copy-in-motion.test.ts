/** Whoever works in a folder while it is copied cannot lead the copy outside, whatever they put in its way. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import { canCopyInMotion, copyInMotion } from './copy-in-motion.ts';

let folder = '';
let from = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-motion-')));
  from = join(folder, 'from');
  mkdirSync(join(from, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside', 'file'), 'secret');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Swaps a folder for a link to another and back, for as long as it lives. */
const swapper = `
const { renameSync, symlinkSync } = require('node:fs');
const [sub, aside, link] = process.argv.slice(1);
symlinkSync('../outside', link);
process.stdout.write('ready');
for (;;) {
  renameSync(sub, aside); renameSync(link, sub);
  renameSync(sub, link); renameSync(aside, sub);
}`;

describe.runIf(canCopyInMotion)('a copy of a folder in motion', () => {
  it('has the files, their rights and the links as they are, and not what is left out', async () => {
    writeFileSync(join(from, 'sub', 'run'), 'x', { mode: 0o755 });
    writeFileSync(join(from, 'empty'), '');
    mkdirSync(join(from, 'node_modules'));
    writeFileSync(join(from, 'node_modules', 'much'), 'x');
    symlinkSync('../outside', join(from, 'link'));
    execFileSync('mkfifo', [join(from, 'pipe')]);
    const to = join(folder, 'to');
    await copyInMotion(from, to, (path) => path === 'node_modules/');
    expect(readFileSync(join(to, 'sub', 'run'), 'utf8')).toBe('x');
    expect(statSync(join(to, 'sub', 'run')).mode & 0o100).toBe(0o100);
    expect(statSync(join(to, 'empty')).mode & 0o100).toBe(0);
    expect(readlinkSync(join(to, 'link'))).toBe('../outside');
    for (const path of ['node_modules', 'pipe']) expect(existsSync(join(to, path))).toBe(false);
  });

  it('is refused when the name of a file is not text, and through a link', async () => {
    symlinkSync(from, join(folder, 'link'));
    await expect(copyInMotion(join(folder, 'link'), join(folder, 'to'), () => false)).rejects.toThrow();
    writeFileSync(Buffer.concat([Buffer.from(`${from}/`), Buffer.from([0xff])]), 'x');
    expect(await rejectedCode(copyInMotion(from, join(folder, 'to'), () => false))).toBe('work-refused');
  });

  it('never holds what lies outside, while a folder is swapped for a link again and again', async () => {
    writeFileSync(join(from, 'sub', 'file'), 'ours');
    const places = [join(from, 'sub'), join(folder, 'aside'), join(folder, 'link')];
    const child = spawn(process.execPath, ['-e', swapper, ...places], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const seen = { link: 0, ours: 0 };
    try {
      for (let round = 0; round < 400; round += 1) {
        const to = join(folder, `to-${round}`);
        await copyInMotion(from, to, () => false);
        const sub = lstatSync(join(to, 'sub'), { throwIfNoEntry: false });
        if (sub?.isSymbolicLink() === true) seen.link += 1;
        else if (existsSync(join(to, 'sub', 'file'))) {
          expect(readFileSync(join(to, 'sub', 'file'), 'utf8')).toBe('ours');
          seen.ours += 1;
        }
      }
    } finally {
      child.kill();
    }
    // It was really in motion.
    expect(Math.min(seen.link, seen.ours)).toBeGreaterThan(0);
  });
});
