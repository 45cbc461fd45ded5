/**
 * Pushes a branch from a process of its own: `local DATABASE REPOSITORY ACTOR` or `github URL REPOSITORY TOKEN FOLDER
 * SCRATCH`, then BRANCH COMMIT EXPECTED. Prints `ok` or the code of the error.
 */
import { BareGit } from '../../src/adapters/git/bare-git.ts';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { isGatewrightError } from '../../src/errors.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { startTogether } from './start-together.ts';

const [kind = '', place = '', repository = '', who = '', ...rest] = process.argv.slice(2);

async function openTransport(): Promise<{ transport: Transport; args: readonly string[] }> {
  if (kind === 'local')
    return {
      transport: new LocalForge(openDatabase(place), systemClock, who, process.env).transport,
      args: rest,
    };
  const [folder = '', scratch = '', ...args] = rest;
  // Octokit takes a while to load.
  const { makeGithubForge } = await import('../../src/adapters/github/github-forge.ts');
  const forge = makeGithubForge({
    apiUrl: place,
    credential: { kind: 'token', token: who },
    clock: systemClock,
    userAgent: 'gatewright-test',
    isHurried: true,
  });
  return { transport: forge.openTransport(new BareGit(folder, process.env), scratch), args };
}

const { transport, args } = await openTransport();
await startTogether();
const [branch = '', commit = '', expected = ''] = args;
let result = 'ok';
try {
  await transport.pushBranch(repository, { branch, commit, expected: expected === '' ? null : expected });
} catch (error) {
  if (!isGatewrightError(error)) throw error;
  result = error.code;
}
process.stdout.write(JSON.stringify(result));
