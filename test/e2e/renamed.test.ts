/** A repository on GitHub that gets another name: what serve, status and doctor say of it. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { findPort } from '../support/find-port.ts';
import { GithubFleetWorld } from '../support/github-fleet-world.ts';
import { showRepositoryPart, showUser } from '../support/github-repository-shape.ts';
import { programFile } from '../support/playground.ts';

const secret = 'the secret of this hook';
let world: GithubFleetWorld;
afterEach(() => world.remove());

async function serve(work: (port: number) => Promise<void>): Promise<string> {
  const port = await findPort();
  const env = { ...world.playground.environment, ...world.environment, GATEWRIGHT_WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [programFile, 'serve', '--port', String(port)], {
    ...{ cwd: world.playground.repository, env, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (said += String(part)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await expect.poll(isUp, { timeout: 60_000, interval: 100 }).toBe(true);
    await work(port);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended, said).toBe(0);
  return said;
}

async function star(port: number, delivery: string): Promise<string> {
  const body = JSON.stringify({
    ...{ action: 'created', starred_at: '2026-06-01T09:00:00Z' },
    ...{ repository: showRepositoryPart(world.stored), sender: showUser('alice') },
  });
  const answer = await fetch(`http://127.0.0.1:${port}/webhook`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-github-event': 'star', 'x-github-delivery': delivery },
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  });
  return `${answer.status}`;
}

const run = async (...words: string[]) => {
  const result = await world.playground.run(words, { env: world.environment });
  return result.all;
};
const rename = (name: string) => world.server.state.renameRepository(world.stored, name);
const now = 'acme/project has the new name acme/new';

describe('a repository that is renamed', { timeout: 200_000 }, () => {
  it('while serve runs is told once, and status and doctor know it', async () => {
    world = await GithubFleetWorld.open();
    const said = await serve(async (port) => {
      rename('acme/new');
      expect(await star(port, 'd-1')).toBe('202');
      expect(await star(port, 'd-2')).toBe('202');
    });
    expect(said.split(`${now}: serve receives its deliveries`)).toHaveLength(2);
    expect(await run('status')).toContain(`${now}.`);
    expect(await run('doctor')).toContain(now);
  });

  it('while nothing runs is told by the next serve; a name that another has is refused', async () => {
    world = await GithubFleetWorld.open();
    await run('dispatch');
    rename('acme/new');
    expect(await serve(async () => undefined)).toContain(now);
    expect(await run('status')).toContain(`${now}.`);
    world.server.state.renamed.clear();
    world.server.state.addRepository('acme/project', { alice: 'admin', [world.own]: 'write' });
    expect(await run('dispatch')).toContain('is not the repository that Gatewright worked on');
  });
});
