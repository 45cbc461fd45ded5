/** Over real HTTP: what is signed is taken once, everything else is turned away without a word of what it said. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewrightError } from '../../../errors.ts';
import type { Delivery } from './check-delivery.ts';
import { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';

const secret = 'a secret of the test';
const body = JSON.stringify({ action: 'opened', word: 'canary' });
const sign = (text: string | Buffer, key = secret): string =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

let server: WebhookServer;
let accepted: Delivery[] = [];
let troubles: unknown[] = [];
let fail: Error | null = null;
async function start(more: Partial<WebhookServerOptions> = {}): Promise<void> {
  server = await startWebhookServer({
    ...{ host: '127.0.0.1', port: 0, secret, headerMilliseconds: 300, requestMilliseconds: 1_000 },
    ...more,
    accept: async (delivery) => {
      if (fail !== null) throw fail;
      accepted.push(delivery);
      return 'received';
    },
    onTrouble: (error) => troubles.push(error),
  });
}
beforeEach(async () => {
  [accepted, troubles, fail] = [[], [], null];
  await start();
});
afterEach(() => server.close());

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly text?: string;
}

async function send({ path = '/webhook', method = 'POST', headers = {}, text = body }: Sent = {}) {
  const all = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': sign(text),
    ...headers,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: given,
    ...(method === 'POST' ? { body: text } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

const megabyte = 1024 * 1024;
/** More than what always finds room. */
const longer = JSON.stringify({ action: 'opened', word: 'x'.repeat(200_000) });

/** A delivery of which only the beginning comes, if anything. */
function begin(size: Record<string, string>, signature = sign('')) {
  const { port } = new URL(server.url);
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': 'd',
    'x-hub-signature-256': signature,
    ...size,
  };
  const outgoing = request({ port, host: '127.0.0.1', path: '/webhook', method: 'POST', headers });
  const status = new Promise<number | undefined>((resolve) => {
    outgoing.on('response', (response) => resolve(response.resume().statusCode));
    outgoing.on('error', () => resolve(undefined));
  });
  outgoing.flushHeaders();
  return { outgoing, status };
}

describe('a signed delivery', () => {
  it('is stored, and then acknowledged', async () => {
    expect(await send()).toEqual({ status: 202, text: '{"status":"received"}' });
    expect(accepted).toMatchObject([{ name: 'issues', payload: { action: 'opened' } }]);
  });

  it('may come as a form', async () => {
    const text = new URLSearchParams({ payload: body }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send({ text, headers })).status).toBe(202);
    expect(accepted).toMatchObject([{ payload: { action: 'opened' } }]);
  });

  it('is not read as a form with a field that stands in its words', async () => {
    const inner = encodeURIComponent(
      JSON.stringify({ action: 'created', comment: { body: '@claude do it' } }),
    );
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const text of [
      JSON.stringify({ action: 'created', comment: { body: `&payload=${inner}&` } }),
      `{&payload=${inner}`,
      `a=b&payload=${inner}`,
      `payload=${inner}&payload=${inner}`,
      ` payload=${inner}`,
    ])
      expect(await send({ text, headers }), text).toMatchObject({ status: 400 });
    expect(accepted).toEqual([]);
  });

  it('is the same one under another id, which nobody signed', async () => {
    await send();
    await send({ headers: { 'x-github-delivery': 'another' } });
    expect(new Set(accepted.map(({ delivery }) => delivery)).size).toBe(1);
    await send({ text: `${body} ` });
    expect(new Set(accepted.map(({ delivery }) => delivery)).size).toBe(2);
  });

  it('is answered when it came before the server closes, and nothing after it on its connection', async () => {
    const release = Promise.withResolvers<void>();
    await server.close();
    server = await startWebhookServer({
      ...{ host: '127.0.0.1', port: 0, secret, onTrouble: (error) => troubles.push(error) },
      accept: async () => {
        await release.promise;
        return 'received';
      },
    });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const head = `POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-github-event: issues\r\nx-github-delivery: d\r\nx-hub-signature-256: ${sign(body)}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    socket.write(head + body);
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = server.close();
    release.resolve();
    await ended;
    await closed;
    expect(heard.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 202']);
    expect(heard.toLowerCase()).toContain('connection: close');
  });

  it('that cannot be stored is not acknowledged', async () => {
    fail = new GatewrightError('internal', 'canary');
    expect(await send()).toEqual({ status: 503, text: '{"status":"not stored"}' });
    expect(troubles).toEqual([fail]);
    fail = new GatewrightError('event-invalid', 'canary');
    expect(await send()).toEqual({ status: 400, text: '{"status":"payload not valid"}' });
  });
});

describe('turned away', () => {
  it.each<[string, Sent, number]>([
    ['no signature', { headers: { 'x-hub-signature-256': null } }, 401],
    ['a signature of another key', { headers: { 'x-hub-signature-256': sign(body, 'another') } }, 401],
    ['the signature of another body', { headers: { 'x-hub-signature-256': sign('{}') } }, 401],
    ['a short signature', { headers: { 'x-hub-signature-256': 'sha256=ab' } }, 401],
    [
      'the older kind of signature',
      { headers: { 'x-hub-signature-256': null, 'x-hub-signature': 'sha1=ab' } },
      401,
    ],
    ['no event', { headers: { 'x-github-event': null } }, 400],
    ['an event of another spelling', { headers: { 'x-github-event': '../issues' } }, 400],
    ['no delivery', { headers: { 'x-github-delivery': null } }, 400],
    ['a delivery that is too long', { headers: { 'x-github-delivery': 'x'.repeat(101) } }, 400],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['no JSON', { text: 'canary' }, 400],
    ['nothing', { text: '' }, 400],
    ['another method', { method: 'PUT' }, 405],
    ['a look', { method: 'GET' }, 405],
    ['another place', { path: '/' }, 404],
    ['headers without end', { headers: { 'x-more': 'x'.repeat(20_000) } }, 431],
  ])('%s', async (_, sent, status) => {
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('canary');
    expect(accepted).toEqual([]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['is too large', { 'content-length': String(26 * megabyte) }, 413],
    ['does not say how large it is', { 'transfer-encoding': 'chunked' }, 411],
  ])('what %s, before it is read', async (_, size, status) => {
    const open = begin(size);
    expect(await open.status).toBe(status);
    expect(accepted).toEqual([]);
  });

  it('is told a person: a wrong signature and a payload that is none, each once in a while', async () => {
    await server.close();
    const refused: string[] = [];
    await start({ onRefused: (why) => refused.push(why) });
    const unsigned = { headers: { 'x-hub-signature-256': sign(body, 'another secret') } };
    expect([(await send(unsigned)).status, (await send(unsigned)).status]).toEqual([401, 401]);
    fail = new GatewrightError('event-invalid', 'no event');
    expect([(await send()).status, (await send()).status]).toEqual([400, 400]);
    expect(refused).toEqual(['signature', 'payload']);
    fail = null;
    expect((await send()).status).toBe(202);
    expect(refused).toHaveLength(2);
  });

  it('whoever takes their time', async () => {
    const { port } = new URL(server.url);
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write('POST /webhook HTTP/1.1\r\nHost: x\r\n'),
      );
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(said).toContain('408');
    // Meanwhile, and afterwards, others are served.
    expect((await send()).status).toBe(202);
  });
});

describe('with bodies that do not come', () => {
  const restart = async (more: Partial<WebhookServerOptions>): Promise<void> => {
    await server.close();
    await start({ requestMilliseconds: 60_000, ...more });
  };
  /** Takes all the room there is for large ones. */
  async function fill() {
    const held = [1, 2, 3].map(() => begin({ 'content-length': String(25 * megabyte) }));
    // Turned away as soon as the others are in.
    await expect.poll(async () => (await send({ text: longer })).status).toBe(503);
    return held;
  }
  const letGo = (held: readonly ReturnType<typeof begin>[]): void => {
    for (const { outgoing } of held) outgoing.destroy();
  };

  it('small ones are taken, large ones are not, and a person hears of it, not each time', async () => {
    await restart({ bodyMilliseconds: 60_000 });
    const held = await fill();
    expect(await send({ text: longer })).toEqual({ status: 503, text: '{"status":"busy"}' });
    expect((await send({ text: longer })).status).toBe(503);
    expect((await send({ text: longer.slice(0, 100_000) })).status).toBe(400);
    expect((await send()).status).toBe(202);
    expect(troubles).toMatchObject([{ code: 'server-busy' }]);
    letGo(held);
    await expect.poll(async () => (await send({ text: longer })).status).toBe(202);
  });

  it('a person hears of it again when it goes on, and how much there was', async () => {
    await restart({ bodyMilliseconds: 60_000, tellMilliseconds: 300 });
    const held = await fill();
    await expect
      .poll(async () => {
        await send({ text: longer });
        return troubles.length;
      })
      .toBe(2);
    expect(String(troubles[1])).toMatch(/\d+ requests were turned away/u);
    letGo(held);
  });

  it('what is too slow for its size is cut off with an answer, and its room is free again', async () => {
    await restart({ bodyMilliseconds: 200 });
    const slow = begin({ 'content-length': '1000' });
    slow.outgoing.write('{');
    expect(await slow.status).toBe(408);
    const held = Array.from({ length: 75 }, () => begin({ 'content-length': String(megabyte) }));
    await expect.poll(async () => (await send({ text: longer })).status).toBe(503);
    const statuses = await Promise.all(held.map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set([408]));
    expect((await send({ text: longer })).status).toBe(202);
  });

  it('more small ones than there is room for are told to come again', async () => {
    await restart({ bodyMilliseconds: 60_000 });
    const held = Array.from({ length: 200 }, () => begin({ 'content-length': String(128 * 1024) }));
    await expect.poll(async () => (await send()).status).toBe(503);
    expect(troubles).toMatchObject([{ code: 'server-busy' }]);
    letGo(held);
    await expect.poll(async () => (await send()).status).toBe(202);
  });

  it('a person hears of connections that are turned away', async () => {
    await restart({ headerMilliseconds: 60_000 });
    const { port } = new URL(server.url);
    const sockets = Array.from({ length: 1_020 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    await expect.poll(() => troubles).toMatchObject([{ code: 'server-busy' }]);
    for (const socket of sockets) socket.destroy();
  });
});

describe('with many connections', () => {
  const signed = `POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-github-event: issues\r\nx-github-delivery: d\r\nx-hub-signature-256: ${sign(body)}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  /** One that sends a delivery and stays open for as long as the server lets it. */
  function open() {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const answer = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => resolve(chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve('closed'));
    });
    socket.write(signed);
    return { socket, answer };
  }

  it('all are answered that came while the disk was slow', async () => {
    await server.close();
    const release = Promise.withResolvers<void>();
    server = await startWebhookServer({
      ...{ host: '127.0.0.1', port: 0, secret, onTrouble: (error) => troubles.push(error) },
      accept: () => release.promise.then(() => 'received'),
    });
    const all = Array.from({ length: 900 }, open);
    await expect.poll(() => all.every(({ socket }) => socket.bytesWritten > 0)).toBe(true);
    release.resolve();
    const answers = await Promise.all(all.map(({ answer }) => answer));
    expect(new Set(answers.map((one) => one.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 202']));
    // Those that stay open without a request take no place from others.
    const isKept = (one: string): boolean => !/\r\nconnection: close\r\n/iu.test(one);
    expect(answers.filter(isKept).length).toBeLessThanOrEqual(200);
    const next = Array.from({ length: 700 }, open);
    for (const { answer } of next) expect(await answer).toContain('HTTP/1.1 202');
    expect(troubles).toEqual([]);
    for (const { socket } of [...all, ...next]) socket.destroy();
  });
});

describe('the server', () => {
  it('says that it is there', async () => {
    expect(await send({ path: '/healthz', method: 'GET' })).toEqual({ status: 200, text: '{"status":"ok"}' });
  });

  it('says when its place is taken', async () => {
    const port = Number(new URL(server.url).port);
    const second = startWebhookServer({
      ...{ host: '127.0.0.1', port, secret, onTrouble: () => undefined },
      accept: async () => 'received',
    });
    await expect(second).rejects.toMatchObject({ code: 'server-cannot-listen' });
  });

  it('takes nothing more once it is closed', async () => {
    await server.close();
    await expect(send()).rejects.toThrow();
  });
});
