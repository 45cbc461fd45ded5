/** A link that is let in leads where the kernel says, inside; compared in real folders, for links made at random. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../test/support/property-runs.ts';
import { type JudgedFile, judgeTree } from './judge-tree.ts';
import { describeLink, followLink, type LinkGround } from './tree-link.ts';

const ground: LinkGround = {
  files: new Set(['a', 'd/b', 'd/e/c', 'Ü/x']),
  folders: new Set(['d', 'd/e', 'Ü']),
  links: new Map([
    ['d/l', 'd/l'],
    ['s', 's'],
  ]),
};

describe('followLink', () => {
  it.each<[path: string, target: string, end: string]>([
    ['x', 'a', 'a'],
    ['x', './d//b', 'd/b'],
    ['d/x', '../a', 'a'],
    ['d/e/x', '../b', 'd/b'],
    ['x', 'd/../a', 'a'],
    ['x', 'd/', 'd'],
    ['x', 'd/e/.', 'd/e'],
    ['d/e/x', '../../Ü/x', 'Ü/x'],
  ])('%s -> %s leads to %s', (path, target, end) =>
    expect(followLink(path, target, ground)).toEqual({ end }),
  );

  it.each<[path: string, target: string, refused: string]>([
    ['x', '', 'no-path'],
    ['x', 'a\nb', 'no-path'],
    ['x', 'a\tb', 'no-path'],
    ['x', '..\\..\\secret', 'no-path'],
    ['x', 'a\u200Db', 'no-path'],
    ['x', 'a\uFFFDb', 'no-path'],
    ['x', `${'./'.repeat(500)}a`, 'no-path'],
    ['x', '/etc/passwd', 'outside'],
    ['x', '/', 'outside'],
    ['x', 'C:/secret', 'outside'],
    ['x', '..', 'outside'],
    ['d/x', '../../secret', 'outside'],
    ['d/x', '../d/../../d/b', 'outside'],
    ['x', '.git/config', 'git'],
    ['x', 'd/.GIT/config', 'git'],
    ['x', 'git~1/config', 'git'],
    ['x', 'nothing', 'nowhere'],
    ['x', 'a/', 'nowhere'],
    ['x', 'a/.', 'nowhere'],
    ['x', 'a/../a', 'nowhere'],
    ['x', 'nothing/../a', 'nowhere'],
    ['x', '.', 'holds-it'],
    ['d/x', '..', 'holds-it'],
    ['d/e/x', '..', 'holds-it'],
    ['d/e/x', '../../d', 'holds-it'],
    ['d/e/x', '.', 'holds-it'],
    ['x', 'd/l/b', 'through'],
    ['x', 's', 'through'],
    ['x', 's/../a', 'through'],
    ['x', 'S/../a', 'through'],
    ['x', 'd/L', 'through'],
  ])('%s -> %j is refused: %s', (path, target, refused) =>
    expect(followLink(path, target, ground)).toMatchObject({ refused }),
  );

  it('the link and the folder of git have their limits', () => {
    expect(followLink('x', `${'./'.repeat(499)}a`, ground)).toEqual({ end: 'a' });
  });
});

it.each([
  [{ refused: 'no-path' }, 'l is a link to something that is no plain path.'],
  [{ refused: 'outside' }, 'l is a link that leads outside.'],
  [{ refused: 'git' }, "l is a link that leads into a folder of git's own."],
  [{ refused: 'nowhere' }, 'l is a link that leads to nothing in the repository.'],
  [{ refused: 'holds-it' }, 'l is a link to a folder that it is in itself.'],
  [{ refused: 'through', link: 's' }, 'l is a link that leads through another link.'],
] as const)('%j is said in words', (refused, words) => expect(describeLink('l', refused)).toBe(words));

it('takes colons that are no drive, and targets of exactly the longest length', () => {
  const more: LinkGround = { ...ground, files: new Set(['a', 'Foo::Bar']) };
  expect(followLink('x', 'Foo::Bar', more)).toEqual({ end: 'Foo::Bar' });
  expect(followLink('x', `${'./'.repeat(499)}/a`, more)).toEqual({ end: 'a' });
});

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-links-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const step = fc.constantFrom('..', '..', '.', '', 'a', 'b', 'c', 'd', '.git', 'out');
const target = fc
  .tuple(fc.constantFrom('', '', '', '', '/'), fc.array(step, { minLength: 1, maxLength: 6 }))
  .map(([root, steps]) => `${root}${steps.join('/')}`)
  .filter((text) => text !== '');
const place = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));
const entry = fc.record({ path: place, target: fc.option(target, { nil: null, freq: 2 }) });

/** The first of two that cannot stand beside each other. */
function settle(entries: readonly { path: string; target: string | null }[]) {
  const kept: { path: string; target: string | null }[] = [];
  for (const one of entries)
    if (
      !kept.some(
        ({ path }) => path === one.path || path.startsWith(`${one.path}/`) || one.path.startsWith(`${path}/`),
      )
    )
      kept.push(one);
  return kept;
}

/** Where the kernel gets to; null when to nothing. */
function ask(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

// Real folders take too long to be made anew for each mutant.
it.skipIf(process.env.GATEWRIGHT_MUTATE_TESTS !== undefined)(
  'no link is let in that the kernel follows outside, through another link or into git',
  () => {
    let count = 0;
    const seen = { inside: 0, outside: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
        const kept = settle(entries);
        count += 1;
        const root = join(folder, String(count), 'tree');
        mkdirSync(join(root, '.git', 'a'), { recursive: true });
        for (const out of ['out', 'a', 'b']) writeFileSync(join(dirname(root), out), 'outside');
        for (const { path, target } of kept) {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          if (target === null) writeFileSync(join(root, path), 'x');
          else symlinkSync(target, join(root, path));
        }
        const files = kept.map(
          ({ path, target }): JudgedFile =>
            target === null
              ? { path, kind: 'file', state: 'new' }
              : { path, kind: 'link', state: 'new', target },
        );
        const refused = new Set(judgeTree(files).map(({ path }) => path));
        for (const { path, target } of kept) {
          if (target === null) continue;
          const real = ask(join(root, path));
          const isInside = real !== null && (real === root || real.startsWith(`${root}/`));
          seen[isInside ? 'inside' : 'outside'] += 1;
          if (refused.has(path)) {
            seen.refused += 1;
            continue;
          }
          expect(isInside, `${path} -> ${target}`).toBe(true);
          expect(real, `${path} -> ${target}`).not.toMatch(/\/tree\/\.git(\/|$)/u);
          // Read through it, or not at all.
          expect(existsSync(join(root, path))).toBe(true);
        }
        rmSync(dirname(root), { recursive: true, force: true });
      }),
      { numRuns: isLong ? 600 : 300 },
    );
    // It was about something.
    expect(Math.min(seen.outside, seen.refused, seen.inside)).toBeGreaterThan(50);
  },
);

it('a link that leads to a file by the shortest way is let in', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 2, maxLength: 8 }), (paths) => {
      const [link, ...rest] = settle(paths.map((path) => ({ path, target: null })));
      if (link === undefined || rest.length === 0) return;
      const end = rest[0]?.path ?? '';
      const up = '../'.repeat(link.path.split('/').length - 1);
      const files: JudgedFile[] = [
        ...rest.map(({ path }): JudgedFile => ({ path, kind: 'file', state: 'same' })),
        { path: link.path, kind: 'link', state: 'new', target: `${up}${end}` },
      ];
      expect(judgeTree(files)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
