/** The small GitHub with one person for each permission, and forges that act for them. */
import type { GithubClientOptions } from '../../src/adapters/github/client/github-client.ts';
import { type GithubForge, makeGithubForge } from '../../src/adapters/github/github-forge.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { Permission } from '../../src/ports/forge/forge.ts';
import { GithubServer } from '../support/github-server.ts';
import type { StoredRepository } from '../support/github-state.ts';
import { actors, bot, type ForgeWorld, type SeededRun } from './forge-world.ts';

export const tokenOf = (actor: string): string => `ghp_canary_${actor.replace(/\W/gu, '')}_0123456789`;

/** A forge that is in a hurry, as tests are. */
export function openForge(
  apiUrl: string,
  credential: GithubClientOptions['credential'],
  more: Partial<GithubClientOptions> = {},
): GithubForge {
  return makeGithubForge({
    apiUrl,
    credential,
    clock: systemClock,
    userAgent: 'gatewright-test',
    isHurried: true,
    ...more,
  });
}

export interface GithubWorld extends ForgeWorld {
  readonly server: GithubServer;
  readonly stored: StoredRepository;
  readonly forge: GithubForge;
}

export async function makeGithubWorld(): Promise<GithubWorld> {
  const server = await GithubServer.start();
  // Three to a page: no list of more than that passes without turning pages.
  server.mostPerPage = 3;
  const repository = 'acme/project';
  for (const actor of [...Object.values(actors), bot]) server.addUser(actor, tokenOf(actor));
  const roles = Object.fromEntries(Object.entries(actors).map(([permission, actor]) => [actor, permission]));
  const { state } = server;
  const stored = state.addRepository(repository, {
    ...(roles as Record<string, Permission>),
    [bot]: 'write',
  });
  const forgeAs = (actor: string) => openForge(server.url, { kind: 'token', token: tokenOf(actor) });
  return {
    server,
    stored,
    forge: forgeAs(actors.admin),
    forgeAs,
    repository,
    actors,
    bot,
    git: stored.git,
    seedCheckRun: async (sha, check) => {
      stored.checkRuns.push({
        id: state.nextId(),
        sha,
        name: check.name,
        conclusion: check.state === 'pending' ? null : check.state,
        title: check.description ?? null,
        url: check.url ?? null,
        at: state.now(),
      });
    },
    seedWorkflowRun: async (run) => seedWorkflowRun(state, stored, run),
    pause: async () => state.advance(1000),
    close: () => server.close(),
  };
}

/** A run of a workflow, as GitHub would have it. */
export function seedWorkflowRun(
  state: GithubServer['state'],
  stored: StoredRepository,
  run: SeededRun,
): number {
  const id = state.nextId();
  const at = state.now();
  stored.runs.push({
    id,
    name: run.name,
    sha: run.headSha,
    branch: run.branch,
    event: run.event,
    status: run.status.replace('-', '_'),
    conclusion: run.conclusion,
    at,
    jobs: (run.jobs ?? []).map((job) => ({
      id: state.nextId(),
      name: job.name,
      conclusion: job.steps.some((step) => step.conclusion === 'failure') ? 'failure' : 'success',
      startedAt: Date.parse(at),
      steps: job.steps,
    })),
  });
  return id;
}
