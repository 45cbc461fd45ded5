/** Scenes in which the clock wakes an agent. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ScheduleName, WorkerName } from '../../src/domain/fleet/agent-names.ts';
import type { Forge } from '../../src/ports/forge/forge.ts';
import { playTape } from './chain-world.ts';
import type { FleetRoom } from './fleet-room.ts';
import type { FleetScenario } from './fleet-scene.ts';

import { Playground } from './playground.ts';
import type { WorldState } from './world-state.ts';

/** An agent that works by the clock and files what it has to tell as an issue. */
function reportOf(
  schedule: ScheduleName & WorkerName,
  label: string,
  arrange: (world: FleetRoom) => Promise<void>,
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

const fileIssue =
  ({ repository }: FleetRoom, title: string) =>
  (alice: Forge): Promise<unknown> =>
    alice.createIssue(repository, { title, body: '', labels: [] });

const digest = reportOf('daily-digest', 'daily-digest', async (world) => {
  await world.inThePast(0.01, fileIssue(world, 'New'));
});

const health = reportOf('health-report', 'agent-health-report', async () => undefined);

const gardener = reportOf(
  'stale-gardener',
  'gardener-report',
  async (world) => {
    await world.inThePast(70, fileIssue(world, 'Quiet'));
    await world.inThePast(40, fileIssue(world, 'It crashes'));
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
    const environment = { GATEWRIGHT_TEMPLATE: folder, GATEWRIGHT_AGENTS: 'template-sync' };
    return { schedule: 'template-sync', environment };
  },
  expectDone({ forge }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', labels: ['needs-review', 'template_sync'] }]);
  },
};

export const scheduleScenes: readonly FleetScenario[] = [digest, health, gardener, drift, template];
