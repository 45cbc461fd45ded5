/**
 * Sends signed deliveries of about 10 KB over a number of kept connections for some seconds, as fast as they are answered
 * or at a rate, and prints what came of it as JSON. A process of its own that takes little of the processor, so that it
 * measures the server and not itself: bodies are made and signed before the clock starts, and requests are written as bytes.
 * A server that answers all of them before the time is over is measured until then.
 */
import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const [url = '', secret = '', repository = '', seconds = '5', connections = '32', rate = '0'] =
  process.argv.slice(2);
const { hostname, port, host } = new URL(url);
/** How many are made for each second without a rate. */
const madePerSecond = 16_000;
const words = 'A comment that calls nobody and asks for nothing. '.repeat(150);
/** How every body ends. All requests share these bytes, so that a load of minutes fits into memory. */
const ending = Buffer.from(`${JSON.stringify(words)}}}`);
const times: number[] = [];
const statuses: Record<string, number> = {};
/** Every process sends comments of its own. */
const first = process.pid * 1_000_000;

/** A body up to the text of its comment, which is the ending. */
function makeBeginning(number: number): Buffer {
  const at = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString().replace('.000Z', 'Z');
  const when = { created_at: at, updated_at: at };
  const user = { login: 'alice', id: 1, type: 'User' };
  const body = JSON.stringify({
    action: 'created',
    issue: {
      ...when,
      number: 1 + (number % 50),
      title: 'A title',
      body: words.slice(0, 1000),
      user,
      labels: [],
    },
    repository: { full_name: repository, name: repository.split('/')[1], owner: { login: 'acme' } },
    sender: user,
    comment: { ...when, id: first + number, user, body: '' },
  });
  return Buffer.from(body.slice(0, -'""}}'.length));
}

/** A request up to the ending of its body. */
function makeRequest(number: number): Buffer {
  const beginning = makeBeginning(number);
  const signature = createHmac('sha256', secret).update(beginning).update(ending).digest('hex');
  const head = [
    'POST /webhook HTTP/1.1',
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${beginning.length + ending.length}`,
    'x-github-event: issue_comment',
    `x-github-delivery: bench-${process.pid}-${number}`,
    `x-hub-signature-256: sha256=${signature}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), beginning]);
}

const count = Number(seconds) * (Number(rate) > 0 ? Number(rate) : madePerSecond);
const requests = Array.from({ length: Math.ceil(count) }, (_, index) => makeRequest(index + 1));

/** The whole answer, or null when more of it has to come. */
function readStatus(answer: string): string | null {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = /\r\ncontent-length: (\d+)/iu.exec(answer)?.[1];
  if (length === undefined) throw new Error(`An answer without a length: ${answer}`);
  return answer.length < end + 4 + Number(length) ? null : answer.slice(9, 12);
}

/** One connection, with one request at a time. It is opened again when the server has closed it meanwhile. */
class Connection {
  #socket: Socket | null = null;

  async send(request: Buffer): Promise<void> {
    const start = performance.now();
    const status = (await this.#ask(request)) ?? (await this.#ask(request)) ?? 'closed';
    statuses[status] = (statuses[status] ?? 0) + 1;
    times.push(performance.now() - start);
  }

  #open(): Socket {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket = socket;
    // The server closes a connection that was idle for some seconds; the next request needs another one.
    socket
      .on('error', () => undefined)
      .once('close', () => {
        if (this.#socket === socket) this.#socket = null;
      });
    return socket;
  }

  /** Null when the connection ended without an answer. */
  #ask(request: Buffer): Promise<string | null> {
    const socket = this.#socket ?? this.#open();
    return new Promise((resolve) => {
      let answer = '';
      const finish = (status: string | null): void => {
        socket.off('data', hear).off('close', end);
        if (status === null || /\r\nconnection: close/iu.test(answer)) this.#socket = null;
        resolve(status);
      };
      const hear = (chunk: Buffer): void => {
        answer += chunk.toString('latin1');
        const status = readStatus(answer);
        if (status !== null) finish(status);
      };
      const end = (): void => finish(null);
      socket.on('data', hear).once('close', end);
      // Both parts leave in one system call.
      socket.cork();
      socket.write(request);
      socket.write(ending);
      socket.uncork();
    });
  }
}

const began = performance.now();
const until = began + Number(seconds) * 1000;
const idle = Array.from({ length: Number(connections) }, () => new Connection());
let sent = 0;

async function keepSending(connection: Connection): Promise<void> {
  while (performance.now() < until) {
    const request = requests[sent];
    if (request === undefined) return;
    sent += 1;
    await connection.send(request);
  }
}

/** At a rate, each delivery is sent when its time has come, whether or not those before it were answered. */
async function sendAtRate(perSecond: number): Promise<void> {
  const open = new Set<Promise<void>>();
  for (const [index, request] of requests.entries()) {
    const wait = began + (index * 1000) / perSecond - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    const connection = idle.pop() ?? new Connection();
    const one = connection.send(request).finally(() => {
      open.delete(one);
      idle.push(connection);
    });
    open.add(one);
  }
  await Promise.all(open);
}

await (Number(rate) > 0 ? sendAtRate(Number(rate)) : Promise.all(idle.map(keepSending)));
const elapsed = (performance.now() - began) / 1000;
times.sort((a, b) => a - b);
const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
process.stdout.write(
  `${JSON.stringify({ perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), statuses })}\n`,
);
process.exit(0);
