/** The sandbox of this machine, and commands in it. What an attacker tries stands in test/hostile. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProcesses } from '../../../test/support/find-processes.ts';
import { isWithoutSandbox, needSandbox } from '../../../test/support/needs-sandbox.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import type { CommandRequest, CommandResult } from '../../ports/command-runner.ts';
import type { Sandbox, SandboxCommand, SandboxPolicy } from '../../ports/sandbox.ts';
import { runOwned } from '../system/owned-process.ts';
import { makeLocalSandbox } from './local-sandbox.ts';
import { SandboxedCommands } from './sandboxed-commands.ts';

let folder = '';
let work = '';
let sandbox: Sandbox;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-sandbox-')));
  work = join(folder, 'work with spaces, a \\ and a #');
  mkdirSync(work);
  if (!isWithoutSandbox) sandbox = await needSandbox();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function run(
  argv: readonly string[],
  more: Partial<CommandRequest> = {},
  where = sandbox,
): Promise<CommandResult> {
  const commands = new SandboxedCommands(where, {
    PATH: process.env.PATH,
    GITHUB_TOKEN: 'canary',
    LANG: 'C',
  });
  return commands.run({ folder: work, argv, limitMilliseconds: 20_000, network: 'none', ...more });
}

const sh = (script: string, more: Partial<CommandRequest> = {}, where = sandbox) =>
  run(['sh', '-c', script], more, where);

async function start(
  command: Partial<SandboxCommand>,
  policy: SandboxPolicy,
  secret?: string,
): Promise<string> {
  const prepared = await sandbox.prepare(
    { program: 'sh', args: [], folder: work, environment: {}, hasSecret: secret !== undefined, ...command },
    policy,
  );
  let output = '';
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  const options = { input: 'told', limitMilliseconds: 20_000, onOutput: take, onErrors: take };
  await runOwned({ ...prepared, ...options, ...(secret === undefined ? {} : { secret }) });
  await prepared.close();
  return output;
}

describe.skipIf(isWithoutSandbox)('a command', () => {
  it('runs in its folder, which it may change, and is told from outside what came of it', async () => {
    const result = await sh('pwd; echo out; echo err >&2; echo x > made.txt; exit 7');
    expect(result).toMatchObject({ exitCode: 7, timedOut: false, refusedHosts: [] });
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out', work].sort());
    expect(result.outputSha256).toBe(createHash('sha256').update(result.output).digest('hex'));
    expect(readFileSync(join(work, 'made.txt'), 'utf8')).toBe('x\n');
    expect(['bubblewrap', 'namespaces']).toContain(result.sandbox);
  });

  it('finds node, npm and git, and files that it makes are ours', async () => {
    const { output } = await sh(
      'node --version; npm --version; git --version; git init -q . && git status --short && id -un',
    );
    expect(output).toMatch(
      new RegExp(`^${process.version}\\n\\d+\\.\\d+\\.\\d+\\ngit version .*\\nworker\\n$`, 'u'),
    );
  });

  it('runs the tests of a project', async () => {
    writeFileSync(join(work, 'package.json'), '{"scripts": {"test": "node --test"}}');
    writeFileSync(
      join(work, 'a.test.js'),
      `require('node:test')('a server on its own loopback', (_, done) => {
        const server = require('node:http').createServer((q, r) => r.end('x')).listen(0, () =>
          fetch('http://localhost:' + server.address().port).then((r) => r.text()).then(() => server.close(done)));
      });`,
    );
    const result = await run(['npm', 'test']);
    expect(result.output).toMatch(/pass 1/u);
    expect(result.exitCode).toBe(0);
  });

  it('keeps the end of a long output, and the hash of all of it', async () => {
    const result = await sh('yes 0123456789 | head -n 100000; printf "ä%.0s" 1 2 3');
    expect(result.outputBytes).toBe(1_100_006);
    expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(64 * 1024);
    expect(result.output.endsWith('0123456789\näää')).toBe(true);
    const all = `${'0123456789\n'.repeat(100_000)}äää`;
    expect(result.outputSha256).toBe(createHash('sha256').update(all).digest('hex'));
  });

  it('that is not there ends with 127, and one without a name is a mistake', async () => {
    expect((await run(['no-such-program'])).exitCode).toBe(127);
    expect(await rejectedCode(run([]))).toBe('config-invalid');
  });

  it('is stopped at its limit, and when it is told to', async () => {
    expect(await sh('sleep 600', { limitMilliseconds: 300 })).toMatchObject({
      exitCode: null,
      timedOut: true,
    });
    expect(await sh('sleep 600', { signal: AbortSignal.timeout(300) })).toMatchObject({
      exitCode: null,
      timedOut: false,
    });
  });

  it('leaves nothing of its sandbox behind, and removes what others had to leave', async () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    await sh('echo x > /tmp/x; echo x > ~/x', { network: { hosts: ['model.invalid:443'] } });
    expect(await rejectedCode(sh('true', { network: { hosts: ['no host'] } }))).toBe('config-invalid');
    expect(readdirSync(temporary)).toEqual([]);
    // A number that no process has.
    const kinds = ['gw-box', 'gw-home'];
    const gone = kinds.map((kind) => `${kind}-${2 ** 30}-old`);
    const kept = kinds.flatMap((kind) => [
      ...[`${kind}-${2 ** 30}-new`, `${kind}-${process.pid}-old`, `${kind}-x`],
    ]);
    const names = [...gone, ...kept];
    for (const name of names) mkdirSync(join(temporary, name));
    for (const name of names.filter((one) => !one.endsWith('new'))) utimesSync(join(temporary, name), 0, 0);
    await needSandbox();
    expect(readdirSync(temporary)).toEqual(kept.sort());
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends when we are ended (%s)', async (signal) => {
    const long = `322.${process.pid}${Date.now()}`;
    const file = join(import.meta.dirname, '../../../test/support/sandbox-child.ts');
    const child = spawn(process.execPath, [file, work, 'sh', '-c', `setsid sleep ${long} & sleep ${long}`], {
      stdio: 'inherit',
    });
    await expect.poll(() => findProcesses(long).length, { timeout: 20_000 }).toBe(2);
    child.kill(signal);
    await expect.poll(() => findProcesses(long), { timeout: 10_000 }).toEqual([]);
  });
});

describe.skipIf(isWithoutSandbox)('what is granted', () => {
  it('is written to, read, or not there', async () => {
    const [files, readable, hidden] = [join(folder, 'files'), join(folder, 'read.txt'), join(work, 'kept')];
    for (const path of [files, hidden]) mkdirSync(path);
    for (const path of [join(files, 'a'), readable, join(hidden, 'a'), join(work, 'key')])
      writeFileSync(path, 'content\n');
    const own = await needSandbox([hidden, join(work, 'key'), join(folder, 'not there')]);
    const script = `cat "${readable}" "${files}/a"; echo x >> "${readable}"; echo x > "${files}/b"; ls kept; cat key kept/a; echo x > kept/b; rm -r kept; echo done`;
    const { output } = await sh(script, { readable: [readable, files] }, own);
    expect(output).toMatch(/^content\ncontent\n/u);
    expect(output.match(/Read-only file system/gu)?.length).toBeGreaterThanOrEqual(2);
    expect(output).toMatch(/kept\/a: No such file/u);
    expect([readFileSync(readable, 'utf8'), readdirSync(files), readdirSync(hidden)]).toEqual([
      'content\n',
      ['a'],
      ['a'],
    ]);
    expect(output).toMatch(/^done$/mu);
  });

  it('a folder that may only be read is not changed', async () => {
    writeFileSync(join(work, 'a'), 'a\n');
    const args = ['-c', 'cat a; echo x > a; touch b'];
    const output = await start({ args }, { writable: [], readable: [work], network: 'none' });
    expect(output).toMatch(/^a\n.*Read-only/u);
    expect(readdirSync(work)).toEqual(['a']);
  });

  it('a folder is seen in another place, read-only, unless that place is not what it seems', async () => {
    const packages = join(folder, 'project', 'node_modules');
    mkdirSync(join(packages, 'one'), { recursive: true });
    writeFileSync(join(packages, 'one', 'index.js'), 'module.exports = 1;\n');
    const readable = [{ from: packages, at: join(work, 'node_modules') }];
    const { output } = await sh('node -p "require(\'one\')"; echo x > node_modules/x; ls ..', { readable });
    expect(output).toMatch(/^1\n/u);
    expect(output).toContain('Read-only file system');
    expect(readdirSync(packages)).toEqual(['one']);
    expect(readdirSync(join(work, 'node_modules'))).toEqual([]);
    rmSync(join(work, 'node_modules'), { recursive: true });
    symlinkSync(join(folder, 'project'), join(work, 'node_modules'));
    expect(await rejectedCode(sh('true', { readable }))).toBe('path-outside-root');
  });

  it('a program that stands elsewhere is there, alone', async () => {
    const program = join(folder, 'tool');
    writeFileSync(program, `#!/bin/sh\nls "${folder}"; cat\n`, { mode: 0o755 });
    chmodSync(program, 0o755);
    const output = await start({ program }, { writable: [work], network: 'none' });
    expect(output.split('\n').sort()).toEqual(['told', 'tool', work.slice(folder.length + 1)].sort());
  });

  it.each(['none', { hosts: ['model.invalid:443'] }] as const)(
    'a secret comes on its descriptor (%j)',
    async (network) => {
      const args = ['-c', 'read secret <&3; echo "got $secret"; env'];
      const output = await start(
        { args, environment: { A: 'b', XDG_CONFIG_HOME: '/x' } },
        { writable: [work], network },
        'hush\n',
      );
      expect(output).toMatch(/^got hush\n/u);
      expect(output.slice(10)).not.toMatch(/hush|XDG/u);
      expect(output).toMatch(/^A=b$/mu);
    },
  );

  it('a listed server on loopback is where it is, and no other', async () => {
    const server = createServer((request, response) => response.end(`hello ${request.url}`));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script = `fetch('http://${host}/x').then((r) => r.text()).then(console.log).then(() => fetch('https://evil.example/')).catch((e) => console.log('no'))`;
    const allowed = await run(['node', '-e', script], { network: { hosts: [host] } });
    expect([allowed.output, allowed.refusedHosts]).toEqual(['hello /x\nno\n', ['evil.example:443']]);
    expect((await run(['node', '-e', script])).output).toBe('no\n');
    server.close();
  });
});

describe('where there is none', () => {
  const broken = (): Record<string, string> => {
    for (const name of ['bwrap', 'unshare'])
      writeFileSync(join(folder, name), '#!/bin/sh\necho "not allowed" >&2; exit 1\n', { mode: 0o755 });
    return { PATH: `${folder}:${process.env.PATH}` };
  };

  it('it says why, and the command runs as any other if that is allowed', async () => {
    const none = makeLocalSandbox({ environment: broken(), demand: 'prefer' });
    const facts = await none.inspect();
    expect(facts).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining('namespaces does not work: not allowed'),
    });
    const result = await sh('pwd; env', {}, none);
    expect(result).toMatchObject({ exitCode: 0, sandbox: 'none' });
    expect(result.output).toContain(`${work}\n`);
    expect(result.output).not.toContain('canary');
    expect(result.output).toMatch(/^HOME=.*gw-home-/mu);
    expect((await run(['no-such-program'], {}, none)).exitCode).toBe(127);
  });

  it('a limit on namespaces is not told as a full disk', async () => {
    const environment = broken();
    const complaint = 'unshare: unshare failed: No space left on device';
    writeFileSync(join(folder, 'unshare'), `#!/bin/sh\necho "${complaint}" >&2; exit 1\n`, { mode: 0o755 });
    const { reason } = await makeLocalSandbox({ environment, demand: 'prefer' }).inspect();
    expect(reason).toContain(`${complaint} (no more user namespaces are allowed: user.max_user_namespaces)`);
  });

  it('nothing runs without one because the machine was too busy to try, and it is tried again', async () => {
    const environment = broken();
    for (const name of ['bwrap', 'unshare'])
      writeFileSync(join(folder, name), '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
    const busy = makeLocalSandbox({ environment, demand: 'prefer', trialMilliseconds: 500 });
    const { reason } = await busy.inspect();
    expect(reason).toContain('namespaces does not work: no answer within 0.5 seconds');
    expect(await rejectedCode(sh('touch ran', {}, busy))).toBe('sandbox-untried');
    expect(readdirSync(work)).toEqual([]);
    broken();
    expect(await sh('touch ran', {}, busy)).toMatchObject({ exitCode: 0, sandbox: 'none' });
  });

  it('nothing runs if one is required', async () => {
    const none = makeLocalSandbox({ environment: broken(), demand: 'require' });
    expect(await rejectedCode(sh('touch ran', {}, none))).toBe('sandbox-missing');
    expect(readdirSync(work)).toEqual([]);
  });
});
