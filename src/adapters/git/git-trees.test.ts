/** Trees are put together without touching anything that a person has. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../../../test/support/playground.ts';
import { GitTemplates } from './git-templates.ts';
import { GitTrees } from './git-trees.ts';

let playground: Playground;
let trees: GitTrees;

beforeEach(() => {
  playground = new Playground({ brief: null });
  trees = new GitTrees(playground.repository, playground.environment);
});
afterEach(() => playground.remove());

function commit(files: Readonly<Record<string, string | Uint8Array | null>>): string {
  for (const [path, content] of Object.entries(files)) {
    if (content === null) playground.git('rm', '--quiet', path);
    else playground.write(path, content);
  }
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'Change');
  return playground.git('rev-parse', 'HEAD');
}

const list = async (treeish: string) => (await trees.listFiles(treeish)).map(({ path }) => path);

describe('GitTrees', () => {
  it('takes paths of one tree into another: new, changed and gone ones', async () => {
    const base = commit({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'd/e.txt': 'e\n' });
    const from = commit({ 'a.txt': 'A\n', 'b.txt': null, 'd/e.txt': 'E\n', 'c/ü b.txt': 'c\n' });
    playground.write('a.txt', 'not committed\n');
    const tree = await trees.takePaths(base, from, ['a.txt', 'b.txt', 'c/ü b.txt', 'nowhere.txt']);
    expect(await list(tree)).toEqual(['README.md', 'a.txt', 'c/ü b.txt', 'd/e.txt']);
    expect(playground.git('show', `${tree}:a.txt`)).toBe('A');
    expect(playground.git('show', `${tree}:d/e.txt`)).toBe('e');
    expect(await trees.takePaths(base, from, [])).toBe(playground.git('rev-parse', `${base}^{tree}`));
    expect(playground.git('status', '--porcelain')).toBe('M a.txt');
  });

  it('writes texts as files into a tree, byte for byte, and removes others', async () => {
    const base = commit({ '.gitattributes': '* text eol=crlf\n', 'a.txt': 'a\n', 'd/e.txt': 'e\n' });
    const tree = await trees.putFiles(base, [
      { path: 'prd.json', text: '{\r\n  "ü": 1\r\n}' },
      { path: 'd/f.txt', text: 'f\n' },
      { path: 'd/e.txt', text: null },
      { path: 'nowhere.txt', text: null },
    ]);
    expect(await list(tree)).toEqual(['.gitattributes', 'README.md', 'a.txt', 'd/f.txt', 'prd.json']);
    expect(playground.git('show', `${tree}:prd.json`)).toBe('{\r\n  "ü": 1\r\n}');
    expect(playground.git('status', '--porcelain')).toBe('');
  });

  it('merges files one by one; what is in conflict is left out, whatever attributes say', async () => {
    const nine = (...at: readonly [number, string][]) =>
      Array.from({ length: 9 }, (_, line) => `${at.find(([one]) => one === line)?.[1] ?? line}\n`).join('');
    const base = commit({ 'a.txt': nine(), 'b.txt': nine(), 'c.bin': new Uint8Array([0, 255, 1]) });
    const ours = commit({
      'a.txt': nine([0, 'o']),
      'b.txt': nine([4, 'o']),
      'c.bin': new Uint8Array([0, 254, 1]),
    });
    playground.git('checkout', '--quiet', '--detach', base);
    const theirs = commit({
      ...{ 'a.txt': nine([8, 't']), 'b.txt': nine([4, 't']), 'c.bin': new Uint8Array([0, 253, 1]) },
      '.gitattributes': '* merge=union\n',
    });
    const merged = await trees.mergePaths(base, ours, theirs, ['a.txt', 'b.txt', 'c.bin']);
    expect([...merged.conflicts].sort()).toEqual(['b.txt', 'c.bin']);
    expect(await list(merged.tree)).toEqual(['a.txt']);
    expect(`${playground.git('show', `${merged.tree}:a.txt`)}\n`).toBe(nine([0, 'o'], [8, 't']));
  });

  it('knows what two histories have in common', async () => {
    const one = commit({ 'a.txt': 'a\n' });
    const two = commit({ 'b.txt': 'b\n' });
    expect(await trees.findMergeBase(one, two)).toBe(one);
    expect(await trees.hasCommit(two)).toBe(true);
    expect(await trees.hasCommit('1'.repeat(40))).toBe(false);
  });
});

describe('GitTemplates', () => {
  it.each([
    ...[
      'ext::sh -c touch% canary',
      '--upload-pack=touch canary',
      '-x',
      'http://example.com/x',
      'git://example.com/x',
    ],
    ...['fd::7', 'a\nb', '', 'https://user:password@example.com/x'],
  ])('fetches nothing from %j', async (source) => {
    const templates = new GitTemplates(playground.repository, playground.environment);
    await expect(templates.fetchTemplate(source)).rejects.toMatchObject({ code: 'config-invalid' });
    expect(playground.exists('canary')).toBe(false);
  });

  it('fetches a folder under names of our own, and again when it was rewritten', async () => {
    const other = new Playground({ brief: null });
    try {
      const templates = new GitTemplates(playground.repository, playground.environment);
      const { commit: first } = await templates.fetchTemplate(other.repository);
      expect(first).toBe(other.git('rev-parse', 'HEAD'));
      other.git('tag', 'v1');
      other.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'Rewritten');
      const { commit: second } = await templates.fetchTemplate(`file://${other.repository}`);
      const { commit: third } = await templates.fetchTemplate(other.repository);
      expect([second, third]).toEqual([other.git('rev-parse', 'HEAD'), other.git('rev-parse', 'HEAD')]);
      expect(second).not.toBe(first);
      expect(await trees.hasCommit(first)).toBe(true);
      const refs = playground.git('for-each-ref', '--format=%(refname)').split('\n');
      expect(refs.filter((ref) => !ref.startsWith('refs/gatewright/'))).toEqual(['refs/heads/main']);
    } finally {
      other.remove();
    }
  });

  it('says why a template cannot be had', async () => {
    const templates = new GitTemplates(playground.repository, playground.environment);
    await expect(templates.fetchTemplate(playground.folder)).rejects.toMatchObject({
      code: 'template-unreachable',
    });
  });
});
