/** What lasting processes say about objects is what git says when it is started for it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Playground } from '../../../../test/support/playground.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { BareGit } from '../bare-git.ts';
import { LastingGit } from './lasting-git.ts';
import { TreeWriter } from './tree-writer.ts';
import { writeFiles, writeText, writeTree } from './write-tree.ts';

let playground: Playground;
let git: BareGit;
let blobs: string[];
let head: string;

beforeAll(async () => {
  playground = new Playground({ brief: null });
  git = new BareGit(playground.repository, playground.environment);
  for (const path of ['src/ü b.txt', 'src/deep/er/a.js', 'src.txt', 'src-2/x', '.github/w.yml'])
    playground.write(path, `in ${path}\n`);
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'Files');
  head = playground.git('rev-parse', 'HEAD');
  blobs = await Promise.all(['one', 'two', ''].map((text) => writeText(git, text)));
});
afterAll(() => playground.remove());

interface Change {
  readonly base: string | null;
  readonly removed: readonly string[];
  readonly added: readonly { readonly path: string; readonly mode: string; readonly object: string }[];
}

/** As an index does it; null where git refuses. */
async function writeWithIndex({ base, removed, added }: Change): Promise<string | null> {
  const variables = { GIT_INDEX_FILE: join(playground.home, 'an-index') };
  rmSync(variables.GIT_INDEX_FILE, { force: true });
  await git.run(['read-tree', base ?? '--empty'], { variables });
  const input = [
    ...removed.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`),
    ...added.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`),
  ].join('');
  const updated = await git.try(['update-index', '-z', '--replace', '--index-info'], { input, variables });
  return updated.code === 0 ? (await git.run(['write-tree'], { variables })).trim() : null;
}

async function writeWithoutIndex(change: Change): Promise<string | null> {
  const objects = await git.objects();
  const list = (treeish: string) => git.listTree(treeish);
  return new TreeWriter(objects.reader, list, () => objects.askTo('tree')).write(change);
}

describe('a tree', () => {
  it('is the one that an index makes, whatever is in the way of what', async () => {
    const name = fc.constantFrom('a', 'b', 'a-', 'a.b', 'A', 'a b');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const kind = fc.constantFrom('100644', '100755', '120000');
    const entry = fc.record({ path, mode: kind, object: fc.nat(2) });
    const change = fc.record({
      removed: fc.array(path, { maxLength: 4 }),
      added: fc.array(entry, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let base: string | null = null;
        for (const { removed, added } of changes) {
          const files = added.map((one) => ({ ...one, object: blobs[one.object] ?? '' }));
          const wanted = await writeWithIndex({ base, removed, added: files });
          expect(await writeWithoutIndex({ base, removed, added: files })).toBe(wanted);
          base = wanted;
        }
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it.each([
    ['nothing changes', [], []],
    ['a folder becomes empty', ['src/deep/er/a.js'], []],
    ['a folder becomes a file', [], ['src']],
    ['a file becomes a folder', [], ['src.txt/in/it']],
    ['a name is not ASCII', ['src/ü b.txt'], []],
    ['a name of git is no danger', [], ['.gitignore', '.github/x', 'a/.gitkeep']],
    ['a folder is named', ['src'], []],
    ['nothing is there', ['src.txt/no', 'nowhere/x', 'nowhere'], []],
  ])('is the same when %s', async (_, removed, paths) => {
    const added = paths.map((path) => ({ path, mode: '100644', object: blobs[0] ?? '' }));
    const wanted = await writeWithIndex({ base: head, removed, added });
    expect(wanted).not.toBeNull();
    expect(await writeWithoutIndex({ base: head, removed, added })).toBe(wanted);
  });

  it.each([
    ...['.git', '.git/config', 'a/.GIT/x', '../x', 'a/../b', './x', '/x', 'a//b', 'git~1/x', '.git./x'],
    ...['.git ', 'a\\b', 'a:b', '.g\u200cit/x', ''],
  ])('is not made here with %j: that is left to git', async (path) => {
    const change = { base: head, removed: [], added: [{ path, mode: '100644', object: blobs[0] ?? '' }] };
    expect(await writeWithoutIndex(change)).toBeNull();
    const wanted = await writeWithIndex(change);
    if (wanted === null) await expect(writeTree(git, change)).rejects.toThrow(/update-index failed/u);
    else expect(await writeTree(git, change)).toBe(wanted);
  });

  it('is left to git where the tree below it holds what no index takes', async () => {
    const entry = (mode: string, kind: string, object: string, name: string) =>
      `${mode} ${kind} ${object}\t${name}\n`;
    const make = (input: string) => git.run(['mktree'], { input }).then((id) => id.trim());
    const inner = await make(entry('100644', 'blob', blobs[0] ?? '', 'config'));
    const added = [{ path: 'new', mode: '100644', object: blobs[1] ?? '' }];
    for (const base of [
      await make(entry('040000', 'tree', inner, '.git')),
      await make(entry('040000', 'tree', await make(entry('040000', 'tree', inner, '.GIT ')), 'a')),
      await make(entry('120000', 'blob', blobs[0] ?? '', '.gitmodules')),
      await make(entry('100644', 'blob', blobs[0] ?? '', '..')),
    ])
      expect(await writeWithoutIndex({ base, removed: [], added })).toBeNull();
  });

  it('is the same with ids of another length, however it is made', async () => {
    const folder = join(playground.folder, 'sha256');
    playground.git('init', '--quiet', '--object-format=sha256', folder);
    const other = new BareGit(folder, playground.environment);
    const text = await writeText(other, 'a\n');
    const added = (...paths: string[]) => paths.map((path) => ({ path, mode: '100644', object: text }));
    for (const name of ['plain', 'ä']) {
      const base = await writeTree(other, { base: null, removed: [], added: added('src/a', name) });
      expect(base).toHaveLength(64);
      const tree = await writeTree(other, { base, removed: ['src/a', 'none'], added: added(name) });
      expect(await other.listTree(tree)).toBe(`100644 blob ${text}\t${name}\0`);
    }
    const empty = await writeTree(other, { base: null, removed: ['ä'], added: added('ä') });
    expect(await other.listTree(empty)).toContain('ä');
  });

  it('names no object that is not there', async () => {
    const added = [{ path: 'new', mode: '100644', object: 'd'.repeat(40) }];
    expect(await writeWithoutIndex({ base: head, removed: [], added })).toBeNull();
    await expect(writeTree(git, { base: head, removed: [], added })).rejects.toThrow(/git-failed|invalid/u);
    // The next one is made again.
    const good = [{ path: 'new', mode: '100644', object: blobs[0] ?? '' }];
    expect(await writeWithoutIndex({ base: head, removed: [], added: good })).toBe(
      await writeWithIndex({ base: head, removed: [], added: good }),
    );
  });
});

describe('objects', () => {
  it('are read as git shows them: trees, files, sizes, kinds', async () => {
    const { reader } = await git.objects();
    for (const withSizes of [false, true]) {
      const sizes = withSizes ? ['-l'] : [];
      expect(await reader.list(head, withSizes)).toBe(
        await git.run(['ls-tree', '-r', ...sizes, '-z', '--full-tree', head]),
      );
    }
    expect(await reader.readText(`${head}:src/ü b.txt`)).toBe('in src/ü b.txt\n');
    expect(await reader.readText(`${head}:src`)).toBeNull();
    expect(await reader.hasSurelyNot(head, 'src/nothing.txt')).toBe(true);
    expect(await reader.hasSurelyNot(head, 'nowhere/nothing.txt')).toBe(true);
    for (const path of ['src/ü b.txt', 'src', 'src.txt/x', '../src', '', 'src//x'])
      expect([path, await reader.hasSurelyNot(head, path)]).toEqual([path, false]);
    expect(await reader.hasSurelyNot('e'.repeat(40), 'x')).toBe(false);
    expect(await reader.look('e'.repeat(40))).toBeNull();
    expect(await reader.look(`${head}\n${head}`)).toBeNull();
    expect(await reader.look(`${head}^{tree}`)).toMatchObject({
      kind: 'tree',
      id: playground.git('rev-parse', `${head}^{tree}`),
    });
    expect(await git.hasCommit(head)).toBe(true);
    expect(await git.hasCommit(blobs[0] ?? '')).toBe(false);
  });

  it('are found as soon as they are there, in their order, however many are asked for at once', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `${index}\n`.repeat(index * 7));
    const files = texts.map((text, index) => {
      playground.write(`many/${index}`, text);
      return join(playground.repository, 'many', String(index));
    });
    const ids = await writeFiles(git, files);
    const { reader } = await git.objects();
    expect(await Promise.all(ids.map((id) => reader.readText(id)))).toEqual(texts);
    rmSync(join(playground.repository, 'many'), { recursive: true });
  });

  it('of a repository that came to where another was are its own', async () => {
    const [folder, aside] = [join(playground.home, 'moved'), join(playground.home, 'aside')];
    const make = (text: string) => {
      mkdirSync(folder);
      playground.git('init', '--quiet', folder);
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
      return playground.git('-C', folder, ...who, 'commit', '--quiet', '--allow-empty', '--message', text);
    };
    make('First');
    const moved = new BareGit(folder, playground.environment);
    const first = playground.git('-C', folder, 'rev-parse', 'HEAD');
    expect(await moved.hasCommit(first)).toBe(true);
    renameSync(folder, aside);
    make('Second');
    expect(await moved.hasCommit(first)).toBe(false);
    expect(await moved.hasCommit(playground.git('-C', folder, 'rev-parse', 'HEAD'))).toBe(true);
  });
});

describe('a history', () => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const commit = (...parents: string[]): string =>
    playground.git(
      ...[...who, 'commit-tree', `${head}^{tree}`, '-m', `After ${parents.join()}`],
      ...parents.flatMap((parent) => ['-p', parent]),
    );

  it('is followed as git follows it, and what is not surely there is left to git', async () => {
    const root = commit();
    const [one, other] = [commit(root), commit(root, head)];
    const all = [root, one, other, commit(one, other), head, commit(head)];
    const { history } = await git.objects();
    for (const older of all)
      for (const newer of all) {
        const { code } = await git.try(['merge-base', '--is-ancestor', older, newer]);
        expect(await history.isSurelyAncestor(older, newer)).toBe(code === 0);
        expect(await git.isAncestor(older, newer)).toBe(code === 0);
        const base = await git.try(['merge-base', older, newer]);
        expect(await git.findMergeBase(older, newer)).toBe(base.output.trim() || null);
      }
    expect(await history.findParents(other)).toEqual([root, head]);
    expect(await history.isSurelyAncestor('e'.repeat(40), one)).toBe(false);
    expect(await history.isSurelyAncestor('main', one)).toBe(false);
    let last = root;
    for (let count = 0; count < 80; count += 1) last = commit(last);
    expect(await history.isSurelyAncestor(root, last)).toBe(false);
    expect(await git.isAncestor(root, last)).toBe(true);
  });

  it('merges what follows from the other without a merge', async () => {
    const tree = await writeTree(git, {
      ...{ base: head, removed: ['src.txt'] },
      added: [{ path: 'new', mode: '100644', object: blobs[0] ?? '' }],
    });
    const later = playground.git(...who, 'commit-tree', tree, '-p', head, '-m', 'Later');
    expect(await git.mergeTrees(head, later)).toBe(tree);
    expect(await git.mergeWithMarkers(head, later)).toBeNull();
    const words = ['merge-tree', '--write-tree', '--no-messages', head, later];
    expect((await git.run(words)).trim()).toBe(tree);
  });

  it('is told by git where commits are replaced or history is cut off', async () => {
    const [root, another] = [commit(), commit(head)];
    const [one, two] = [commit(root), commit(another)];
    playground.git('replace', one, two);
    const { history } = await git.objects();
    expect(await history.isSurelyAncestor(root, one)).toBe(false);
    expect(await git.isAncestor(another, one)).toBe(true);
    playground.git('replace', '-d', one);
    rmSync(join(playground.repository, '.git', 'refs', 'replace'), { recursive: true, force: true });
    writeFileSync(join(playground.repository, '.git', 'shallow'), `${two}\n`);
    expect(await history.isSurelyAncestor(another, two)).toBe(false);
    rmSync(join(playground.repository, '.git', 'shallow'));
    expect(await history.isSurelyAncestor(another, two)).toBe(true);
  });
});

describe('a git that lasts', () => {
  const open = (...args: string[]) =>
    new LastingGit({
      folder: playground.repository,
      environment: playground.environment,
      args,
      variables: {},
    });
  const line = (output: Buffer) => {
    const end = output.indexOf(10);
    return end < 0
      ? { needed: output.length + 1 }
      : { value: output.toString('utf8', 0, end), length: end + 1 };
  };

  it('gives no answer when it ends, is no git or says what it was not asked', async () => {
    const ended = open('cat-file', '--batch-command');
    expect(await ended.ask('nothing that it knows\n', line)).toBeNull();
    expect(await ended.ask(`info ${head}\n`, line)).toBeNull();
    const none = new LastingGit({
      ...{ folder: join(playground.home, 'nowhere'), environment: playground.environment },
      ...{ args: ['cat-file', '--batch-command'], variables: {} },
    });
    expect(await none.ask(`info ${head}\n`, line)).toBeNull();
    const odd = open('cat-file', '--batch-command');
    expect(await odd.ask(`info ${head}\n`, () => null)).toBeNull();
    expect(odd.hasEnded).toBe(true);
  });

  it('that ends in the middle does not end the program, which waits for nothing else', () => {
    const module = pathToFileURL(join(import.meta.dirname, 'lasting-git.ts')).href;
    const options = {
      ...{ folder: playground.repository, environment: playground.environment, variables: {} },
      args: ['mktree', '-z', '--batch'],
    };
    const program = `
      import { LastingGit } from ${JSON.stringify(module)};
      for (let count = 0; count < 20; count += 1) {
        const git = new LastingGit(${JSON.stringify(options)});
        console.log(await git.ask('no entry\\0\\0', () => null));
      }`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(output).toBe('null\n'.repeat(20));
  });

  it('answers all questions that are open, and is not closed before', async () => {
    const lasting = open('cat-file', '--batch-command');
    const answers = [lasting.ask(`info ${head}\n`, line), lasting.ask('info nothing\n', line)];
    lasting.close();
    expect(await Promise.all(answers)).toEqual([expect.stringMatching(/ commit /u), 'nothing missing']);
    lasting.close();
    expect(lasting.hasEnded).toBe(true);
  });
});
