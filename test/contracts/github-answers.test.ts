/** What has not changed is not loaded again, in this process and in the next; and nobody else can read what is kept. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryAnswerCache } from '../../src/adapters/github/client/answer-cache.ts';
import { DiskAnswerCache } from '../../src/adapters/github/client/disk-answer-cache.ts';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld, openForge, tokenOf } from './github-world.ts';

let world: GithubWorld;
let folder: string;

beforeEach(async () => {
  world = await makeGithubWorld();
  folder = join(mkdtempSync(join(tmpdir(), 'gw-answers-')), 'github');
  for (let index = 0; index < 5; index += 1)
    await world.forge.createIssue(world.repository, {
      title: `Issue ${index}`,
      body: 'canary-body',
      labels: [],
    });
  world.server.requests.length = 0;
});
afterEach(async () => {
  await world.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const onDisk = (actor: string = actors.admin): GithubForge =>
  openForge(
    world.server.url,
    { kind: 'token', token: tokenOf(actor) },
    { makeCache: (lock) => new DiskAnswerCache(folder, lock) },
  );
const list = (forge: GithubForge) => forge.listIssues(world.repository);
const statuses = () => world.server.requests.splice(0).map((request) => request.status);
const files = () => readdirSync(folder).map((name) => join(folder, name));

describe('a second reading', () => {
  it('costs nothing of the rate limit when nothing has changed, on any page', async () => {
    const first = await list(world.forge);
    expect(first).toHaveLength(5);
    expect(statuses()).toEqual([200, 200]);
    expect(await list(world.forge)).toEqual(first);
    expect(world.server.counted).toBe(0);
    expect(statuses()).toEqual([304, 304]);
  });

  it('sees every change at once', async () => {
    await list(world.forge);
    await world.forgeAs(actors.write).editIssue(world.repository, 1, { title: 'Changed' });
    statuses();
    expect((await list(world.forge)).map(({ title }) => title)).toContain('Changed');
    // The first page holds the newest three; the second one changed.
    expect(statuses()).toEqual([304, 200]);
    await list(world.forge);
    expect(statuses()).toEqual([304, 304]);
  });

  it('of lists that come in a wrapping works too', async () => {
    const sha = world.git.resolve('main') ?? '';
    for (const name of ['a', 'b', 'c', 'd']) await world.seedCheckRun(sha, { name, state: 'success' });
    const first = await world.forge.listChecks(world.repository, sha);
    expect(first).toHaveLength(4);
    statuses();
    expect(await world.forge.listChecks(world.repository, sha)).toEqual(first);
    expect(new Set(statuses())).toEqual(new Set([304]));
  });

  it('asks anew when it was told to remember nothing', async () => {
    const credential = { kind: 'token', token: tokenOf(actors.admin) } as const;
    const forge = openForge(world.server.url, credential, { makeCache: null });
    await list(forge);
    await list(forge);
    expect(statuses()).toEqual([200, 200, 200, 200]);
  });
});

describe('in the next process', () => {
  it('what has not changed is not loaded again', async () => {
    const first = await list(onDisk());
    expect(statuses()).toEqual([200, 200]);
    expect(await list(onDisk())).toEqual(first);
    expect(statuses()).toEqual([304, 304]);
  });

  it('only for the same credential', async () => {
    await list(onDisk());
    statuses();
    await list(onDisk(actors.write));
    expect(statuses()).toEqual([200, 200]);
    expect(files()).toHaveLength(4);
  });

  it('for the user alone, and for nobody without the token', async () => {
    await list(onDisk());
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of files()) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const content = readFileSync(file).toString('latin1');
      for (const secret of ['canary-body', 'Issue 1', 'acme', tokenOf(actors.admin)]) {
        expect(content).not.toContain(secret);
        expect(file).not.toContain(secret);
      }
    }
  });

  it.each<[string, (file: string, other: string) => void]>([
    ['cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
    ['emptied', (file) => writeFileSync(file, '')],
    ['garbage', (file) => writeFileSync(file, Buffer.alloc(500, 7))],
    [
      'changed in one bit',
      (file) => {
        const content = readFileSync(file);
        content[40] = (content[40] ?? 0) ^ 1;
        writeFileSync(file, content);
      },
    ],
    ['another answer', (file, other) => writeFileSync(file, readFileSync(other))],
    ['gone', (file) => rmSync(file)],
    [
      'a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ['closed to us', (file) => chmodSync(file, 0)],
  ])('a file that is %s does no harm', async (_, damage) => {
    const first = await list(onDisk());
    const [one = '', two = ''] = files();
    damage(one, two);
    damage(two, one);
    expect(await list(onDisk())).toEqual(first);
    expect(await list(onDisk())).toEqual(first);
  });

  it('a folder that cannot be made does no harm', async () => {
    writeFileSync(folder, 'in the way');
    expect(await list(onDisk())).toHaveLength(5);
  });
});

describe('what is kept is bounded', () => {
  const answer = (body: string) => ({ etag: '"x"', contentType: 'application/json', link: '', body });

  it.each<
    [string, () => { get(key: string): unknown; set(key: string, value: ReturnType<typeof answer>): void }]
  >([['in memory', () => new MemoryAnswerCache({ entries: 3, bytes: 1000 })]])(
    '%s, by number and by size; what is used stays',
    (_, make) => {
      const cache = make();
      for (const key of ['a', 'b', 'c']) cache.set(key, answer('x'));
      cache.get('a');
      cache.set('d', answer('x'));
      expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== null)).toEqual([true, false, true, true]);
      cache.set('large', answer('x'.repeat(999)));
      expect(['a', 'c', 'd', 'large'].map((key) => cache.get(key) !== null)).toEqual([
        false,
        false,
        true,
        true,
      ]);
      cache.set('large', answer('x'.repeat(990)));
      expect(cache.get('large')).not.toBeNull();
    },
  );

  it('on disk', () => {
    const limits = { entries: 10, bytes: 1_000_000 };
    for (let index = 0; index < 30; index += 1)
      // A new process each time: it looks through the folder at its first write.
      new DiskAnswerCache(folder, 'lock', limits).set(`key ${index}`, answer('x'));
    expect(files().length).toBeLessThanOrEqual(10);
    const small = new DiskAnswerCache(folder, 'lock', { entries: 100, bytes: 2000 });
    small.set('large', answer('x'.repeat(1500)));
    expect(files().reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(2000);
  });
});
