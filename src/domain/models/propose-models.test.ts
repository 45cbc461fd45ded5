import { describe, expect, it } from 'vitest';
import { areIndependent, modelFamily } from './model-family.ts';
import {
  adviseOnChoice,
  describeFound,
  listUsable,
  proposeDrafter,
  proposeReviewer,
} from './propose-models.ts';

const subsets = [[], ['google'], ['anthropic'], ['openai'], ['google', 'anthropic', 'openai']] as const;
const machines = subsets.flatMap((providers) =>
  (['ready', 'logged-out', 'unknown', 'missing'] as const).map((claude) => ({ claude, providers })),
);

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
    const usable = listUsable({ claude: 'ready', providers: ['openai', 'anthropic', 'google'] });
    expect([proposeDrafter(usable), proposeReviewer('claude:default', usable)]).toEqual([
      'claude:default',
      'google:gemini-2.5-pro',
    ]);
  });

  it.each(['logged-out', 'unknown', 'missing'] as const)('a CLI that is %s is not chosen', (claude) => {
    expect(proposeDrafter(listUsable({ claude, providers: [] }))).toBe('builtin:outline');
    const [said = ''] = describeFound({ claude, providers: [] });
    expect(said.includes('not chosen')).toBe(claude !== 'missing');
  });

  it('says how to get a model where the built-in rules are chosen', () => {
    expect(adviseOnChoice('builtin:outline', 'builtin:checklist')).toContain('claude auth login');
    expect(adviseOnChoice('claude:default', 'builtin:checklist')).toContain('GEMINI_API_KEY');
    expect(adviseOnChoice('google:gemini-2.5-pro', 'builtin:checklist')).toContain('ANTHROPIC_API_KEY');
    expect(adviseOnChoice('claude:default', 'google:gemini-2.5-pro')).toBeNull();
  });
});
