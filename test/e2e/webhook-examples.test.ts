/**
 * Every delivery of which GitHub has published an example, sent to the running program over HTTP and signed as GitHub
 * signs: each is acknowledged, as it came and as if it were about this repository, and nothing that comes of one stops
 * the program.
 */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readWebhook } from '../../src/adapters/github/payloads/read-webhook.ts';
import type { App } from '../../src/entrypoints/cli/app.ts';
import { dispatch } from '../../src/entrypoints/cli/commands/dispatch.ts';
import type { Given } from '../../src/entrypoints/cli/table/command.ts';
import { Terminal } from '../../src/entrypoints/cli/views/terminal.ts';
import { isGatewrightError } from '../../src/errors.ts';
import { findPort } from '../support/find-port.ts';
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

  it('are each handled, ignored with a reason or refused by name by dispatch', {
    timeout: 900_000,
  }, async () => {
    world = await GithubFleetWorld.open({ 'a.txt': 'a\n' });
    const file = join(world.playground.folder, 'payload.json');
    const said: string[] = [];
    const terminal = new Terminal({ mayAsk: false, isPlain: true });
    terminal.say = (text: string) => void said.push(text);
    const app = {
      terminal,
      openHouse: async () => world.house,
      readDelivery: readWebhook,
    } as unknown as App;
    /** What came of it: a word of its own for each way that it may end. */
    const dispatchOne = async (name: string, payload: object): Promise<string> => {
      writeFileSync(file, JSON.stringify(payload));
      const options: Readonly<Record<string, string>> = { event: file, name };
      const given = {
        ...{ args: [], flag: () => false, count: () => null, texts: () => [] },
        text: (option: string) => options[option] ?? null,
      } as Given;
      said.length = 0;
      try {
        const code = await dispatch(app, given);
        const ignored = said.some((text) => /^No agent reacts to \S+/u.test(text));
        return ignored
          ? 'ignored'
          : [0, 1, 3, 5].includes(code)
            ? 'handled'
            : `ended with ${code}: ${said.join()}`;
      } catch (error) {
        return isGatewrightError(error, 'event-invalid') ? `refused: ${error.message}` : String(error);
      }
    };
    const ends = new Map<string, number>();
    const note = async (name: string, payload: Readonly<Record<string, unknown>>, may: RegExp) => {
      const end = await dispatchOne(name, payload);
      expect(end, `${name}.${String(payload.action)}`).toMatch(may);
      const [word = ''] = end.split(':');
      ends.set(word, (ends.get(word) ?? 0) + 1);
    };
    // As they came they are about other repositories.
    for (const { name, payload } of examples)
      await note(
        name,
        payload,
        /^ignored$|^refused: (?:This happened in \S+; this repository is|This is not what)/u,
      );
    const ours = { full_name: world.repository, id: world.stored.id };
    const kinds = new Map(examples.map((one) => [`${one.name}.${String(one.payload.action)}`, one]));
    for (const { name, payload } of kinds.values()) {
      const home = { ...(payload.repository as object | undefined), ...ours };
      await note(name, { ...payload, repository: home }, /^ignored$|^handled$/u);
    }
    expect([...ends.keys()].toSorted()).toEqual(['handled', 'ignored', 'refused']);
    expect(await world.house.views.listOpenEvents()).toEqual([]);
    expect((await world.house.ledger.verify()).problems).toEqual([]);
  });
});
