/** Tells people, once, that a change does not work on the newest base. */

import { issueSubject } from '../../domain/ledger/subject.ts';
import { quoteOutput } from '../../domain/text/command-output.ts';
import { inertLine } from '../../domain/text/inert-markdown.ts';
import type { AgentContext } from '../agent.ts';
import type { Member } from './land-pull-request.ts';

export interface Failure {
  readonly why: 'conflict' | 'failed' | 'timed-out';
  /** The end of what the command wrote. Untrusted text. */
  readonly output: string;
  readonly branch: string;
  readonly base: string;
}

/** What a change does that is not merged. */
export const failureWords: Readonly<Record<Failure['why'], string>> = {
  conflict: 'conflicts',
  failed: 'breaks the tests',
  'timed-out': 'makes the tests run too long',
};

async function describePlace(
  { forge, repository }: AgentContext,
  { branch, base }: Failure,
): Promise<string> {
  const [tip] = await forge.listCommits(repository, base, { limit: 1 });
  const title = inertLine(tip?.message.split('\n')[0] ?? '', 100);
  return `${inertLine(branch, 100)} at ${base.slice(0, 12)} (${title})`;
}

function describe({ why, output }: Failure, command: string): string {
  if (why === 'conflict') return 'it conflicts.';
  const how = why === 'failed' ? 'fails' : 'was stopped because it took too long';
  return `\`${command.replaceAll('`', ' ')}\` ${how}.\n${quoteOutput(output).join('\n')}\n`;
}

/** A change that breaks one base may fit another. */
export function rejectionKey(repository: string, { number, head }: Member, branch: string): string {
  return `${issueSubject(repository, number)}@${head}/${branch}`;
}

/** Once for each head and base: other runs that find the same say nothing. */
export async function reportBrokenMerge(context: AgentContext, own: Member, failure: Failure): Promise<void> {
  const { ledger, repository, effects } = context;
  const { number, head } = own;
  const key = rejectionKey(repository, own, failure.branch);
  const known = await ledger.find('merge-rejected', key);
  if (known !== null && known.run !== context.runId) return;
  await effects.perform('breaks', 'create-comment', async () => {
    const place = await describePlace(context, failure);
    const what = describe(failure, (context.settings.verify ?? []).join(' '));
    const text = `Not merged: with ${head.slice(0, 12)} on top of ${place}, ${what}\nIt is tried again after its next commit, or when a label of it changes.\n`;
    return { repository, number, body: await ledger.putText(text), author: context.own };
  });
  await recordBrokenMerge(context, own, failure);
}

/** So that a batch of another pull request does not try it with the same base again. */
export async function recordBrokenMerge(context: AgentContext, own: Member, failure: Failure): Promise<void> {
  const { number, head } = own;
  const { base, why, branch } = failure;
  const output = await context.ledger.putText(failure.output);
  const data = { number, commit: head, base, why, output };
  await context.record({ kind: 'merge-rejected', key: rejectionKey(context.repository, own, branch), data });
}

export async function sayTheBaseIsBroken(
  context: AgentContext,
  { number }: Member,
  failure: Failure,
): Promise<void> {
  const { ledger, repository } = context;
  await context.effects.perform('base-broken', 'create-comment', async () => {
    const place = await describePlace(context, failure);
    const what = describe(failure, (context.settings.verify ?? []).join(' '));
    const text = `This was merged, but not onto what it had been tested with: another change came in between. At ${place}, ${what}\nA person has to look at it.\n`;
    return { repository, number, body: await ledger.putText(text), author: context.own };
  });
}
