/** The real Claude Code CLI passes the contract of coding agents. */
import { join } from 'node:path';
import { describe } from 'vitest';
import type { Sandbox } from '../../src/ports/sandbox.ts';
import { ClaudeWorld } from '../support/claude-world.ts';
import { isWithoutSandbox, needSandbox } from '../support/needs-sandbox.ts';
import {
  answerWith,
  refuseToAnswer,
  refuseWith,
  type SeenRequest,
  type ToolUse,
  useTool,
} from '../support/scripted-provider.ts';
import { type CodingWorld, canaries, codingAgentContract, type Scenario } from './coding-agent.contract.ts';

function toolUses(worktree: string, { steps, end }: Scenario): ToolUse[] {
  const uses = steps.flatMap((step): ToolUse[] => {
    if ('run' in step)
      return [
        { name: 'Bash', input: { command: step.run.join(' '), description: 'A step', timeout: 600_000 } },
      ];
    const file_path = join(worktree, 'write' in step ? step.write : step.edit);
    if ('write' in step) return [{ name: 'Write', input: { file_path, content: step.content } }];
    // The CLI edits only what it has read.
    return [
      { name: 'Read', input: { file_path } },
      { name: 'Edit', input: { file_path, old_string: step.replace, new_string: step.with } },
    ];
  });
  const object = 'object' in end ? end.object : undefined;
  return object === undefined ? uses : [...uses, { name: 'StructuredOutput', input: object }];
}

async function openWorld(sandbox?: Sandbox): Promise<CodingWorld> {
  const world = await new ClaudeWorld().open();
  return {
    folder: world.folder,
    worktree: world.worktree,
    make(scenario) {
      const uses = toolUses(world.worktree, scenario);
      const { end } = scenario;
      let next = 0;
      world.server.script = (seen: SeenRequest) => {
        const use = uses[next];
        next += 1;
        if (use !== undefined) return useTool(seen, use);
        if ('quota' in end) return refuseWith(429, { 'x-should-retry': 'false' });
        return 'refused' in end ? refuseToAnswer(seen) : answerWith(seen, end.text);
      };
      return world.makeAgent(
        world.environment({ ANTHROPIC_API_KEY: canaries.model, GITHUB_TOKEN: canaries.forge }),
        sandbox === undefined ? {} : { sandbox },
      );
    },
    close: () => world.close(),
  };
}

describe.skipIf(isWithoutSandbox)('in a sandbox', () =>
  codingAgentContract('the Claude Code CLI', async () => openWorld(await needSandbox())),
);
if (process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1')
  codingAgentContract('the Claude Code CLI without a sandbox', () => openWorld());
