/** What a coding agent is told to do. Everything that others wrote stands between marks. */
import { fenceUntrusted } from '../../domain/text/fence-untrusted.ts';
import type { AgentContext } from '../agent.ts';
import type { ImplementerTask } from './gather-facts.ts';

function describeIssue(assignment: Pick<ImplementerTask, 'number' | 'title' | 'body'>): string {
  return `Issue #${assignment.number}:\n${fenceUntrusted('ISSUE', `${assignment.title}\n\n${assignment.body}`)}`;
}

function describeDiscussion({ discussion }: ImplementerTask): string[] {
  if (discussion.length === 0) return [];
  const said = discussion.map(({ author, text }) => `${author}:\n${text}`).join('\n\n');
  return [`What was said about it since:\n${fenceUntrusted('COMMENTS', said)}`];
}

function describeOrder({ order }: ImplementerTask): string[] {
  return order.trim() === '' ? [] : [`What is asked for now:\n${fenceUntrusted('ORDER', order)}`];
}

function describeCommands({ settings }: AgentContext): string {
  return settings.agentCommands.length === 0
    ? 'You can run no commands here.'
    : `Commands that you can run:\n${settings.agentCommands.map((command) => `- ${command}`).join('\n')}`;
}

export function planTask(assignment: ImplementerTask, earlierPlan: string | null): string {
  return [
    'Plan the work on this issue.',
    describeIssue(assignment),
    ...describeDiscussion(assignment),
    ...(earlierPlan === null
      ? []
      : [
          `The plan so far, which is to be changed:\n${fenceUntrusted('PLAN', earlierPlan)}`,
          'Write the whole plan anew, with what is asked for now in it.',
        ]),
    ...describeOrder(assignment),
  ].join('\n\n');
}

export function implementTask(
  context: AgentContext,
  assignment: ImplementerTask,
  more: { readonly plan: string | null; readonly isBegun: boolean },
): string {
  return [
    'Carry out this issue.',
    describeIssue(assignment),
    ...describeDiscussion(assignment),
    ...(more.plan === null
      ? []
      : [`The plan, which a person has approved. Follow it:\n${fenceUntrusted('PLAN', more.plan)}`]),
    ...describeOrder(assignment),
    ...(more.isBegun
      ? [
          'The work has been begun: what was done so far is in the folder and in its history. Go on from there.',
        ]
      : []),
    describeCommands(context),
  ].join('\n\n');
}

export function fixTask(
  context: AgentContext,
  assignment: ImplementerTask,
  more: {
    readonly review: string | null;
    readonly issue: string | null;
    /** What a person wrote about their own pull request. */
    readonly own: string | null;
    readonly diff: string;
  },
): string {
  return [
    more.review === null
      ? `Change pull request #${assignment.number} as it is asked for.`
      : `Settle what the review of pull request #${assignment.number} found.`,
    ...(more.issue === null ? [] : [`The issue that it is for:\n${fenceUntrusted('ISSUE', more.issue)}`]),
    ...(more.own === null
      ? []
      : [`What its author says about it:\n${fenceUntrusted('PULL REQUEST', more.own)}`]),
    `What the pull request changes so far:\n${fenceUntrusted('DIFF', more.diff)}`,
    ...(more.review === null ? [] : [`The review:\n${fenceUntrusted('REVIEW', more.review)}`]),
    ...describeOrder(assignment),
    describeCommands(context),
  ].join('\n\n');
}

export function mergeTask(
  context: AgentContext,
  assignment: ImplementerTask,
  more: {
    /** The branch that was merged in. */
    readonly base: string;
    readonly conflicts: readonly { readonly path: string; readonly kinds: readonly string[] }[];
    readonly issue: string | null;
    /** What a person wrote about their own pull request. */
    readonly own: string | null;
  },
): string {
  const places = more.conflicts.map(({ path, kinds }) => `${path} (${kinds.join(', ')})`);
  return [
    `Bring pull request #${assignment.number} up to date: settle its conflicts with its base.`,
    ...(more.issue === null ? [] : [`The issue that it is for:\n${fenceUntrusted('ISSUE', more.issue)}`]),
    ...(more.own === null
      ? []
      : [`What its author says about it:\n${fenceUntrusted('PULL REQUEST', more.own)}`]),
    `Files in conflict, each with what git calls the conflict:\n${fenceUntrusted('CONFLICTS', places.join('\n'))}`,
    ...describeOrder(assignment),
    describeCommands(context),
  ].join('\n\n');
}
