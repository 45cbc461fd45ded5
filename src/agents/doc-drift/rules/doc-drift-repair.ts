/** What counts as documentation, what it is compared with, and whether a correction of it may be taken over. */
import type { ChangedPath } from '../../../domain/changes/change-risk.ts';
import { isSteeringPath } from '../../../domain/changes/path-class.ts';
import { isPlainPath } from '../../../domain/changes/plain-path.ts';
import type { Denial } from '../../../domain/ledger/denial.ts';
import { inertCode } from '../../../domain/text/inert-markdown.ts';
import { quietMarkdown } from '../../../domain/text/quiet-markdown.ts';
import { describeDenials } from '../../pull-requests/rules/describe-denials.ts';
import type { DriftItem } from './doc-drift.ts';

/** Speaks of the past, was written elsewhere, or holds what is wrong on purpose. */
const leftAlone =
  /(^|\/)(node_modules|vendor|third_party|dist|build|\.changeset|decisions|adr|archive|lineage)\/|(^|\/)(CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES)[^/]*$/iu;

/** What stands beside tests may be wrong on purpose. */
const besideTests = /(^|\/)(tests?|specs?|__tests__|e2e|fixtures)\//iu;

/**
 * Markdown that tells people how things are now. Files that steer agents are excluded: doc-drift must not correct them.
 */
export function isDocumentation(path: string): boolean {
  return (
    /\.(?:md|markdown)$/iu.test(path) &&
    isPlainPath(path) &&
    !/[\n\t]/u.test(path) &&
    !besideTests.test(path) &&
    !isSteeringPath(path) &&
    !leftAlone.test(path)
  );
}

/** The scripts of a package.json; empty when it cannot be read. */
export function readScripts(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text);
    const scripts = typeof json === 'object' && json !== null && 'scripts' in json ? json.scripts : null;
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return [];
  }
}

/** The targets of a Makefile; null when they cannot be told from it alone. */
export function readTargets(text: string): string[] | null {
  if (/^\s*-?include\b|^[^\t#=]*%[^=]*:|^\s*\$\(/mu.test(text)) return null;
  const rules = [...text.matchAll(/^([\w./ -]{1,300}?)\s*::?(?![:=])/gmu)];
  return [...new Set(rules.flatMap((rule) => (rule[1] ?? '').split(/\s+/u)).filter((name) => name !== ''))];
}

function nameOf(item: DriftItem): string {
  return JSON.stringify([item.document, item.kind, item.text]);
}

/** What of the one list is not in the other, each as often as it stands there; lines move and do not count. */
function without(items: readonly DriftItem[], others: readonly DriftItem[]): DriftItem[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(nameOf(other), (counts.get(nameOf(other)) ?? 0) + 1);
  return items.filter((item) => {
    const left = counts.get(nameOf(item)) ?? 0;
    counts.set(nameOf(item), left - 1);
    return left <= 0;
  });
}

export interface Repair {
  readonly settled: readonly DriftItem[];
  readonly left: readonly DriftItem[];
  /** What is wrong only since. */
  readonly added: readonly DriftItem[];
}

export function compareDrift(before: readonly DriftItem[], after: readonly DriftItem[]): Repair {
  return { settled: without(before, after), left: [...after], added: without(after, before) };
}

/** A correction may take a sentence out, not a chapter. */
const linesForOne = 6;

/** Why a change is not taken over; null when it is one of documentation that something was wrong with. */
export function refuseChange(file: ChangedPath, drift: readonly DriftItem[]): string | null {
  if (!isDocumentation(file.path)) return 'it is no documentation';
  if (file.change !== 'modified') return `it was ${file.change}, not corrected`;
  if (file.isBinary) return 'it is not text any more';
  const found = drift.filter(({ document }) => document === file.path).length;
  if (found === 0) return 'nothing was wrong there';
  if (file.deletions - file.additions > linesForOne * found) return 'more was taken out than was wrong';
  return null;
}

function listItems(items: readonly DriftItem[]): string[] {
  const shown = items
    .slice(0, 50)
    .map(({ document, line, text }) => `- ${inertCode(document)}, line ${line}: ${inertCode(text)}`);
  return items.length > shown.length ? [...shown, `- and ${items.length - shown.length} more`] : shown;
}

export interface RepairReport extends Repair {
  readonly dropped: readonly { readonly path: string; readonly why: string }[];
  readonly risk: readonly string[];
  readonly title: string;
  /** What the coding agent says that it did; empty when it says nothing. */
  readonly summary: string;
  /** What it was not allowed to do. */
  readonly denials: readonly Denial[];
}

/** The text of the pull request: facts by code, and apart from them what the coding agent says. */
export function renderRepair(report: RepairReport): string {
  const { settled, left, dropped, risk, title, summary, denials } = report;
  const part = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines];
  return [
    'The documentation spoke of files, links, headings or commands that are not there. They were found by code; the corrections were written by a model and looked at again by code.',
    ...part('Corrected', listItems(settled)),
    ...part('Still wrong', listItems(left)),
    ...part(
      'Changed as well, and not taken over',
      dropped.slice(0, 50).map(({ path, why }) => `- ${inertCode(path)}: ${why}`),
    ),
    ...part('What its author says', summary.trim() === '' ? [] : [quietMarkdown(summary, 2000)]),
    ...part('Denied', describeDenials(denials)),
    ...part(
      'Risk',
      risk.map((reason) => `- ${reason}`),
    ),
    '',
    `Written by ${title}.`,
    '',
  ].join('\n');
}

/** The list that a model is given; one place a line. */
export function describeDrift(items: readonly DriftItem[]): string {
  return items
    .map(({ document, line, kind, text, meant }) =>
      JSON.stringify({ document, line, kind, says: text, near: meant }),
    )
    .join('\n');
}
