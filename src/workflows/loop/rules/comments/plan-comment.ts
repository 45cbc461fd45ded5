/**
 * The plan as people read and approve it. The commands that an approval allows to be run stand in it whole and as they
 * are, each once at least: no limit shortens them.
 */
import { labelNames } from '../../../../domain/forge/labels.ts';
import type { Sha256 } from '../../../../domain/ledger/hash.ts';
import { planQuestion } from '../../../../domain/spoken/approval-words.ts';
import { GatewrightError } from '../../../../errors.ts';
import {
  blockOf,
  codeOf,
  fitComment,
  lineOf,
  listOf,
  longestComment,
  proseOf,
} from '../../../issue-runs/rules/comment-words.ts';
import type { Prd, UserStory } from '../document/prd.ts';
import { type CommentPrefixes, commentPrefixes } from './prefixes.ts';

type PlannedPrd = Pick<Prd, 'userStories' | 'globalVerifyCommands' | 'branchName' | 'formula'>;

export interface PlanCommentInput {
  readonly proposal: {
    readonly summary: string;
    readonly approach: string;
    readonly risks: readonly string[];
    readonly networkHosts: readonly string[];
  };
  readonly prd: PlannedPrd;
  /** The name under which the program is called in a comment. */
  readonly handle: string;
  /** What code found in the plan that a person should look at. */
  readonly remarks?: readonly string[];
  /** Commands of the configuration, which an approval allows too. */
  readonly configured?: readonly string[];
  readonly questions?: readonly { readonly text: string }[];
  /** Of the commands and hosts that an approval grants. */
  readonly hash?: Sha256;
}

/** Every command that an approval allows to be run, once, in the order of the tasks. */
function commandsOf(
  prd: Pick<PlannedPrd, 'userStories' | 'globalVerifyCommands'>,
  configured: readonly string[] = [],
): string[] {
  return [
    ...new Set([
      ...prd.userStories.flatMap(({ verifyCommands }) => verifyCommands),
      ...prd.globalVerifyCommands,
      ...configured,
    ]),
  ];
}

function tableOf(stories: readonly UserStory[], scale: number): string[] {
  const rows = stories.map(({ id, title, dependsOn, files, passes }) => {
    const needs = dependsOn.length === 0 ? '–' : dependsOn.join(', ');
    return `| ${id} | ${lineOf(title, Math.ceil(120 * scale))}${passes ? ' (passed)' : ''} | ${needs} | ${files.length} |`;
  });
  return ['| Task | What | After | Files |', '|---|---|---|---|', ...rows];
}

/** Everything about one task; its commands only where there is room to say them more than once. */
function taskOf(story: UserStory, scale: number, withCommands: boolean): string[] {
  const { id, title, description, files, acceptanceCriteria, verifyCommands } = story;
  const longest = Math.ceil(300 * scale);
  return [
    ...['', `### ${id}: ${lineOf(title, Math.ceil(120 * scale)) || 'Untitled'}`],
    ...['', proseOf(description, Math.ceil(1500 * scale)) || 'No description.'],
    ...(files.length === 0
      ? []
      : [
          '',
          'Files:',
          ...listOf(
            files.map((file) => codeOf(file)),
            30 * scale,
          ),
        ]),
    ...[
      '',
      'It is done when:',
      ...listOf(
        acceptanceCriteria.map((one) => lineOf(one, longest)),
        100 * scale,
      ),
    ],
    ...(!withCommands || verifyCommands.length === 0
      ? []
      : ['', 'Verified by:', ...blockOf(verifyCommands.join('\n'), 'sh')]),
  ];
}

function grantsOf({ prd, proposal, configured = [] }: PlanCommentInput): string[] {
  const commands = commandsOf(prd, configured);
  const hosts = proposal.networkHosts;
  return [
    ...['', '### Commands', ''],
    ...(commands.length === 0
      ? ['The plan has no command.']
      : [
          'An approval allows these commands, just as they stand here, to be run in the sandbox, and no other:',
          ...['', ...blockOf(commands.join('\n'), 'sh')],
          ...(configured.length === 0
            ? []
            : [
                '',
                'These of them come from the configuration of the repository:',
                '',
                ...blockOf(configured.join('\n'), 'sh'),
              ]),
        ]),
    ...['', '### Network', ''],
    ...(hosts.length === 0
      ? ['The commands have no network.']
      : ['The commands may reach these hosts, and no other:', '', ...blockOf(hosts.join('\n'))]),
  ];
}

function write(input: PlanCommentInput, prefix: string, scale: number): string {
  const { proposal, prd, handle, remarks = [], questions = [], hash } = input;
  const list = (items: readonly string[]): string[] =>
    listOf(
      items.map((item) => lineOf(item, Math.ceil(400 * scale))),
      50 * scale,
    );
  return [
    ...[prefix, '', proseOf(proposal.summary, Math.ceil(3000 * scale)) || 'No summary.'],
    '',
    `**Tasks:** ${prd.userStories.length}  `,
    ...(prd.formula ? [`**Formula:** ${prd.formula}  `] : []),
    `**Branch:** ${codeOf(prd.branchName)}`,
    ...[
      '',
      '### Approach',
      '',
      proseOf(proposal.approach, Math.ceil(6000 * scale)) || 'No approach was given.',
    ],
    ...(proposal.risks.length === 0 ? [] : ['', '### Risks', '', ...list(proposal.risks)]),
    ...['', '### Tasks', '', ...tableOf(prd.userStories, scale)],
    ...prd.userStories.flatMap((story) => (story.passes ? [] : taskOf(story, scale, scale === 1))),
    ...grantsOf(input),
    ...(remarks.length === 0 ? [] : ['', '### Remarks of the checks', '', ...list(remarks)]),
    ...(questions.length === 0
      ? []
      : ['', '### Open questions', '', ...list(questions.map(({ text }) => text))]),
    ...['', '### How to approve', ''],
    `**${planQuestion}** If so, a person with write permission comments \`@${handle} approve\`, or sets the label "${labelNames.loopApproved}"; a plain "LGTM", "go ahead" or "yes" will do too. To change it, mention \`@${handle}\` and say what should be different. No file is written and no command is run before that.`,
    ...(hash === undefined
      ? []
      : ['', `An approval holds for the commands and hosts with the hash ${codeOf(hash)}.`]),
    '',
  ].join('\n');
}

/** Throws when the commands alone are too long for a comment: no person could approve them. */
export function writePlanComment(
  input: PlanCommentInput,
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const text = fitComment((scale) => write(input, prefixes.plan, scale));
  if (text.length <= longestComment) return text;
  throw new GatewrightError(
    'plan-unfinished',
    `The plan has ${input.prd.userStories.length} tasks and ${commandsOf(input.prd, input.configured).length} commands; they do not fit into a comment. A smaller issue gives a smaller plan.`,
  );
}

export function writePlanApproved(
  {
    by,
    branch,
    prd,
    hash,
    configured = [],
  }: {
    readonly by: string;
    readonly branch: string;
    readonly prd: Pick<Prd, 'userStories' | 'globalVerifyCommands' | 'branchName' | 'issueNumber'>;
    readonly hash?: Sha256;
    readonly configured?: readonly string[];
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const open = prd.userStories.filter(({ passes }) => !passes);
  return fitComment((scale) =>
    [
      ...[prefixes.approved, ''],
      `**Approved by:** ${codeOf(by)}  `,
      `**Branch:** ${codeOf(branch)}  `,
      `**Tasks:** ${open.length} to do, ${prd.userStories.length - open.length} passed  `,
      `**Commands:** ${commandsOf(prd, configured).length}${hash === undefined ? '' : `, with the hash ${codeOf(hash)}`}`,
      ...['', '`prd.json` is on the branch. The tasks, in their order in the file:', ''],
      ...listOf(
        open.map(({ id, title }) => `${id}: ${lineOf(title, 120)}`),
        Math.ceil(100 * scale),
      ),
      '',
      `To go on, run \`gatewright loop implement start${prd.issueNumber ? ` --issue ${prd.issueNumber}` : ''}\`.`,
      '',
    ].join('\n'),
  );
}
