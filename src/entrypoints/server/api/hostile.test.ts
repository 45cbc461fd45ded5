/** What others try: every request is refused, nothing is answered with data, and nothing is written. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld } from '../../../../test/support/api-world.ts';
import { routes } from './make-api.ts';
import { gateDetailSchema, gatesSchema } from './schemas/gates.ts';
import { problemSchema } from './schemas/problem.ts';

let world: ApiWorld;
let gate = '';
let hash = '';
/** Of another repository in the same database. */
let other = { run: '', gate: '', subject: '' };

const brief = 'ideas/active/export-csv.md';

beforeAll(async () => {
  world = await ApiWorld.open();
  const { playground } = world;
  expect((await playground.run(['issue', '--brief', brief])).code).toBe(10);
  await world.signIn();
  const { gates } = gatesSchema.parse((await world.get('/api/gates')).body);
  gate = gates[0]?.id ?? '';
  const detail = gateDetailSchema.parse((await world.get(`/api/gates/${gate}`)).body);
  hash = detail.artefacts[0]?.hash ?? '';
  // Its name begins as ours does.
  const root = join(playground.folder, 'project-two');
  mkdirSync(root);
  execFileSync('cp', ['-a', `${playground.repository}/.`, root]);
  execFileSync('rm', ['-rf', join(root, '.git')]);
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: root, env: playground.environment });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test Person');
  git('config', 'user.email', 'test@example.invalid');
  git('add', 'README.md', 'ideas');
  git('commit', '--quiet', '--message', 'Start');
  execFileSync('rm', ['-rf', join(root, 'docs')]);
  const begun = await playground.run(['issue', '--brief', brief], { cwd: root });
  expect(begun.code, begun.all).toBe(10);
  const theirs = (await world.house.views.listOpenGates()).find(({ run }) => run.request.root === root);
  if (theirs === undefined) throw new Error('The other repository has no gate.');
  other = { run: theirs.run.id, gate: theirs.question.id, subject: theirs.run.subject };
}, 60_000);
afterAll(() => {
  expect(world.troubles).toEqual([]);
  world.close();
});

const answerPath = (): string => `/api/gates/${gate}/answer`;
const answer = () => ({ choice: 'send', shown: { draft: hash } });

async function expectOpen(): Promise<void> {
  expect(await world.house.ledger.find('gate-answered', gate)).toBeNull();
  expect(world.answered).toEqual([]);
}

describe('a change that another site causes', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without the token of the session', { 'x-gatewright-csrf': '' }, 'request-foreign'],
    ['with a guessed token', { 'x-gatewright-csrf': 'A'.repeat(43) }, 'request-foreign'],
    ['without an origin', { origin: '' }, 'request-foreign'],
    ['from another origin', { origin: 'https://evil.example' }, 'request-foreign'],
    ['from another port', { origin: 'http://127.0.0.1:9999' }, 'request-foreign'],
    ['from a sandboxed frame', { origin: 'null' }, 'request-foreign'],
    ['from our address by another name', { origin: 'http://localhost:8787' }, 'request-foreign'],
    ['as a browser marks it', { 'sec-fetch-site': 'cross-site' }, 'request-foreign'],
    ['from the same site but another port', { 'sec-fetch-site': 'same-site' }, 'request-foreign'],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'request-invalid'],
    ['as plain text', { 'content-type': 'text/plain' }, 'request-invalid'],
    ['with a parameter in its type', { 'content-type': 'application/json; x=text/plain' }, 'request-invalid'],
    ['to a rebound name', { host: 'evil.example:8787' }, 'host-unknown'],
    [
      'to a rebound name that is its origin',
      { host: 'e.example:8787', origin: 'http://e.example:8787' },
      'host-unknown',
    ],
    ['without a session', { cookie: '' }, 'session-missing'],
    ['with a forged session', { cookie: `gatewright-8787=${'A'.repeat(43)}` }, 'session-missing'],
    [
      'with two sessions',
      { cookie: `gatewright-8787=${'A'.repeat(43)}; gatewright-8787=${'B'.repeat(43)}` },
      'session-missing',
    ],
  ])('%s is refused', async (_, headers, code) => {
    const asked = await world.post(answerPath(), answer(), headers);
    expect(problemSchema.parse(asked.body).code).toBe(code);
    await expectOpen();
  });
});

describe('reading', () => {
  const readable = (): string[] =>
    routes
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace(':run', other.run).replace(':gate', gate).replace(':number', '1'));

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without a session', { cookie: '' }, 'session-missing'],
    ['with a forged session', { cookie: `gatewright-8787=${'a'.repeat(43)}` }, 'session-missing'],
    ['with the session of another port', { cookie: 'gatewright-8788=x' }, 'session-missing'],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 'request-foreign'],
    [
      'by EventSource of another origin',
      { origin: 'https://evil.example', accept: 'text/event-stream' },
      'request-foreign',
    ],
    ['by EventSource of another port', { 'sec-fetch-site': 'same-site' }, 'request-foreign'],
    ['through a rebound name', { host: 'evil.example' }, 'host-unknown'],
  ])('%s is refused at every address', async (_, headers, code) => {
    for (const path of [...readable(), '/api/openapi.json']) {
      const asked = await world.get(path, headers);
      expect(problemSchema.parse(asked.body).code, path).toBe(code);
      expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('what is of another repository finds nothing', async () => {
    const subject = encodeURIComponent(other.subject);
    for (const [path, code] of [
      [`/api/runs/${other.run}`, 'run-not-found'],
      [`/api/runs/${other.run}/timeline`, 'run-not-found'],
      [`/api/gates/${other.gate}`, 'gate-not-found'],
      [`/api/ledger?subject=${subject}`, 'subject-not-found'],
      [`/api/ledger/lines?subject=${subject}`, 'subject-not-found'],
      [`/api/ledger?subject=${encodeURIComponent(world.repository)}`, 'subject-not-found'],
    ] as const)
      expect(problemSchema.parse((await world.get(path)).body), path).toMatchObject({ code, status: 404 });
    const answered = await world.post(`/api/gates/${other.gate}/answer`, answer());
    expect(answered.body).toMatchObject({ code: 'gate-not-found' });
    expect(await world.house.ledger.find('gate-answered', other.gate)).toBeNull();
    for (const path of [
      '/api/runs',
      '/api/gates',
      '/api/inbox',
      '/api/fleet',
      `/api/runs?subject=${subject}`,
    ]) {
      const { status, body } = await world.get(path);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('project-two');
      expect(JSON.stringify(body)).not.toContain(other.run);
    }
    // No message of it reaches who listens.
    const heard = await world.listen('"kind":"gate-asked"', { 'last-event-id': '0' });
    expect(heard).not.toContain('project-two');
  });

  it.each([
    ['/api/runs/../session', 200],
    ['/api/runs/%2e%2e/session', 200],
    ['/api/runs/..%2fsession', 404],
    ['/api//runs', 404],
    ['/api/runs/', 404],
    ['/api/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV%00', 404],
    ['/api/runs/__proto__', 400],
    ['/api/runs/constructor', 400],
    ["/api/runs?subject=' OR 1=1 --", 200],
    ['/api/runs?state=open&state=all', 400],
    ['/api/runs?limit=0', 400],
    ['/api/runs?limit=1e3', 400],
    ['/api/runs?limit=99999999999', 400],
    ['/api/runs?before=x', 400],
    ['/api/runs?unknown=1', 400],
    ['/api/runs?__proto__=1', 400],
    ['/api/ledger', 400],
    ['/api/numbers/-1', 400],
    ['/api/numbers/1.5', 400],
    ['/open', 401],
    ['/open?code=x&code=y', 400],
    ['/package.json', 404],
    ['/api', 404],
  ])('%j gives %i and nothing else', async (path, status) => {
    // What `Request` resolves before we see it is asked as it then is; sockets are tried in serve-http.test.ts.
    expect((await world.get(path)).status).toBe(status);
  });
});

describe('a body', () => {
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['that is no JSON', '{', {}, 'request-invalid'],
    ['that is a list', '[]', {}, 'request-invalid'],
    [
      'with more than is known',
      JSON.stringify({ choice: 'send', shown: {}, actor: 'bob' }),
      {},
      'request-invalid',
    ],
    [
      'with a hash that is none',
      JSON.stringify({ choice: 'send', shown: { draft: 'x' } }),
      {},
      'request-invalid',
    ],
    ['that is too large', JSON.stringify({ choice: 'x'.repeat(70_000) }), {}, 'request-too-large'],
    ['that says it is too large', '{}', { 'content-length': '70000' }, 'request-too-large'],
    ['that does not say how large it is', '{}', { 'content-length': '' }, 'request-too-large'],
    ['with a size that is none', '{}', { 'content-length': '-1' }, 'request-too-large'],
  ])('%s is refused', async (_, body, headers, code) => {
    expect((await world.post(answerPath(), body, headers)).body).toMatchObject({ code });
    await expectOpen();
  });

  it('that names what every object has finds no such artefact', async () => {
    const shown = JSON.parse(`{"draft":"${hash}","__proto__":"${hash}","constructor":"${hash}"}`);
    const body = `{"choice":"send","shown":${JSON.stringify(shown)}}`;
    expect((await world.post(answerPath(), body)).status).toBe(400);
    await expectOpen();
  });
});

it('shows nothing of what a link leads to that is where a draft was, and says so', async () => {
  const { artefacts } = gateDetailSchema.parse((await world.get(`/api/gates/${gate}`)).body);
  const file = world.playground.path(artefacts[0]?.path ?? '');
  const text = readFileSync(file);
  rmSync(file);
  symlinkSync('/etc/passwd', file);
  for (const asked of [
    await world.get(`/api/gates/${gate}`),
    await world.post(answerPath(), { choice: 'send', shown: { draft: hash } }),
  ]) {
    expect(asked.status).toBe(409);
    expect(problemSchema.parse(asked.body)).toMatchObject({
      code: 'path-outside-root',
      detail: expect.stringContaining(artefacts[0]?.path ?? ''),
    });
  }
  rmSync(file);
  writeFileSync(file, text);
  await expectOpen();
});

describe('every answer', () => {
  it('is kept nowhere, framed by no page, and guessed at by no browser', async () => {
    for (const path of ['/api/runs', '/api/nothing', '/healthz', '/open?code=x', '/']) {
      const { headers } = await world.get(path).catch(async () => world.fetch(path));
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  it('hides nothing: texts that move or cover others are written out', async () => {
    world.playground.write('ideas/active/hidden.md', '# Hi\u202E\u200Bdden title\n\nA text.\n\n- a point\n');
    await world.playground.run(['issue', '--brief', 'ideas/active/hidden.md']);
    const response = await world.fetch('/api/runs', {
      headers: { host: '127.0.0.1:8787', cookie: world.cookie },
    });
    expect(await response.text()).not.toMatch(/[\u200B\u202E]/u);
  });

  it('tells no stranger what it found: with no valid link, each code ends the same', async () => {
    const said = new Set<string>();
    for (const code of ['', 'x', world.makeCode().replace(/.$/u, 'x'), 'a-b-c'])
      said.add(JSON.stringify((await world.get(`/open?code=${code}`, { cookie: '' })).body));
    expect(said.size).toBe(1);
  });

  it('opens no session a second time, and none after it is ended', async () => {
    const code = world.makeCode();
    const open = () => world.fetch(`/open?code=${code}`, { headers: { host: '127.0.0.1:8787' } });
    const [one, two] = [await open(), await open()];
    expect([one.status, two.status]).toEqual([303, 401]);
    expect(two.headers.get('set-cookie')).toBeNull();
    const cookie = one.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { body } = await world.get('/api/session', { cookie });
    const { csrf } = body as { csrf: string };
    // The token of one session is of no use in another.
    expect((await world.post('/api/session/end', {}, { cookie })).body).toMatchObject({
      code: 'request-foreign',
    });
    const ended = await world.post('/api/session/end', {}, { cookie, 'x-gatewright-csrf': csrf });
    expect([ended.status, ended.headers.get('set-cookie')?.includes('Max-Age=0')]).toEqual([200, true]);
    expect((await world.get('/api/session', { cookie })).status).toBe(401);
    expect((await world.get('/api/session')).status).toBe(200);
  });

  it('says to wait when too many come, also to those who guess', async () => {
    world.secondsBetween = 0;
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1)
      statuses.push((await world.get('/open?code=x', { cookie: '' })).status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30);
    expect(statuses.at(-1)).toBe(429);
    const limited = await world.get('/api/runs', { cookie: '' });
    expect(limited.status).toBe(401);
    // Who has a valid link or a session is not kept out by that.
    expect(
      (await world.fetch(`/open?code=${world.makeCode()}`, { headers: { host: '127.0.0.1:8787' } })).status,
    ).toBe(303);
    expect((await world.get('/api/session')).status).toBe(200);
  });
});
