/** Makes a plan for an issue, with a coding agent that can only read, and posts it with the way to approve it. */

import { seeText } from '../../domain/forge/seen-text.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { GatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import type { ImplementerTask } from './gather-facts.ts';
import { implementerManifest } from './manifest.ts';
import { planComment, quietPlan } from './rules/implementer-texts.ts';
import { planTask } from './task-text.ts';
import { withWorkingLabel } from './with-working-label.ts';

const turnLimit = implementerManifest.planTurns ?? 25;

export function makePlan(context: AgentContext, assignment: ImplementerTask): Promise<AgentEnd> {
  const { forge, ledger, models, prompts, repository, runId, settings, transport, workspaces } = context;
  const { number } = assignment;
  const isRevision = assignment.facts.hasOpenPlan && assignment.plan !== null;
  return withWorkingLabel(context, assignment, async () => {
    const base = await context.once('base', async () =>
      transport.fetchBranch(repository, await forge.defaultBranch(repository)),
    );
    const { folder } = await workspaces.open(runId, base, base);
    const earlier =
      isRevision && assignment.plan !== null ? await ledger.getText(assignment.plan.hash) : null;
    const { end } = await models.code(
      {
        role: 'planner',
        call: assignment.calls.planner,
        folder,
        instructions: await prompts.render('agent-plan', {}),
        task: planTask(assignment, earlier),
        tools: { mode: 'plan' },
        turnLimit,
        purpose: `planning #${number}`,
        lookAfter: async () => null,
      },
      null,
    );
    if (end.kind !== 'finished' || end.text.trim() === '')
      throw new GatewrightError(
        'plan-unfinished',
        `No plan for #${number} came of ${countOf(turnLimit, 'turn')}.`,
      );
    const plan = quietPlan(end.text);
    const comment = await say(context, 'plan', number, planComment(plan, settings.handle, isRevision));
    const { handle } = settings;
    const data = { plan: await ledger.putText(plan), comment, seen: seeText(assignment), handle };
    await context.record({ kind: 'plan-proposed', key: runId, data });
    return { message: `a plan for #${number} waits for an answer` };
  });
}
