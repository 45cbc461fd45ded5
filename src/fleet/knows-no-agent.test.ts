/** The fleet loops over manifests: no source file in this room calls an agent by its name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agents } from '../agents/agents.ts';
import { agentRoles } from '../domain/fleet/agent-models.ts';

/** Where the word `reviewer` is the role of a model. */
const speakOfRoles = ['agent-context.ts'];

function namesIn(text: string): string[] {
  const literals = [...text.matchAll(/(['"`])([a-z-]+)\1/gu)].map(([, , word = '']) => word);
  return literals.filter((word) => Object.hasOwn(agents, word));
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

describe('the room of the fleet', () => {
  it.each(files)('%s: names no agent', (file) => {
    const named = namesIn(readFileSync(join(import.meta.dirname, file), 'utf8'));
    const roles: readonly string[] = speakOfRoles.includes(file) ? agentRoles : [];
    expect(named.filter((name) => !roles.includes(name))).toEqual([]);
  });

  it('would notice one', () => {
    expect(namesIn(`if (agent === 'auto-merge' || agent === "label-keeper") return \`reviewer\`;`)).toEqual([
      'auto-merge',
      'label-keeper',
      'reviewer',
    ]);
  });
});
