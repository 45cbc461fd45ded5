/** The replayed coding agent passes the contract of coding agents. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { makeCassetteAgent } from '../../src/adapters/cassette/cassette-agent.ts';
import type { Sandbox } from '../../src/ports/sandbox.ts';
import { isWithoutSandbox, needSandbox } from '../support/needs-sandbox.ts';
import { type CodingWorld, canaries, codingAgentContract, type Scenario } from './coding-agent.contract.ts';

function outcomeOf(end: Scenario['end']): object {
  if ('quota' in end) return { quota: { until: '2026-11-15T11:00:00.000Z' } };
  return 'refused' in end ? { refused: 'I cannot.' } : end;
}

async function openWorld(sandbox?: Sandbox): Promise<CodingWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-cassette-agent-'));
  const worktree = join(folder, 'worktree');
  mkdirSync(worktree);
  return {
    folder,
    worktree,
    make(scenario) {
      const file = join(folder, 'work.cassette.json');
      const work = {
        role: 'coder',
        call: 1,
        request: { includes: ['Change the files.'] },
        steps: scenario.steps,
        outcome: outcomeOf(scenario.end),
        usage: { inputTokens: 1000, outputTokens: 200 },
      };
      const models = { coder: { name: 'claude-test', title: 'Claude' } };
      writeFileSync(
        file,
        JSON.stringify({ format: 'gatewright-cassette/1', about: 'a test', models, work: [work] }),
      );
      const { PATH = '' } = process.env;
      const environment = { PATH, ANTHROPIC_API_KEY: canaries.model, GITHUB_TOKEN: canaries.forge };
      return makeCassetteAgent(file, 'coder', environment, sandbox);
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

describe.skipIf(isWithoutSandbox)('in a sandbox', () =>
  codingAgentContract('a cassette', async () => openWorld(await needSandbox())),
);
if (process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1')
  codingAgentContract('a cassette without a sandbox', () => openWorld());
