/** What happens on a bad line: nothing is written twice, no request inside a wait, and no error tells the token. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeGithubForge } from '../../src/adapters/github/github-forge.ts';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteLeases } from '../../src/adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { EffectRunner } from '../../src/effects/effect-runner.ts';
import { makePerformers } from '../../src/effects/performers.ts';
import type { ErrorCode, GatewrightError } from '../../src/errors.ts';
import type { Repository } from '../../src/ports/repository.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Fault } from '../support/github-fault.ts';
import { showMyself } from '../support/github-repository-shape.ts';
import { rejectedCode } from '../support/thrown-code.ts';
import { actors } from './forge-world.ts';
import { makeGithubWorld, tokenOf } from './github-world.ts';

const plain = { title: 'A title', body: 'A body', labels: [] };
const filing = { method: 'POST', path: /\/issues$/u } as const;
const secondary = { message: 'You have exceeded a secondary rate limit.' };
const inSeconds = (seconds: number) => String(Math.ceil(Date.now() / 1000) + seconds);

let world: Awaited<ReturnType<typeof makeGithubWorld>>;

beforeEach(async () => {
  world = await makeGithubWorld();
});
afterEach(() => world.close());

const posts = () => world.server.seen('POST', '/repos/acme/project/issues');
const stored = () => world.server.state.repositories.get(world.repository)?.issues ?? [];

describe('an answer of GitHub becomes an error of ours', () => {
  it.each<[string, Fault, ErrorCode]>([
    ['401', { answer: { status: 401 } }, 'forge-not-authenticated'],
    ['403', { answer: { status: 403 } }, 'forge-forbidden'],
    [
      '403 with requests left and a reset time, as every answer has one',
      {
        answer: {
          status: 403,
          headers: { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '9999999999' },
        },
      },
      'forge-forbidden',
    ],
    ['410', { answer: { status: 410, body: { message: 'Issues are disabled' } } }, 'forge-issues-disabled'],
    ['422', { answer: { status: 422 } }, 'forge-rejected'],
    ['500', { answer: { status: 500 } }, 'forge-unavailable'],
    ['502 with HTML', { answer: { status: 502, body: '<html>', deviates: 'a proxy' } }, 'forge-unavailable'],
    ['reset before', { reset: 'before' }, 'forge-unavailable'],
    ['reset after', { reset: 'after' }, 'forge-unavailable'],
    ['retry-after', { answer: { status: 403, headers: { 'retry-after': '90' } } }, 'forge-rate-limited'],
    ['429', { answer: { status: 429, headers: { 'retry-after': '61' } } }, 'forge-rate-limited'],
  ])('%s; and a write is sent once', async (name, fault, code) => {
    world.server.faults.push({ ...filing, ...fault });
    expect(await rejectedCode(world.forge.createIssue(world.repository, plain))).toBe(code);
    expect(posts()).toHaveLength(1);
    expect(stored()).toHaveLength(name === 'reset after' ? 1 : 0);
  });

  it('a closed port', async () => {
    const { url } = world.server;
    const forge = makeGithubForge({
      apiUrl: url,
      credential: { kind: 'token', token: 'x' },
      clock: systemClock,
      userAgent: 't',
      isHurried: true,
    });
    await world.server.close();
    expect(await rejectedCode(forge.whoAmI())).toBe('forge-unavailable');
    world = await makeGithubWorld();
  });
});

describe('reads', () => {
  it.each<[string, Fault]>([
    ['500', { answer: { status: 500 } }],
    ['503', { answer: { status: 503 } }],
    ['a broken connection', { reset: 'after' }],
  ])('are repeated after %s', async (_, fault) => {
    await world.forge.createIssue(world.repository, plain);
    world.server.faults.push({ method: 'GET', ...fault }, { method: 'GET', ...fault });
    expect(await world.forge.listIssues(world.repository)).toHaveLength(1);
    expect(world.server.seen('GET', '/repos/acme/project/issues')).toHaveLength(3);
  });
});

describe('limits', () => {
  it.each<[string, () => Fault['answer'], number]>([
    ['403 with retry-after', () => ({ status: 403, headers: { 'retry-after': '1' }, body: secondary }), 1000],
    ['429 with retry-after', () => ({ status: 429, headers: { 'retry-after': '1' } }), 1000],
    [
      '403 with nothing left',
      () => ({ status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(0) } }),
      1000,
    ],
  ])('a short one is waited out, by everybody: %s', async (_, answer, wait) => {
    world.server.faults.push({ ...filing, ...{ answer: answer() as NonNullable<Fault['answer']> } });
    const first = world.forge.createIssue(world.repository, plain);
    await expect.poll(() => posts().length).toBe(1);
    const refusedAt = posts()[0]?.at ?? 0;
    // Long enough for the refusal to arrive, and well inside the window.
    await systemClock.sleep(100);
    await Promise.all([
      first,
      world.forge.listIssues(world.repository),
      world.forge.listLabels(world.repository),
    ]);
    const later = world.server.requests.filter((request) => request.at > refusedAt);
    expect(later.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...later.map((request) => request.at))).toBeGreaterThanOrEqual(refusedAt + wait - 5);
    expect(stored()).toHaveLength(1);
  });

  it('a long one is an error that says when, and nothing is sent meanwhile', async () => {
    const reset = inSeconds(600);
    world.server.faults.push({
      method: 'GET',
      answer: { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } },
    });
    const caught = await world.forge.listIssues(world.repository).catch((error: GatewrightError) => error);
    expect(caught).toMatchObject({ code: 'forge-rate-limited', retry: 'later' });
    const until = Date.parse((caught as GatewrightError).until ?? '');
    expect(Math.abs(until - Number(reset) * 1000)).toBeLessThan(60_000);
    expect(await rejectedCode(world.forge.createIssue(world.repository, plain))).toBe('forge-rate-limited');
    expect(await rejectedCode(world.forge.whoAmI())).toBe('forge-rate-limited');
    expect(world.server.requests).toHaveLength(1);
  });

  it.each(['RATE_LIMIT', 'RATE_LIMITED'])(
    'GraphQL that is used up (%s, without data) is no proxy page, and REST goes on',
    async (type) => {
      await world.forge.createIssue(world.repository, plain);
      const reset = inSeconds(600);
      const errors = [
        { type, code: 'graphql_rate_limit', message: 'API rate limit already exceeded for user ID 1.' },
      ];
      world.server.faults.push({
        path: /\/graphql$/u,
        answer: {
          status: 200,
          headers: {
            'x-ratelimit-resource': 'graphql',
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset': reset,
          },
          body: { errors },
        },
      });
      const caught = await world.forge
        .getIssueText(world.repository, 1)
        .catch((error: GatewrightError) => error);
      expect(caught).toMatchObject({ code: 'forge-rate-limited' });
      const until = Date.parse((caught as GatewrightError).until ?? '');
      // Of ten minutes; a machine that is busy is some seconds late.
      expect(Math.abs(until - Number(reset) * 1000)).toBeLessThan(60_000);
      expect(await rejectedCode(world.forge.getIssueText(world.repository, 1))).toBe('forge-rate-limited');
      expect(world.server.seen('POST', '/graphql')).toHaveLength(1);
      expect(await world.forge.listIssues(world.repository)).toHaveLength(1);
    },
  );

  it('GraphQL that answers neither is no GitHub', async () => {
    world.server.faults.push({
      path: /\/graphql$/u,
      answer: { status: 200, body: { ok: true }, deviates: 'no GitHub' },
    });
    expect(await rejectedCode(world.forge.getIssueText(world.repository, 1))).toBe('forge-unavailable');
  });

  it('the last request that is allowed closes the window too', async () => {
    world.server.faults.push({
      path: /^\/user$/u,
      answer: {
        status: 200,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(600) },
        body: showMyself(actors.admin),
      },
    });
    expect(await world.forge.whoAmI()).toBe(actors.admin);
    expect(await rejectedCode(world.forge.listLabels(world.repository))).toBe('forge-rate-limited');
    expect(world.server.requests).toHaveLength(1);
  });

  it('one that comes again and again is not waited out for ever', async () => {
    for (let index = 0; index < 5; index += 1)
      world.server.faults.push({ ...filing, answer: { status: 429, headers: { 'retry-after': '0' } } });
    expect(await rejectedCode(world.forge.createIssue(world.repository, plain))).toBe('forge-rate-limited');
    expect(posts()).toHaveLength(3);
  });
});

describe('through the effect runner', () => {
  let database: SqliteDatabase;
  let makeRunner: () => Promise<EffectRunner>;
  let ledger: SqliteLedger;
  const subject = 'acme/project:export-csv';

  beforeEach(async () => {
    database = openDatabase(':memory:');
    ledger = new SqliteLedger(database, systemClock, 'key');
    const got = await new SqliteLeases(database, systemClock, 'owner').acquire(subject);
    if (!('lease' in got)) throw new Error('held');
    makeRunner = async () =>
      new EffectRunner({
        ledger,
        // A process that starts again has a forge that remembers nothing.
        performers: makePerformers({
          repository: {} as Repository,
          forge: world.forgeAs(actors.admin),
          transport: {} as Transport,
          texts: ledger,
        }),
        signingKey: 'key',
        run: 'R1',
        subject,
        actor: 'owner',
        fence: got.lease,
        allowance: { 'create-issue': 1 },
        dryRun: false,
      });
  });
  afterEach(() => database.close());

  const file = async () => {
    const body = await ledger.putText('A body');
    return (await makeRunner()).perform('file', 'create-issue', async () => ({
      repository: world.repository,
      title: 'A title',
      body,
      labels: ['known'],
      author: await world.forgeAs(actors.admin).whoAmI(),
    }));
  };

  it.each<[string, Fault, boolean]>([
    ['a success whose answer was lost', { reset: 'after' }, true],
    ['a connection that broke before', { reset: 'before' }, false],
    ['a 500 before', { answer: { status: 500 } }, false],
    ['a 502 before', { answer: { status: 502 } }, false],
  ])('%s leaves exactly one issue', async (_, fault, isFound) => {
    world.server.faults.push({ ...filing, ...fault });
    expect(await rejectedCode(file())).toBe('forge-unavailable');
    expect(await file()).toMatchObject({ number: 1 });
    expect(await file()).toMatchObject({ number: 1 });
    expect(stored().map((issue) => issue.title)).toEqual(['A title']);
    expect(posts()).toHaveLength(isFound ? 1 : 2);
  });

  it('is not taken in by somebody who copied the marker', async () => {
    world.server.faults.push({ ...filing, reset: 'after' });
    await rejectedCode(file());
    const [lost] = stored();
    await world.forgeAs(actors.read).createIssue(world.repository, { ...plain, body: lost?.body ?? '' });
    expect(await file()).toMatchObject({ number: 1 });
    expect(stored()).toHaveLength(2);
  });

  it('writes no token into the ledger', async () => {
    const token = tokenOf(actors.admin);
    world.server.faults.push({ ...filing, answer: { status: 422, body: { message: `no ${token}` } } });
    expect(await rejectedCode(file())).toBe('forge-rejected');
    expect(JSON.stringify(await ledger.readRun('R1'))).not.toContain(token);
  });
});

describe('the token', () => {
  it.each<[string, Fault]>([
    ['401', { answer: { status: 401 } }],
    ['403', { answer: { status: 403 } }],
    ['404', { answer: { status: 404 } }],
    ['422', { answer: { status: 422 } }],
    ['429', { answer: { status: 429, headers: { 'retry-after': '600' } } }],
    ['500', { answer: { status: 500 } }],
    ['reset', { reset: 'before' }],
  ])('is in no error, even if the answer repeats it: %s', async (_, fault) => {
    const token = tokenOf(actors.admin);
    const body = { message: `${token} is bad`, errors: [{ field: token, code: token }, token] };
    const deviates = 'the token wherever there is room';
    const parrot = fault.answer === undefined ? fault : { answer: { ...fault.answer, body, deviates } };
    for (const call of [
      () => world.forge.createIssue(world.repository, plain),
      () => world.forge.listIssues(world.repository),
    ]) {
      world.server.faults.push(parrot, parrot, parrot);
      const caught = await call().catch((error: unknown) => error);
      expect(caught).toBeInstanceOf(Error);
      const shown = inspect(caught, { depth: 10, showHidden: true, getters: true });
      expect(shown + JSON.stringify(caught)).not.toContain(token);
      world.server.faults.length = 0;
    }
  });
});
