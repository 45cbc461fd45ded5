/** What is read lies inside, also while folders are swapped for links; nothing waits for a pipe, and every name is seen. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canReadInMotion, FolderReader, hasChanged } from './folder-reader.ts';

let folder = '';
let from = '';
let reader: FolderReader;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-reader-')));
  from = join(folder, 'from');
  mkdirSync(join(from, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside', 'file'), 'secret');
  reader = new FolderReader(from, false);
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

describe('a folder that is read', () => {
  it('has its files, programs, links and whatever else there is, sorted', () => {
    writeFileSync(join(from, 'run'), 'xyz', { mode: 0o755 });
    writeFileSync(join(from, 'empty'), '');
    symlinkSync('../outside', join(from, 'link'));
    execFileSync('mkfifo', [join(from, 'pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${from}/z`), Buffer.from([0xff])]), 'x');
    expect(
      reader
        .list('')
        .map(({ name, kind, isText, size }) => [name, kind, isText, kind === 'program' ? size : null]),
    ).toEqual([
      ['empty', 'file', true, null],
      ['link', 'link', true, null],
      ['pipe', 'other', true, null],
      ['run', 'program', true, 3],
      ['sub', 'folder', true, null],
      ['z\\xff', 'file', false, null],
    ]);
    expect(reader.read('run', 3)?.toString()).toBe('xyz');
    expect(reader.read('run', 2)).toBeNull();
    expect(reader.readLink('link').toString()).toBe('../outside');
  });

  it('opens no pipe for good and follows no link, at the end of a path, on its way or at its root', () => {
    execFileSync('mkfifo', [join(from, 'pipe')]);
    symlinkSync('../outside', join(from, 'link'));
    symlinkSync('../../outside/file', join(from, 'sub', 'file'));
    symlinkSync(from, join(folder, 'root'));
    expect(reader.read('pipe', 10)).toBeNull();
    const refusals = [
      () => reader.read('sub/file', 10),
      () => reader.list('link'),
      () => reader.read('link/file', 10),
      () => new FolderReader(join(folder, 'root'), true).list(''),
      () => reader.read('nothing', 10),
    ];
    for (const attempt of refusals) {
      const thrown = (() => {
        try {
          return attempt();
        } catch (error) {
          return error;
        }
      })();
      expect(hasChanged(thrown)).toBe(true);
    }
  });

  it.runIf(canReadInMotion)(
    'never gives what lies outside, while a folder is swapped for a link again and again',
    async () => {
      writeFileSync(join(from, 'sub', 'file'), 'ours');
      const places = [join(from, 'sub'), join(folder, 'aside'), join(folder, 'link')];
      const child = spawn(process.execPath, ['-e', swapper, ...places], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const seen = { changed: 0, ours: 0 };
      try {
        for (let round = 0; round < 200_000 && Math.min(seen.changed, seen.ours) < 200; round += 1) {
          try {
            expect(reader.read('sub/file', 10)?.toString()).toBe('ours');
            seen.ours += 1;
          } catch (error) {
            if (!hasChanged(error)) throw error;
            seen.changed += 1;
          }
        }
      } finally {
        child.kill();
      }
      // It was really in motion.
      expect(Math.min(seen.changed, seen.ours)).toBeGreaterThan(0);
    },
  );
});
