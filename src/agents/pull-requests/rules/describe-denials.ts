/** What a coding agent was not allowed to do, for the text of a pull request. */
import { type Denial, keepDenials, listDenials } from '../../../domain/ledger/denial.ts';
import { asCode } from '../../../domain/text/comment-parts.ts';

const mostShown = 20;

/** So that people see what it tried, and which command it may have needed. */
export function describeDenials(denials: readonly Denial[]): string[] {
  const kept = keepDenials(denials);
  if (kept === undefined) return [];
  const times = kept.count === 1 ? 'once' : `${kept.count} times`;
  const items = listDenials(kept).map((one) => `- ${asCode(one)}`);
  const more = items.length > mostShown ? [`- and ${items.length - mostShown} more`] : [];
  return [
    `The coding agent was denied something ${times} (a command that it needs can be allowed with \`fleet.agentCommands\`):`,
    '',
    ...items.slice(0, mostShown),
    ...more,
  ];
}
