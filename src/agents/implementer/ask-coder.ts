/** The coding agent of the implementer: what every piece of its work has in common. */

import { GatewrightError } from '../../errors.ts';
import type { Destination } from '../../runs/coding/coding-context.ts';
import { type CodingWork, workInCopy } from '../../runs/coding/work-in-copy.ts';
import type { AgentContext } from '../agent.ts';
import { say } from '../post-comment.ts';
import type { ImplementerTask } from './gather-facts.ts';
import { implementerManifest } from './manifest.ts';
import { commitMessage, nothingChangedComment } from './rules/implementer-texts.ts';
import { workSummarySchema } from './rules/work-summary.ts';

export const turnLimit = implementerManifest.turns;

interface Job extends Pick<CodingWork<unknown>, 'start' | 'steeringFrom' | 'purpose' | 'describe'> {
  readonly role: 'implementer' | 'fixer';
  readonly prompt: 'agent-implement' | 'agent-fix';
  readonly isSavedEarly?: true;
}

/** Where the work goes: to a branch, as commits that name the issue, or the pull request where there is none. */
export function destinationOf(
  { number, title }: Pick<ImplementerTask, 'number' | 'title'>,
  to: Pick<Destination, 'issue' | 'branch' | 'expected'>,
): Destination {
  const { issue, branch, expected } = to;
  return {
    ...{ issue, branch, expected },
    message: (isWhole) => commitMessage(title, issue ?? number, isWhole),
  };
}

export async function askCoder(
  context: AgentContext,
  assignment: ImplementerTask,
  to: Destination,
  job: Job,
) {
  const { prompts, request, settings } = context;
  const { role, start, steeringFrom, purpose, describe } = job;
  return workInCopy(context, to, {
    ...{ role, start, steeringFrom, purpose, describe, turnLimit, schema: workSummarySchema },
    call: assignment.calls[role],
    instructions: await prompts.render(job.prompt, {}),
    tools: { mode: 'implement', commands: settings.agentCommands },
    isSavedEarly: job.isSavedEarly === true && !request.dryRun,
  });
}

/** There is nothing to propose: people hear what was said instead. */
export async function stopUnchanged(
  context: AgentContext,
  assignment: ImplementerTask,
  said: { readonly summary: string; readonly questions: readonly string[] },
): Promise<never> {
  const { number, person } = assignment;
  const words = [said.summary, ...said.questions.map((question) => `- ${question}`)].join('\n');
  await say(
    context,
    'nothing-changed',
    number,
    nothingChangedComment(words, context.settings.handle, person),
  );
  throw new GatewrightError('nothing-changed', `Nothing was changed on #${number}.`);
}
