/** Opens the pull request of a run, and hands it on: it is reviewed and merged by the rules of every other one. */
import { assessRisk } from '../../domain/changes/change-risk.ts';
import { defaultLabelColour, findLabel } from '../../domain/forge/label-table.ts';
import type { RunResult } from '../../domain/ledger/run.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { findProjectRunners } from '../../runs/coding/proof/find-project-runners.ts';
import type { IssueRequest } from './issue-run.ts';
import type { RunContext } from './run-context.ts';

type Opening = RunContext<IssueRequest, never>;

/** The one risk label that the change deserves by rule. */
async function labelRisk(
  context: Pick<Opening, 'effects' | 'repository' | 'workspaces' | 'trees' | 'settings'>,
  pull: { readonly number: number; readonly base: string; readonly head: string },
): Promise<void> {
  const { effects, repository, workspaces } = context;
  const files = await workspaces.listChanges(pull.base, pull.head);
  const runners = await findProjectRunners(
    context,
    pull.base,
    files.map(({ path }) => path),
  );
  const { label } = assessRisk(files, null, runners);
  const known = findLabel(label);
  await effects.perform(`ensure/${label}`, 'ensure-label', () => ({
    ...{ repository, name: label, colour: known?.colour ?? defaultLabelColour },
    ...(known === undefined ? {} : { description: known.description }),
  }));
  await effects.perform('risk', 'edit-labels', () => ({
    ...{ repository, number: pull.number, add: [label], remove: [] },
  }));
}

interface NewPull {
  readonly branch: string;
  readonly base: { readonly branch: string; readonly commit: string };
  /** The commit that the branch is at. */
  readonly head: string;
  readonly title: string;
  readonly body: string;
  /** What is said of the work where it is summarised; the body where it does not say. */
  readonly summary?: string;
  /** The words of the issue that the work was done for. */
  readonly issue: string;
  /** Files that only record the work. */
  readonly archive?: readonly string[];
}

export async function openPullRequest(
  context: Omit<Opening, 'record'> & { record(entry: Parameters<Opening['record']>[0]): Promise<void> },
  { branch, base, head, title, body, summary = body, issue, archive }: NewPull,
): Promise<RunResult> {
  const { effects, ledger, own, repository, request } = context;
  const made = await effects.perform('pull-request', 'create-pull-request', async () => ({
    ...{ repository, head: branch, base: base.branch, author: own, title },
    body: await ledger.putText(body),
  }));
  const data = {
    ...{ number: made.number, issue: request.number, branch, base: base.branch },
    text: await ledger.putText(issue),
    summary: await ledger.putText(summary),
    ...(archive === undefined ? {} : { archive }),
  };
  await context.record({ kind: 'pull-request-made', key: issueSubject(repository, made.number), data });
  await labelRisk(context, { number: made.number, base: base.commit, head });
  await context.handOn([
    { to: 'reviewer', task: 'start', number: made.number },
    { to: 'pr-size-guardian', task: 'start', number: made.number },
  ]);
  return made;
}
