/** Comments that allow a fault where it stands: `# gatewright: allow FAULT: REASON`. */
import { isRuleName, type RuleName } from './rule-table.ts';
import type { Comment } from './yaml/read-comments.ts';
import type { Place } from './yaml/yaml-tree.ts';

export interface Allowance {
  readonly rules: readonly RuleName[];
  readonly reason: string;
  readonly at: Place;
  /** The lines that it holds for. */
  readonly lines: readonly number[];
}

export interface Allowances {
  readonly valid: readonly Allowance[];
  readonly problems: readonly { readonly at: Place; readonly detail: string }[];
}

const form = /^gatewright:\s*allow\b\s*([^:]*)(?::(.*))?$/isu;

/** A comment on a line of its own holds for the next line that is no comment. */
function linesOf(comment: Comment, alone: ReadonlySet<number>): number[] {
  const { line } = comment.at;
  if (!comment.standsAlone) return [line];
  let next = line + 1;
  while (alone.has(next)) next += 1;
  return [next];
}

export function readAllowances(comments: readonly Comment[]): Allowances {
  const alone = new Set(comments.filter(({ standsAlone }) => standsAlone).map(({ at }) => at.line));
  const valid: Allowance[] = [];
  const problems: { at: Place; detail: string }[] = [];
  for (const comment of comments) {
    // Behind the version of an action, after another "#".
    const text = comment.text.split('#').at(-1)?.trim() ?? '';
    const [, names, given = ''] = form.exec(text) ?? [];
    if (names === undefined) continue;
    const words = names.split(/[\s,]+/u).filter((word) => word !== '');
    const unknown = words.find((word) => !isRuleName(word));
    const { at } = comment;
    if (words.length === 0) problems.push({ at, detail: 'no fault is named' });
    else if (unknown !== undefined) problems.push({ at, detail: `there is no fault ${unknown}` });
    else if (given.trim() === '') problems.push({ at, detail: 'no reason is given' });
    else
      valid.push({
        rules: words.filter(isRuleName),
        reason: given.trim(),
        at,
        lines: linesOf(comment, alone),
      });
  }
  return { valid, problems };
}
