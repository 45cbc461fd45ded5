/** The five schedules as workflow runs, each with what people see of it; what they open is reviewed, and merged where it may be. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { chainFiles, type Tape } from '../support/chain-world.ts';
import { MovableClock } from '../support/clock-ahead.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { openRealWorld, type RealWorld } from './real-world.ts';

const day = 86_400_000;
let template: string;
let clockFolder: string;
let clock: MovableClock;
let world: RealWorld;

const review = {
  ...{ role: 'reviewer', call: 1, request: { includes: ['You review a change'] } },
  answer: { object: { summary: 'Fine.', findings: [] } },
};
const tape: Tape = {
  work: [
    {
      ...{ role: 'documenter', call: 1, request: { includes: ['README.md'] } },
      steps: [{ edit: 'README.md', replace: 'src/smu.mjs', with: 'src/sum.mjs' }],
      outcome: { text: 'Done.' },
    },
  ],
  calls: [review],
};

/** A repository on the disk of the machine, as its files are followed from elsewhere. */
function makeTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-template-'));
  const git = (...words: readonly string[]): void => {
    const person = ['-c', 'user.name=Template', '-c', 'user.email=template@example.invalid'];
    execFileSync('git', [...person, ...words], { cwd: folder, stdio: 'ignore' });
  };
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, 'CONVENTIONS.md'), '# Conventions\n\nShort names.\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  return folder;
}

/** For the programs and for GitHub. */
function passTime(milliseconds: number): void {
  clock.advance(milliseconds);
  world.server.state.advance(milliseconds);
}

beforeAll(async () => {
  if (isWithoutSandbox) return;
  template = makeTemplate();
  clockFolder = mkdtempSync(join(tmpdir(), 'gw-clock-'));
  clock = new MovableClock(clockFolder);
  world = await openRealWorld(tape, {
    files: { ...chainFiles, 'README.md': '# Project\n\nSee `src/smu.mjs`.\n' },
    variables: { GATEWRIGHT_TEMPLATE: template },
    environment: clock.variables,
  });
  const { server, stored, host } = world;
  // Before the digest and the report of a Friday are due.
  const friday = clock.now;
  friday.setUTCDate(friday.getUTCDate() + ((12 - friday.getUTCDay()) % 7 || 7));
  friday.setUTCHours(6, 0, 0, 0);
  passTime(friday.getTime() - clock.now.getTime());
  server.state.advance(-70 * day);
  server.state.addIssue(stored, 'alice', 'Quiet', 'Nobody said more.', [labelNames.question]);
  server.state.advance(30 * day);
  server.state.addIssue(stored, 'alice', 'It crashes', 'When I press the key.', []);
  server.state.advance(40 * day);
  host.passOver();
});
afterAll(async () => {
  if (isWithoutSandbox) return;
  await world.close();
  for (const folder of [template, clockFolder]) rmSync(folder, { recursive: true, force: true });
});

/** What came of the moment of a schedule: the runs that worked, and what was filed. */
async function strike(cron: string) {
  const { stored, host } = world;
  const [runs, issues] = [host.runs.length, stored.issues.length];
  host.tick(cron);
  await host.settle();
  return { worked: world.worked(runs), filed: stored.issues.slice(issues) };
}

const three = 'begin success, propose success, apply success';

describe.skipIf(isWithoutSandbox)('the clock', { timeout: 900_000 }, () => {
  it('has what changed in the template proposed, for a person to merge', async () => {
    const { worked, filed } = await strike('0 0 * * 1');
    expect(filed, world.logs()).toMatchObject([{ state: 'open' }]);
    const [pull] = world.pulls();
    expect(pull?.labels.toSorted()).toEqual([labelNames.needsReview, labelNames.templateSync]);
    expect(world.stored.git.run('show', `${pull?.pull.head}:CONVENTIONS.md`)).toContain('Short names.');
    expect(worked).toContain('template-sync.yml schedule: apply success');
  });

  it('has quiet issues marked and bare ones labelled', async () => {
    const { worked, filed } = await strike('0 9 * * 1');
    const [quiet, crash] = world.stored.issues;
    expect(quiet?.labels, world.logs()).toContain(labelNames.stale);
    expect(world.saidOn(quiet as never)).toHaveLength(1);
    expect(crash?.labels.toSorted()).toEqual([labelNames.bug, labelNames.stale]);
    expect(filed.map(({ labels }) => labels)).toEqual([[labelNames.gardenerReport]]);
    expect(worked).toEqual(['stale-issue-gardener.yml schedule: apply success']);
  });

  it('has documentation corrected, and the correction reviewed and merged', async () => {
    const { worked } = await strike('0 10 * * 1');
    const pull = world.pulls().at(-1);
    expect(pull?.pull.mergedAt, world.logs()).toBeTruthy();
    expect(world.stored.git.run('show', 'main:README.md')).toContain('src/sum.mjs');
    expect(worked).toContain(`doc-drift-detector.yml schedule: ${three}`);
    expect(worked).toContain(`claude-review.yml workflow_dispatch: ${three}`);
    expect(worked).toContain('auto-merge.yml workflow_dispatch: apply success');
  });

  it('has the day told', async () => {
    passTime(3.5 * 3_600_000);
    const { worked, filed } = await strike('0 8 * * *');
    expect(filed, world.logs()).toMatchObject([{ labels: [labelNames.dailyDigest] }]);
    expect(filed[0]?.body).toContain(`#${world.pulls().at(-1)?.number}`);
    expect(worked).toEqual(['daily-digest.yml schedule: apply success']);
  });

  it('has the week of the agents told', async () => {
    const { worked, filed } = await strike('0 9 * * 5');
    expect(filed, world.logs()).toMatchObject([{ labels: [labelNames.healthReport] }]);
    expect(worked).toEqual(['agent-health-report.yml schedule: apply success']);
  });

  it('leaves a ledger that is sound, and files without a problem', async () => {
    expect(world.host.problems).toEqual([]);
    expect(await world.onLaptop('ledger', 'verify')).toMatch(/^Sound/u);
  });
});
