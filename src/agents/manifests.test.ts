/** Manifests say what holds: they are pure, their words and their code agree, and the agent does what they announce. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import { labelTable } from '../domain/forge/label-table.ts';
import { agents, loadAgent, manifests } from './agents.ts';

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });

describe('the manifests', () => {
  it('are those of all folders that hold an agent', () => {
    const folders = files.flatMap((file) => /^([^/]+)\/manifest\.ts$/u.exec(file)?.slice(1) ?? []);
    expect(Object.keys(agents).sort()).toEqual(folders.sort());
  });

  it.each(files.filter((file) => /(?:^|\/)manifest\.ts$|\/rules\//u.test(file)))(
    '%s: waits for nothing',
    (file) => {
      expect(readFileSync(join(import.meta.dirname, file), 'utf8')).not.toMatch(
        /\b(?:async|await|Promise)\b/u,
      );
    },
  );

  it('agree with the table of labels: a label that starts the implementer is read by it', () => {
    const words = agents.implementer.manifest.triggers
      .map((one) => ('when' in one ? one.when : ''))
      .join('\n');
    const starting = labelTable.filter(({ name }) => words.includes(`"${name}"`));
    expect(starting.length).toBeGreaterThan(5);
    expect(starting.filter(({ readBy }) => !readBy.includes('implementer'))).toEqual([]);
  });

  it.each(manifests)(
    '$name: its triggers say "always" where no code decides, and only there',
    ({ triggers }) => {
      for (const trigger of triggers)
        if ('on' in trigger)
          expect(trigger.when === 'always', trigger.on).toBe(trigger.decides === undefined);
    },
  );

  it.each(Object.keys(agents) as WorkerName[])(
    '%s: its code judges and explains as announced',
    async (name) => {
      const agent = await loadAgent(name);
      const { manifest } = agents[name];
      expect([agent.name, manifest.name]).toEqual([name, name]);
      expect(agent.judge !== undefined).toBe(manifest.guards !== undefined);
      expect(agent.explain !== undefined).toBe(manifest.explains !== undefined);
    },
  );
});
