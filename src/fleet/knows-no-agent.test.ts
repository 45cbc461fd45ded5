/** The fleet loops over manifests: no source file in this room calls an agent or a workflow by its name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agents } from '../agents/agents.ts';
import { agentRoles } from '../domain/fleet/agent-models.ts';
import { workflowNames } from '../domain/fleet/agent-names.ts';

/** Where the word `reviewer` is the role of a model, and `loop` a reason to refuse an order of a program. */
const speakOfRoles = ['agent-context.ts'];
const speakOfReasons = ['judge-actor.ts'];

function namesIn(text: string): string[] {
  const literals = [...text.matchAll(/(['"`])([a-z-]+)\1/gu)].map(([, , word = '']) => word);
  return literals.filter(
    (word) => Object.hasOwn(agents, word) || workflowNames.some((name) => name === word),
  );
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

describe('the room of the fleet', () => {
  it.each(files)('%s: names no agent and no workflow', (file) => {
    const named = namesIn(readFileSync(join(import.meta.dirname, file), 'utf8'));
    const allowed: readonly string[] = [
      ...(speakOfRoles.includes(file) ? agentRoles : []),
      ...(speakOfReasons.includes(file) ? ['loop'] : []),
    ];
    expect(named.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('would notice one', () => {
    const text = `if (agent === 'auto-merge' || agent === "label-keeper") return \`reviewer\` ?? 'loop';`;
    expect(namesIn(text)).toEqual(['auto-merge', 'label-keeper', 'reviewer', 'loop']);
  });
});
