/** A repository on GitHub that lives by itself: its webhooks come to the program, and nothing that was acknowledged is lost. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readWebhook } from '../../src/adapters/github/payloads/read-webhook.ts';
import { InboxReader } from '../../src/adapters/inbox/inbox-reader.ts';
import { InboxWriter } from '../../src/adapters/inbox/inbox-writer.ts';
import { readStored } from '../../src/compose/compose-receiver.ts';
import type { App } from '../../src/entrypoints/cli/app.ts';
import { serve } from '../../src/entrypoints/cli/commands/serve.ts';
import type { Given } from '../../src/entrypoints/cli/table/command.ts';
import { Terminal } from '../../src/entrypoints/cli/views/terminal.ts';
import { startReceiver } from '../../src/entrypoints/server/webhook/receiver.ts';
import type { StoredDelivery } from '../../src/ports/inbox.ts';
import { fileOrder, openChain } from '../support/chain-world.ts';
import { findPort } from '../support/find-port.ts';
import type { FleetRoom } from '../support/fleet-room.ts';
import { GithubFleetWorld } from '../support/github-fleet-world.ts';
import { programFile } from '../support/playground.ts';

const secret = 'the secret of this hook';
const at = '2026-11-15T10:00:00Z';

let world: FleetRoom;
afterEach(() => world.remove());

interface Post {
  readonly id?: string;
  readonly key?: string;
  readonly repository?: string;
}

function makePost(port: number) {
  return async (
    name: string,
    more: object,
    { id = 'd-1', key = secret, repository }: Post = {},
  ): Promise<number> => {
    const body = JSON.stringify({
      repository: { full_name: repository ?? world.repository },
      sender: { login: 'alice', type: 'User' },
      ...more,
    });
    const answer = await fetch(`http://127.0.0.1:${port}/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': name,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      },
      body,
    });
    return answer.status;
  };
}

/** Runs the command in this process, where the forge does not have to wait between its writes. */
function serveHere(port: number): Promise<number> {
  const app = {
    config: { webhookSecret: secret },
    terminal: new Terminal({ mayAsk: false, isPlain: true }),
    openHouse: async () => world.house,
    startReceiver: async (...[options, key, tell]: Parameters<App['startReceiver']>) => {
      const folder = join(world.playground.folder, 'inbox');
      const writer = new InboxWriter(folder, key);
      const read = (one: StoredDelivery) => readStored(one, options.repository.name);
      const inbox = new InboxReader(folder, key, read, (error) => expect.fail(String(error)));
      const store = async (deliveries: readonly StoredDelivery[]): Promise<void> => {
        inbox.advance(await writer.write(deliveries));
        tell({ kind: 'received' });
      };
      const server = await startReceiver(
        { readDelivery: readWebhook, store, countTaken: () => 0 },
        options,
        tell,
      );
      const own = {
        next: (limit: number) => inbox.next(limit),
        taken: (result: { readonly all: boolean }) => inbox.taken(result),
        yieldToReceiver: async () => false,
      };
      return { ...server, inbox: own, ended: Promise.resolve() };
    },
  } as unknown as App;
  const options: Record<string, number> = { port, workers: 2 };
  const given = { text: () => null, flag: () => false, count: (name: string) => options[name] ?? null };
  return serve(app, given as unknown as Given);
}

async function untilThere(port: number): Promise<void> {
  const look = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(look, { timeout: 40_000, interval: 50 }).toBe(true);
}

describe('gatewright serve', () => {
  it('carries an issue to its merge from one signed delivery, and takes no other', {
    timeout: 120_000,
  }, async () => {
    world = await openChain('GitHub');
    const port = await findPort();
    const serving = serveHere(port);
    await untilThere(port);
    const post = makePost(port);
    const { number, event } = await fileOrder(world);
    const body = event.text.split('\n').slice(2).join('\n');
    const user = { login: 'alice', type: 'User' };
    const issue = { number, title: 'sum subtracts', body, user, created_at: at, updated_at: at };
    const opened = { action: 'opened', issue };
    expect(await post('issues', opened, { key: 'somebody else' })).toBe(401);
    expect(await post('issues', { ...opened, issue: { ...issue, number: 0 } })).toBe(400);
    expect(await post('issues', opened, { repository: 'acme/other' })).toBe(202);
    expect(await post('issues', { ...opened, action: 'edited' })).toBe(202);
    expect(await world.house.views.listOpenEvents()).toEqual([]);
    expect(await world.house.views.listRuns()).toEqual([]);
    expect(await post('issues', opened)).toBe(202);
    // Again, and again under another id: the same one.
    expect(await post('issues', opened)).toBe(202);
    expect(await post('issues', opened, { id: 'd-2' })).toBe(202);
    const alice = await world.as('alice');
    const states = async (): Promise<string[]> =>
      (await alice.listPullRequests(world.repository, { state: 'all' })).map(({ state }) => state);
    await expect.poll(states, { timeout: 90_000, interval: 250 }).toEqual(['merged']);
    await expect.poll(() => world.house.views.listOpenEvents(), { timeout: 20_000 }).toEqual([]);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await serving).toBe(0);
    await expect(post('issues', opened)).rejects.toThrow();
    const received = (await world.entries(number)).filter(({ kind }) => kind === 'event-received');
    expect(received).toHaveLength(1);
    expect((await alice.getIssue(world.repository, number)).state).toBe('closed');
    expect((await world.house.ledger.verify()).problems).toEqual([]);
  });

  it('has lost nothing when it is killed right after it acknowledged', { timeout: 120_000 }, async () => {
    const github = await GithubFleetWorld.open({ 'a.txt': 'a\n' }, { GATEWRIGHT_AGENTS: 'pr-size-guardian' });
    world = github;
    const head = world.branch('big', { 'big.txt': 'x\n'.repeat(500) });
    const alice = await world.as('alice');
    const pull = { title: 'Big', body: '', head: 'big', base: 'main' };
    const { number } = await alice.createPullRequest(world.repository, pull);
    const port = await findPort();
    const start = () => {
      const env = {
        ...world.playground.environment,
        ...world.environment,
        GATEWRIGHT_WEBHOOK_SECRET: secret,
      };
      const child = spawn(process.execPath, [programFile, 'serve', '--port', String(port)], {
        ...{ cwd: world.playground.repository, env, stdio: 'ignore' },
      });
      return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
    };
    const first = start();
    await untilThere(port);
    const opened = {
      action: 'opened',
      number,
      pull_request: { number, head: { sha: head }, updated_at: at },
    };
    expect(await makePost(port)('pull_request', opened)).toBe(202);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = start();
    const comments = async (): Promise<number> => (await alice.listComments(world.repository, number)).length;
    await expect.poll(comments, { timeout: 240_000, interval: 100 }).toBe(1);
    await expect.poll(() => world.house.views.listOpenEvents(), { timeout: 20_000 }).toEqual([]);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(await comments()).toBe(1);
  });

  it('wants a secret', async () => {
    world = await openChain('GitHub');
    const run = (env: Record<string, string>) =>
      world.playground.run(['serve'], { env: { ...world.environment, ...env } });
    const bare = await run({});
    expect(bare.code, bare.all).toBe(1);
    expect(bare.stderr).toContain('GATEWRIGHT_WEBHOOK_SECRET is not set');
    const short = await run({ GATEWRIGHT_WEBHOOK_SECRET: 'short' });
    expect(short.stderr).toContain('shorter than 16');
    const link = await world.playground.run(['serve', '--link'], { env: world.environment });
    expect(link.stderr).toContain('(forge-local-only)');
  });
});
