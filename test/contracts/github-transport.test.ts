/** Commits to GitHub and from it: the contract, what GitHub refuses, and where the token goes and where it does not. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteLeases } from '../../src/adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { composeHouse } from '../../src/compose/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { EffectRunner } from '../../src/effects/effect-runner.ts';
import { makePerformers } from '../../src/effects/performers.ts';
import type { Repository } from '../../src/ports/repository.ts';
import type { Fault } from '../support/github-fault.ts';
import { protectBranch } from '../support/github-git-http.ts';
import { expectCode } from './expect-code.ts';
import { type GithubTransportWorld, makeGithubTransportWorld } from './github-transport-world.ts';
import { openForge, tokenOf } from './github-world.ts';
import { gitEnvironment } from './local-world.ts';
import { describeTransport } from './transport.contract.ts';

describeTransport('GithubForge', makeGithubTransportWorld);

let world: GithubTransportWorld;
let start: string;
let one: string;

beforeEach(async () => {
  world = await makeGithubTransportWorld();
  start = world.clone.resolve('main') ?? '';
  one = world.clone.run('commit-tree', `${start}^{tree}`, '-p', start, '-m', 'One');
});
afterEach(() => world.close());

const push = (transport = world.transport, branch = 'work') =>
  transport.pushBranch(world.repository, { branch, commit: one, expected: null });
const at = (branch: string) => world.git.resolve(`refs/heads/${branch}`);
const gitRequests = () => world.server.requests.filter(({ path }) => path.includes('.git/'));

describe('a name server that has no answer for once', () => {
  it.each([
    'Could not resolve host: github.com',
    'Could not resolve proxy: proxy.example',
    'Failed to connect to github.com port 443',
    "Couldn't connect to server",
  ])('does not stop a push: %s', async (said) => {
    // The real git, except that its first push gets nowhere.
    const bin = join(world.folder, 'bin');
    const mark = join(world.folder, 'failed-once');
    mkdirSync(bin);
    const fail = `echo "fatal: unable to access 'https://github.com/': ${said}" >&2; exit 128`;
    const script = `#!/bin/sh\ncase " $* " in *" push "*) if mkdir '${mark}' 2> /dev/null; then ${fail}; fi;; esac\nPATH='${gitEnvironment.PATH}' exec git "$@"\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    const environment = { PATH: [bin, gitEnvironment.PATH].join(delimiter) };
    await push(world.open(world.forgeAs(world.actors.write), environment));
    expect(statSync(mark).isDirectory()).toBe(true);
    expect(at('work')).toBe(one);
  });
});

describe('what GitHub refuses', () => {
  it.each<[string, Fault, string]>([
    ['a server error', { answer: { status: 503 } }, 'forge-unavailable'],
    ['a limit', { answer: { status: 429, headers: { 'retry-after': '600' } } }, 'forge-rate-limited'],
    ['a rule about addresses', { answer: { status: 403 } }, 'forge-forbidden'],
    ['a repository that is gone', { answer: { status: 404 } }, 'forge-not-found'],
    [
      'a login page',
      { answer: { status: 302, headers: { location: 'https://evil.invalid/' } } },
      'forge-unavailable',
    ],
  ])('%s', async (_, fault, code) => {
    const all = { ...fault, path: /\.git\// };
    world.server.faults.push(all, { ...all }, { ...all });
    await expectCode(push(), code as never);
    expect(at('work')).toBeNull();
    world.server.faults.length = 0;
    await push();
    expect(at('work')).toBe(one);
  });

  it('a protected branch, in GitHub’s own words', async () => {
    protectBranch(world.stored, 'main', `GH006: main is protected ${tokenOf(world.actors.write)}`);
    const error = await world.transport
      .pushBranch(world.repository, { branch: 'main', commit: one, expected: start })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'push-refused' });
    expect(inspect(error)).toContain('GH006: main is protected [secret]');
    expect(inspect(error)).not.toContain(tokenOf(world.actors.write));
    expect(at('main')).toBe(start);
  });

  it('a token that nobody knows', async () => {
    const stranger = openForge(world.server.url, { kind: 'token', token: 'ghp_unheard_of' });
    await expectCode(push(world.open(stranger)), 'forge-not-authenticated');
    await expectCode(world.open(stranger).fetchBranch(world.repository, 'main'), 'forge-not-authenticated');
  });

  it('nobody there', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    const away = world.open(openForge(url, { kind: 'token', token: 'x' }));
    await expectCode(push(away), 'forge-unavailable');
    await expectCode(away.fetchCommit(world.repository, '1'.repeat(40), {}), 'forge-unavailable');
  });

  it('a connection that breaks before or after the branch was moved', async () => {
    // More than one: git itself tries again on a new connection.
    const broken = (service: string): Fault[] =>
      [1, 2, 3].map(() => ({ path: new RegExp(`${service}$`, 'u'), method: 'POST', reset: 'before' }));
    world.server.faults.push(...broken('git-receive-pack'));
    await expectCode(push(), 'forge-unavailable');
    world.server.faults.length = 0;
    expect(at('work')).toBeNull();
    world.server.faults.push({ path: /git-receive-pack$/u, method: 'POST', reset: 'after' });
    await push();
    expect(at('work')).toBe(one);
    const other = world.git.commit('other', { 'x.txt': 'x\n' });
    world.server.faults.push(...broken('git-upload-pack'));
    await expectCode(world.transport.fetchCommit(world.repository, other, {}), 'forge-unavailable');
    world.server.faults.length = 0;
    expect(await world.transport.fetchCommit(world.repository, other, {})).toBe(other);
  });
});

describe('who we are to GitHub', () => {
  it('an App renews its token when it has ended', async () => {
    const app = world.server.apps.add('gate-bot', [world.repository], { contents: 'write', issues: 'write' });
    const { id, privateKey, installation } = app;
    const settings = { id: String(id), privateKey, installation, repository: world.repository };
    const transport = world.open(openForge(world.server.url, { kind: 'app', ...settings }));
    await push(transport);
    world.server.apps.revokeTokens();
    await push(transport, 'again');
    world.server.apps.revokeTokens();
    const other = world.git.commit('other', { 'x.txt': 'x\n' });
    expect(await transport.fetchBranch(world.repository, 'other')).toBe(other);
    expect(world.server.apps.tokens).toHaveLength(3);
    app.permissions = { contents: 'read' };
    await expectCode(push(transport, 'third'), 'forge-forbidden');
    app.repositories.clear();
    await expectCode(push(transport, 'third'), 'forge-not-found');
  });

  it('follows a repository that was renamed, and asks once', async () => {
    world.server.state.renamed.set('acme/former', world.repository);
    await world.transport.pushBranch('acme/former', { branch: 'work', commit: one, expected: null });
    expect(at('work')).toBe(one);
    world.server.requests.length = 0;
    expect(await world.transport.fetchBranch('acme/former', 'work')).toBe(one);
    expect(gitRequests().every(({ path }) => path.startsWith(`/${world.repository}.git/`))).toBe(true);
  });
});

describe('in the house', () => {
  it('works as the program puts it together, on both forges', async () => {
    const environment = {
      ...gitEnvironment,
      HOME: join(world.folder, 'home'),
      GITHUB_TOKEN: tokenOf(world.actors.write),
      GATEWRIGHT_GITHUB_URL: world.server.url,
      GATEWRIGHT_ACTOR: 'somebody',
    };
    const config = readConfig(environment, { database: join(world.folder, 'data', 'gatewright.db') });
    const root = join(import.meta.dirname, '..', '..');
    const compose = (forge: 'local' | 'github') =>
      composeHouse(config, root, { repository: world.clone.folder, forge, name: null });
    const github = await compose('github');
    expect(github).toMatchObject({ repositoryName: world.repository, eventFeed: null });
    await push(github.transport);
    expect(at('work')).toBe(one);
    expect(world.clone.resolve('refs/heads/work')).toBeNull();
    const local = await compose('local');
    await local.transport.pushBranch(local.repositoryName, { branch: 'work', commit: one, expected: null });
    expect(world.clone.resolve('refs/heads/work')).toBe(one);
    await local.forge.createIssue(local.repositoryName, { title: 'T', body: '', labels: [] });
    expect(await local.eventFeed?.since(local.repositoryName, 0, 10)).toMatchObject([
      { event: { kind: 'issue-opened', actor: 'somebody' } },
    ]);
  });
});

describe('as an effect', () => {
  it.each<[string, readonly Fault[], boolean]>([
    ['whose answer and what became of it were lost', [{ reset: 'after' }], true],
    ['that never arrived', [1, 2, 3].map(() => ({ reset: 'before' })), false],
  ])('a push %s is done once', async (_, faults, isDone) => {
    const database = openDatabase(':memory:');
    const ledger = new SqliteLedger(database, systemClock, 'key');
    const got = await new SqliteLeases(database, systemClock, 'writer').acquire('acme/project#1');
    if (!('lease' in got)) throw new Error('held');
    const forge = world.forgeAs(world.actors.write);
    const perform = () =>
      new EffectRunner({
        ledger,
        performers: makePerformers({
          repository: {} as Repository,
          forge,
          transport: world.open(forge),
          texts: ledger,
        }),
        signingKey: 'key',
        run: 'R1',
        subject: 'acme/project#1',
        actor: 'writer',
        fence: got.lease,
        allowance: { 'push-branch': 1 },
        dryRun: false,
      }).perform('push', 'push-branch', () => ({
        repository: world.repository,
        branch: 'work',
        commit: one,
        expected: null,
      }));
    const onPush = faults.map((fault) => ({ ...fault, path: /git-receive-pack$/u, method: 'POST' }));
    const onLook = { path: /git-upload-pack$/u, method: 'POST', reset: 'before' } as const;
    world.server.faults.push(...onPush, onLook, { ...onLook }, { ...onLook });
    await expectCode(perform(), 'forge-unavailable');
    expect(at('work')).toBe(isDone ? one : null);
    world.server.faults.length = 0;
    expect(await perform()).toEqual({ commit: one });
    expect(at('work')).toBe(one);
    const entries = await ledger.readRun('R1');
    expect(entries.find(({ kind }) => kind === 'effect-receipted')?.data).toMatchObject({ found: isDone });
    database.close();
  });
});

describe('what is sent', () => {
  it('is what is new, in both directions', async () => {
    for (let index = 0; index < 6; index += 1)
      world.git.commit('long', { [`f${index}.txt`]: `${index}\n`.repeat(2000) });
    await world.transport.fetchBranch(world.repository, 'long');
    const before = world.clone.run('count-objects', '-v');
    const next = world.git.commit('long', { 'last.txt': 'last\n' });
    await world.transport.fetchBranch(world.repository, 'long');
    const count = (text: string): number =>
      [...text.matchAll(/^(?:count|in-pack): (\d+)$/gmu)].reduce((sum, found) => sum + Number(found[1]), 0);
    const after = world.clone.run('count-objects', '-v');
    // A commit, a tree, a file, and what they are told as a difference from; not all of the others again.
    expect(count(after) - count(before)).toBeLessThan(6);
    // All or nothing: a commit whose files were still to come when git was killed would look as if it were there.
    expect(after.split('\n')[0]).toBe(before.split('\n')[0]);
    expect(world.clone.readFile(next, 'last.txt')).toBe('last\n');
  });

  it('nothing, when the commit is here already', async () => {
    await world.transport.fetchCommit(world.repository, start, {});
    expect(gitRequests()).toEqual([]);
  });

  it('also from a clone whose history is cut off', async () => {
    world.git.commit('main', { 'a.txt': 'a\n' });
    const tip = world.git.commit('main', { 'b.txt': 'b\n' });
    const shallow = join(world.folder, 'clone');
    world.clone.run('fetch', '--quiet', '--depth=1', `file://${world.git.folder}`, 'main');
    world.clone.run('update-ref', 'refs/heads/main', tip);
    expect(readFileSync(join(shallow, '.git', 'shallow'), 'utf8')).toContain(tip);
    one = world.clone.run('commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'One');
    await push();
    expect(at('work')).toBe(one);
    const other = world.git.commit('other', { 'x.txt': 'x\n' }, { from: tip });
    expect(await world.transport.fetchBranch(world.repository, 'other')).toBe(other);
    expect(world.clone.readFile(other, 'x.txt')).toBe('x\n');
  });
});

describe('the token', () => {
  let evil: Server;
  let heard: string[];

  beforeEach(async () => {
    heard = [];
    evil = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    evil.on('connect', (request, socket) => {
      heard.push(`CONNECT ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    evil.closeAllConnections();
    await new Promise((resolve) => evil.close(resolve));
  });

  it('goes to GitHub, wherever the settings of the repository and the person point', async () => {
    const bad = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    const settings = [
      [`url.${bad}/.insteadOf`, `${world.server.url}/`],
      [`url.${bad}/.pushInsteadOf`, `${world.server.url}/`],
      ['http.proxy', bad],
      [`http.${world.server.url}/.proxy`, bad],
      ['http.extraHeader', 'X-Trap: 1'],
      ['http.curloptResolve', '127.0.0.1:1:127.0.0.1'],
      ['http.cookieFile', '/dev/null'],
      ['remote.origin.url', bad],
      ['remote.pushDefault', 'origin'],
      ['push.default', 'matching'],
      ['push.followTags', 'true'],
    ] as const;
    const home = join(world.folder, 'home');
    for (const [key, value] of settings) {
      world.clone.run('config', key, value);
      world.clone.run('config', '--file', join(home, '.gitconfig'), key, value);
    }
    writeFileSync(join(home, '.netrc'), 'machine 127.0.0.1 login thief password of-the-person\n');
    const other = world.git.commit('other', { 'x.txt': 'x\n' });
    await push();
    expect(await world.transport.fetchBranch(world.repository, 'other')).toBe(other);
    expect(at('work')).toBe(one);
    expect(heard).toEqual([]);
    // The traps are real ones.
    const words = ['-C', world.clone.folder, 'ls-remote', `${world.server.url}/acme/project.git`];
    const env = { ...gitEnvironment, GIT_TERMINAL_PROMPT: '0' };
    await expect(promisify(execFile)('git', words, { env })).rejects.toThrow();
    expect(heard).not.toEqual([]);
  });

  it('is not sent on to where an answer points', async () => {
    const bad = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    const fault = {
      path: /info\/refs/u,
      answer: { status: 302, headers: { location: `${bad}/x.git/info/refs` } },
    };
    world.server.faults.push(fault, { ...fault });
    await expectCode(push(), 'forge-unavailable');
    expect(heard).toEqual([]);
  });

  it('is on no command line, in no output and on no disk', async () => {
    const bin = join(world.folder, 'bin');
    const log = join(world.folder, 'commands.log');
    mkdirSync(bin);
    // Everything that git starts writes its command line there as well.
    const script = `#!/bin/sh\necho "$@" >> '${log}'\nGIT_TRACE2_EVENT='${log}' PATH='${gitEnvironment.PATH}' exec git "$@"\n`;
    writeFileSync(join(bin, 'git'), script);
    chmodSync(join(bin, 'git'), 0o755);
    const token = tokenOf(world.actors.write);
    const encoded = Buffer.from(`x-access-token:${token}`).toString('base64');
    const listFiles = () =>
      readdirSync(world.folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(world.folder, name))
        .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
    const expectNowhere = (): void => {
      for (const file of listFiles()) {
        const content = readFileSync(file);
        for (const secret of [token, encoded]) expect(content.includes(secret), file).toBe(false);
      }
    };
    const looks: number[] = [];
    // While git is talking to GitHub, too.
    const look = (): void => {
      expectNowhere();
      looks.push(listFiles().filter((file) => file.includes('/scratch/')).length);
    };
    const fault: Fault = { path: /git-receive-pack$/u, method: 'POST', reset: 'after', onHit: look };
    world.server.faults.push(fault);
    const transport = world.open(world.forgeAs(world.actors.write), {
      PATH: [bin, gitEnvironment.PATH].join(delimiter),
    });
    await push(transport);
    await transport.fetchBranch(world.repository, 'main');
    const error = await transport
      .pushBranch(world.repository, { branch: 'work', commit: start, expected: start })
      .catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: null })).not.toContain(token);
    expect(looks[0]).toBeGreaterThan(0);
    expectNowhere();
    const commands = readFileSync(log, 'utf8');
    for (const part of ['remote-http', 'send-pack', 'push --porcelain'])
      expect(commands.includes(part), part).toBe(true);
    // Nothing is left behind.
    expect(readdirSync(join(world.folder, 'scratch'))).toEqual([]);
  });
});
