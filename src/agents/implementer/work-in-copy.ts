/** A coding agent at work in a copy of its own: goes on from what this run has pushed, and nothing that it did is lost. */
import { nothingChangedComment } from '../../domain/implementer-texts.ts';
import { workSummarySchema } from '../../domain/work-summary.ts';
import { GatewrightError } from '../../errors.ts';
import type { AgentContext } from '../agent.ts';
import { say } from '../say.ts';
import { prepareCopy } from '../verify-commit.ts';
import { readHistoryOf, type Woken } from './gather-facts.ts';
import { implementerManifest } from './manifest.ts';
import { type Destination, finishPush, type Left, makeEarlySaver, saveUnfinished } from './take-over-work.ts';

const turnLimit = implementerManifest.turns;

interface Job {
  readonly role: 'implementer' | 'fixer';
  readonly prompt: 'agent-implement' | 'agent-fix';
  /** Where the work begins, unless this run has pushed something already. */
  readonly start: string;
  /** The commit whose files steer builds and agents in the copy. */
  readonly steeringFrom: string;
  readonly purpose: string;
  /** Whether what there is so far is pushed while it is worked on. On a pull request each push wakes reviewers and builds. */
  readonly isSavedEarly?: true;
  readonly describe: (start: string) => Promise<string>;
}

export async function workInCopy(context: AgentContext, woken: Woken, to: Destination, job: Job) {
  const { minds, prompts, runId, settings, workspaces } = context;
  await finishPush(context, to);
  const history = await readHistoryOf(context, woken.number);
  // A run that was stopped goes on from what it had pushed by then.
  const start = history.ownWork?.commit ?? job.start;
  const workspace = await workspaces.open(runId, start, job.steeringFrom);
  await prepareCopy(context, workspace.folder);
  const task = await job.describe(start);
  const isSavedEarly = job.isSavedEarly === true && !context.request.dryRun;
  try {
    return await minds.code(
      {
        role: job.role,
        call: woken.calls[job.role],
        folder: workspace.folder,
        instructions: await prompts.render(job.prompt, {}),
        task,
        tools: { mode: 'implement', commands: settings.agentCommands },
        turnLimit,
        purpose: job.purpose,
        ...(isSavedEarly ? { saveProgress: makeEarlySaver(context, to, workspace) } : {}),
        lookAfter: async (): Promise<Left> => ({ start, snapshot: await workspaces.takeSnapshot(workspace) }),
      },
      workSummarySchema,
    );
  } catch (error) {
    await saveUnfinished(context, to, workspace);
    throw error;
  }
}

/** There is nothing to propose: people hear what was said instead. */
export async function stopUnchanged(
  context: AgentContext,
  woken: Woken,
  said: { readonly summary: string; readonly questions: readonly string[] },
): Promise<never> {
  const { number, person } = woken;
  const words = [said.summary, ...said.questions.map((question) => `- ${question}`)].join('\n');
  await say(
    context,
    'nothing-changed',
    number,
    nothingChangedComment(words, context.settings.handle, person),
  );
  throw new GatewrightError('nothing-changed', `Nothing was changed on #${number}.`);
}
