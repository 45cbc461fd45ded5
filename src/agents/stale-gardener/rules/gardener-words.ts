/** What the gardener writes: comments on an issue, which tell interested people what happens next, and its report. */

import { countOf } from '../../../domain/text/count-of.ts';
import { inertLine } from '../../../domain/text/inert-markdown.ts';
import { closingDay, type GardenAction } from '../../reports/rules/gardening.ts';
import type { GardenPlan } from './garden-memory.ts';

const keepOut = 'The label `pinned` or `hold` keeps an issue out of these rounds.';

export function warningText(days: number, activeAt: string, markedAt: string): string {
  const closing = closingDay(activeAt, markedAt);
  return [
    `Nothing has happened here for ${countOf(days, 'day')}, so this is now marked \`stale\`.`,
    '',
    `If it still matters, say so in a comment: the mark comes off at the next round, and the days are counted anew. Without such a comment, it is closed in the first round on or after ${closing}.`,
    keepOut,
    '',
  ].join('\n');
}

export function closingText(days: number, markedAt: string): string {
  return [
    `Closed: nothing has happened here for ${countOf(days, 'day')}, and no one has objected since it was marked on ${markedAt.slice(0, 10)}.`,
    '',
    `If it still matters, reopen it: that counts as activity, and the days are counted anew. ${keepOut}`,
    '',
  ].join('\n');
}

export function gardenerTitle(at: string): string {
  return `Gardener Report - ${at.slice(0, 10)}`;
}

const longestTitle = 100;

const sections: readonly { readonly do: GardenAction['do']; readonly heading: string }[] = [
  { do: 'mark-stale', heading: 'Marked as stale' },
  { do: 'close', heading: 'Closed' },
  { do: 'unmark', heading: 'No longer stale' },
  { do: 'label', heading: 'Labelled' },
];

function describe(action: GardenAction): string {
  if (action.do === 'label') return `: \`${action.label}\``;
  return action.do === 'unmark' ? '' : `, quiet for ${countOf(action.days, 'day')}`;
}

/** Issues are named in code: a link would be a change of the issue, and would count as activity the next time. */
export function renderGardening(
  plan: Pick<GardenPlan, 'issues' | 'left'>,
  done: readonly GardenAction[],
  overtaken: number,
): string {
  const lines = sections.flatMap(({ do: kind, heading }) => {
    const items = done
      .filter((action) => action.do === kind)
      .map((action) => {
        const title = inertLine(plan.issues[action.issue]?.title ?? '', longestTitle);
        return `- \`#${action.issue}\` ${title}${describe(action)}`;
      });
    return items.length === 0 ? [] : [`## ${heading}`, '', ...items, ''];
  });
  const things = (count: number) => countOf(count, 'more thing');
  const rest = [
    ...(plan.left === 0 ? [] : [`${things(plan.left)} to do: left for the next round.`, '']),
    ...(overtaken === 0
      ? []
      : [`${things(overtaken)} given up, because people did something meanwhile.`, '']),
  ];
  return [...lines, ...rest, keepOut, ''].join('\n');
}
