/** Loads the issue and the base, and makes the state document from them. */
import { GatewrightError } from '../../../errors.ts';
import { readIssueWords } from '../../rules/issue-words.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { initialState } from '../rules/document/initial-state.ts';
import { chooseType } from '../rules/triage/issue-type.ts';
import type { PipelineState } from '../state.ts';
import { chooseFile, fileNamesOf, keepDocument, showDocument } from './read-document.ts';

export function branchOf(number: number): string {
  return `agent/issue-${number}`;
}

export async function loadIssue(
  context: PipelineContext,
  state: PipelineState,
): Promise<Partial<PipelineState>> {
  const { forge, repository, request, startedAt, transport } = context;
  const { number } = request;
  const { title, body, state: standing, labels, url } = await forge.getIssue(repository, number);
  if (standing !== 'open') throw new GatewrightError('issue-changed', `Issue #${number} is closed.`);
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
      branch: branchOf(number),
      sessionId: `${startedAt.toISOString().slice(0, 10)}-issue-${number}`,
    }),
  );
  await showDocument(context, { file, step: state.step }, document);
  return { base, document, file, route: 'triage' };
}
