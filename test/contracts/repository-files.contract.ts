/** The part of the repository contract about files: whole or not at all, never over another, never outside the root. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isGatewrightError } from '../../src/errors.ts';
import type { Repository } from '../../src/ports/repository.ts';
import type { Playground } from '../support/playground.ts';
import { expectCode } from './expect-code.ts';
import { listTree, type RepositoryWorld } from './repository-world.ts';

const outsidePaths = [
  ['nothing', ''],
  ['the parent', '..'],
  ['a path that climbs out', '../outside/new.md'],
  ['a path that climbs out later', 'docs/../../outside/new.md'],
  ['a path that climbs out with backslashes', 'docs\\..\\..\\outside\\new.md'],
  ['NUL', 'docs/new\0.md'],
  ['a link to a folder outside', 'link/new.md'],
  ['a folder below a link to a folder outside', 'link/deep/new.md'],
  ['a link to a folder outside that does not exist', 'nowhere/new.md'],
  ['a link to a file outside', 'secret.md'],
  ['the folder of git', '.git/new.md'],
  ['the folder of git, spelt otherwise', 'docs/../.GIT/new.md'],
  ['a link to the folder of git', 'hooks/new.md'],
  ['a folder below a link to the folder of git', 'hooks/deep/new.md'],
  ['a link to a file of git', 'settings.md'],
] as const;

export function describeRepositoryFiles(getWorld: () => RepositoryWorld): void {
  describe('files', () => {
    let repository: Repository;
    let playground: Playground;
    let outside: string;

    beforeEach(() => {
      ({ repository, playground } = getWorld());
      outside = join(playground.folder, 'outside');
      mkdirSync(outside);
    });

    /** Links that anybody can commit. */
    function linkToGit(): void {
      symlinkSync('.git/hooks', playground.path('hooks'));
      symlinkSync('.git/config', playground.path('settings.md'));
    }

    it('makes a file with the folders above it, and nothing else', async () => {
      const content = 'Grüße 🦊\r\n\tno line end';
      expect(await repository.createFile('a/b/new file.md', content)).toBe(true);
      expect(playground.read('a/b/new file.md')).toBe(content);
      expect(await repository.readText('a/b/new file.md')).toBe(content);
      expect(playground.list('a/b')).toEqual(['new file.md']);
      expect(playground.git('status', '--porcelain', '--untracked-files=all')).toBe('?? "a/b/new file.md"');
    });

    it('replaces the content of a file that is there, and of nothing else', async () => {
      playground.write('docs/a.md', 'old');
      await repository.replaceFile('docs/a.md', 'Grüße 🦊\n');
      expect(playground.read('docs/a.md')).toBe('Grüße 🦊\n');
      expect(playground.list('docs')).toEqual(['a.md']);
      await expectCode(repository.replaceFile('docs/b.md', 'x'), 'file-conflict');
      await expectCode(repository.replaceFile('docs', 'x'), 'file-conflict');
      symlinkSync(playground.path('docs/a.md'), playground.path('docs/link.md'));
      await expectCode(repository.replaceFile('docs/link.md', 'x'), 'file-conflict');
      expect(playground.read('docs/a.md')).toBe('Grüße 🦊\n');
    });

    it('keeps the settings of its user beside the commits, for all work trees', async () => {
      expect(await repository.readSettings()).toBeNull();
      await repository.writeSettings('{"a": 1}\n');
      await repository.writeSettings('{"a": 2}\n');
      expect(await repository.readSettings()).toBe('{"a": 2}\n');
      expect(playground.read('.git/gatewright/config.json')).toBe('{"a": 2}\n');
      expect(playground.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    });

    it.each(outsidePaths)('replaces nothing at %s', async (_, path) => {
      symlinkSync(outside, playground.path('link'));
      symlinkSync(join(playground.folder, 'missing'), playground.path('nowhere'));
      symlinkSync(join(outside, 'secret'), playground.path('secret.md'));
      linkToGit();
      await expectCode(repository.replaceFile(path, 'x'), 'path-outside-root');
      expect(listTree(outside)).toEqual([]);
    });

    it.each([
      '-rf',
      '$(touch pwned)',
      '*[a-z]?.md',
      'größe 🦊.md',
      ' leading',
      'trailing ',
      '.hidden',
      "o'brien",
    ])('takes a name literally: %s', async (name) => {
      expect(await repository.createFile(`docs/${name}`, 'x')).toBe(true);
      expect(playground.list('docs')).toEqual([name]);
      expect(await repository.exists(`docs/${name}`)).toBe(true);
      expect(await repository.listFolder('docs')).toEqual([name]);
    });

    it('never writes over what is there', async () => {
      playground.write('docs/taken.md', 'theirs');
      playground.write('docs/folder/x', 'theirs');
      symlinkSync('missing', playground.path('docs/link.md'));
      for (const name of ['taken.md', 'folder']) {
        expect(await repository.createFile(`docs/${name}`, 'ours')).toBe(false);
      }
      // A link that leads nowhere yet may lead anywhere later.
      await expectCode(repository.createFile('docs/link.md', 'ours'), 'path-outside-root');
      expect(playground.read('docs/taken.md')).toBe('theirs');
      expect(listTree(playground.path('docs'))).toEqual(['folder', 'folder/x', 'link.md', 'taken.md']);
    });

    it('lets exactly one of several writers make a file, with all of its own content', async () => {
      for (let round = 0; round < 5; round += 1) {
        const path = `docs/${round}.md`;
        const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(300_000));
        const made = await Promise.all(contents.map((content) => repository.createFile(path, content)));
        expect(made.filter(Boolean)).toHaveLength(1);
        expect(playground.read(path) === contents[made.indexOf(true)]).toBe(true);
      }
      expect(playground.list('docs')).toHaveLength(5);
    });

    it('says so when a file stands where a folder has to be', async () => {
      playground.write('docs', 'a file');
      await expectCode(repository.createFile('docs/new.md', 'x'), 'file-conflict');
      expect(playground.read('docs')).toBe('a file');
    });

    it('reads what is there and nothing from what is not', async () => {
      expect(await repository.readText('missing.md')).toBeNull();
      expect(await repository.readText('README.md/below')).toBeNull();
      expect(await repository.exists('missing.md')).toBe(false);
      expect(await repository.listFolder('missing')).toEqual([]);
      expect(await repository.readText('README.md')).toBe('# Project\n');
      expect(await repository.exists('ideas/active')).toBe(true);
      expect(await repository.listFolder('ideas')).toEqual(['active']);
    });

    it('follows links that stay inside', async () => {
      symlinkSync('ideas/active', playground.path('shortcut'));
      expect(await repository.createFile('shortcut/new.md', 'x')).toBe(true);
      expect(playground.read('ideas/active/new.md')).toBe('x');
    });

    describe('outside the root', () => {
      beforeEach(() => {
        playground.write('../outside/old.md', 'outside');
        symlinkSync(outside, playground.path('link'));
        symlinkSync(join(playground.folder, 'not-there'), playground.path('nowhere'));
        symlinkSync(join(outside, 'old.md'), playground.path('secret.md'));
        linkToGit();
      });

      it.each(outsidePaths)('nothing is made, read, moved or removed: %s', async (_, path) => {
        const before = listTree(playground.folder);
        await expectCode(repository.createFile(path, 'x'), 'path-outside-root');
        await expectCode(repository.readText(path), 'path-outside-root');
        await expectCode(repository.listFolder(path), 'path-outside-root');
        await expectCode(repository.exists(path), 'path-outside-root');
        await expectCode(repository.move('README.md', path), 'path-outside-root');
        await expectCode(repository.move(path, 'stolen.md'), 'path-outside-root');
        await expectCode(repository.removeFolder(path), 'path-outside-root');
        expect(listTree(playground.folder)).toEqual(before);
      });

      it('nothing is made, also with an absolute path', async () => {
        await expectCode(repository.createFile(join(outside, 'new.md'), 'x'), 'path-outside-root');
        await expectCode(repository.createFile(playground.path('new.md'), 'x'), 'path-outside-root');
        expect(playground.exists('new.md')).toBe(false);
        expect(listTree(outside)).toEqual(['old.md']);
      });

      it('nothing is written through links that lie in wait beside a new file', async () => {
        // Whatever name the unfinished file has, a repository may bring a link of that name along.
        for (const name of ['.new.md.partial', 'new.md.partial', '.new.md.tmp', 'new.md.tmp', 'new.md~']) {
          mkdirSync(playground.path('docs'), { recursive: true });
          symlinkSync(join(outside, 'old.md'), playground.path('docs', name));
        }
        expect(await repository.createFile('docs/new.md', 'ours')).toBe(true);
        expect(playground.read('../outside/old.md')).toBe('outside');
        expect(playground.read('docs/new.md')).toBe('ours');
      });

      it('the root itself is not ours to remove', async () => {
        for (const path of ['.', './', 'ideas/..']) {
          await expect(repository.removeFolder(path)).rejects.toSatisfy((error) => isGatewrightError(error));
          expect(playground.exists('README.md')).toBe(true);
        }
      });
    });

    it('says in its own words that a link leads round in a circle', async () => {
      symlinkSync('circle', playground.path('circle'));
      await expect(repository.createFile('circle/new.md', 'x')).rejects.toSatisfy((error) =>
        isGatewrightError(error),
      );
    });

    describe('moving', () => {
      it('moves a file or a folder, making the folders above', async () => {
        playground.write('lineage/active/one/1.md', 'x');
        expect(await repository.move('lineage/active/one', 'lineage/done/deep/one')).toBe(true);
        expect(await repository.move('README.md', 'docs/readme.md')).toBe(true);
        expect(listTree(playground.path('lineage'))).toEqual([
          'active',
          'done',
          'done/deep',
          'done/deep/one',
          'done/deep/one/1.md',
        ]);
        expect([playground.exists('README.md'), playground.read('docs/readme.md')]).toEqual([
          false,
          '# Project\n',
        ]);
      });

      it('does nothing the second time', async () => {
        expect(await repository.move('README.md', 'docs/readme.md')).toBe(true);
        expect(await repository.move('README.md', 'docs/readme.md')).toBe(false);
        expect(playground.read('docs/readme.md')).toBe('# Project\n');
      });

      it('replaces nothing', async () => {
        playground.write('docs/taken.md', 'theirs');
        mkdirSync(playground.path('empty'));
        symlinkSync('missing', playground.path('dangling'));
        for (const target of ['docs/taken.md', 'docs', 'empty']) {
          await expectCode(repository.move('README.md', target), 'file-conflict');
        }
        await expectCode(repository.move('ideas', 'empty'), 'file-conflict');
        await expectCode(repository.move('README.md', 'dangling'), 'path-outside-root');
        expect(playground.read('docs/taken.md')).toBe('theirs');
        expect(playground.read('README.md')).toBe('# Project\n');
      });

      it('says in its own words that there is nothing to move, and leaves no folder behind', async () => {
        await expect(repository.move('missing.md', 'new/missing.md')).rejects.toSatisfy((error) =>
          isGatewrightError(error),
        );
        expect(playground.exists('new')).toBe(false);
      });
    });

    it('removes a folder and all in it, but not what its links lead to', async () => {
      playground.write('docs/deep/1.md', 'x');
      playground.write('kept.md', 'x');
      playground.write('../outside/old.md', 'outside');
      symlinkSync(outside, playground.path('docs/link'));
      await repository.removeFolder('docs');
      await repository.removeFolder('docs');
      expect(playground.exists('docs')).toBe(false);
      expect([playground.exists('kept.md'), listTree(outside)]).toEqual([true, ['old.md']]);
    });
  });
}
