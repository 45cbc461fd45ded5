/**
 * Parcels between two clones, as between two jobs. Of a review of a pull request, the commit of the workflow run is the
 * merge that GitHub tries, which no job fetches.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LeftTree } from '../../../ports/proposals/parcels.ts';
import { GitParcels } from './git-parcels.ts';

let folder = '';

function git(place: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', HOME: folder } as NodeJS.ProcessEnv;
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];
  return execFileSync('git', [...identity, ...args], {
    cwd: join(folder, place),
    encoding: 'utf8',
    env,
  }).trim();
}

function commit(place: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, place, path)), { recursive: true });
    writeFileSync(join(folder, place, path), content);
  }
  git(place, 'add', '--all');
  git(place, 'commit', '--quiet', '--message', 'X');
  return git(place, 'rev-parse', 'HEAD');
}

/** As actions/checkout makes one of the default branch, with the whole history. */
function checkOut(place: string): GitParcels {
  mkdirSync(join(folder, place));
  git(place, 'init', '--quiet', '--initial-branch=main');
  git(place, 'remote', 'add', 'origin', join(folder, 'origin'));
  git(place, 'fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
  git(place, 'checkout', '--quiet', '-B', 'main', 'refs/remotes/origin/main');
  const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  return new GitParcels(join(folder, place), environment);
}

/** What an agent left that began at a commit, in the objects of a job; the job's own files stay as they are. */
function work(place: string, start: string, files: Readonly<Record<string, string>>): LeftTree {
  git(place, 'checkout', '--quiet', '--detach', start);
  const tree = git(place, 'rev-parse', `${commit(place, files)}^{tree}`);
  git(place, 'checkout', '--quiet', 'main');
  return { start, tree };
}

/** A pack with a file of that many bytes, and one that says it some times over. */
function packOfRepeats(size: number, times: number): Buffer {
  const number = (value: number, first: number, bits: number): number[] => {
    const rest: number[] = [];
    let left = Math.floor(value / 2 ** bits);
    for (; left > 0; left = Math.floor(left / 128)) rest.push(left % 128);
    return [first + (value % 2 ** bits), ...rest].map((byte, at, all) =>
      at + 1 < all.length ? byte | 0x80 : byte,
    );
  };
  const header = (kind: number, length: number): Buffer => Buffer.from(number(length, kind << 4, 4));
  const file = Buffer.alloc(size);
  const id = createHash('sha1').update(`blob ${size}\0`).update(file).digest();
  const copy = Buffer.from([0xf0, 0xff, 0xff, 0xff]);
  const repeats = Array.from({ length: times }, () => copy);
  const delta = Buffer.concat([
    Buffer.from([...number(size, 0, 7), ...number(size * times, 0, 7)]),
    ...repeats,
  ]);
  const body = Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x02'),
    ...[header(3, size), deflateSync(file)],
    ...[header(7, delta.length), id, deflateSync(delta)],
  ]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

let [first, topic, merge, later] = ['', '', '', ''];
const large = (seed: string): string =>
  Array.from({ length: 4000 }, (_, n) => `${seed} ${n * 7919}`).join('\n');

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-parcels-')));
  mkdirSync(join(folder, 'origin'));
  git('origin', 'init', '--quiet', '--initial-branch=main');
  first = commit('origin', { 'a.txt': 'a\n', 'large.txt': large('x') });
  git('origin', 'checkout', '--quiet', '-b', 'topic');
  topic = commit('origin', { 'b.txt': 'b\n', 'src/large.txt': large('y') });
  git('origin', 'checkout', '--quiet', 'main');
  later = commit('origin', { 'c.txt': 'c\n' });
  git('origin', 'checkout', '--quiet', '--detach', 'main');
  git('origin', 'merge', '--quiet', '--no-edit', 'topic');
  merge = git('origin', 'rev-parse', 'HEAD');
  git('origin', 'update-ref', 'refs/pull/1/merge', merge);
  git('origin', 'checkout', '--quiet', 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The file in the copy of the second job, after the parcel was opened there. */
async function carry(parcel: string | null, base: string, left: LeftTree, path: string): Promise<string> {
  const parcels = checkOut('apply');
  const open = await parcels.open(base, parcel, [left]);
  git('apply', 'checkout', '--quiet', '--detach', left.start);
  await open.restore(left, join(folder, 'apply'));
  await open.close();
  return readFileSync(join(folder, 'apply', path), 'utf8');
}

describe('at the merge of a pull request, which is not here', () => {
  it('work on the branch of the pull request travels as what changed', async () => {
    const parcels = checkOut('propose');
    await parcels.checkPacking(merge);
    const left = work('propose', topic, { 'b.txt': 'corrected\n' });
    const parcel = await parcels.pack(merge, [left]);
    expect(parcel?.length).toBeLessThan(2000);
    expect(await carry(parcel, merge, left, 'b.txt')).toBe('corrected\n');
  });

  it('work on the default branch does too', async () => {
    const parcels = checkOut('propose');
    const left = [work('propose', later, { 'd.txt': 'd\n' }), work('propose', first, { 'd.txt': 'e\n' })];
    const parcel = await parcels.pack(merge, left);
    expect(parcel?.length).toBeLessThan(2000);
    const open = await checkOut('apply').open(merge, parcel, left);
    await open.close();
  });

  it('a commit that was made on the way is not taken for one that the next job has', async () => {
    const parcels = checkOut('propose');
    git('propose', 'checkout', '--quiet', '--detach', topic);
    const made = commit('propose', { 'b.txt': 'on the way\n', 'more.txt': large('z') });
    git('propose', 'branch', 'gatewright/work', made);
    git('propose', 'checkout', '--quiet', 'main');
    const left = work('propose', made, { 'e.txt': 'e\n' });
    const parcel = await parcels.pack(merge, [left]);
    // Whole, and yet there is nothing in the next job that it could be compared with.
    await expect(checkOut('apply').open(merge, parcel, [left])).rejects.toMatchObject({
      code: 'proposal-refused',
      message: expect.stringContaining('neither the commit that its bundle follows from nor that of'),
    });
    // At a commit that is here it is looked at, as before.
    const known = await parcels.pack(later, [left]);
    git('apply', 'checkout', '--quiet', 'main');
    const again = new GitParcels(join(folder, 'apply'), { PATH: process.env.PATH, HOME: folder });
    await (await again.open(later, known, [left])).close();
  });
});

it('at a commit that is here, work travels as what it has beyond it', async () => {
  const parcels = checkOut('propose');
  await parcels.checkPacking(later);
  const left = work('propose', later, { 'd.txt': 'd\n' });
  const parcel = await parcels.pack(later, [left]);
  expect(parcel?.length).toBeLessThan(2000);
  expect(await carry(parcel, later, left, 'd.txt')).toBe('d\n');
});

it('without any commit here, nothing could be packed, which is said before', async () => {
  mkdirSync(join(folder, 'empty'));
  git('empty', 'init', '--quiet');
  const parcels = new GitParcels(join(folder, 'empty'), { PATH: process.env.PATH, HOME: folder });
  await expect(parcels.checkPacking(merge)).rejects.toMatchObject({ code: 'git-failed' });
});

describe('a bundle of a few kilobytes that unfolds without end is refused', () => {
  it('into files: each tree holds the next one ten times', async () => {
    const parcels = checkOut('propose');
    const feed = (input: string, ...args: string[]): string =>
      execFileSync('git', args, { cwd: join(folder, 'propose'), input, encoding: 'utf8' }).trim();
    let tree = feed('x', 'hash-object', '-w', '--stdin');
    for (let depth = 0; depth < 7; depth += 1) {
      const kind = depth === 0 ? '100644 blob' : '040000 tree';
      const names = Array.from({ length: 10 }, (_, name) => `${kind} ${tree}\t${name}\0`);
      tree = feed(names.join(''), 'mktree', '-z');
    }
    const left = { start: later, tree };
    const parcel = await parcels.pack(later, [left]);
    expect(parcel?.length).toBeLessThan(2000);
    await expect(checkOut('apply').open(later, parcel, [left])).rejects.toMatchObject({
      code: 'proposal-refused',
      message: expect.stringContaining('holds too much'),
    });
  }, 60_000);

  it('into one file: its difference repeats the file before it, as often as it likes', async () => {
    const parcel = packOfRepeats(0xff_ffff, 20);
    // Git takes such a pack where there is room for it, so it is the room that is looked at.
    writeFileSync(join(folder, 'small.pack'), packOfRepeats(0xff_ffff, 2));
    git('origin', 'index-pack', '--strict', '../small.pack');
    expect(parcel.length).toBeLessThan(40_000);
    const left = { start: later, tree: git('origin', 'rev-parse', `${later}^{tree}`) };
    await expect(checkOut('apply').open(later, parcel.toString('base64'), [left])).rejects.toMatchObject({
      code: 'proposal-refused',
    });
  });
});
