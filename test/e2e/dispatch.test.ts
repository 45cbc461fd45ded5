/** The command that feeds deliveries to the agents, as somebody at a terminal or in a workflow meets it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';

const person = (login: string) => ({ login, type: 'User', id: 1 });

let playground: Playground;
beforeEach(async () => {
  playground = new Playground({ brief: null });
  playground.git('checkout', '--quiet', '-b', 'big');
  playground.write('big.txt', 'x\n'.repeat(500));
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'Much');
  playground.git('checkout', '--quiet', 'main');
  const opened = await playground.run(['forge', 'pr', 'create', '--title', 'Big', '--head', 'big']);
  expect(opened.code, opened.all).toBe(0);
});
afterEach(() => playground.remove());

function save(payload: unknown): string {
  const file = join(playground.folder, 'event.json');
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return file;
}

function opened(repository = 'local/project'): object {
  return {
    action: 'opened',
    number: 1,
    repository: { full_name: repository },
    sender: person('alice'),
    pull_request: {
      number: 1,
      head: { sha: playground.git('rev-parse', 'big') },
      updated_at: '2026-11-01T10:00:00Z',
    },
  };
}

const env = { GATEWRIGHT_AGENTS: 'pr-size-guardian' };

async function comments(): Promise<string[]> {
  const records = openRecords(playground);
  const all = await records.forge.listComments('local/project', 1);
  records.close();
  return all.map(({ body }) => body);
}

describe('gatewright dispatch', () => {
  it('acts on a delivery once, and says so the second time', async () => {
    const args = ['dispatch', '--event', save(opened()), '--name', 'pull_request'];
    const first = await playground.run(args, { env });
    expect(first.code, first.all).toBe(0);
    expect(first.stderr).toContain('pr-size-guardian #1');
    expect(await comments()).toHaveLength(1);
    const second = await playground.run(args, { env });
    expect(second.code, second.all).toBe(0);
    expect(second.stderr).toContain('This delivery was received before');
    expect(await comments()).toHaveLength(1);
    const runs = await playground.run(['runs']);
    expect(runs.stdout).toContain('the new pull request #1');
    const explained = await playground.run(['explain', '1']);
    expect(explained.stdout).toContain('its author was told');
    const status = await playground.run(['status']);
    expect(status.stdout).toContain('Today: 0 filed · 1 run of agents done · $0.00');
  });

  it('says when there was nothing to do, and takes no dry run for a real one', async () => {
    const dry = await playground.run(['dispatch', '--dry-run'], { env });
    expect(dry.code, dry.all).toBe(2);
    expect(dry.stderr).toContain('--dry-run goes with --event or --schedule.');
    for (const [args, message] of [
      [['--name', 'issues'], '--name goes with --event.'],
      [['--delivery', 'x'], '--delivery goes with --event or --schedule.'],
      [['--resume', 'x', '--schedule', 'doc-drift'], 'Give one of --event, --schedule and --resume.'],
    ] as const) {
      const refused = await playground.run(['dispatch', ...args], { env });
      expect([refused.code, refused.stderr], refused.all).toEqual([2, expect.stringContaining(message)]);
    }
    expect(await comments()).toEqual([]);
    await playground.run(['dispatch'], { env });
    expect(await comments()).toHaveLength(1);
    const idle = await playground.run(['dispatch'], { env });
    expect(idle.code, idle.all).toBe(0);
    expect(idle.stderr).toContain('Nothing is open.');
  });

  it('shows in a dry run what it would do, and does it afterwards', async () => {
    const args = ['dispatch', '--event', save(opened()), '--name', 'pull_request'];
    const dry = await playground.run([...args, '--dry-run'], { env });
    expect(dry.code, dry.all).toBe(0);
    expect(await comments()).toEqual([]);
    await playground.run(args, { env });
    expect(await comments()).toHaveLength(1);
  });

  it('tells in JSON what came of it', async () => {
    const told = await playground.json<object[]>(
      ['dispatch', '--event', save(opened()), '--name', 'pull_request', '--delivery', 'abc'],
      { env },
    );
    expect(told).toMatchObject([
      { delivery: 'abc', settled: true, runs: [{ agent: 'pr-size-guardian', status: 'done' }] },
    ]);
  });

  it('runs an agent that works by the clock now, once for each id', async () => {
    const health = { env: { GATEWRIGHT_AGENTS: 'health-report' } };
    const args = ['dispatch', '--schedule', 'health-report', '--delivery', 'abc'];
    const first = await playground.run(args, health);
    expect(first.code, first.all).toBe(0);
    expect(first.stderr).toContain('for its schedule');
    const again = await playground.run(args, health);
    expect(again.stderr).toContain('This delivery was received before');
    const later = await playground.json<object[]>(args.slice(0, 3), health);
    expect(later).toMatchObject([
      { delivery: expect.stringMatching(/^manual\/[0-9A-Z]{26}$/u), runs: [{ status: 'done' }] },
    ]);
    const records = openRecords(playground);
    const reports = await records.forge.listIssues('local/project', { label: 'agent-health-report' });
    records.close();
    expect(reports).toHaveLength(1);
    for (const [words, more] of [
      ['--schedule has to be one of: daily-digest, health-report', ['--schedule', 'nightly']],
      ['The agent doc-drift is switched off here.', ['--schedule', 'doc-drift']],
      ['Give one of --event and --schedule.', ['--schedule', 'health-report', '--event', '-']],
    ] as const) {
      const refused = await playground.run(['dispatch', ...more], health);
      expect(refused.code, refused.all).toBe(2);
      expect(refused.stderr).toContain(words);
    }
  });

  it.each([
    ['no JSON', 'nonsense', ['--name', 'pull_request'], 1, 'is not JSON'],
    ['another form', '{"action":"opened"}', ['--name', 'pull_request'], 1, 'not what GitHub sends'],
    ['no name', '{}', [], 2, 'Give --name with the name of the event'],
  ])('refuses %s and changes nothing', async (_, text, args, code, words) => {
    const result = await playground.run(['dispatch', '--event', save(text), ...args], { env });
    expect(result.code, result.all).toBe(code);
    expect(result.stderr).toContain(words);
    expect(await comments()).toEqual([]);
  });

  it('resumes a run in its own repository, wherever it is told to', async () => {
    await playground.run(['forge', 'issue', 'create', '--title', 'Hello', '--body', '@claude please']);
    // No coding agent is installed here.
    const stopped = await playground.run(['dispatch'], { env: { GATEWRIGHT_AGENTS: 'implementer' } });
    const [, id = ''] = /dispatch --resume (\w{26})/u.exec(stopped.all) ?? [];
    expect(id, stopped.all).not.toBe('');
    const other = join(playground.folder, 'other');
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', other]);
    const nowhere = join(playground.folder, 'nowhere');
    mkdirSync(nowhere);
    for (const cwd of [other, nowhere]) {
      const resumed = await playground.run(['dispatch', '--resume', id], { cwd });
      expect(resumed.code, resumed.all).toBe(stopped.code);
      expect(resumed.stderr).toContain(`This run works in ${playground.repository}`);
      expect(resumed.stderr).toContain('the Claude Code CLI is not installed');
    }
    const forced = await playground.run(['dispatch', '--resume', id, '--repo', other]);
    expect(forced.code, forced.all).toBe(2);
    expect(forced.stderr).toContain(
      `The run ${id} belongs to local/project; this repository is local/other.`,
    );
  });

  it('refuses what happened elsewhere', async () => {
    const file = save(opened('somebody/else'));
    const result = await playground.run(['dispatch', '--event', file, '--name', 'pull_request'], { env });
    expect(result.code, result.all).toBe(1);
    expect(result.stderr).toContain('This happened in somebody/else; this repository is local/project.');
  });

  it('says that nobody reacts to an event that is not for agents', async () => {
    const file = save({ action: 'created', repository: { full_name: 'local/project' }, sender: person('a') });
    const result = await playground.run(['dispatch', '--event', file, '--name', 'star'], { env });
    expect(result.code, result.all).toBe(0);
    expect(result.stderr).toContain('No agent reacts to star.');
  });

  it('knows whose time it is by the line of cron that GitHub names, once for each slot', async () => {
    const digest = { GATEWRIGHT_AGENTS: 'daily-digest' };
    const run = (cron: unknown, more = {}) =>
      playground.run(['dispatch', '--event', save({ schedule: cron, ...more }), '--name', 'schedule'], {
        env: digest,
      });
    const first = await run('0 8 * * *', { repository: { full_name: 'local/project' } });
    expect(first.code, first.all).toBe(0);
    expect(first.stderr).toContain('daily-digest');
    expect((await run('0 8 * * *')).stderr).toContain('This delivery was received before');
    expect((await run('0 9 * * 1')).stderr).toContain('stale-gardener: switched off here');
    expect((await run('5 5 5 5 5')).stderr).toContain('No agent has a schedule at "5 5 5 5 5"');
    expect((await run(7)).stderr).toContain('(event-invalid)');
    expect((await run('0 8 * * *', { repository: { full_name: 'o/other' } })).stderr).toContain(
      '(event-invalid)',
    );
  });
});
