/**
 * Every delivery of which GitHub has published an example, sent to the running program over HTTP and signed as GitHub
 * signs: each is acknowledged, as it came and as if it were about this repository, and nothing that comes of one stops
 * the program.
 */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { GithubFleetWorld } from '../support/github-fleet-world.ts';
import { programFile } from '../support/playground.ts';

interface Example {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

const secret = 'the secret of this hook';
const require = createRequire(import.meta.url);
const published = ['api.github.com', 'ghes-35'].flatMap(
  (where) =>
    JSON.parse(
      readFileSync(
        require
          .resolve('@octokit/webhooks-examples/package.json')
          .replace('package.json', `${where}/index.json`),
        'utf8',
      ),
    ) as Example[],
);
const examples = published.flatMap(({ name, examples: payloads }) =>
  payloads.map((payload) => ({ name, payload })),
);
/** Those that agents react to. */
const used = ['issues', 'issue_comment', 'pull_request', 'pull_request_review', 'workflow_run'].concat([
  ...['check_run', 'check_suite', 'status'],
]);

let world: GithubFleetWorld;
afterEach(() => world.remove());

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

describe('the deliveries that GitHub shows as examples', () => {
  it('are all acknowledged, and nothing that comes of them stops serve', { timeout: 240_000 }, async () => {
    expect(examples.length).toBeGreaterThan(400);
    world = await GithubFleetWorld.open({ 'a.txt': 'a\n' });
    const port = await findPort();
    const env = { ...world.playground.environment, ...world.environment, GATEWRIGHT_WEBHOOK_SECRET: secret };
    const child = spawn(process.execPath, [programFile, 'serve', '--port', String(port)], {
      ...{ cwd: world.playground.repository, env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (said += String(part)));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      const health = (): Promise<boolean> =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(health, { timeout: 240_000, interval: 100 }).toBe(true);
      const post = async (name: string, payload: object): Promise<string> => {
        const body = JSON.stringify(payload);
        const answer = await fetch(`http://127.0.0.1:${port}/webhook`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-github-event': name,
            'x-github-delivery': '0b989ba4-242f-11e5-81e1-c7b6966d2516',
            'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
          },
          body,
        });
        return `${answer.status} ${await answer.text()}`;
      };
      const refused: string[] = [];
      const send = async (name: string, payload: Readonly<Record<string, unknown>>): Promise<void> => {
        const answer = await post(name, payload);
        if (!answer.startsWith('202 ')) refused.push(`${name}.${String(payload.action)}: ${answer}`);
      };
      for (const { name, payload } of examples) await send(name, payload);
      // One of each kind as if it were about this repository: now something comes of it.
      const ours = { full_name: world.repository, id: world.stored.id };
      const kinds = new Map(examples.map((one) => [`${one.name}.${String(one.payload.action)}`, one]));
      for (const { name, payload } of [...kinds.values()].filter((one) => used.includes(one.name)))
        await send(name, { ...payload, repository: { ...(payload.repository as object), ...ours } });
      expect(refused).toEqual([]);
      await expect
        .poll(async () => (await world.house.views.listOpenEvents()).length, {
          timeout: 150_000,
          interval: 500,
        })
        .toBe(0);
      expect(await health(), said).toBe(true);
      expect(said).not.toMatch(/TypeError|ReferenceError|at .*\.ts:\d+/u);
      expect((await world.house.ledger.verify()).problems).toEqual([]);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended, said).toBe(0);
  });
});
