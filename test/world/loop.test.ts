/**
 * A loop in the little internet, from a label to the merge: GitHub's names and TLS, `gatewright serve` as a GitHub App, and
 * the real Claude Code CLI for planner, coder, debugger and reviewer. A person labels and comments; only hints are kept by
 * command. It has all that a loop can have: failures, a discovered task, hints, a new plan, a debug round.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { typed } from '../support/loop-cassette.ts';
import { hints, replanOrder } from '../support/loop-scenario.ts';
import { Chain } from './chain.ts';
import { answerLoop, taskOf } from './loop-models.ts';
import { whyNoNetwork } from './private-network.ts';
import { appAuthor, ServedProject } from './served-project.ts';
import { repositoryName } from './story.ts';
import { keys } from './user-machine.ts';

let chain: Chain;
afterEach(() => chain.close());

interface ShownWisp {
  readonly id: string;
  readonly note: string;
  readonly isLive: boolean;
  readonly promoted: boolean;
}

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 1_200_000 }, () => {
  it('labels, comments and two commands bring an issue through the loop', async () => {
    chain = await Chain.open();
    const { internet, machine, stored } = chain;
    const { github } = internet;
    internet.models.script = answerLoop;
    const project = await ServedProject.open(chain, typed.files);
    const { alice } = project;
    const number = await project.fileIssue({
      ...{ title: 'More operations', body: 'Subtract, multiply, divide, and powers.', labels: [] },
    });
    chain.skipPending();
    await project.start();
    const said = (): string[] => project.headings(number);
    const countOf = (heading: string): number => said().filter((one) => one === heading).length;
    const labels = (): readonly string[] => project.labels(number);
    const until = (isThere: () => boolean): Promise<void> => project.until(isThere);
    const speak = (body: string): Promise<void> => project.speak(number, body);
    const label = (name: string): Promise<void> => project.label(number, name);

    await label('AI');
    await until(() => said().includes('## Questions before the plan'));
    expect(labels()).toEqual(['AI: Planning']);
    await speak('In `src/`, one file each. Done when `node --test` passes.');
    await until(() => said().includes('## 📋 Implementation Plan'));
    await label('AI: Approved');
    await until(() => labels().includes('AI: Blocked'));
    const logs = said().flatMap((one) => /Task Log: (US-\d+)/u.exec(one)?.[1] ?? []);
    expect(logs).toEqual([
      ...['US-001', 'US-001', 'US-001', 'US-002', 'US-005'],
      ...['US-003', 'US-003', 'US-003', 'US-004'],
    ]);

    // One hint lasts, by the word of a person; the other one is over after its minute.
    const wisps = async (): Promise<ShownWisp[]> =>
      JSON.parse((await chain.finish('loop', 'wisp', 'list', String(number), '--json')).stdout);
    const idOf = async (note: string): Promise<string> =>
      (await wisps()).find((wisp) => wisp.note === note)?.id ?? '';
    const promote = (id: string) => machine.run('loop', 'wisp', 'promote', String(number), id);
    const lasting = await idOf(hints.lasting);
    // The server may still be about to let go of the loop.
    await expect
      .poll(async () => (await promote(lasting)).all, { timeout: 60_000 })
      .toContain('is a discovery note now');
    await expect.poll(wisps, { timeout: 90_000, interval: 1000 }).toMatchObject([
      { note: hints.lasting, promoted: true },
      { note: hints.passing, promoted: false, isLive: false },
    ]);
    expect((await promote(await idOf(hints.passing))).all).toContain('has expired');

    await speak(`@claude replan: ${replanOrder}`);
    await until(() => countOf('## 📋 Implementation Plan') === 2);
    await speak('@claude approve');
    await until(() => labels().includes('AI: Testing'));
    await speak('@claude issue: it is empty\nType: Error\nLocation: US-001');
    await until(() => said().includes('## ✅ Debug Fix Applied'));
    await speak('Works!');
    await until(() => chain.pulls.some(({ pull }) => (pull?.reviews.length ?? 0) > 0));
    await until(() => labels().includes('AI: Review'));
    const [pull] = await alice.listPullRequests(repositoryName, { state: 'open' });
    const title = `More operations (#${pull?.number})`;
    await alice.mergePullRequest(repositoryName, pull?.number ?? 0, {
      ...{ head: pull?.head.sha ?? '', title, body: '' },
    });
    await until(() => labels().includes('AI: Complete') && chain.pending().length === 0);
    const all = await project.stop();

    expect(chain.pulls.map((one) => [one.pull?.reviews.length, one.pull?.mergedAt !== null])).toEqual([
      [1, true],
    ]);
    expect(stored.git.run('show', 'main:src/quotient.ts')).toContain('a / b');
    expect(stored.git.run('show', 'main:src/difference.ts')).toContain('a - b - 0');
    const issue = project.issue(number);
    expect(issue?.state).toBe('closed');
    const ours = issue?.comments.filter(({ author }) => author !== 'alice') ?? [];
    // The person who types commands has an account of their own.
    expect(new Set(ours.map(({ author }) => author))).toEqual(new Set([appAuthor, 'gatewright-agent']));
    expect(ours.filter(({ author }) => author === 'gatewright-agent')).toHaveLength(2);
    const story = [all, ...(issue?.comments ?? []).map(({ body }) => body)].join('\n');
    for (const secret of [...Object.values(keys), ...github.apps.tokens]) expect(story).not.toContain(secret);
    const run = await machine.run('runs', '--json');
    expect(run.stdout).toContain('"workflow": "loop"');
    expect((await machine.run('ledger', 'verify')).stdout).toContain('Sound');

    // Every attempt was the real CLI, in a conversation that begins with what is known by then.
    const told = new Map<string, string>();
    for (const seen of internet.models.seen) {
      const task = taskOf(seen);
      if (task !== null) told.set(`${task.id} ${task.attempt}`, seen.text);
    }
    expect([...told.keys()]).toEqual([
      ...['US-001 1', 'US-001 2', 'US-001 3', 'US-002 1', 'US-005 1'],
      ...['US-003 1', 'US-003 2', 'US-003 3', 'US-004 1', 'US-006 1'],
    ]);
    expect(told.get('US-001 1')).not.toContain(hints.lasting);
    expect(told.get('US-001 2')).toContain(hints.lasting);
    const last = told.get('US-006 1') ?? '';
    expect(last.slice(last.indexOf('A note from an earlier task'))).toContain(hints.lasting);
    expect(last).not.toContain('Hints that hold for a short while');
    expect(last).not.toContain(hints.passing);
  });
});
