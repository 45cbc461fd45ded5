/**
 * Sends signed deliveries of about 10 KB over a number of kept connections for some seconds, as fast as they are answered
 * or at a rate, and prints what came of it as JSON. A process of its own, so that it takes no time of whom it asks.
 */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

const [url = '', secret = '', repository = '', seconds = '5', connections = '32', rate = '0'] =
  process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const words = 'A comment that calls nobody and asks for nothing. '.repeat(150);
const began = performance.now();
const until = began + Number(seconds) * 1000;
const times: number[] = [];
const statuses: Record<string, number> = {};
let sent = 0;
/** Every process sends comments of its own. */
const first = process.pid * 1_000_000;

function makeBody(number: number): string {
  const at = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString().replace('.000Z', 'Z');
  const when = { created_at: at, updated_at: at };
  const user = { login: 'alice', id: 1, type: 'User' };
  return JSON.stringify({
    action: 'created',
    issue: {
      ...when,
      number: 1 + (number % 50),
      title: 'A title',
      body: words.slice(0, 1000),
      user,
      labels: [],
    },
    comment: { ...when, id: first + number, body: words, user },
    repository: { full_name: repository, name: repository.split('/')[1], owner: { login: 'acme' } },
    sender: user,
  });
}

function send(): Promise<void> {
  sent += 1;
  const number = sent;
  const body = makeBody(number);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-github-event': 'issue_comment',
    'x-github-delivery': `bench-${process.pid}-${number}`,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  const start = performance.now();
  return new Promise((resolve) => {
    const count = (status: string): void => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      times.push(performance.now() - start);
      resolve();
    };
    const attempt = (): void => {
      const outgoing = request(`${url}/webhook`, { method: 'POST', headers, agent }, (answer) => {
        answer.resume();
        answer.on('end', () => count(String(answer.statusCode)));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server has ended a connection that stood idle, at the moment in which it was used again.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') attempt();
        else count(error.message);
      });
      outgoing.end(body);
    };
    attempt();
  });
}

async function keepSending(): Promise<void> {
  while (performance.now() < until) await send();
}

/** At a rate, each delivery is sent when its time has come, whether or not those before it were answered. */
async function sendAtRate(perSecond: number): Promise<void> {
  const open = new Set<Promise<void>>();
  for (let due = began; due < until; due += 1000 / perSecond) {
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    const one = send().finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
}

await (Number(rate) > 0
  ? sendAtRate(Number(rate))
  : Promise.all(Array.from({ length: Number(connections) }, keepSending)));
const elapsed = (performance.now() - began) / 1000;
times.sort((a, b) => a - b);
const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
process.stdout.write(
  `${JSON.stringify({ perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), statuses })}\n`,
);
process.exit(0);
