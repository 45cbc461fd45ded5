/** The comments with which a loop stops for a person: what happened, and each way to go on. */

import {
  blockOf,
  codeOf,
  fitComment,
  lineOf,
  listOf,
  proseOf,
} from '../../../issue-runs/rules/comment-words.ts';
import type { Prd, UserStory } from '../document/prd.ts';
import { type CommentPrefixes, commentPrefixes } from './prefixes.ts';

/** A task that failed too often is no kind of comment that is read again: the document names no prefix for it. */
const blockedHeading = '## 🚫 Task Blocked';

interface Verified {
  readonly command: string;
  readonly isPassed: boolean;
}

function resultsOf(verified: readonly Verified[], scale: number): string[] {
  if (verified.length === 0) return ['No command was run.'];
  const lines = verified
    .slice(0, Math.ceil(100 * scale))
    .map(({ command, isPassed }) => `${isPassed ? '✓' : '✗'} ${command.replace(/\s+/gu, ' ').slice(0, 500)}`);
  return blockOf(lines.join('\n'));
}

/** Retrying does not help any more; the plan may be wrong. */
export function writeReplanCheckpoint(
  {
    reason,
    handle,
    issue,
    isPlannedAnew = false,
  }: {
    readonly reason: string;
    readonly handle: string;
    readonly issue: number;
    /** A new plan follows without a word of a person; they approve it. */
    readonly isPlannedAnew?: boolean;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const howToGoOn = isPlannedAnew
    ? [
        'A new plan for what is left follows in the next comment. It needs an approval; tasks that passed stay.',
      ]
    : [
        ...['### How to go on', ''],
        `- To change the plan, comment \`@${handle} replan: …\` and say what should be different, or run \`gatewright loop replan ${issue} --change "…"\`. The new plan needs an approval; tasks that passed stay.`,
        `- To try the same task again, comment \`@${handle} retry …\` and say what the next attempt should do, or run \`gatewright loop retry ${issue}\`.`,
      ];
  return fitComment((scale) =>
    [
      ...[prefixes.replanCheckpoint, '', 'The same work was tried again and again without success:'],
      ...['', proseOf(reason, Math.ceil(2000 * scale)) || 'The limit of retries is reached.'],
      ...[
        '',
        '`debugState.status` in `prd.json` is `replan_required`. Nothing more is tried before a person decides.',
      ],
      ...['', ...howToGoOn],
      '',
    ].join('\n'),
  );
}

/** A task used all its attempts, and no other can be done. */
export function writeTaskBlocked({
  exhausted,
  waiting,
  handle,
  issue,
}: {
  readonly exhausted: readonly UserStory[];
  readonly waiting: readonly UserStory[];
  readonly handle: string;
  readonly issue: number;
}): string {
  const [first] = exhausted;
  return fitComment((scale) => {
    const title = (story: UserStory): string => `${story.id}: ${lineOf(story.title, Math.ceil(120 * scale))}`;
    return [
      first === undefined ? blockedHeading : `${blockedHeading}: ${first.id}`,
      ...['', 'No task can be tried any more, so the loop stopped.'],
      ...(exhausted.length === 0
        ? []
        : [
            ...['', 'These tasks used all their attempts; their task logs say what failed:', ''],
            ...listOf(
              exhausted.map((story) => `${title(story)} (${story.attempts} attempts)`),
              50 * scale,
            ),
          ]),
      ...(waiting.length === 0
        ? []
        : [
            ...['', 'These wait for another task:', ''],
            ...listOf(
              waiting.map((story) => `${title(story)} (after ${story.dependsOn.join(', ')})`),
              50 * scale,
            ),
          ]),
      ...['', '### How to go on', ''],
      `- Write here what the next attempt should know; a comment of a person with write permission is in its context. Then run \`gatewright loop retry ${issue}\`, or comment \`@${handle} retry\`.`,
      `- To skip a task, comment \`@${handle} skip ${first?.id ?? 'US-001'}: …\` with the reason, or run \`gatewright loop skip ${issue} ${first?.id ?? 'US-001'} --reason "…"\`.`,
      `- To change the plan, comment \`@${handle} replan: …\`, or run \`gatewright loop replan ${issue} --change "…"\`.`,
      '',
    ].join('\n');
  });
}

/** Every task passed by itself, and together they do not. */
export function writeWholeBlocked({
  verified,
  handle,
  issue,
}: {
  readonly verified: readonly Verified[];
  readonly handle: string;
  readonly issue: number;
}): string {
  return fitComment((scale) =>
    [
      `${blockedHeading}: the whole branch`,
      ...['', 'Every task passed, but on the whole branch not all commands succeed:', ''],
      ...resultsOf(verified, scale),
      ...['', '### How to go on', ''],
      `- Push a correction to the branch, then comment \`@${handle} retry\`, or run \`gatewright loop retry ${issue}\`: all commands are run again.`,
      `- To have it planned, comment \`@${handle} replan: …\`, or run \`gatewright loop replan ${issue} --change "…"\`; tasks that passed stay.`,
      '',
    ].join('\n'),
  );
}

/** The kinds of a problem that a person may report, as the document has them. */
export const issueTypes = ['Behavior', 'Error', 'Missing', 'Visual', 'Other'] as const;

/** All tasks passed; now a person tries the whole. */
export function writeTestingCheckpoint(
  {
    prd,
    branch,
    issue,
    verified,
    handle,
  }: {
    readonly prd: Pick<Prd, 'userStories'>;
    readonly branch: string;
    readonly issue: number;
    readonly verified: readonly Verified[];
    readonly handle: string;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  return fitComment((scale) => {
    const tasks = prd.userStories.map(({ id, title }) => `${id}: ${lineOf(title, Math.ceil(120 * scale))}`);
    return [
      ...[prefixes.testingCheckpoint, '', '🎉 ALL TASKS PASSING', ''],
      `All ${prd.userStories.length} tasks passed on the branch ${codeOf(branch)}. Please test it by hand.`,
      ...['', '### What was done', '', ...listOf(tasks, 100 * scale)],
      ...['', '### Verification Results', '', ...resultsOf(verified, scale)],
      ...['', '### How to answer', ''],
      `- **Works:** comment \`@${handle} works\`, and the pull request is made; or \`gatewright loop testing ${issue} works\`. Then \`gatewright loop close ${issue}\` writes the report and makes the pull request.`,
      `- **Issue:** comment \`@${handle} issue: …\`, with lines for \`Type:\` and \`Location:\`; or \`gatewright loop testing ${issue} issue\` asks these questions. An agent tries to mend it:`,
      `  1. Issue type: ${issueTypes.join(' / ')}.`,
      '  2. Location: one of the tasks above, or another place.',
      '  3. Description: what happens, and what should happen instead.',
      `- **Later:** say nothing, or \`gatewright loop testing ${issue} later\`. The loop waits.`,
      '',
    ].join('\n');
  });
}

export function writeDebugSession(
  report: {
    readonly type: string;
    readonly location: string;
    readonly description: string;
    readonly by: string;
    readonly attempt: number;
    readonly most: number;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const { type, location, description, by, attempt, most } = report;
  return fitComment((scale) =>
    [
      ...[prefixes.debugSession, ''],
      `**Attempt:** ${attempt} of ${most}  `,
      `**Issue type:** ${lineOf(type, 100) || 'Other'}  `,
      `**Location:** ${lineOf(location, 200) || 'not said'}  `,
      `**Reported by:** ${codeOf(by, 60)}`,
      ...['', '### Description', '', proseOf(description, Math.ceil(4000 * scale)) || 'None.', ''],
    ].join('\n'),
  );
}

export function writeDebugFixed(
  fix: {
    readonly attempt: number;
    readonly commit: string;
    readonly summary: string;
    readonly verified: readonly Verified[];
    readonly handle: string;
    readonly issue: number;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const { attempt, commit, summary, verified, handle, issue } = fix;
  return fitComment((scale) =>
    [
      ...[prefixes.debugFixed, '', `**Attempt:** ${attempt}  `, `**Commit:** ${codeOf(commit.slice(0, 12))}`],
      ...['', '### Summary', '', proseOf(summary, Math.ceil(3000 * scale)) || 'None.'],
      ...['', '### Verification Results', '', ...resultsOf(verified, scale)],
      '',
      `Please test again. Comment \`@${handle} works\` or \`@${handle} issue: …\`, or answer with \`gatewright loop testing ${issue} works\`, \`issue\` or \`later\`.`,
      '',
    ].join('\n'),
  );
}

export function writeDebugBlocked(
  blocked: {
    readonly attempts: number;
    readonly failures: readonly string[];
    readonly handle: string;
    readonly issue: number;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const { attempts, failures, handle, issue } = blocked;
  return fitComment((scale) =>
    [
      ...[
        prefixes.debugBlocked,
        '',
        `${attempts} attempts to mend what testing found failed. The last one because of:`,
        '',
      ],
      ...(failures.length === 0
        ? ['- no reason that is known']
        : listOf(
            failures.map((one) => lineOf(one, Math.ceil(400 * scale))),
            20 * scale,
          )),
      ...['', '### How to go on', ''],
      `- Write here what the next attempt should know, then run \`gatewright loop retry ${issue}\`, or comment \`@${handle} retry\`.`,
      '- Or push a correction to the branch yourself; it is taken over.',
      '',
    ].join('\n'),
  );
}
