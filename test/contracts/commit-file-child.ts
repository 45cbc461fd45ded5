/** Makes a file and commits it from a process of its own: ROOT WORKTREES PATH MARKER. Prints the commit. */
import { GitRepository } from '../../src/adapters/git/git-repository.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startTogether } from './start-together.ts';

const [root = '', worktreeFolder = '', path = '', marker = ''] = process.argv.slice(2);
const repository = new GitRepository(root, { environment: process.env, clock: systemClock, worktreeFolder });
await repository.createFile(path, `${marker}\n`);
await startTogether();
process.stdout.write(
  JSON.stringify(await repository.commit({ message: `Add ${path}`, paths: [path], marker })),
);
