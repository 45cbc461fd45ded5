/** Loads the issue and the base, and makes the state document from them. */
import { GatewrightError } from '../../../errors.ts';
import { readOrderedText, stopIfHeld } from '../../issue-runs/check-order.ts';
import { readIssueWords } from '../../rules/issue-words.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { initialState } from '../rules/document/initial-state.ts';
import { chooseType } from '../rules/triage/issue-type.ts';
import type { PipelineState } from '../state.ts';
import { chooseBranch } from './choose-branch.ts';
import { chooseFile, fileNamesOf, keepDocument, showDocument } from './read-document.ts';

export async function loadIssue(
  context: PipelineContext,
  state: PipelineState,
): Promise<Partial<PipelineState>> {
  const { forge, repository, request, startedAt, transport } = context;
  const { number } = request;
  const issue = await forge.getIssue(repository, number);
  const { labels, url } = issue;
  if (issue.state !== 'open') throw new GatewrightError('issue-changed', `Issue #${number} is closed.`);
  stopIfHeld(issue);
  const { title, body } = await readOrderedText(context, issue);
  // Before anything is paid: a run without one of its agents would stop in the middle.
  const missing = await context.models.listObstacles();
  if (missing.length > 0)
    throw new GatewrightError('preflight-failed', 'The pipeline cannot ask the agents that it needs.', {
      details: missing,
    });
  const branch = await forge.defaultBranch(repository);
  const base = { branch, commit: await transport.fetchBranch(repository, branch) };
  const file = await chooseFile(context, number);
  if (file === null)
    context.progress({
      kind: 'warning',
      message: `The state is not shown in a file: ${fileNamesOf(number).join(' and ')} hold something else. See it with: gatewright solve state ${number}`,
    });
  const document = await keepDocument(
    context,
    initialState({
      issue: { number, title, url, body, labels },
      type: chooseType(labels, readIssueWords({ title, body })),
      startedAt: startedAt.toISOString(),
      maxAttempts: state.ceiling,
      branch: await chooseBranch(context),
      sessionId: `${startedAt.toISOString().slice(0, 10)}-issue-${number}`,
    }),
  );
  await showDocument(context, { file, step: state.step }, document);
  return { base, document, file, route: 'triage' };
}
