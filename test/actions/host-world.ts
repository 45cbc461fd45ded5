/** The small GitHub with a repository, people, and machines that run its workflows. */
import { GithubServer } from '../support/github-server.ts';
import type { StoredRepository } from '../support/github-state.ts';
import { ActionsHost, type FinishedRun } from './actions-host.ts';

const repositoryName = 'acme/project';

export interface HostWorld {
  readonly server: GithubServer;
  readonly stored: StoredRepository;
  readonly host: ActionsHost;
  /** Asks the API, as a person does. */
  readonly ask: (
    token: string,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: unknown }>;
  readonly close: () => Promise<void>;
}

export const people = {
  alice: 'ghp_canary_alice_0123456789',
  mallory: 'ghp_canary_mallory_0123456789',
} as const;

/** @param files of the branch main, with its workflows */
export async function openHostWorld(
  files: Readonly<Record<string, string>>,
  options: Partial<Omit<ConstructorParameters<typeof ActionsHost>[0], 'server' | 'repository'>> = {},
): Promise<HostWorld> {
  const server = await GithubServer.start();
  for (const [login, token] of Object.entries(people)) server.addUser(login, token);
  const stored = server.state.addRepository(repositoryName, { alice: 'admin' });
  stored.git.commit('main', files);
  const host = new ActionsHost({ server, repository: stored, ...options });
  return {
    ...{ server, stored, host },
    ask: async (token, method, path, body) => {
      const answer = await fetch(`${server.url}/repos/${repositoryName}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    },
    close: async () => {
      host.close();
      await server.close();
    },
  };
}

/** Opens a fork with a branch and a pull request from there. */
export function openForkPull(
  { server, stored }: HostWorld,
  files: Readonly<Record<string, string>>,
  login = 'mallory',
): string {
  const fork = server.state.addRepository(`${login}/project`, { [login]: 'admin' });
  fork.git.run('fetch', '--quiet', stored.git.folder, '+main:main');
  fork.git.commit('topic', files, { from: 'main' });
  return `${login}:topic`;
}

/** Asks the API from a step, and prints status and message. */
export const asking = [
  "node --input-type=module -e '",
  'const [method, path, body] = process.argv.slice(1);',
  'const headers = { authorization: "Bearer " + process.env.TOKEN };',
  'const base = process.env.GITHUB_API_URL + "/repos/" + process.env.GITHUB_REPOSITORY;',
  'const answer = await fetch(base + path, { method, headers, body });',
  'const text = await answer.text();',
  'console.log(method, path, answer.status, answer.status < 400 ? "" : JSON.parse(text).message);',
  "'",
].join(' ');

export const logOf = (run: FinishedRun, job: string): string =>
  run.jobs.find(({ id }) => id === job)?.log ?? '';
