/** Prices of the catalogue that comes with the program, as budgets use them. */
import { describe, expect, it } from 'vitest';
import { agentRoles, usualAgentModels } from '../../domain/fleet/agent-models.ts';
import { costOf } from '../../domain/models/model-price.ts';
import { makePriceCatalogue } from './price-catalogue.ts';

const prices = await makePriceCatalogue()();

describe('the catalogue', () => {
  it.each([
    ['anthropic:claude-sonnet-4-5', 3, 15],
    ['anthropic:claude-opus-4-1-20250805', 15, 75],
    ['google:gemini-2.5-pro', 1.25, 10],
    ['google:gemini-2.5-flash-lite', 0.1, 0.4],
    ['openai:gpt-5', 1.25, 10],
    ['openai:GPT-5-mini', 0.25, 2],
    ['claude:claude-haiku-4-5', 1, 5],
  ])('%s', (spec, input, output) => {
    const price = prices.find(spec);
    expect([price?.input.base, price?.output.base]).toEqual([input, output]);
  });

  it('knows what long prompts and cached tokens cost', () => {
    const price = prices.find('google:gemini-2.5-pro');
    const counts = { output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(costOf(price, { ...counts, input: 200_000 })).toBeCloseTo(0.25);
    expect(costOf(price, { ...counts, input: 300_000 })).toBeCloseTo(0.75);
    expect(costOf(price, { ...counts, input: 100_000, cacheRead: 100_000 })).toBeCloseTo(0.0125);
    const claude = prices.find('anthropic:claude-sonnet-4-5');
    expect(costOf(claude, { ...counts, input: 100_000, cacheWrite: 100_000 })).toBeCloseTo(0.375);
  });

  it.each([
    ...['openai:llama-3-8b', 'openai:', 'google:my-gemini', 'openai:gpt-50', 'anthropic:default'],
    ...['cassette:x.json', 'builtin:outline', '', ':', 'constructor:x', '__proto__:gpt-5', 'toString'],
  ])('%j has no price', (spec) => expect(prices.find(spec)).toBeNull());

  it('has a price for everything that the CLI may run', () => {
    for (const spec of [
      ...agentRoles.map((role) => usualAgentModels[role]),
      ...['claude:default', 'claude:fable', 'claude:a-new-one', 'claude:toString'],
    ])
      expect(prices.find(spec), spec).not.toBeNull();
  });

  it('gives way to what a person sets, for exactly that model', async () => {
    const own = await makePriceCatalogue({ 'openai:llama': { input: 1, output: 2 } })();
    expect(own.find('openai:llama')?.output.base).toBe(2);
    expect(own.find('openai:llama-3')).toBeNull();
    expect(own.find('openai:gpt-5')?.input.base).toBe(1.25);
  });
});
