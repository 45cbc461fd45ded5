/** GitHub does not know a branch that was pushed a moment ago: the work that was paid for waits, and goes on unpaid. */
import { afterEach, expect, it } from 'vitest';
import { fileOrder, openChain } from '../../../test/support/chain-world.ts';
import { lateOpenings } from '../../../test/support/github-faults.ts';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import type { AgentRequest, RunSummary } from '../../domain/ledger/run.ts';
import { readEventOfRun } from '../../fleet/read-event.ts';
import { resumeAgentRun } from '../../fleet/run-agent.ts';
import { isDueToResume } from '../../fleet/watch-fleet.ts';

let world: GithubFleetWorld;
afterEach(() => world.remove());

it('pauses until it has caught up, and opens one pull request without asking the coder again', async () => {
  const opened = await openChain('GitHub', undefined, { GATEWRIGHT_AGENTS: 'implementer' });
  if (!(opened instanceof GithubFleetWorld)) throw new Error('not on GitHub');
  world = opened;
  world.server.faults.push({ ...(lateOpenings['head invalid'] ?? {}), times: 6 });
  const { number, event } = await fileOrder(world);
  const [outcome] = await world.deliver(event);
  expect(outcome?.outcomes[0]).toMatchObject({ status: 'paused', reason: { code: 'forge-lagging' } });
  const said = await (await world.as('alice')).listComments(world.repository, number);
  expect(said).toHaveLength(1);
  expect(said[0]?.body).toContain('GitHub has not caught up yet');
  const run = (await world.house.views.listRuns()).find(({ status }) => status === 'paused');
  if (run === undefined) throw new Error('no run paused');
  expect(isDueToResume(run, new Date(Date.now() + 61_000))).toBe(true);
  const agentRun = run as RunSummary<AgentRequest>;
  const assignment = await readEventOfRun(world.house, agentRun);
  if (assignment === null) throw new Error('no event');
  const resumed = await resumeAgentRun(world.house, agentRun, assignment, { own: world.own });
  expect(resumed.status).toBe('done');
  const entries = await world.entries(number);
  expect(entries.filter(({ kind }) => kind === 'model-answered')).toHaveLength(1);
  const pulls = await (await world.as('alice')).listPullRequests(world.repository);
  expect(pulls).toHaveLength(1);
});
