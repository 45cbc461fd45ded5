/** The API in this process: what it tells of real runs, and how it takes an answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld } from '../../../../test/support/api-world.ts';
import { Playground } from '../../../../test/support/playground.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { gateDetailSchema, gatesSchema } from './schemas/gates.ts';
import { ledgerSchema } from './schemas/ledger.ts';
import { fleetSchema, inboxSchema } from './schemas/overview.ts';
import { runDetailSchema, runsSchema, timelineSchema } from './schemas/runs.ts';

const brief = (title: string): string => `# ${title}

People copy numbers out of the report page by hand. They should get a file instead.

- a button on every report page
`;

let world: ApiWorld;

/** A run on a brief that waits at its draft gate; its id. */
async function begin(title: string, slug: string): Promise<string> {
  world.playground.write(`ideas/active/${slug}.md`, brief(title));
  const result = await world.playground.run(['issue', '--brief', `ideas/active/${slug}.md`]);
  expect(result.code, result.all).toBe(10);
  const { runs } = runsSchema.parse((await world.get('/api/runs?limit=1')).body);
  return runs[0]?.id ?? '';
}

async function openGateOf(run: string) {
  const { gates } = gatesSchema.parse((await world.get('/api/gates')).body);
  const id = gates.find((gate) => gate.run === run)?.id ?? '';
  return gateDetailSchema.parse((await world.get(`/api/gates/${id}`)).body);
}

let first = '';
let second = '';
beforeAll(async () => {
  world = await ApiWorld.open(new Playground({ brief: null }));
  await world.signIn();
  first = await begin('Export reports as CSV', 'export-csv');
  second = await begin('Import reports from CSV', 'import-csv');
}, 60_000);
afterAll(() => {
  expect(world.troubles).toEqual([]);
  world.close();
});

describe('what is told', () => {
  it('is what waits for a person', async () => {
    const inbox = inboxSchema.parse((await world.get('/api/inbox')).body);
    expect(inbox.waiting.map(({ run, kind }) => [run, kind])).toEqual([
      [first, 'draft'],
      [second, 'draft'],
    ]);
    expect(inbox.stopped).toEqual([]);
    expect(inbox.waiting[0]?.choices.map(({ name }) => name)).toEqual(['send', 'revise']);
  });

  it('is runs, newest first, in pages and as asked for', async () => {
    const list = async (query: string) => runsSchema.parse((await world.get(`/api/runs${query}`)).body);
    const ids = async (query: string) => (await list(query)).runs.map(({ id }) => id);
    expect(await ids('')).toEqual([second, first]);
    const page = await list('?limit=1');
    expect(page).toMatchObject({
      next: second,
      runs: [{ id: second, standing: 'waiting', workflow: 'issue' }],
    });
    expect(await ids(`?limit=1&before=${second}`)).toEqual([first]);
    expect((await list(`?limit=1&before=${second}`)).next).toBeNull();
    expect(await ids('?state=open&workflow=issue')).toEqual([second, first]);
    expect(await ids('?workflow=agent')).toEqual([]);
    expect(await ids(`?subject=${encodeURIComponent(`${world.repository}:export-csv`)}`)).toEqual([first]);
    expect(await ids('?number=1')).toEqual([]);
  });

  it('is one run, why it is where it is, and what happened in it as `runs show` has it', async () => {
    const { run, conditions, gates } = runDetailSchema.parse((await world.get(`/api/runs/${first}`)).body);
    expect(run).toMatchObject({ name: 'Export reports as CSV', standing: 'waiting', isDryRun: false });
    expect(gates).toHaveLength(1);
    expect(conditions[0]?.what).toContain(`the draft gate ${gates[0]} has to be answered`);
    const read = async (query: string) =>
      timelineSchema.parse((await world.get(`/api/runs/${first}/timeline${query}`)).body);
    const whole = await read('');
    const shown = await world.playground.json<{ entries: { hash: string; kind: string }[] }>([
      'runs',
      'show',
      first,
    ]);
    expect(whole.entries.map(({ hash }) => hash)).toEqual(shown.entries.map(({ hash }) => hash));
    expect(whole.next).toBeNull();
    expect(whole.entries.find(({ kind }) => kind === 'gate-asked')?.step).toBe('N3#1');
    const parts = await read('?limit=3');
    expect(parts).toEqual({ entries: whole.entries.slice(0, 3), next: 3 });
    expect((await read('?after=3&limit=200')).entries).toEqual(whole.entries.slice(3));
  });

  it('is the ledger of a subject, in pages and in lines', async () => {
    const subject = `${world.repository}:export-csv`;
    const query = `subject=${encodeURIComponent(subject)}`;
    const all = await world.house.ledger.readSubject(subject);
    const page = ledgerSchema.parse((await world.get(`/api/ledger?${query}&limit=2`)).body);
    expect(page).toMatchObject({ subject, next: 2 });
    const rest = ledgerSchema.parse((await world.get(`/api/ledger?${query}&after=2&limit=200`)).body);
    const plain = (entries: unknown) => JSON.parse(JSON.stringify(entries));
    expect([...page.entries, ...rest.entries]).toEqual(plain(all.map((one) => ({ key: null, ...one }))));
    const lines = await world.fetch(`/api/ledger/lines?${query}`, {
      headers: { host: '127.0.0.1:8787', cookie: world.cookie },
    });
    expect(lines.headers.get('content-type')).toContain('application/jsonl');
    const text = await lines.text();
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).hash),
    ).toEqual(all.map(({ hash }) => hash));
  });

  it('is the fleet: ten agents, what wakes each, and when', async () => {
    const { agents } = fleetSchema.parse((await world.get('/api/fleet')).body);
    expect(agents).toHaveLength(10);
    const digest = agents.find(({ name }) => name === 'daily-digest');
    expect(digest).toMatchObject({ isOn: true, lastRun: null, wakes: [expect.stringContaining('UTC')] });
    expect(Date.parse(digest?.nextAt ?? '')).toBeGreaterThan(Date.now());
  });

  it('is costs and their limits', async () => {
    expect((await world.get('/api/costs')).body).toMatchObject({
      today: { usd: 0, atMostUsd: 0, hasUnpriced: false },
      budget: { dayUsd: 50, runUsd: 5, issueUsd: 20, spentTodayUsd: 0 },
    });
  });

  it('is why a number does not move', async () => {
    const alice = world.house.forge;
    const { number } = await alice.createIssue(world.repository, {
      title: 'A title',
      body: 'A body.',
      labels: [],
    });
    const { status, body } = await world.get(`/api/numbers/${number}`);
    expect(body).toMatchObject({ subject: `${world.repository}#${number}`, title: 'A title', state: 'open' });
    expect(status).toBe(200);
    expect((await world.get('/api/numbers/9999')).body).toMatchObject({
      code: 'forge-not-found',
      status: 404,
    });
    const elsewhere = await world.get(`/api/numbers/${number}?repository=other/place`);
    expect(elsewhere.body).toMatchObject({ code: 'subject-not-found' });
  });

  it('is how the server does, to everybody on this machine, and nothing of the repository', async () => {
    const ask = async (path: string) => {
      const response = await world.fetch(path, { headers: { host: '127.0.0.1:8787' } });
      return [response.status, await response.text()] as const;
    };
    expect(await ask('/healthz')).toEqual([200, '{"status":"ok"}']);
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready"}']);
    const [status, metrics] = await ask('/metrics');
    expect(status).toBe(200);
    expect(metrics).toMatch(/^gatewright_http_requests_total\{method="GET",status="200"\} \d+$/mu);
    expect(metrics).toMatch(/^gatewright_ledger_position \d+$/mu);
    expect(metrics).not.toContain('project');
  });
});

describe('an answer', () => {
  it('counts for the content that was shown, once, and the run is told of', async () => {
    const { gate, artefacts, state, answer } = await openGateOf(first);
    expect({ state, answer }).toEqual({ state: 'open', answer: null });
    const [draft] = artefacts;
    expect(sha256(draft?.text ?? '')).toBe(draft?.hash);
    const path = `/api/gates/${gate.id}/answer`;
    const shown = { draft: draft?.hash };

    const unseen = await world.post(path, { choice: 'send', shown: {} });
    expect(unseen.body).toMatchObject({ code: 'request-invalid', details: ['body.shown.draft: missing'] });

    const text = draft?.text ?? '';
    world.playground.write(draft?.path ?? '', `${text}\nOne more line.\n`);
    const changed = await world.post(path, { choice: 'send', shown });
    expect(changed).toMatchObject({
      status: 409,
      body: {
        code: 'gate-content-changed',
        facts: {
          changes: [{ artefact: 'draft', shown: draft?.hash, now: sha256(`${text}\nOne more line.\n`) }],
        },
      },
    });
    world.playground.write(draft?.path ?? '', text);

    for (const choice of ['approve', 'constructor', 'save'])
      expect((await world.post(path, { choice, shown })).body).toMatchObject({ code: 'gate-choice-invalid' });
    expect((await openGateOf(first)).state).toBe('open');
    expect(world.answered).toEqual([]);

    // Two people at once: one wins, and the other is told who and what.
    const both = await Promise.all([
      world.post(path, { choice: 'send', shown }),
      world.post(path, { choice: 'revise', feedback: 'Name the columns.', shown }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = both.find(({ status }) => status === 200)?.body;
    const lost = both.find(({ status }) => status === 409)?.body;
    expect(won).toMatchObject({ gate: gate.id, run: first, continues: 'here' });
    expect(lost).toMatchObject({
      code: 'gate-answered',
      facts: { by: 'alice', choice: (won as { choice: string }).choice },
    });
    expect(world.answered).toEqual([first]);

    const after = gateDetailSchema.parse((await world.get(`/api/gates/${gate.id}`)).body);
    expect(after).toMatchObject({ state: 'answered', answer: { by: 'alice', seen: shown } });
    expect(after.artefacts[0]?.text).toBe(text);
    const late = await world.post(path, { choice: 'send', shown });
    expect(late.body).toMatchObject({ code: 'gate-answered', facts: { by: 'alice' } });
    // Every person sees it in the same words on the command line.
    expect((await world.playground.run(['gate', 'answer', gate.id, '--choice', 'send'])).all).toContain(
      'is already answered, by alice',
    );
  });

  it('is refused without write permission, and everything is without permission to read', async () => {
    const { gate, artefacts } = await openGateOf(second);
    const shown = { draft: artefacts[0]?.hash };
    const path = `/api/gates/${gate.id}/answer`;
    const { playground } = world;
    const setPermission = async (permission: string): Promise<void> => {
      const result = await playground.run(['forge', 'permission', 'set', 'alice', permission], {
        env: { GATEWRIGHT_ACTOR: 'bob' },
      });
      expect(result.code, result.all).toBe(0);
    };
    await playground.run(['forge', 'permission', 'set', 'bob', 'admin']);
    await setPermission('read');
    expect((await world.post(path, { choice: 'send', shown })).body).toMatchObject({
      code: 'forge-forbidden',
    });
    expect((await world.get('/api/runs')).status).toBe(200);
    await setPermission('none');
    expect(await world.get('/api/runs')).toMatchObject({ status: 403, body: { code: 'forge-forbidden' } });
    await setPermission('admin');
    expect((await openGateOf(second)).state).toBe('open');
  });
});

describe('the description', () => {
  it('names every route, with what it takes and what it answers', async () => {
    const { body } = await world.get('/api/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, { operationId: string }>> };
    expect(Object.keys(paths).sort()).toEqual([
      '/api/costs',
      '/api/events',
      '/api/fleet',
      '/api/gates',
      '/api/gates/{gate}',
      '/api/gates/{gate}/answer',
      '/api/inbox',
      '/api/ledger',
      '/api/ledger/lines',
      '/api/numbers/{number}',
      '/api/runs',
      '/api/runs/{run}',
      '/api/runs/{run}/timeline',
      '/api/session',
      '/api/session/end',
    ]);
    expect(body).toMatchObject({
      openapi: '3.1.1',
      info: { version: '1.2.3' },
      paths: {
        '/api/gates/{gate}/answer': {
          post: {
            operationId: 'answerGate',
            parameters: [{ name: 'gate', in: 'path', required: true }],
            requestBody: {
              content: { 'application/json': { schema: { required: ['choice', 'shown'] } } },
            },
            security: [{ session: [], csrf: [] }],
          },
        },
        '/api/runs': { get: { responses: { '200': { content: { 'application/json': {} } } } } },
      },
    });
    const ids = Object.values(paths).flatMap((one) =>
      Object.values(one).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
