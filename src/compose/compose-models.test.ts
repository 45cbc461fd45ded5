/** Which names make a coding agent or a model for which role, and that each is made once. */
import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../test/support/thrown-code.ts';
import { loadConfig } from '../config/load-config.ts';
import { readConfig } from '../config/read-config.ts';
import { composeModels } from './compose-models.ts';
import { composeSandbox } from './compose-sandbox.ts';

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
    expect(await models.makeCodingAgent('claude:claude-opus-4-5').readPrice()).not.toBeNull();
  });

  it.each([
    'claude:',
    'claude:--dangerously-skip-permissions',
    'google:gemini',
    'cassette:',
    'builtin:outline',
    '',
  ])('%j can neither write code nor plan', (spec) =>
    expect(thrownCode(() => models.makeCodingAgent(spec))).toBe('model-unknown'),
  );

  it('a cassette has to be there', () => {
    expect(thrownCode(() => models.makeCodingAgent('cassette:/no/such/file'))).toBe('cassette-invalid');
  });
});

describe('makeModel', () => {
  it.each([
    ['claude:default', 'drafter', null],
    ['claude:default', 'code reviewer', null],
    ['claude:opus', 'writer', null],
    // It drafts: reviewing drafts as well is what independence forbids.
    ['claude:default', 'reviewer', 'model-unknown'],
    ['claude:opus', 'reviewer', 'model-unknown'],
    ['claude:--model', 'code reviewer', 'model-unknown'],
    ['builtin:checklist', 'code reviewer', 'model-unknown'],
    ['builtin:outline', 'writer', 'model-unknown'],
    ['google:gemini-3-pro', 'code reviewer', null],
  ] as const)('%s as %s', (spec, role, code) => {
    if (code === null) expect(models.makeModel(spec, role).name).toBe(spec);
    else expect(thrownCode(() => models.makeModel(spec, role))).toBe(code);
  });
});
