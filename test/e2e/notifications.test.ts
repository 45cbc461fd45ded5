/** People are told outside the forge what waits for them and what has stopped, once, wherever the program is killed. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationMessage } from '../../src/domain/notifications/notification.ts';
import { NotificationReceiver } from '../support/notification-receiver.ts';
import { crashChildFile, Playground, programFile } from '../support/playground.ts';

let playground: Playground;
let receiver: NotificationReceiver;
beforeEach(async () => {
  playground = new Playground();
  receiver = await NotificationReceiver.open();
});
afterEach(() => {
  receiver.close();
  playground.remove();
});

const secret = 'a secret that signs messages';

const withHook = () => ({
  GATEWRIGHT_NOTIFY_WEBHOOK_URL: `${receiver.url}/hook`,
  GATEWRIGHT_NOTIFY_WEBHOOK_SECRET: secret,
});

/** Leaves a run that waits at its first gate. */
async function leaveGate(): Promise<void> {
  const result = await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--no-input']);
  expect(result.code, result.all).toBe(10);
}

function messages(): NotificationMessage[] {
  return receiver.posts.map(({ body }) => JSON.parse(body) as NotificationMessage);
}

async function watchUntil(isOver: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [programFile, 'watch'], {
    ...{ cwd: playground.repository, stdio: 'ignore' },
    env: { ...playground.environment, ...withHook() },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await expect.poll(isOver, { timeout: 30_000, interval: 50 }).toBe(true);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

describe('a gate that waits', () => {
  it('is told once by watch, signed, and not again by the next watch', { timeout: 120_000 }, async () => {
    await leaveGate();
    await watchUntil(() => receiver.posts.length > 0);
    const [post] = receiver.posts;
    const timestamp = String(post?.headers['x-gatewright-timestamp']);
    const expected = createHmac('sha256', secret).update(`${timestamp}.${post?.body}`).digest('hex');
    expect(post?.headers['x-gatewright-signature-256']).toBe(`sha256=${expected}`);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(120);
    const [message] = messages();
    expect(post?.headers['idempotency-key']).toBe(message?.id);
    expect(message).toMatchObject({
      version: 1,
      kind: 'notification',
      repository: 'local/project',
      to: 'you',
      matters: [{ kind: 'gate', urgency: 'normal', title: 'Export reports as CSV', url: null }],
      more: 0,
    });
    expect(message?.matters[0]?.command).toMatch(/^gatewright /u);
    const again = await playground.run(['notify'], { env: withHook() });
    expect(again.stdout).toContain('nothing to tell');
    expect(receiver.posts).toHaveLength(1);
    const verified = await playground.run(['ledger', 'verify']);
    expect(verified.code, verified.all).toBe(0);
  });
});

describe('a process that is killed while it tells', () => {
  it('has told at every point at least once, and under one id', { timeout: 300_000 }, async () => {
    await leaveGate();
    playground.save();
    const log = join(playground.folder, 'points.log');
    await playground.run(['notify'], { file: crashChildFile, env: { ...withHook(), CRASH_LOG: log } });
    const points = readFileSync(log, 'utf8').trim().split('\n');
    expect(points.filter((name) => name.includes('ledger.append')).length).toBeGreaterThan(1);
    expect(receiver.posts).toHaveLength(1);
    for (let at = 1; at <= points.length; at += 1) {
      receiver.received.length = 0;
      playground.restore();
      const killed = await playground.run(['notify'], {
        file: crashChildFile,
        env: { ...withHook(), CRASH_AT: String(at) },
      });
      expect(killed.signal).toBe('SIGKILL');
      const after = await playground.run(['notify'], { env: withHook() });
      expect(after.code, after.all).toBe(0);
      // None of these points lies between the message and its receipt.
      expect(messages(), points[at - 1]).toHaveLength(1);
      expect((await playground.run(['notify'], { env: withHook() })).stdout).toContain('nothing to tell');
      expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
    }
  });

  it('between a message and its receipt sends the same message again, with the same id', {
    timeout: 120_000,
  }, async () => {
    await leaveGate();
    const child = spawn(process.execPath, [programFile, 'notify'], {
      ...{ cwd: playground.repository, stdio: 'ignore' },
      env: { ...playground.environment, ...withHook() },
    });
    receiver.onPost = () => child.kill('SIGKILL');
    receiver.answering = { status: 200, isSilent: true };
    await new Promise((resolve) => child.once('exit', resolve));
    receiver.onPost = () => undefined;
    receiver.answering = { status: 200 };
    await playground.run(['notify'], { env: withHook() });
    const [first, second, ...more] = receiver.posts;
    expect(more).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });
});

describe('many people, and a watch that is killed again and again', () => {
  it('are all told, each again only where an answer was not heard', { timeout: 300_000 }, async () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      playground.write(
        `ideas/active/${name}.md`,
        `# The idea ${name}\n\nPeople want the thing ${name}, with a button.\n`,
      );
      const result = await playground.run(['issue', '--brief', `ideas/active/${name}.md`, '--no-input']);
      expect(result.code, result.all).toBe(10);
    }
    const names = Array.from({ length: 12 }, (_, index) => `person-${index}`);
    const file = join(playground.folder, 'notifications.json');
    const people = names.map((name) => ({ name, channels: ['webhook'], tell: 'all' }));
    writeFileSync(file, JSON.stringify({ people }), { mode: 0o600 });
    const env = { ...playground.environment, ...withHook(), GATEWRIGHT_NOTIFICATIONS: file };
    const kills = 6;
    for (let kill = 1; kill <= kills; kill += 1) {
      const child = spawn(process.execPath, [programFile, 'watch'], {
        ...{ cwd: playground.repository, stdio: 'ignore', env },
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const before = receiver.posts.length;
      // In the middle of the next message but one: sometimes before its answer, sometimes after.
      receiver.onPost = () => {
        if (receiver.posts.length > before + 1) setTimeout(() => child.kill('SIGKILL'), 2 * kill - 2);
      };
      await ended;
    }
    receiver.onPost = () => undefined;
    await expect
      .poll(async () => (await playground.run(['notify'], { env })).stdout, { timeout: 60_000 })
      .toContain('nothing to tell');
    const byPerson = Map.groupBy(messages(), ({ to }) => to);
    expect([...byPerson.keys()].toSorted()).toEqual(names.toSorted());
    for (const copies of byPerson.values()) {
      expect(new Set(copies.map(({ id }) => id)).size).toBe(1);
      expect(copies[0]).toMatchObject({ kind: 'digest', more: 0 });
      expect(copies[0]?.matters).toHaveLength(4);
    }
    expect(messages().length - names.length).toBeLessThanOrEqual(kills);
    expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
  });
});

describe('a ledger on a git ref', () => {
  it('has what was told, for every machine', { timeout: 120_000 }, async () => {
    const env = { ...withHook(), GATEWRIGHT_LEDGER: 'ref', GATEWRIGHT_LEDGER_KEY: 'ab'.repeat(32) };
    const stopped = await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--no-input'], {
      env,
    });
    expect(stopped.code, stopped.all).toBe(10);
    expect((await playground.run(['notify'], { env })).code).toBe(0);
    const other = { ...env, GATEWRIGHT_DATABASE_URL: join(playground.folder, 'other', 'gatewright.db') };
    expect((await playground.run(['notify'], { env: other })).stdout).toContain('nothing to tell');
    expect(receiver.posts).toHaveLength(1);
  });
});

describe('a channel that does not take a message', () => {
  it('stops nothing else, is shown by status and doctor, and gets it when it is back', {
    timeout: 120_000,
  }, async () => {
    await leaveGate();
    receiver.answering = { status: 503, body: `no: ${secret}` };
    const failed = await playground.run(['notify'], { env: withHook() });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('HTTP 503');
    const status = await playground.run(['status']);
    expect(status.stdout).toContain('Notifications: The channel "webhook" did not take it: HTTP 503.');
    const shown = await playground.json<{ unsent: readonly object[] }>(['status']);
    expect(shown.unsent).toMatchObject([{ channel: 'webhook', to: 'you', attempts: 1, isGivenUp: false }]);
    const doctor = await playground.run(['doctor'], { env: withHook() });
    expect(doctor.stdout).toContain('1 message was not sent by "webhook"');
    // Too early for another attempt.
    expect((await playground.run(['notify'], { env: withHook() })).stdout).toContain('nothing to tell');
    expect(receiver.posts).toHaveLength(1);
    receiver.answering = { status: 200 };
    // Another address is tried at once.
    const moved = { ...withHook(), GATEWRIGHT_NOTIFY_WEBHOOK_URL: `${receiver.url}/elsewhere` };
    const told = await playground.run(['notify'], { env: moved });
    expect(told.code, told.all).toBe(0);
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/hook', '/elsewhere']);
    expect((await playground.run(['status'])).stdout).not.toContain('Notifications:');
    const kept = await playground.run(['ledger', 'show', 'local/project~notifications', '--json']);
    for (const text of [failed.all, status.all, doctor.all, kept.all]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(receiver.url);
    }
  });

  it('and never answers keeps no agent and no end of the watch waiting', { timeout: 120_000 }, async () => {
    await leaveGate();
    receiver.answering = { status: 200, isSilent: true };
    const child = spawn(process.execPath, [programFile, 'watch'], {
      ...{ cwd: playground.repository, stdio: ['ignore', 'ignore', 'pipe'] },
      env: { ...playground.environment, ...withHook() },
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    await expect.poll(() => receiver.posts.length, { timeout: 30_000 }).toBe(1);
    const filed = await playground.run([
      'forge',
      'issue',
      'create',
      '--title',
      'A new thing',
      '--body',
      'Words',
    ]);
    expect(filed.code, filed.all).toBe(0);
    await expect.poll(() => said, { timeout: 30_000 }).toContain('#1');
    child.kill('SIGTERM');
    expect(await ended, said).toBe(0);
    receiver.answering = { status: 200 };
    const settings = { ...withHook(), GATEWRIGHT_NOTIFY_WEBHOOK_URL: `${receiver.url}/hook?again` };
    await playground.run(['notify'], { env: settings });
    const [first, second] = messages();
    expect(second?.id).toBe(first?.id);
  });

  it('is not followed elsewhere', async () => {
    await leaveGate();
    const other = await NotificationReceiver.open();
    receiver.answering = { status: 307, headers: { location: `${other.url}/stolen` } };
    const result = await playground.run(['notify'], { env: withHook() });
    expect(result.stdout).toContain('redirects (HTTP 307)');
    expect(other.received).toEqual([]);
    other.close();
  });
});

describe('gatewright notify test', () => {
  it('sends a test message by each channel, says what happened, and leaves nothing on the ledger', async () => {
    const sent = await playground.run(['notify', 'test'], { env: withHook() });
    expect(sent.code, sent.all).toBe(0);
    expect(sent.stdout).toContain('Sent to you by webhook: HTTP 200.');
    expect(messages()).toMatchObject([{ kind: 'test', matters: [] }]);
    receiver.answering = { status: 403 };
    const refused = await playground.run(['notify', 'test', 'webhook'], { env: withHook() });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('HTTP 403')]);
    expect((await playground.run(['notify', 'test', 'nothing'], { env: withHook() })).code).toBe(2);
    const kept = await playground.run(['ledger', 'show', 'local/project~notifications']);
    expect(kept.code).not.toBe(0);
  });

  it('says what to do where nothing is set', async () => {
    const result = await playground.run(['notify', 'test']);
    expect([result.code, result.all]).toEqual([1, expect.stringContaining('docs/notifications.md')]);
  });
});

describe('settings', () => {
  it('come from a private file of the machine, and never from a repository', async () => {
    const config = join(playground.home, '.config', 'gatewright');
    mkdirSync(config, { recursive: true });
    const file = join(config, 'notifications.json');
    const settings = {
      channels: { team: { kind: 'slack', url: { variable: 'GATEWRIGHT_NOTIFY_TEAM' } } },
      people: [{ name: 'alice', channels: ['team'] }],
    };
    writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
    const env = { GATEWRIGHT_NOTIFY_TEAM: `${receiver.url}/services/secret-part` };
    const sent = await playground.run(['notify', 'test'], { env });
    expect(sent.stdout).toContain('Sent to alice by team');
    const doctor = await playground.run(['doctor'], { env });
    expect(doctor.stdout).toContain('"team" (slack): its server answers');
    expect(doctor.stdout).toContain('no misspelt GATEWRIGHT_ variable');
    expect(doctor.all).not.toContain('secret-part');
    playground.write('gatewright.config.json', JSON.stringify({ notifications: settings }));
    const refused = await playground.run(['config', 'validate']);
    expect(refused.code).not.toBe(0);
    expect(refused.all).toContain('GATEWRIGHT_NOTIFICATIONS');
  });
});
