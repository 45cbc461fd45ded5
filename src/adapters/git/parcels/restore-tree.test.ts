/** What a job that asked models sent along is laid into a copy in which commands of the project ran before. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Playground } from '../../../../test/support/playground.ts';
import { GitWorkspaces } from '../git-workspaces.ts';
import { GitParcels } from './git-parcels.ts';

let playground: Playground;
let start: string;
let tree: string;
beforeEach(() => {
  playground = new Playground({ brief: null });
  playground.commit({
    'a.txt': 'a\n',
    'gone.txt': 'x\n',
    'crlf.txt': 'one\r\n',
    '.gitattributes': '*.txt text eol=crlf\n',
  });
  start = playground.git('rev-parse', 'HEAD');
  playground.git('checkout', '--quiet', '-b', 'work');
  playground.write('a.txt', 'b\n');
  playground.write('new/file.txt', 'new\n');
  playground.git('rm', '--quiet', 'gone.txt');
  playground.git('-c', 'core.autocrlf=false', 'add', '--all');
  playground.git('commit', '--quiet', '--message', 'Work');
  tree = playground.git('rev-parse', 'HEAD^{tree}');
  playground.git('checkout', '--quiet', '--force', 'main');
});
afterEach(() => playground.remove());

async function restoreInto(prepare: (copy: string) => void): Promise<string> {
  const { repository, environment } = playground;
  const workspaces = new GitWorkspaces({
    root: repository,
    environment,
    folder: join(playground.folder, 'copies'),
  });
  const { folder } = await workspaces.open('one', start, start);
  prepare(folder);
  const parcels = new GitParcels(repository, environment);
  const left = { start, tree };
  const open = await parcels.open(start, await parcels.pack(start, [left]), [left]);
  try {
    await open.restore(left, folder);
  } finally {
    await open.close();
  }
  return folder;
}

it('lays the files of the work into the copy, byte for byte', async () => {
  const copy = await restoreInto(() => undefined);
  expect(readFileSync(join(copy, 'a.txt'), 'utf8')).toBe('b\n');
  expect(readFileSync(join(copy, 'new/file.txt'), 'utf8')).toBe('new\n');
  expect(readFileSync(join(copy, 'crlf.txt'), 'utf8')).toBe(
    `${playground.git('show', `${tree}:crlf.txt`)}\n`,
  );
  expect(existsSync(join(copy, 'gone.txt'))).toBe(false);
});

it('reads nothing of the git folder that a command of the project has written into', async () => {
  const canary = join(playground.folder, 'ran');
  const command = `touch '${canary}'; false`;
  const copy = await restoreInto((folder) => {
    const git = join(folder, '.git');
    const settings = [
      '[core]\n\trepositoryformatversion = 1\n\tbare = false',
      `\tfsmonitor = ${JSON.stringify(command)}\n\thooksPath = hooks`,
      '[extensions]\n\tpartialClone = evil',
      `[remote "evil"]\n\turl = file:///nowhere\n\tpromisor = true\n\tuploadpack = ${JSON.stringify(command)}`,
      `[filter "evil"]\n\tclean = ${JSON.stringify(command)}\n\tsmudge = ${JSON.stringify(command)}\n\trequired = true`,
    ];
    writeFileSync(join(git, 'config'), `${settings.join('\n')}\n`);
    writeFileSync(join(git, 'HEAD'), `${'1'.repeat(40)}\n`);
    mkdirSync(join(git, 'hooks'), { recursive: true });
    for (const hook of ['post-index-change', 'post-checkout'])
      writeFileSync(join(git, 'hooks', hook), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    writeFileSync(join(folder, '.gitattributes'), '* filter=evil\n');
  });
  expect(existsSync(canary)).toBe(false);
  expect(readFileSync(join(copy, 'a.txt'), 'utf8')).toBe('b\n');
});

it('writes through no link that was laid on the way', async () => {
  const outside = join(playground.folder, 'outside');
  mkdirSync(outside);
  await restoreInto((folder) => symlinkSync(outside, join(folder, 'new')));
  expect(existsSync(join(outside, 'file.txt'))).toBe(false);
});
