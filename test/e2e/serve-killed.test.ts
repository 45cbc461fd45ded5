/**
 * Many deliveries at once, and the program killed in the middle of them: what was acknowledged is on the ledger, once, when
 * the program has started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findPort } from '../support/find-port.ts';
import { GithubFleetWorld } from '../support/github-fleet-world.ts';
import { programFile } from '../support/playground.ts';

const secret = 'the secret of this hook';
const kills = 4;
const connections = 16;
const issues = 20;

let world: GithubFleetWorld;
afterEach(() => world.remove());

function makeBody(id: number): string {
  const at = new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString().replace('.000Z', 'Z');
  const when = { created_at: at, updated_at: at };
  const user = { login: 'alice', id: 1, type: 'User' };
  return JSON.stringify({
    action: 'created',
    issue: { ...when, number: 1 + (id % issues), title: 'A title', body: '', user, labels: [] },
    comment: { ...when, id, body: 'Nothing for anybody. '.repeat(100), user },
    repository: { full_name: world.repository },
    sender: user,
  });
}

/** Null when there was no answer. */
function post(port: number, agent: Agent, id: number): Promise<number | null> {
  const body = makeBody(id);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-github-event': 'issue_comment',
    'x-github-delivery': `d-${id}`,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/webhook', method: 'POST', headers, agent };
    const outgoing = request(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? null));
      answer.on('error', () => resolve(null));
    });
    outgoing.on('error', () => resolve(null));
    outgoing.end(body);
  });
}

function start(port: number): { readonly child: ChildProcess; readonly ended: Promise<unknown> } {
  const env = { ...world.playground.environment, ...world.environment, GATEWRIGHT_WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [programFile, 'serve', '--port', String(port)], {
    ...{ cwd: world.playground.repository, env, stdio: 'ignore' },
  });
  return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

it('loses and doubles nothing that was acknowledged', { timeout: 300_000 }, async () => {
  world = await GithubFleetWorld.open({ 'a.txt': 'a\n' }, {});
  const port = await findPort();
  const inboxes = `${world.playground.database}.inbox`;
  const acknowledged: number[] = [];
  let next = 1;
  for (let kill = 1; kill <= kills; kill += 1) {
    const { child, ended } = start(port);
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    let isOver = false;
    const sendOn = async (): Promise<void> => {
      while (!isOver) {
        const id = next;
        next += 1;
        const status = await post(port, agent, id);
        if (status === 202) acknowledged.push(id);
        // It is not there yet, or not any more.
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const before = acknowledged.length;
    const senders = Array.from({ length: connections }, sendOn);
    // At another place of its work each time.
    await expect
      .poll(() => acknowledged.length - before, { timeout: 60_000, interval: 3 + 7 * kill })
      .toBeGreaterThan(40 * kill);
    child.kill('SIGKILL');
    await ended;
    isOver = true;
    await Promise.all(senders);
    agent.destroy();
  }
  const last = start(port);
  // What the killed processes left is taken from the inbox; what a living one has taken goes when it ends.
  const inbox = (): string[] => {
    const [folder = ''] = readdirSync(inboxes);
    return readdirSync(join(inboxes, folder));
  };
  await expect.poll(inbox, { timeout: 60_000 }).toEqual([]);
  last.child.kill('SIGTERM');
  expect(await last.ended).toBe(0);
  const received = new Map<number, number>();
  for (let number = 1; number <= issues; number += 1)
    for (const entry of await world.entries(number)) {
      if (entry.kind !== 'event-received') continue;
      const { comment } = JSON.parse(await world.house.ledger.getText(entry.data.event)) as {
        comment: number;
      };
      received.set(comment, (received.get(comment) ?? 0) + 1);
    }
  expect(acknowledged.filter((id) => !received.has(id))).toEqual([]);
  expect([...received.values()].filter((count) => count !== 1)).toEqual([]);
  expect((await world.house.ledger.verify()).problems).toEqual([]);
});
