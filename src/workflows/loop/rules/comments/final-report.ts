/** What a loop did, with figures of the ledger: a comment on the issue, and the text of the pull request. */
import { money } from '../../../../domain/text/money.ts';
import { blockOf, codeOf, fitComment, lineOf, listOf } from '../../../issue-runs/rules/comment-words.ts';
import type { Prd } from '../document/prd.ts';
import { type CommentPrefixes, commentPrefixes } from './prefixes.ts';

export interface FinalFigures {
  /** Every attempt that code judged, in order. */
  readonly judged: readonly {
    readonly task: string;
    readonly attempt: number;
    readonly passed: boolean;
    readonly commit: string | null;
    readonly reasons: readonly string[];
  }[];
  /** Tasks that count as passed by the word of a person. */
  readonly skipped: readonly { readonly task: string; readonly by: string; readonly why: string }[];
  readonly costUsd: number;
  readonly milliseconds: number;
  readonly prd: Pick<Prd, 'userStories' | 'globalVerifyCommands'>;
  readonly branch: string;
  /** A person closed it before every task had passed and was tested. */
  readonly early?: { readonly by: string; readonly why: string; readonly isTested: boolean };
}

export function describeTime(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes === 0) return `${Math.floor(Math.max(0, milliseconds) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days} d ${hours % 24} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** No command showed it. */
function isByWord({ judged, skipped }: FinalFigures, id: string): boolean {
  return skipped.some(({ task }) => task === id) && !judged.some(({ task, passed }) => task === id && passed);
}

function tableOf(figures: FinalFigures, scale: number): string[] {
  const { prd, judged } = figures;
  const rows = prd.userStories.map(({ id, title, passes }) => {
    const attempts = judged.filter(({ task }) => task === id);
    const commit = attempts.findLast(({ passed }) => passed)?.commit ?? null;
    const result = !passes ? '❌ open' : isByWord(figures, id) ? '☑️ by a person' : '✅ passed';
    const shown = commit === null ? '–' : codeOf(commit.slice(0, 12));
    return `| ${id} | ${lineOf(title, Math.ceil(120 * scale))} | ${result} | ${attempts.length} | ${shown} |`;
  });
  return ['| Task | What | Result | Attempts | Commit |', '|---|---|---|---|---|', ...rows];
}

/** What is missing, for the person who reviews the pull request. */
function closedEarly({ early, prd }: FinalFigures, longest: number): string[] {
  if (early === undefined) return [];
  const open = prd.userStories.filter(({ passes }) => !passes).map(({ id }) => id);
  return [
    ...['', '### Closed early by the word of a person', ''],
    ...listOf([
      `${codeOf(early.by, 60)} closed it${early.why === '' ? ', without a reason' : `: ${lineOf(early.why, longest)}`}`,
      open.length === 0 ? 'Every task has passed.' : `Not done: ${open.join(', ')}`,
      early.isTested ? 'A person tested it.' : 'No person said that it works.',
    ]),
  ];
}

export function writeFinalReport(figures: FinalFigures, prefixes: CommentPrefixes = commentPrefixes): string {
  const { judged, skipped, costUsd, milliseconds, prd, branch } = figures;
  const stories = prd.userStories;
  const failed = judged.filter(({ passed }) => !passed);
  const found = stories.filter(({ discoveredFrom }) => discoveredFrom !== null).length;
  const byWord = stories.filter((story) => isByWord(figures, story.id));
  const proven = stories.filter((story) => !byWord.includes(story));
  const commands = [
    ...new Set([...proven.flatMap(({ verifyCommands }) => verifyCommands), ...prd.globalVerifyCommands]),
  ];
  return fitComment((scale) => {
    const longest = Math.ceil(300 * scale);
    return [
      ...[prefixes.finalReport, ''],
      `**Branch:** ${codeOf(branch)}  `,
      `**Tasks:** ${stories.filter(({ passes }) => passes).length} of ${stories.length} passed${byWord.length === 0 ? '' : `, ${byWord.length} of them by the word of a person`}${found === 0 ? '' : `, ${found} of them found on the way`}  `,
      `**Attempts:** ${judged.length}, ${failed.length} of them failed  `,
      `**Time:** ${describeTime(milliseconds)}  `,
      `**Cost:** ${money(costUsd)}`,
      ...closedEarly(figures, longest),
      ...['', '### Tasks', '', ...tableOf(figures, scale)],
      ...(skipped.length === 0
        ? []
        : [
            ...['', '### Passed by the word of a person', ''],
            ...listOf(
              skipped.map(
                ({ task, by, why }) => `${lineOf(task, 40)} by ${codeOf(by, 60)}: ${lineOf(why, longest)}`,
              ),
              50 * scale,
            ),
          ]),
      ...(failed.length === 0
        ? []
        : [
            ...['', '### Failed attempts', ''],
            ...listOf(
              failed.map(
                ({ task, attempt, reasons }) =>
                  `${lineOf(task, 40)}, attempt ${attempt}: ${lineOf(reasons.join(' '), longest) || 'no reason that is known'}`,
              ),
              50 * scale,
            ),
          ]),
      ...['', '### Verified by', ''],
      ...(commands.length === 0
        ? ['No command.']
        : blockOf(
            commands
              .slice(0, Math.ceil(100 * scale))
              .map((command) => command.slice(0, Math.ceil(2000 * scale)))
              .join('\n'),
            'sh',
          )),
      '',
    ].join('\n');
  });
}
