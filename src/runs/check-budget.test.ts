/** A stop for an unknown price names only what works for that run. */
import { describe, expect, it } from 'vitest';
import { type Budget, defaultBudget } from '../domain/models/budget.ts';
import { toGatewrightError } from '../errors.ts';
import { checkUnpriced } from './check-budget.ts';

function stopOf(
  unpriced: Budget['unpriced'],
  acceptOption?: string,
): { hint: string; resumeWith: string } | null {
  try {
    const budget = { ...defaultBudget, ...(unpriced === undefined ? {} : { unpriced }) };
    checkUnpriced(budget, 'openai:my-model', acceptOption);
    return null;
  } catch (error) {
    const { code, hint, resumeWith } = toGatewrightError(error);
    expect(code).toBe('price-unknown');
    return { hint, resumeWith };
  }
}

describe('a model without a price', () => {
  it('is accepted by an option, where the command of the run has one', () => {
    const stop = stopOf('ask', '--accept-unpriced');
    expect(stop?.resumeWith).toBe('--accept-unpriced');
    expect(stop?.hint).toContain('with the command below');
  });

  it('is accepted by the settings, where the command has no option: in a run of an agent', () => {
    const stop = stopOf('ask');
    expect(stop?.resumeWith).toBe('');
    expect(stop?.hint).not.toMatch(/--accept-unpriced|command below/u);
    expect(stop?.hint).toContain('"budget": { "unpriced": "allow" }');
    expect(stop?.hint).toContain('"prices": { "openai:my-model"');
  });

  it('is refused or allowed, whatever the command', () => {
    for (const option of [undefined, '--accept-unpriced']) {
      expect(stopOf('refuse', option)).toMatchObject({ resumeWith: '' });
      expect(stopOf('refuse', option)?.hint).not.toContain('allow');
      expect(stopOf('allow', option)).toBeNull();
    }
  });
});
