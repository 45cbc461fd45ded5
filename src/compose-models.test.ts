/** Which names make a coding agent, and that each is made once. */
import { describe, expect, it } from 'vitest';
import { thrownCode } from '../test/support/thrown-code.ts';
import { composeModels } from './compose-models.ts';
import { composeSandbox } from './compose-sandbox.ts';
import { loadConfig } from './config/load-config.ts';
import { readConfig } from './config/read-config.ts';

const config = loadConfig(readConfig({ HOME: '/home/alice', USER: 'alice', PATH: '/nowhere' }), null);
const models = composeModels(
  config,
  { read: async () => new Map(), keep: async () => undefined },
  composeSandbox(config),
);

describe('makeCodingAgent', () => {
  it('makes each once', async () => {
    const agent = models.makeCodingAgent('claude:default');
    expect([agent.name, agent.family]).toEqual(['claude:default', 'claude']);
    expect(models.makeCodingAgent('claude:default')).toBe(agent);
    expect(await agent.checkReady()).toContain('not installed');
    expect(models.makeCodingAgent('claude:claude-opus-4-5').price).not.toBeNull();
  });

  it.each([
    'claude:',
    'claude:--dangerously-skip-permissions',
    'google:gemini',
    'cassette:',
    'builtin:outline',
    '',
  ])('%j cannot be the coder', (spec) =>
    expect(thrownCode(() => models.makeCodingAgent(spec))).toBe('model-unknown'),
  );

  it('a cassette has to be there', () => {
    expect(thrownCode(() => models.makeCodingAgent('cassette:/no/such/file'))).toBe('cassette-invalid');
  });
});
