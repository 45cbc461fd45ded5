import { describe, expect, it } from 'vitest';
import { areIndependent, modelFamily } from './model-family.ts';
import { listUsable, proposeDrafter, proposeReviewer } from './propose-models.ts';

const subsets = [[], ['google'], ['anthropic'], ['openai'], ['google', 'anthropic', 'openai']] as const;
const machines = subsets.flatMap((providers) => [true, false].map((hasClaude) => ({ hasClaude, providers })));

describe('what is proposed', () => {
  it.each(machines)('on a machine with %j is independent and there', (found) => {
    const usable = listUsable(found);
    const drafter = proposeDrafter(usable);
    const reviewer = proposeReviewer(drafter, usable);
    const family = (model: string) => ({ family: model.startsWith('builtin:') ? null : modelFamily(model) });
    expect(areIndependent(family(drafter), family(reviewer))).toBe(true);
    expect([...usable, 'builtin:outline']).toContain(drafter);
    expect([...usable.filter((model) => !model.startsWith('claude:')), 'builtin:checklist']).toContain(
      reviewer,
    );
  });

  it('the CLI drafts where it is, and Gemini reviews', () => {
    const usable = listUsable({ hasClaude: true, providers: ['anthropic', 'google'] });
    expect([proposeDrafter(usable), proposeReviewer('claude:default', usable)]).toEqual([
      'claude:default',
      'google:gemini-2.5-pro',
    ]);
  });
});
