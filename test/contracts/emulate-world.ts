/** `emulate`, a GitHub that others wrote, as a world for the forge contract. It has no git that anybody could push to. */
import { createEmulator } from 'emulate';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import type { GitStore } from '../support/git-store.ts';
import { actors, bot, type ForgeWorld } from './forge-world.ts';
import { openForge, tokenOf } from './github-world.ts';

const name = 'project';
const repository = `${actors.admin}/${name}`;
const roles = {
  [actors.read]: 'pull',
  [actors.triage]: 'triage',
  [actors.write]: 'push',
  [actors.maintain]: 'maintain',
  [bot]: 'push',
};

/** Fails whatever is asked of it: the tests that need it are among the listed gaps. */
const noGit = new Proxy({} as GitStore, {
  get: () => () => {
    throw new Error('emulate speaks no git');
  },
});

export interface EmulateWorld extends ForgeWorld {
  /** Acts as an App that is installed on the repository. */
  readonly app: GithubForge;
  /** A request past the adapter, by the owner. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

export async function makeEmulateWorld(): Promise<EmulateWorld> {
  const logins = [...Object.values(actors), bot];
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens: Object.fromEntries(logins.map((login) => [tokenOf(login), { login, scopes: ['repo'] }])),
      github: {
        users: logins.map((login) => ({ login })),
        repos: [{ owner: actors.admin, name }],
        apps: [
          {
            app_id: 12,
            slug: 'gate-bot',
            name: 'Gate bot',
            permissions: { contents: 'write', issues: 'write', pull_requests: 'write', metadata: 'read' },
            installations: [{ installation_id: 34, account: actors.admin, repository_selection: 'all' }],
          },
        ],
      },
    },
  });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${emulator.url}/repos/${repository}${path}`, {
      method,
      headers: { authorization: `token ${tokenOf(actors.admin)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  };
  for (const [login, permission] of Object.entries(roles))
    await call('PUT', `/collaborators/${encodeURIComponent(login)}`, { permission });
  const forgeAs = (actor: string) => openForge(emulator.url, { kind: 'token', token: tokenOf(actor) });
  const noSeed = async (): Promise<never> => {
    throw new Error('emulate cannot be told about builds');
  };
  return {
    forge: forgeAs(actors.admin),
    forgeAs,
    repository,
    actors,
    bot,
    git: noGit,
    seedCheckRun: noSeed,
    seedWorkflowRun: noSeed,
    // Its clock is the real one, and its dates are cut to seconds.
    pause: () => new Promise((resolve) => setTimeout(resolve, 1100)),
    call,
    app: openForge(emulator.url, {
      kind: 'app',
      id: '12',
      privateKey: emulator.generatedSecrets[0]?.value ?? '',
      installation: null,
      repository,
    }),
    close: () => emulator.close(),
  };
}
