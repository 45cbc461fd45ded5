/**
 * The small GitHub with generated workflow files whose jobs run the program as it is published, and people who label,
 * comment and run commands. Models and coding agents say what is on a tape.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentName, agentNames } from '../../src/domain/fleet/agent-names.ts';
import { actionFile } from '../../src/setup/actions/generate/rules/wanted-files.ts';
import { chainFiles, playTape, type Tape } from '../support/chain-world.ts';
import { jobLogin } from '../support/github-job-tokens.ts';
import type { StoredIssue, StoredPull } from '../support/github-state.ts';
import type { FinishedRun } from './actions-host.ts';
import { generateFiles, quickAction } from './generated-world.ts';
import { type HostWorld, openHostWorld, people } from './host-world.ts';

const execute = promisify(execFile);

/** Of the ledger: nothing of it may be seen. */
export const ledgerKey = '5c'.repeat(32);

type PullIssue = StoredIssue & { readonly pull: StoredPull };

export interface RealWorld extends HostWorld {
  /** What happened is worked off: whatever workflows it starts have ended. */
  readonly label: (issue: StoredIssue, name: string, login?: string) => Promise<void>;
  readonly say: (issue: StoredIssue, body: string, login?: string) => Promise<void>;
  readonly pulls: () => PullIssue[];
  /** What the agents said there. */
  readonly saidOn: (issue: StoredIssue) => string[];
  /** From now on, models and coding agents say this. */
  readonly play: (tape: Tape) => void;
  /** Each run that did something, such as `claude.yml issues: begin success`, in the order of their ends. */
  readonly worked: (from?: number) => string[];
  readonly logs: () => string;
  /** Runs the program on the laptop of a person, in a clone of the repository. */
  readonly onLaptop: (...words: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** What a run did, without jobs that were not needed. */
const describeRun = ({ path, event, jobs }: FinishedRun): string =>
  `${path.replace(/^.*\//u, '')} ${event}: ${jobs
    .filter(({ conclusion }) => conclusion !== 'skipped')
    .map(({ id, conclusion }) => `${id} ${conclusion}`)
    .join(', ')}`;

const hasWorked = ({ jobs }: FinishedRun): boolean => jobs.some(({ conclusion }) => conclusion !== 'skipped');

interface RealOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** The command that verifies work; the one of the chains when it is left out. */
  readonly verify?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Those that have a workflow; all when they are left out. */
  readonly agents?: readonly AgentName[];
  /** What machines have beside, such as another clock. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The file of the built program; the one that the tests built when it is left out. */
  readonly program?: string;
}

const builtProgram = (): string => join(process.env.GATEWRIGHT_TEST_PACKAGE ?? '', 'bin', 'gatewright.cjs');

/** @param tape only the job that proposes needs it */
export async function openRealWorld(
  tape: Tape,
  {
    files = chainFiles,
    verify,
    variables = {},
    agents = agentNames,
    environment = {},
    program = builtProgram(),
  }: RealOptions = {},
): Promise<RealWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-real-'));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(folder, 'gatewright'), script, { mode: 0o755 });
  const play = (from: Tape): Readonly<Record<string, string>> =>
    playTape(
      {
        cassette: (content) => {
          const file = join(folder, 'cassette.json');
          writeFileSync(file, JSON.stringify(content));
          return file;
        },
      },
      from,
    );
  const { GATEWRIGHT_VERIFY, ...models } = play(tape);
  const world = await openHostWorld(
    {
      ...files,
      ...generateFiles({ version: '0.0.1', source: null, agents }),
      [actionFile]: quickAction(folder),
    },
    {
      environment: {
        ...{ ...models, GATEWRIGHT_PLANNER: models.GATEWRIGHT_CODER ?? '' },
        // Every machine is a new one: without it each compiles the whole program again.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        ...environment,
      },
    },
  );
  const { server, stored, host } = world;
  // What `init --actions` says to set.
  stored.actions.mayApprove = true;
  stored.actions.secrets.set('GATEWRIGHT_LEDGER_KEY', ledgerKey);
  const set = { GATEWRIGHT_VERIFY: verify ?? GATEWRIGHT_VERIFY ?? '', ...variables };
  for (const [name, value] of Object.entries(set)) stored.actions.variables.set(name, value);
  return {
    ...world,
    label: async (issue, name, login = 'alice') => {
      server.state.putLabels(stored, issue, [name], login);
      await host.settle();
    },
    say: async (issue, body, login = 'alice') => {
      server.state.addComment(issue, login, body);
      await host.settle();
    },
    pulls: () => stored.issues.filter((one): one is PullIssue => one.pull !== null),
    saidOn: ({ comments }) => comments.filter(({ author }) => author === jobLogin).map(({ body }) => body),
    play: (next) => {
      play(next);
    },
    worked: (from = 0) => host.runs.slice(from).filter(hasWorked).map(describeRun),
    logs: () =>
      host.runs
        .flatMap((run) => [describeRun(run), ...run.jobs.map(({ id, log }) => `--- ${id}\n${log}`)])
        .join('\n'),
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
