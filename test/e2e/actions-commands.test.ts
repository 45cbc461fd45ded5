/** The commands of the three jobs, with what GitHub gives a job: variables, files for outputs and summaries. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCommand } from '../actions/job-log.ts';
import { playTape } from '../support/chain-world.ts';
import { FleetWorld } from '../support/fleet-world.ts';

const finding = {
  severity: 'major',
  category: 'correctness',
  path: 'topic.txt',
  line: 1,
  title: 'A <b>word</b>',
  detail: 'Say | what ::error:: it ##[add-mask]is.\n::warning::Or not.',
};

let world: FleetWorld;
let environment: Record<string, string>;

const fileOf = (name: string): string => join(world.playground.folder, name);
const read = (name: string): string => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '');

/** What the runner of GitHub would obey. */
function commandsIn({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string[] {
  return `${stdout}\n${stderr}`.split('\n').flatMap((line) => readCommand(line)?.name ?? []);
}

function run(job: string, ...words: string[]) {
  const agents = words.includes('--agents') ? [] : ['--agents', 'reviewer'];
  return world.playground.run(['actions', ...words, ...agents], {
    env: { ...environment, GITHUB_OUTPUT: fileOf(`${job}.out`), GITHUB_STEP_SUMMARY: fileOf(`${job}.md`) },
  });
}

beforeEach(async () => {
  const plain = await FleetWorld.open();
  const { number, head } = await plain.openPullRequest('topic', { 'topic.txt': 'x\n' });
  const call = {
    ...{ role: 'reviewer', call: 1, request: { includes: ['topic.txt'] } },
    answer: { object: { summary: 'One thing.', findings: [finding] } },
  };
  const settings = playTape(plain, { calls: [call] });
  world = await plain.reopen(settings);
  const payload = {
    action: 'opened',
    number,
    pull_request: {
      ...{ number, state: 'open', draft: false, merged: false, title: 'Work on topic', body: '' },
      ...{ user: { login: 'alice', type: 'User' }, head: { sha: head, ref: 'topic' }, base: { ref: 'main' } },
      ...{ created_at: '2026-11-18T10:00:00Z', updated_at: '2026-11-18T10:00:00Z' },
    },
    repository: { full_name: world.repository, default_branch: 'main' },
    sender: { login: 'alice', type: 'User' },
  };
  writeFileSync(fileOf('event.json'), JSON.stringify(payload));
  environment = {
    ...settings,
    ...{ GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: fileOf('event.json') },
    ...{ GITHUB_REPOSITORY: world.repository, GITHUB_RUN_ID: '4711', GITHUB_RUN_ATTEMPT: '1' },
    ...{ GITHUB_SHA: world.git('rev-parse', 'main').trim(), GITHUB_ACTIONS: 'true' },
  };
});
afterEach(() => world.remove());

describe('the jobs of a workflow for the reviewer', () => {
  it('begin, propose and apply a review', async () => {
    const proposal = fileOf('proposal.json');
    const begun = await run('begin', 'apply');
    expect(begun.stderr).toContain('next: propose');
    expect(read('begin.out')).toBe('next=propose\n');
    expect(read('begin.md')).toContain('waits for a model');
    expect((await run('propose', 'propose', '--out', proposal)).code).toBe(0);
    const forge = await world.look();
    expect(await forge.listReviews(world.repository, 1)).toEqual([]);
    const applied = await run('apply', 'apply', '--proposal', proposal);
    expect(applied.code).toBe(0);
    expect(read('apply.out')).toBe('next=done\n');
    expect(await forge.listReviews(world.repository, 1)).toHaveLength(1);
    expect(applied.stdout).toMatch(/^::warning file=topic\.txt,line=1::/mu);
    expect(commandsIn(applied)).toEqual(['warning']);
    const summary = read('apply.md');
    expect(summary).toContain('flowchart LR');
    expect(summary).toContain('https://github.com/local/project/actions/runs/4711');
    // Again, as after a job that was cut off: nothing is done twice.
    expect((await run('again', 'apply', '--proposal', proposal)).code).toBe(0);
    expect(await forge.listReviews(world.repository, 1)).toHaveLength(1);
  });

  it('refuse the proposal of another workflow run, and tell it once', async () => {
    const proposal = fileOf('proposal.json');
    await run('begin', 'apply');
    await run('propose', 'propose', '--out', proposal);
    environment = { ...environment, GITHUB_RUN_ID: '4712' };
    for (const job of ['apply', 'again']) {
      const { code, stderr } = await run(job, 'apply', '--proposal', proposal);
      expect(code).toBe(1);
      expect(stderr).toContain('it is for another workflow run');
      expect(read(`${job}.md`)).toContain('Nothing was changed');
    }
    const told = await world.house.ledger.readSubject(`${world.repository}~proposals`);
    expect(told.map(({ kind }) => kind)).toEqual(['proposal-refused']);
    expect(await (await world.look()).listReviews(world.repository, 1)).toEqual([]);
  });

  it('print no command of others, also not in the old form', async () => {
    const agents = 'x\n ::add-mask::secret\n##[group]y ##[error]';
    const refused = await run('begin', 'apply', '--agents', agents);
    expect(refused.stderr).toContain('\n \\::add-mask::secret\n##\\[group]y ##\\[error]');
    expect(commandsIn(refused)).toEqual([]);
    environment = { ...environment, GITHUB_ACTIONS: '' };
    const plain = await run('begin', 'apply', '--agents', agents);
    expect(plain.stderr).toContain('\n ::add-mask::secret\n##[group]y ##[error]');
  });

  it('say what is missing outside of a job', async () => {
    environment = { ...environment, GITHUB_RUN_ID: '' };
    const { stderr, code } = await run('begin', 'apply');
    expect(code).toBe(2);
    expect(stderr).toContain('GITHUB_RUN_ID');
  });
});
