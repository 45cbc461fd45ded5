/** No path leaves the root: not by `..`, not by a link that somebody committed, and a file appears whole or not at all. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import type { GatewrightError } from '../../errors.ts';
import {
  createFile,
  listNames,
  movePath,
  pathExists,
  readTextFile,
  removeFolder,
  resolveInside,
} from './safe-files.ts';

let folder = '';
let root = '';
let outside = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-files-')));
  root = join(folder, 'root');
  outside = join(folder, 'root-not');
  mkdirSync(join(root, 'in', 'deep'), { recursive: true });
  mkdirSync(join(outside, 'dir'), { recursive: true });
  writeFileSync(join(root, 'file.md'), 'inside');
  writeFileSync(join(outside, 'secret'), 'secret');
  const links = {
    out: outside,
    sibling: '../root-not',
    up: '..',
    top: '/',
    here: '.',
    inner: 'in/deep',
    back: 'in/../../root',
    hop: 'out/dir',
    secret: join(outside, 'secret'),
    dangling: join(root, 'in', 'nothing'),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  symlinkSync(outside, join(root, 'in', 'out'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function isBelow(path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Follows a path link by link as the system would; where it really leads, whether or not that exists. */
function follow(path: string, hops = 0): string {
  if (hops > 40) return path;
  let real = '/';
  const parts = relative('/', path).split('/');
  for (const [index, part] of parts.entries()) {
    const next = join(real, part);
    let target: string | null = null;
    try {
      if (lstatSync(next).isSymbolicLink()) target = readlinkSync(next);
    } catch {
      // What does not exist is no link.
    }
    if (target !== null)
      return follow(join(resolve(dirname(next), target), ...parts.slice(index + 1)), hops + 1);
    real = next;
  }
  return real;
}

describe('resolveInside', () => {
  it('never gives a path that leads outside', async () => {
    const names = [
      'in',
      'deep',
      'out',
      'sibling',
      'up',
      'top',
      'here',
      'inner',
      'back',
      'hop',
      'secret',
      'dangling',
      'file.md',
      'new',
      '..',
      '.',
      '',
      'root',
      'root-not',
      '...',
      '..\\',
      '\0',
      '-x',
      '$(x)',
      '\u202E',
      'etc',
    ];
    const path = fc.oneof(
      {
        weight: 800,
        arbitrary: fc.array(fc.constantFrom(...names), { maxLength: 4 }).map((parts) => parts.join('/')),
      },
      { weight: 100, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
      {
        weight: 100,
        arbitrary: fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', '~', ' '), maxLength: 12 }),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom('../', 'a/', 'here/').map((part) => part.repeat(10_000).slice(0, 10_000)),
      },
    );
    let given = 0;
    const leads = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(path, async (one) => {
        let full: string;
        try {
          full = await resolveInside(root, one);
        } catch {
          return;
        }
        given += 1;
        expect(isBelow(full)).toBe(true);
        // Below a file nothing can be reached, wherever the file is.
        if (/(?:^|\/)secret\//u.test(one)) return;
        const end = leads.get(full) ?? follow(full);
        leads.set(full, end);
        expect(isBelow(end)).toBe(true);
      }),
      { numRuns: propertyRuns(10_000) },
    );
    expect(given).toBeGreaterThan(propertyRuns(10_000) / 10);
  });

  it.each([
    '',
    '..',
    '../x',
    'in/../../x',
    '/etc/passwd',
    'a\0b',
    'out/x',
    'sibling',
    'up/x',
    'top/etc',
    'hop',
    'secret',
    'in/out/secret',
    'here/out/new',
    'in\\..\\..\\x',
  ])('refuses %j', async (path) => {
    expect(await rejectedCode(resolveInside(root, path))).toBe('path-outside-root');
  });

  it.each([
    'file.md',
    'in/deep',
    'new',
    'new/deeper/file',
    'inner/x',
    'here/file.md',
    'back/file.md',
    'in/../file.md',
    './in',
    '-x',
    '...',
  ])('allows %j', async (path) => {
    expect(await resolveInside(root, path)).toBe(join(root, path));
  });

  it('refuses a link to something outside that does not exist yet', async () => {
    symlinkSync(join(outside, 'later'), join(root, 'later'));
    expect(await rejectedCode(resolveInside(root, 'later/file.md'))).toBe('path-outside-root');
    expect(await rejectedCode(resolveInside(root, 'later'))).toBe('path-outside-root');
  });

  it('takes a folder that another process makes at that moment for what it is', async () => {
    const makeAndRemove = `
      const { mkdirSync, rmdirSync } = require('node:fs');
      const { workerData } = require('node:worker_threads');
      for (;;) { mkdirSync(workerData); rmdirSync(workerData); }`;
    const other = new Worker(makeAndRemove, { eval: true, workerData: join(root, 'docs') });
    const codes = new Set<string>();
    // It is made about as often as it is looked for here, and one look in a thousand falls between.
    for (let looks = 0; looks < propertyRuns(20_000); looks += 1) {
      await resolveInside(root, 'docs/lineage/brief.md').catch((error: GatewrightError) =>
        codes.add(error.code),
      );
    }
    await other.terminate();
    expect([...codes]).toEqual([]);
  });

  it.each([
    ['a name that is too long', 'a'.repeat(300)],
    ['a link to itself', 'loop'],
  ])('explains %s with an error of ours', async (_, path) => {
    symlinkSync('loop', join(root, 'loop'));
    expect(['file-conflict', 'path-outside-root', 'cannot-write']).toContain(
      await rejectedCode(resolveInside(root, path)),
    );
  });
});

describe('createFile', () => {
  it('makes a file with its folders, and leaves nothing else behind', async () => {
    expect(await createFile(root, 'docs/a/001-brief.md', 'text')).toBe(true);
    expect(readFileSync(join(root, 'docs/a/001-brief.md'), 'utf8')).toBe('text');
    expect(readdirSync(join(root, 'docs/a'))).toEqual(['001-brief.md']);
  });

  it('never replaces a file', async () => {
    expect(await createFile(root, 'file.md', 'other')).toBe(false);
    expect(readFileSync(join(root, 'file.md'), 'utf8')).toBe('inside');
    expect(readdirSync(root).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('removes what a killed attempt left behind', async () => {
    // No process has a number this high: whoever wrote it is gone.
    writeFileSync(join(root, '.new.md.4194305-0123abcd.partial'), 'hal');
    expect(await createFile(root, 'new.md', 'whole')).toBe(true);
    expect(readFileSync(join(root, 'new.md'), 'utf8')).toBe('whole');
    expect(readdirSync(root).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('leaves nothing of a process that died after its file was whole', async () => {
    await createFile(root, 'lineage/001-brief.md', 'brief');
    writeFileSync(join(root, 'lineage', '.001-brief.md.4194305-0123abcd.partial'), 'brief');
    expect(await movePath(root, 'lineage', 'done')).toBe(true);
    expect(readdirSync(join(root, 'done'))).toEqual(['001-brief.md']);
  });

  it('does not write through a link', async () => {
    expect(await rejectedCode(createFile(root, 'out/new.md', 'x'))).toBe('path-outside-root');
    expect(await rejectedCode(createFile(root, 'secret', 'x'))).toBe('path-outside-root');
    expect(readdirSync(outside).sort()).toEqual(['dir', 'secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it.each([
    ['a file where a folder has to be', 'file.md/new.md'],
    ['a file higher up', 'file.md/a/b/new.md'],
  ])('says file-conflict for %s', async (_, path) => {
    expect(await rejectedCode(createFile(root, path, 'x'))).toBe('file-conflict');
  });
});

describe('movePath', () => {
  it('moves a folder, and says so when it was moved before', async () => {
    writeFileSync(join(root, 'in', 'a.md'), 'a');
    expect(await movePath(root, 'in', 'done/in')).toBe(true);
    expect(readFileSync(join(root, 'done/in/a.md'), 'utf8')).toBe('a');
    expect(await movePath(root, 'in', 'done/in')).toBe(false);
  });

  it('does not replace what is there', async () => {
    writeFileSync(join(root, 'other.md'), 'other');
    expect(await rejectedCode(movePath(root, 'file.md', 'other.md'))).toBe('file-conflict');
    expect(readFileSync(join(root, 'other.md'), 'utf8')).toBe('other');
  });

  it.each([
    ['file.md', '../file.md'],
    ['../root-not/secret', 'secret.md'],
    ['file.md', 'out/file.md'],
    ['out/secret', 'stolen'],
  ])('does not move %s to %s', async (from, to) => {
    expect(await rejectedCode(movePath(root, from, to))).toBe('path-outside-root');
    expect(readdirSync(outside).sort()).toEqual(['dir', 'secret']);
  });
});

describe('reading and removing', () => {
  it('reads what is there and gives null for what is not', async () => {
    expect(await readTextFile(root, 'file.md')).toBe('inside');
    expect(await readTextFile(root, 'nothing')).toBeNull();
    expect(await readTextFile(root, 'file.md/below')).toBeNull();
    expect(await listNames(root, 'nothing')).toEqual([]);
    expect((await listNames(root, 'in')).sort()).toEqual(['deep', 'out']);
    expect([await pathExists(root, 'in'), await pathExists(root, 'nothing')]).toEqual([true, false]);
  });

  it('does not read, list or remove through a link', async () => {
    expect(await rejectedCode(readTextFile(root, 'out/secret'))).toBe('path-outside-root');
    expect(await rejectedCode(listNames(root, 'out'))).toBe('path-outside-root');
    expect(await rejectedCode(pathExists(root, 'out/secret'))).toBe('path-outside-root');
    expect(await rejectedCode(removeFolder(root, 'out/dir'))).toBe('path-outside-root');
    expect(readdirSync(outside).sort()).toEqual(['dir', 'secret']);
  });

  it('removes a folder with all in it but not what links in it lead to', async () => {
    await removeFolder(root, 'in');
    expect(await pathExists(root, 'in')).toBe(false);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    await removeFolder(root, 'in');
  });
});
