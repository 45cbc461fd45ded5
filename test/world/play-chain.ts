/** The whole chain, from an idea to its merge, with what has to be true at every step. */
import { expect } from 'vitest';
import { agentLogin, type Chain } from './chain.ts';
import { expectNoOverrides } from './expect-no-overrides.ts';
import { finalSource, issueTitle } from './story.ts';
import { keys } from './user-machine.ts';

/** How deliveries get to the program: a server takes them, or each begins a process of its own. */
export type Carrier = 'serve' | 'dispatch';

async function serveUntilMerged(chain: Chain): Promise<string> {
  const server = chain.startServer();
  await chain.untilServing();
  const [delivery] = chain.pending();
  if (delivery !== undefined) expect(await chain.post(delivery, 'not the secret')).toBe(401);
  await chain.deliverUntil(() => chain.isSettled, 400);
  server.child.kill('SIGTERM');
  const { code, all } = await server.ended;
  expect(code, all).toBe(0);
  return all;
}

async function dispatchUntilMerged(chain: Chain): Promise<string> {
  const said: string[] = [];
  await chain.dispatchAll(async (words) => {
    const result = await chain.finish(...words);
    said.push(result.all);
    return result;
  });
  return said.join('');
}

/** From a clone to a design on the default branch. `trouble` is what `doctor` has to say of a host that agents need. */
export async function playAuthoring(chain: Chain, trouble: string | null = null): Promise<void> {
  await chain.setUp();
  const doctor = trouble === null ? await chain.finish('doctor') : await chain.machine.run('doctor');
  expect(doctor.stdout).toContain(trouble ?? 'Nothing blocks a run');
  expect(doctor.stdout).toContain(`github.com; ${agentLogin} may write to acme/project`);
  await chain.fileIssue();
  expect(chain.issues.map(({ title, author, state }) => ({ title, author, state }))).toEqual([
    { title: issueTitle, author: agentLogin, state: 'open' },
  ]);
  await chain.design();
  await chain.push('The design');
  expect(chain.stored.git.run('ls-tree', '-r', '--name-only', 'main')).toContain('docs/lld/active/LLD-1.md');
  chain.skipPending();
}

/** A person asks for the issue, and in the end it is merged, after one correction. */
async function playFleet(chain: Chain, carrier: Carrier): Promise<void> {
  chain.mention();
  const said = await (carrier === 'serve' ? serveUntilMerged(chain) : dispatchUntilMerged(chain));
  const story = `${said}\n${chain.stored.issues.map(({ comments }) => comments.map(({ body }) => body)).join('\n')}`;
  expect(
    chain.pulls.map(({ state, pull }) => [state, pull?.mergedAt !== null]),
    story,
  ).toEqual([['closed', true]]);
  expect(chain.issues.map(({ state }) => state)).toEqual(['closed']);
  expect(chain.stored.git.run('show', 'main:src/export.ts')).toBe(finalSource.trim());
  expect(chain.pulls[0]?.pull?.reviews.map(({ author }) => author)).toEqual([agentLogin, agentLogin]);
  for (const key of Object.values(keys)) expect(story).not.toContain(key);
}

export async function playChain(chain: Chain, carrier: Carrier): Promise<void> {
  await playAuthoring(chain);
  await playFleet(chain, carrier);
  await expectNoOverrides(chain);
  const verified = await chain.finish('ledger', 'verify');
  expect(verified.stdout).toContain('Sound');
}
