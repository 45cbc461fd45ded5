/** `serve` on the local forge, with nothing configured: a link opens it, a gate is answered there, and the run goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  answeredSchema,
  gateDetailSchema,
  gatesSchema,
} from '../../src/entrypoints/server/api/schemas/gates.ts';
import { runDetailSchema, runsSchema } from '../../src/entrypoints/server/api/schemas/runs.ts';
import { sessionSchema } from '../../src/entrypoints/server/api/schemas/session.ts';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { findPort } from '../support/find-port.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { type Served, serveProgram } from '../support/serve-program.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';

let playground: Playground;
let port = 0;
let served: Served | null = null;

beforeEach(async () => {
  playground = new Playground();
  port = await findPort();
});
afterEach(async () => {
  await served?.end('SIGKILL');
  served = null;
  playground.remove();
});

async function serve(...more: string[]): Promise<Served> {
  served = await serveProgram(playground, port, ...more);
  return served;
}

class Browser {
  readonly #origin = `http://127.0.0.1:${port}`;
  #cookie = '';
  #csrf = '';

  async open(link: string): Promise<number> {
    const answer = await fetch(link, { redirect: 'manual' });
    this.#cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    if (answer.status === 303) this.#csrf = sessionSchema.parse(await this.get('/api/session')).csrf;
    return answer.status;
  }

  async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.#origin}${path}`, { headers: { cookie: this.#cookie } });
    return answer.json();
  }

  async post(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.#origin}${path}`, {
      method: 'POST',
      headers: {
        cookie: this.#cookie,
        origin: this.#origin,
        'content-type': 'application/json',
        'x-gatewright-csrf': this.#csrf,
      },
      body: JSON.stringify(body),
    });
  }

  /** The messages that come until one holds these words; with the id of the last. */
  async listen(
    until: string,
    lastEventId?: string,
  ): Promise<{ readonly text: string; readonly last: string }> {
    const headers = {
      cookie: this.#cookie,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const answer = await fetch(`${this.#origin}/api/events`, {
      headers,
      signal: AbortSignal.timeout(60_000),
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part, { stream: true });
      if (text.includes(until) && text.endsWith('\n\n')) break;
    }
    return { text, last: [...text.matchAll(/^id: (\d+)$/gmu)].at(-1)?.[1] ?? '' };
  }
}

/** A run on the brief that waits at its draft gate. */
async function waitAtGate(): Promise<void> {
  const models = writeCassette(playground.folder, 'served', {
    drafts: [draftText('First')],
    verdicts: [approved],
  });
  const result = await playground.run(['issue', '--brief', brief, ...models]);
  expect(result.code, result.all).toBe(10);
}

it('opens by its link, takes an answer, and tells how the run goes on', { timeout: 120_000 }, async () => {
  await waitAtGate();
  const server = await serve();
  expect(server.said()).toContain(`Serving local/project at http://127.0.0.1:${port}.`);
  const browser = new Browser();
  expect(await browser.open(server.link)).toBe(303);
  expect(await new Browser().open(server.link)).toBe(401);

  const { runs } = runsSchema.parse(await browser.get('/api/runs'));
  const [run] = runs;
  expect(run).toMatchObject({ standing: 'waiting', title: 'Export reports as CSV' });
  const { gates } = gatesSchema.parse(await browser.get('/api/gates'));
  const { artefacts } = gateDetailSchema.parse(await browser.get(`/api/gates/${gates[0]?.id}`));
  expect(artefacts[0]?.text).toContain('# First');

  // One page listens from before the answer, another comes later and catches up.
  const begun = await browser.listen('id: ');
  const heard = browser.listen('"kind":"run-ended"', begun.last);
  const answer = await browser.post(`/api/gates/${gates[0]?.id}/answer`, {
    choice: 'send',
    shown: { draft: artefacts[0]?.hash },
  });
  expect(answeredSchema.parse(await answer.json())).toMatchObject({ choice: 'send', continues: 'here' });
  const { text } = await heard;
  expect([...text.matchAll(/"kind":"([\w-]+)"/gu)].map(([, kind]) => kind)).toEqual(
    expect.arrayContaining(['gate-answered', 'run-resumed', 'verdict', 'effect-receipted', 'run-ended']),
  );
  const again = await browser.listen('"kind":"run-ended"', begun.last);
  expect(again.text.match(/^id: .*$/gmu)).toEqual(text.match(/^id: .*$/gmu));

  const done = runDetailSchema.parse(await browser.get(`/api/runs/${run?.id}`));
  expect(done.run).toMatchObject({ standing: 'done', result: { number: 1 } });
  const issues = await playground.json<{ number: number }[]>(['forge', 'issue', 'list']);
  expect(issues.map(({ number }) => number)).toEqual([1]);
  expect((await playground.run(['ledger', 'verify'])).code).toBe(0);

  // A new link of a command, while the server runs.
  const link = await playground.run(['serve', '--link', '--port', String(port)]);
  expect(await new Browser().open(link.stdout.trim())).toBe(303);
  expect(await server.end('SIGTERM')).toBe(0);
  served = null;
  const late = await playground.run(['serve', '--link', '--port', String(port)]);
  expect(late.stderr).toContain('(server-absent)');
});

it('goes on with what was answered while it did not run', { timeout: 120_000 }, async () => {
  await waitAtGate();
  await answerWithoutRun();
  const server = await serve();
  const browser = new Browser();
  await browser.open(server.link);
  const standing = async () => runsSchema.parse(await browser.get('/api/runs')).runs[0]?.standing;
  await expect.poll(standing, { timeout: 30_000 }).toBe('done');
  expect(await server.end('SIGTERM')).toBe(0);
  served = null;
});

/** What a process leaves that was killed as it went on with the run: the run is on its way and held by none. */
async function leaveCutOff(): Promise<void> {
  const { ledger, views, close } = openRecords(playground);
  const [run] = await views.listRuns();
  if (run === undefined || run.request.workflow !== 'issue') throw new Error('There is no run.');
  const { drafter, reviewer } = run.request;
  const { id, subject } = run;
  await ledger.append([
    { subject, run: id, actor: 'alice', kind: 'run-resumed', data: { from: 'waiting', drafter, reviewer } },
  ]);
  close();
}

async function answerWithoutRun(): Promise<void> {
  const [gate] = await playground.json<{ id: string }[]>(['gates']);
  const recorded = await playground.run(['gate', 'answer', gate?.id ?? '', '--choice', 'send', '--no-run']);
  expect(recorded.code, recorded.all).toBe(0);
}

it('goes on with what it was killed over, and leaves alone what no answer set going', {
  timeout: 120_000,
}, async () => {
  await waitAtGate();
  await answerWithoutRun();
  await leaveCutOff();
  const server = await serve();
  const browser = new Browser();
  await browser.open(server.link);
  const standing = async () => runsSchema.parse(await browser.get('/api/runs')).runs[0]?.standing;
  await expect.poll(standing, { timeout: 30_000 }).toBe('done');
  expect(await server.end('SIGTERM')).toBe(0);
  served = null;

  // A command of a person that was killed before it asked.
  const models = writeCassette(playground.folder, 'other', {
    drafts: [draftText('Other')],
    verdicts: [approved],
  });
  playground.write('ideas/active/other.md', '# Another idea\n\nSomething else.\n\n- a point\n');
  expect((await playground.run(['issue', '--brief', 'ideas/active/other.md', ...models])).code).toBe(10);
  await leaveCutOff();
  const again = await serve();
  await browser.open(again.link);
  await sleep(3_000);
  expect(await standing()).toBe('interrupted');
  expect(again.said()).not.toContain('Going on with');
});

it('goes on with a run whose terminal was killed at its gate, once the gate is answered', {
  timeout: 120_000,
}, async () => {
  const models = writeCassette(playground.folder, 'served', {
    drafts: [draftText('First')],
    verdicts: [approved],
  });
  const terminal = new TerminalSession(playground, ['issue', '--brief', brief, ...models], {
    GATEWRIGHT_EDITOR: 'true',
  });
  await terminal.see('Your choice');
  const server = await serve();
  terminal.kill();
  const browser = new Browser();
  await browser.open(server.link);
  const standing = async () => runsSchema.parse(await browser.get('/api/runs')).runs[0]?.standing;
  await expect.poll(standing, { timeout: 10_000 }).toBe('interrupted');
  const { gates } = gatesSchema.parse(await browser.get('/api/gates'));
  const { artefacts } = gateDetailSchema.parse(await browser.get(`/api/gates/${gates[0]?.id}`));
  const answer = await browser.post(`/api/gates/${gates[0]?.id}/answer`, {
    choice: 'send',
    shown: { draft: artefacts[0]?.hash },
  });
  expect(answeredSchema.parse(await answer.json())).toMatchObject({ continues: 'here' });
  await expect.poll(standing, { timeout: 30_000 }).toBe('done');
});

it('is for this machine alone, and says how to reach it from another', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
    const result = await playground.run(['serve', '--host', host, '--port', String(port)]);
    expect(result.code, result.all).toBe(1);
    expect(result.stderr).toContain('(server-not-loopback)');
    expect(result.stderr).toContain('ssh -L');
  }
});
