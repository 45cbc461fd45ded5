/** People are told outside the forge what waits for them and what has stopped, once, wherever the program is killed. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationMessage } from '../../src/domain/notifications/notification.ts';
import { NotificationReceiver } from '../support/notification-receiver.ts';
import { Playground, programFile } from '../support/playground.ts';

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
