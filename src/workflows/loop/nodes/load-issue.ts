/** Loads the issue, the configuration of the base branch and the scope: what is unclear becomes questions. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { GatewrightError } from '../../../errors.ts';
import { stopIfHeld } from '../../issue-runs/check-order.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeScopeQuestions } from '../rules/comments/scope-questions.ts';
import { loopConfigPath } from '../rules/paths.ts';
import { loopBranchOf } from '../rules/planning/branch-name.ts';
import { scoreScope } from '../rules/planning/scope-score.ts';
import type { LoopState } from '../state.ts';
import { listConfigWarnings, parseConfig } from './read-stored.ts';

/** A branch that is there belongs to an earlier loop, or to people: a new loop begins at the base, beside it. */
async function findFreeBranch(
  { forge, repository, request }: LoopContext,
  { title, prefix }: { readonly title: string; readonly prefix: string },
): Promise<string> {
  for (let again = 0; ; again += 1) {
    const name = loopBranchOf(prefix, request.number, title, again);
    if ((await forge.getBranch(repository, name)) === null) return name;
  }
}

export async function loadIssue(context: LoopContext): Promise<Partial<LoopState>> {
  const { forge, ledger, repository, request, transport, workspaces } = context;
  const { number, isQuick } = request;
  const issue = await forge.getIssue(repository, number);
  const { title, body, state, labels, url } = issue;
  if (state !== 'open') throw new GatewrightError('issue-changed', `Issue #${number} is closed.`);
  stopIfHeld(issue);
  // Before people are asked anything: their answers would wait for a login.
  const missing = await context.models.listObstacles();
  if (missing.length > 0)
    throw new GatewrightError('preflight-failed', 'The loop cannot ask the agents that it needs.', {
      details: missing,
    });
  const branch = await forge.defaultBranch(repository);
  const base = { branch, commit: await transport.fetchBranch(repository, branch) };
  // From the base branch only: a branch under work must not steer how it is judged.
  const found = await workspaces.readFile(base.commit, loopConfigPath);
  for (const message of listConfigWarnings(found)) context.progress({ kind: 'warning', message });
  await moveLabel(context, 'load', labelNames.loopPlanning);
  const { questions } = isQuick ? { questions: [] } : scoreScope({ title, body, labels });
  const texts = questions.map(({ text }) => text);
  const asked =
    texts.length === 0
      ? null
      : await say(context, 'scope', writeScopeQuestions(texts, context.settings.handle));
  return {
    issue: await ledger.putText(JSON.stringify({ number, title, body, url, labels })),
    config: found === null ? null : await ledger.putText(found),
    base,
    questions: texts,
    branch: await findFreeBranch(context, { title, prefix: parseConfig(found).branchPrefix }),
    planComment: asked,
    route: texts.length > 0 ? 'scope' : 'plan',
  };
}
