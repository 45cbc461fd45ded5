/** The small GitHub with generated workflow files whose jobs run the program as it is published. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { actionFile } from '../../src/setup/actions/generate/rules/wanted-files.ts';
import { chainFiles, playTape, type Tape } from '../support/chain-world.ts';
import { generateFiles, quickAction } from './generated-world.ts';
import { type HostWorld, openHostWorld, people } from './host-world.ts';

const execute = promisify(execFile);

/** Of the ledger: nothing of it may be seen. */
export const ledgerKey = '5c'.repeat(32);

export interface RealWorld extends HostWorld {
  /** Runs the program on the laptop of a person, in a clone of the repository. */
  readonly onLaptop: (...words: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** @param tape what models and coding agents say; only the job that proposes needs it */
export async function openRealWorld(tape: Tape): Promise<RealWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-real-'));
  const program = join(process.env.GATEWRIGHT_TEST_PACKAGE ?? '', 'bin', 'gatewright.cjs');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(folder, 'gatewright'), script, { mode: 0o755 });
  const { GATEWRIGHT_VERIFY, ...models } = playTape(
    {
      cassette: (content) => {
        const file = join(folder, 'cassette.json');
        writeFileSync(file, JSON.stringify(content));
        return file;
      },
    },
    tape,
  );
  const world = await openHostWorld(
    {
      ...chainFiles,
      ...generateFiles({ version: '0.0.1', source: null }),
      [actionFile]: quickAction(folder),
    },
    { environment: models },
  );
  const { server, stored } = world;
  // What `init --actions` says to set.
  stored.actions.mayApprove = true;
  stored.actions.secrets.set('GATEWRIGHT_LEDGER_KEY', ledgerKey);
  stored.actions.variables.set('GATEWRIGHT_VERIFY', GATEWRIGHT_VERIFY ?? '');
  return {
    ...world,
    onLaptop: async (...words) => {
      const clone = join(folder, 'clone');
      const env = {
        ...{ PATH: process.env.PATH, HOME: join(folder, 'home'), GITHUB_TOKEN: people.alice },
        ...{ GATEWRIGHT_GITHUB_URL: server.url, GATEWRIGHT_FORGE: 'github' },
        ...{ GATEWRIGHT_LEDGER: 'ref', GATEWRIGHT_LEDGER_KEY: ledgerKey },
      };
      mkdirSync(env.HOME, { recursive: true });
      rmSync(clone, { recursive: true, force: true });
      execFileSync('git', ['clone', '--quiet', stored.git.folder, clone], { env });
      execFileSync('git', ['remote', 'set-url', 'origin', `git@github.com:${stored.name}.git`], {
        cwd: clone,
        env,
      });
      const { stdout, stderr } = await execute(process.execPath, [program, ...words], { cwd: clone, env });
      return `${stdout}${stderr}`;
    },
    close: async () => {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
