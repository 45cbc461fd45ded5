/** One issue from end to end with the real Claude Code CLI, talking to a scripted provider on loopback. */
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixed, goodTest, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import {
  answerWith,
  refuseWith,
  ScriptedProvider,
  type ToolUse,
  useTool,
} from '../../../test/support/scripted-provider.ts';

const server = new ScriptedProvider();
let world: ImplementerWorld;
beforeEach(async () => {
  await server.start();
  world = await ImplementerWorld.open();
});
afterEach(async () => {
  await server.stop();
  world.remove();
});

it('is carried out by the CLI, with every attempt and its cost on the ledger', {
  timeout: 120_000,
}, async () => {
  const { playground } = world.fleet;
  const binaries = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin');
  await world.play([], {
    PATH: [binaries, playground.environment.PATH].join(delimiter),
    GATEWRIGHT_CODER: 'claude:claude-sonnet-4-5',
    ANTHROPIC_BASE_URL: server.url,
    CLAUDE_CODE_OAUTH_TOKEN: 'subscription-token',
    ANTHROPIC_API_KEY: 'api-key',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CONFIG_DIR: join(playground.folder, 'claude'),
  });
  const workspaces = join(playground.folder, 'data', 'workspaces');
  const usesIn = (folder: string): ToolUse[] => [
    { name: 'Read', input: { file_path: join(folder, 'src/sum.mjs') } },
    {
      name: 'Edit',
      input: { file_path: join(folder, 'src/sum.mjs'), old_string: 'a - b', new_string: 'a + b' },
    },
    { name: 'Read', input: { file_path: join(folder, 'test/sum.test.mjs') } },
    { name: 'Write', input: { file_path: join(folder, 'test/sum.test.mjs'), content: goodTest } },
    { name: 'Bash', input: { command: 'node --test', description: 'Run the tests' } },
    {
      name: 'StructuredOutput',
      input: { summary: 'sum adds now.', testing: 'node --test', risk: 'auto-merge', questions: [] },
    },
  ];
  let next = 0;
  server.script = (seen) => {
    // The subscription is spent; the key is asked next.
    if (seen.key.includes('subscription-token')) return refuseWith(429, { 'x-should-retry': 'false' });
    const [run = ''] = readdirSync(workspaces);
    const use = usesIn(join(workspaces, run, 'tree'))[next];
    next += 1;
    return use === undefined ? answerWith(seen, 'Done.') : useTool(seen, use);
  };

  const { number, outcomes } = await world.order();
  expect(outcomes[0]?.outcomes[0]?.reason.message).toContain(`#${number} is carried out in`);
  const [pull] = await world.pulls();
  expect(pull?.labels).toEqual(['auto-merge']);
  expect(world.git('show', `${pull?.head.sha}:src/sum.mjs`)).toBe(fixed.trim());
  expect((await world.entries(number, 'command-verified'))[0]?.data.exitCode).toBe(0);

  const [failed] = await world.entries(number, 'model-failed');
  expect(failed?.data).toMatchObject({ credential: 'CLAUDE_CODE_OAUTH_TOKEN', why: 'quota-exhausted' });
  const [answered] = await world.entries(number, 'model-answered');
  expect(answered?.data).toMatchObject({ role: 'implementer', model: 'claude:claude-sonnet-4-5' });
  expect(answered?.data.usage.costUsd).toBeGreaterThan(0);
  expect(answered?.data.usage.turns).toBeGreaterThanOrEqual(6);
  const ledger = JSON.stringify(await world.fleet.entries(number));
  expect(ledger).not.toMatch(/subscription-token|api-key/u);
});
