/** The coding agent with the real CLI: two credentials, what it is told, what goes wrong. The contract stands elsewhere. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeWorld } from '../../../test/support/claude-world.ts';
import { isRunning } from '../../../test/support/is-running.ts';
import { answerWith, type Reply, refuseWith, useTool } from '../../../test/support/scripted-provider.ts';
import type { CodingAgent, CodingReport, CodingTask } from '../../ports/coding-agent.ts';

const tokenCanary = 'sk-ant-oat-canary-0123456789';
const keyCanary = 'sk-ant-api-canary-0123456789';
const both = {
  CLAUDE_CODE_OAUTH_TOKEN: tokenCanary,
  ANTHROPIC_API_KEY: keyCanary,
  GITHUB_TOKEN: 'gh-canary',
};
const one = { CLAUDE_CODE_OAUTH_TOKEN: tokenCanary };
const noRetry = { 'x-should-retry': 'false' };

let world: ClaudeWorld;
beforeEach(async () => {
  world = await new ClaudeWorld().open();
});
afterEach(() => world.close());

const keysSeen = () => [...new Set(world.server.seen.map(({ key }) => key))];

function make(env: Record<string, string> = both, path?: string): CodingAgent {
  return world.makeAgent(world.environment(env, path));
}

function work(more: Partial<CodingTask> = {}, agent = make()): Promise<CodingReport<unknown>> {
  const task: CodingTask = {
    ...{ role: 'coder', call: 1, folder: world.worktree, instructions: 'Work carefully.' },
    ...{ task: 'Change the files.', tools: { mode: 'implement', commands: [] } },
    ...{ turnLimit: 10, limitMilliseconds: 30_000 },
    ...more,
  };
  return agent.work(task, null);
}

const writeFile = (name: string) => ({
  name: 'Write',
  input: { file_path: join(world.worktree, name), content: name },
});

describe('two credentials', () => {
  it('the subscription comes first, and the key is not touched', async () => {
    const report = await work();
    expect(report).toMatchObject({ outcome: { kind: 'finished' }, credential: 'CLAUDE_CODE_OAUTH_TOKEN' });
    expect([keysSeen(), report.earlier]).toEqual([[tokenCanary], []]);
  });

  it.each([
    [429, { kind: 'quota' }],
    [401, { kind: 'failed', why: 'not-authenticated' }],
    [403, { kind: 'failed', why: 'not-authenticated' }],
  ])('status %i: the key does it, and both attempts are reported', async (status, outcome) => {
    world.server.script = (seen) =>
      seen.key === tokenCanary
        ? refuseWith(status, noRetry, { message: tokenCanary })
        : answerWith(seen, 'Done.');
    const report = await work();
    expect(report).toMatchObject({ outcome: { kind: 'finished' }, credential: 'ANTHROPIC_API_KEY' });
    expect(report.earlier).toMatchObject([{ credential: 'CLAUDE_CODE_OAUTH_TOKEN', outcome }]);
    expect(report.earlier[0]?.usage).toMatchObject({ inputTokens: 0, turns: 0 });
    expect(report.usage.inputTokens).toBe(1000);
    expect(keysSeen()).toEqual([tokenCanary, keyCanary]);
    expect(JSON.stringify(report)).not.toContain('canary');
  });

  it('out of quota in the middle: what was used is reported, the turns are shared, the second is told', async () => {
    world.server.script = (seen, index) => {
      if (index === 0) return useTool(seen, writeFile('half.txt'));
      return seen.key === tokenCanary ? refuseWith(429, noRetry) : useTool(seen, writeFile(`${index}.txt`));
    };
    const report = await work({ turnLimit: 4 });
    expect(report.outcome.kind).toBe('turns-exhausted');
    const [first] = report.earlier;
    expect(first?.usage.inputTokens).toBeGreaterThanOrEqual(1000);
    expect((first?.usage.turns ?? 0) + report.usage.turns).toBeLessThanOrEqual(6);
    const second = world.server.seen.find(({ key }) => key === keyCanary);
    expect(second?.text).toContain('An earlier attempt was interrupted');
    expect(existsSync(join(world.worktree, 'half.txt'))).toBe(true);
  });

  it('out of quota with the last turn: the key is not begun with', async () => {
    world.server.script = (seen, index) =>
      index === 0 ? useTool(seen, writeFile('half.txt')) : refuseWith(429, noRetry);
    const report = await work({ turnLimit: 2 });
    expect(report).toMatchObject({ outcome: { kind: 'turns-exhausted' }, usage: { turns: 0 } });
    expect(report.earlier).toMatchObject([{ outcome: { kind: 'quota' }, usage: { turns: 2 } }]);
    expect(keysSeen()).toEqual([tokenCanary]);
  });

  it('turns that ran out are not paid twice', async () => {
    world.server.script = (seen, index) => useTool(seen, writeFile(`${index}.txt`));
    const report = await work({ turnLimit: 2 });
    expect(report).toMatchObject({ outcome: { kind: 'turns-exhausted' }, earlier: [] });
    expect(keysSeen()).toEqual([tokenCanary]);
  });

  it('money that ran out is not spent twice', async () => {
    world.server.script = (seen, index) => useTool(seen, writeFile(`${index}.txt`));
    const report = await work({ costLimitUsd: 0.01 });
    expect(report.outcome).toMatchObject({ kind: 'failed', why: 'budget' });
    expect(report.usage.costUsd).toBeGreaterThan(0.01);
    expect([keysSeen(), world.server.seen.length]).toEqual([[tokenCanary], 2]);
  });

  it.each([
    [529, 'overload'],
    [500, 'overload'],
    [404, 'unknown-model'],
  ])('status %i before anything was done: the key is tried too', async (status, why) => {
    world.server.script = () => refuseWith(status, noRetry);
    const report = await work();
    expect(report.outcome).toMatchObject({ kind: 'failed', why });
    expect(report.earlier).toMatchObject([
      { outcome: { kind: 'failed', why }, usage: { turns: 0, costUsd: 0 } },
    ]);
    expect(keysSeen()).toEqual([tokenCanary, keyCanary]);
  });

  it('an overload in the middle of the work is not paid twice', async () => {
    world.server.script = (seen, index) =>
      index === 0 ? useTool(seen, writeFile('half.txt')) : refuseWith(529, noRetry);
    const report = await work();
    expect(report).toMatchObject({ outcome: { kind: 'failed', why: 'overload' }, earlier: [] });
    expect(report.usage.turns).toBeGreaterThan(0);
    expect(keysSeen()).toEqual([tokenCanary]);
  });

  it('both out of quota: the earlier reset, and nobody is called before it', async () => {
    const reset = String(Date.parse('2026-11-15T10:10:00.000Z') / 1000);
    world.server.script = () =>
      refuseWith(429, {
        ...noRetry,
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': reset,
      });
    const until = '2026-11-15T10:10:00.000Z';
    expect((await work()).outcome).toEqual({ kind: 'quota', until });
    const calls = world.server.seen.length;
    const again = await work();
    expect(again).toMatchObject({
      outcome: { kind: 'quota', until },
      usage: { inputTokens: 0 },
      earlier: [],
    });
    expect(world.server.seen.length).toBe(calls);
  });

  it('without any credential the login of the CLI is used, and here there is none', async () => {
    const report = await work({}, make({}));
    expect(report.outcome).toMatchObject({ kind: 'failed', why: 'not-authenticated' });
    expect(world.server.seen).toEqual([]);
  });
});

describe('what it is told', () => {
  it('its instructions and its task; nothing that the project brings along, and no file that the task names', async () => {
    mkdirSync(join(world.worktree, '.claude'));
    writeFileSync(join(world.worktree, 'CLAUDE.md'), 'project-rules');
    writeFileSync(join(world.worktree, '.claude', 'settings.json'), '{"permissions":{"allow":["Bash"]}}');
    writeFileSync(join(world.worktree, '.mcp.json'), '{"mcpServers":{"evil":{"command":"true"}}}');
    writeFileSync(join(world.folder, 'diary.txt'), 'dear diary');
    await work({ task: `Read @${join(world.folder, 'diary.txt')} and @CLAUDE.md.` });
    const body = world.server.seen[0]?.text ?? '';
    expect(body).toContain('Work carefully.');
    expect(body).not.toMatch(/project-rules|dear diary|evil/u);
    const { tools } = JSON.parse(body) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual(['Edit', 'Glob', 'Grep', 'Read', 'Write']);
  });

  it('while planning it has nothing but its eyes', async () => {
    await work({ tools: { mode: 'plan' } });
    const { tools } = JSON.parse(world.server.seen[0]?.text ?? '{}') as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual(['Glob', 'Grep', 'Read']);
  });

  it('reads below the folder only', async () => {
    writeFileSync(join(world.folder, 'diary.txt'), 'dear diary');
    writeFileSync(join(world.worktree, 'a.txt'), 'an open book');
    const uses = [join(world.worktree, 'a.txt'), join(world.folder, 'diary.txt')];
    world.server.script = (seen, index) => {
      const file_path = uses[index];
      return file_path === undefined
        ? answerWith(seen, 'Done.')
        : useTool(seen, { name: 'Read', input: { file_path } });
    };
    const report = await work({ tools: { mode: 'plan' } });
    expect(report.denials).toEqual([{ tool: 'Read', target: join(world.folder, 'diary.txt') }]);
    expect(world.server.seen.at(-1)?.text).toContain('an open book');
    expect(world.server.seen.at(-1)?.text).not.toContain('dear diary');
  });

  it('what the user allows the CLI elsewhere is not allowed here', async () => {
    mkdirSync(join(world.folder, 'config'));
    const settings = { permissions: { allow: ['Read', 'Bash(./other.sh)'] } };
    writeFileSync(join(world.folder, 'config', 'settings.json'), JSON.stringify(settings));
    writeFileSync(join(world.folder, 'diary.txt'), 'dear diary');
    symlinkSync(join(world.folder, 'diary.txt'), join(world.worktree, 'link'));
    writeFileSync(join(world.worktree, 'other.sh'), '#!/bin/sh\necho ran > ran.txt\n', { mode: 0o755 });
    const uses = [
      { name: 'Bash', input: { command: './other.sh', description: 'x' } },
      { name: 'Read', input: { file_path: join(world.worktree, 'link') } },
      { name: 'Bash', input: { command: 'cat link', description: 'x' } },
    ];
    world.server.script = (seen, index) => {
      const use = uses[index];
      return use === undefined ? answerWith(seen, 'Done.') : useTool(seen, use);
    };
    const report = await work({ tools: { mode: 'implement', commands: ['npm test'] } });
    expect(report.denials.map(({ target }) => target)).toEqual(['./other.sh', 'link', 'cat link']);
    expect(existsSync(join(world.worktree, 'ran.txt'))).toBe(false);
    expect(world.server.seen.at(-1)?.text).not.toContain('dear diary');
  });

  it('may neither push nor speak to the forge, whatever its commands are', async () => {
    writeFileSync(join(world.folder, 'gh'), '#!/bin/sh\necho ran > gh-ran.txt\n', { mode: 0o755 });
    const commands = ['git push origin main', 'gh pr merge 1', 'git config core.hooksPath x'];
    world.server.script = (seen, index) => {
      const command = commands[index];
      return command === undefined
        ? answerWith(seen, 'Done.')
        : useTool(seen, { name: 'Bash', input: { command, description: 'x' } });
    };
    const report = await work({ tools: { mode: 'implement', commands: ['git *', 'gh *'] } });
    expect(report.outcome).toMatchObject({ kind: 'refused', by: 'permissions' });
    expect(report.denials.map(({ target }) => target)).toEqual(commands);
  });
});

describe('what goes wrong', () => {
  it.each<[string, () => Reply, object, limitMilliseconds?: number]>([
    ['silence', () => 'silence', { kind: 'failed', why: 'timeout' }, 4_000],
    ['garbage', () => ({ body: '<html>not what you think' }), { kind: 'failed' }],
    ['a request that is refused', () => refuseWith(400, noRetry), { kind: 'refused', by: 'model' }],
  ])('%s from the provider', async (_, reply, outcome, limitMilliseconds = 30_000) => {
    world.server.script = reply;
    expect((await work({ limitMilliseconds }, make(one))).outcome).toMatchObject(outcome);
    expect(keysSeen()).toEqual([tokenCanary]);
  });

  it.each<[string, string, { readonly why: string }]>([
    ['ends at once', 'exit 3', { why: 'crash' }],
    ['complains', `echo "the key ${tokenCanary} is odd" >&2; exit 1`, { why: 'crash' }],
    ['says nothing', 'exit 0', { why: 'garbage' }],
    ['ends in the middle of a line', `printf '{"type":"result","subty'`, { why: 'garbage' }],
    ['kills itself', 'kill -9 $$', { why: 'crash' }],
  ])('a CLI that %s', async (_, text, outcome) => {
    const report = await work({}, make(both, world.script(text)));
    expect(report.outcome).toMatchObject({ kind: 'failed', ...outcome });
    expect(JSON.stringify(report)).not.toContain('canary');
    // One that broke before anybody said anything is tried with the other credential.
    expect(report.earlier).toHaveLength(outcome.why === 'crash' ? 1 : 0);
  });

  it('a CLI that is not there', async () => {
    const nowhere = make({ ...both, PATH: world.folder });
    expect(await nowhere.checkReady()).toContain('not installed');
    expect((await work({}, nowhere)).outcome).toMatchObject({ kind: 'failed', why: 'not-installed' });
  });

  it('another model than Claude is not believed', async () => {
    const result = {
      ...{ type: 'result', subtype: 'success', is_error: false, result: 'x', num_turns: 1 },
      modelUsage: { 'llama-3': { outputTokens: 50 } },
    };
    const path = world.script(`echo '${JSON.stringify(result)}'`);
    expect((await work({}, make(both, path))).outcome).toMatchObject({ kind: 'failed', why: 'wrong-model' });
  });

  it('a flood of output is neither kept nor in the way of the result', async () => {
    const result = {
      ...{ type: 'result', subtype: 'success', is_error: false, result: 'Done.', num_turns: 1 },
      modelUsage: { 'claude-sonnet-4-5': { outputTokens: 5 } },
    };
    // A gigabyte: half of it in one line, the rest in lines that look like ours.
    const path = world.script(
      [
        'head -c 536870912 /dev/zero | tr "\\0" x; echo',
        `yes '{"type":"assistant","message":"${'x'.repeat(4000)}"}' | head -c 536870912; echo`,
        `echo '${JSON.stringify(result)}'`,
      ].join('\n'),
    );
    const before = process.memoryUsage().rss;
    let highest = before;
    const timer = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss);
    }, 20);
    const report = await work({ limitMilliseconds: 120_000 }, make(both, path));
    clearInterval(timer);
    expect(report.outcome).toEqual({ kind: 'finished', text: 'Done.', object: null });
    expect((highest - before) / 1024 / 1024).toBeLessThan(300);
  }, 180_000);

  it('a secret that the model repeats is not told', async () => {
    world.server.script = (seen, index) =>
      index === 0
        ? useTool(seen, writeFile(`${tokenCanary}.txt`), `${'I know '.repeat(27)}${tokenCanary}.`)
        : answerWith(seen, `It is ${tokenCanary} or ${keyCanary}.`);
    const told: unknown[] = [];
    const report = await work({ onProgress: (progress) => told.push(progress) });
    expect(report.outcome).toMatchObject({ kind: 'finished', text: 'It is [key] or [key].' });
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify([report, told])).not.toMatch(/canary|sk-ant/u);
  });

  it('what it leaves running when it ends by itself is ended too', async () => {
    writeFileSync(
      join(world.worktree, 'serve.sh'),
      '#!/bin/sh\nsetsid sleep 300 >/dev/null 2>&1 & echo $! > pid.txt\n',
      { mode: 0o755 },
    );
    world.server.script = (seen, index) =>
      index === 0
        ? useTool(seen, { name: 'Bash', input: { command: './serve.sh', description: 'x' } })
        : answerWith(seen, 'Done.');
    const report = await work({ tools: { mode: 'implement', commands: ['./serve.sh'] } });
    expect(report.outcome.kind).toBe('finished');
    const id = Number(readFileSync(join(world.worktree, 'pid.txt'), 'utf8'));
    await expect.poll(() => isRunning(id)).toBe(false);
  });
});
