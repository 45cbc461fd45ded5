/** What Node compiled is kept for the next command; a folder that somebody else can write to is never used for it. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Playground, programFile, runProcess } from './support/playground.ts';

interface Place {
  readonly cache: string;
  readonly code: string;
  run(...words: string[]): Promise<void>;
}

/** A home without a cache folder, and the program as it starts there: tests give it a cache of their own. */
function makePlace(cacheBelow: (playground: Playground) => string | null = () => null): Place {
  const playground = new Playground();
  onTestFinished(() => playground.remove());
  const { NODE_COMPILE_CACHE: _, ...environment } = playground.environment;
  const given = cacheBelow(playground);
  const cache = given ?? join(playground.home, '.cache');
  return {
    cache,
    code: join(cache, 'gatewright', 'code'),
    async run(...words) {
      const result = await runProcess([programFile, ...words], {
        cwd: playground.repository,
        env: { ...environment, ...(given === null ? {} : { XDG_CACHE_HOME: given }) },
      });
      expect(result.code, result.all).toBe(0);
    },
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('compiled code', () => {
  it('is kept where only the user can read and write, and used or made anew', async () => {
    const { code, run } = makePlace();
    await run('runs');
    const [version = '', ...others] = readdirSync(code);
    expect(others).toEqual([]);
    for (const folder of [code, join(code, version)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = filesIn(code);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) writeFileSync(file, readFileSync(file).fill(7, 10));
    await run('runs');
  });

  it('of another version is removed', async () => {
    const { code, run } = makePlace();
    await run('runs');
    mkdirSync(join(code, '0.0.1', 'v20'), { recursive: true });
    await run('runs');
    expect(readdirSync(code)).toHaveLength(1);
  });

  it.each([
    ['the folder itself', ['gatewright', 'code']],
    ['the folder of the program', ['gatewright']],
    ['the cache folder', []],
    ['the home', ['..']],
  ])('is not kept where others can write: %s', async (_, path) => {
    const { cache, code, run } = makePlace();
    mkdirSync(code, { recursive: true, mode: 0o700 });
    chmodSync(join(cache, ...path), 0o777);
    await run('runs');
    expect(readdirSync(code)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('is not kept in a folder of somebody else', async () => {
    const { cache, code, run } = makePlace();
    mkdirSync(code, { recursive: true, mode: 0o700 });
    chownSync(cache, 12_345, 12_345);
    await run('runs');
    expect(readdirSync(code)).toEqual([]);
  });

  it('is not kept below a folder for everybody', async () => {
    const { cache, run } = makePlace(({ folder }) => {
      mkdirSync(join(folder, 'shared'));
      chmodSync(join(folder, 'shared'), 0o1777);
      return join(folder, 'shared', 'cache');
    });
    await run('runs');
    expect(existsSync(cache)).toBe(false);
  });

  it('does not stand in the way when it cannot be kept', async () => {
    const { cache, run } = makePlace();
    writeFileSync(cache, 'not a folder');
    await run('runs');
  });
});
