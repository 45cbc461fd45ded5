/**
 * The branch that a pipeline pushes to. One that an earlier pipeline of the issue left, such as with a pull request that was
 * closed, is used again; one that holds work of others, or that an open pull request is made from, is left alone.
 */
import { GatewrightError } from '../../../errors.ts';
import type { PipelineContext } from '../pipeline-context.ts';

type Choosing = Pick<
  PipelineContext,
  'forge' | 'ledger' | 'repository' | 'request' | 'runId' | 'subject' | 'progress'
>;

/** Names that are tried before a person has to look. */
const mostNames = 20;

/** @param turn 1 for the usual name, more where that one is taken */
export function branchOf(number: number, turn = 1): string {
  return `agent/issue-${number}${turn === 1 ? '' : `-${turn}`}`;
}

/** Whether all that is on the branch came from pipelines of this issue, and no open pull request of others rests on it. */
async function isOurs(
  { forge, ledger, repository, runId, subject }: Choosing,
  branch: string,
  sha: string,
): Promise<boolean> {
  const entries = await ledger.readSubject(subject);
  const isPushed = entries.some(
    (entry) =>
      entry.kind === 'effect-intended' &&
      entry.data.effect.kind === 'push-branch' &&
      entry.data.effect.branch === branch &&
      entry.data.effect.commit === sha,
  );
  if (!isPushed) return false;
  const own = entries.flatMap((entry) =>
    entry.kind === 'pull-request-made' && entry.run === runId ? [entry.data.number] : [],
  );
  const open = await forge.listPullRequests(repository, { state: 'open', head: branch });
  return open.every(({ number, head }) => head.branch !== branch || own.includes(number));
}

/** Where the branch has to be for a push: null for nowhere. A branch of others is not touched. */
export async function findExpected(context: Choosing, branch: string): Promise<string | null> {
  const found = await context.forge.getBranch(context.repository, branch);
  if (found === null || (await isOurs(context, branch, found.sha))) return found?.sha ?? null;
  throw new GatewrightError(
    'branch-taken',
    `The branch ${branch} is there already, and no pipeline of this issue made what is on it.`,
  );
}

/** The first name that is free, or that pipelines of this issue left. */
export async function chooseBranch(context: Choosing): Promise<string> {
  const { forge, progress, repository, request } = context;
  const usual = branchOf(request.number);
  for (let turn = 1; turn <= mostNames; turn += 1) {
    const branch = branchOf(request.number, turn);
    const found = await forge.getBranch(repository, branch);
    if (found !== null && !(await isOurs(context, branch, found.sha))) continue;
    if (branch !== usual)
      progress({ kind: 'warning', message: `${usual} holds work of others; this goes to ${branch}.` });
    return branch;
  }
  throw new GatewrightError(
    'branch-taken',
    `The branch ${usual} and ${mostNames - 1} others after it are there already, with work of others.`,
  );
}
