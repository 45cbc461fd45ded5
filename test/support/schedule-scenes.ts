/** Scenes in which the clock wakes an agent. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { WorkerName } from '../../src/domain/agent-names.ts';
import type { ScheduleName } from '../../src/domain/schedule.ts';
import { playTape } from './chain-world.ts';
import type { FleetScenario } from './fleet-scene.ts';
import type { FleetWorld } from './fleet-world.ts';
import { Playground } from './playground.ts';
import type { WorldState } from './world-state.ts';

/** Alice's forge as it was so many days ago. */
function forgeInThePast({ playground }: FleetWorld, days: number): LocalForge {
  const now = () => new Date(systemClock.now().getTime() - days * 86_400_000);
  const database = openDatabase(playground.database);
  return new LocalForge(database, { ...systemClock, now }, 'alice', playground.environment);
}

/** An agent that works by the clock and files what it has to tell as an issue. */
function reportOf(
  schedule: ScheduleName & WorkerName,
  label: string,
  arrange: (world: FleetWorld) => Promise<void>,
  expectMore: (state: WorldState) => void = () => undefined,
): FleetScenario {
  return {
    name: schedule,
    agents: [schedule],
    async arrange(world) {
      await arrange(world);
      return { schedule, environment: {} };
    },
    expectDone(state) {
      expect(state.forge.issues.filter(({ labels }) => labels.includes(label))).toHaveLength(1);
      expectMore(state);
    },
  };
}

async function fileIssue(forge: LocalForge, { repository }: FleetWorld, title: string): Promise<void> {
  await forge.createIssue(repository, { title, body: '', labels: [] });
}

const digest = reportOf('daily-digest', 'daily-digest', async (world) => {
  await fileIssue(forgeInThePast(world, 0.01), world, 'New');
});

const health = reportOf('health-report', 'agent-health-report', async () => undefined);

const gardener = reportOf(
  'stale-gardener',
  'gardener-report',
  async (world) => {
    await fileIssue(forgeInThePast(world, 70), world, 'Quiet');
    await fileIssue(forgeInThePast(world, 40), world, 'It crashes');
  },
  ({ forge: { issues } }) => {
    const marked = issues.filter(({ labels }) => labels.includes('stale'));
    expect(marked.map(({ title, labels }) => [title, labels])).toEqual([
      ['It crashes', ['bug', 'stale']],
      ['Quiet', ['stale']],
    ]);
    expect(marked.map(({ comments }) => comments.length)).toEqual([1, 1]);
  },
);

const drift: FleetScenario = {
  name: 'doc-drift',
  agents: ['doc-drift'],
  files: {
    'README.md': '# Project\n\nSee `src/reprot.ts`.\n',
    'src/report.ts': 'export const rows = 1;\n',
  },
  async arrange(world) {
    const work = {
      ...{ role: 'documenter', call: 1, request: { includes: ['README.md'] } },
      steps: [{ edit: 'README.md', replace: 'src/reprot.ts', with: 'src/report.ts' }],
      outcome: { text: 'Done.' },
    };
    const environment = { ...playTape(world, { work: [work] }), GATEWRIGHT_AGENTS: 'doc-drift' };
    return { schedule: 'doc-drift', environment };
  },
  expectDone({ forge, ledger }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', labels: ['auto-merge', 'documentation'] }]);
    expect(ledger.deeds.filter((deed) => deed.includes('model-answered'))).toHaveLength(1);
  },
};

const template: FleetScenario = {
  name: 'template-sync',
  agents: ['template-sync'],
  async arrange(world) {
    const source = new Playground({ brief: null, name: 'template' });
    // Made in the same second, both beginnings would be the same commit, and the template one that was followed before.
    source.git('commit', '--quiet', '--amend', '--message', 'Template');
    source.commit({ 'ci.yml': 'on: push\n' });
    const folder = join(world.playground.folder, 'template');
    cpSync(source.repository, folder, { recursive: true });
    source.remove();
    return { schedule: 'template-sync', environment: { GATEWRIGHT_TEMPLATE: folder } };
  },
  expectDone({ forge }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', labels: ['needs-review', 'template_sync'] }]);
  },
};

export const scheduleScenes: readonly FleetScenario[] = [digest, health, gardener, drift, template];
