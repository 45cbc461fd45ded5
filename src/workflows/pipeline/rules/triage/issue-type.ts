/** What kind of change an issue asks for: by its labels, then by the first telling word of its title, then of its text. */
import { labelNames } from '../../../../domain/forge/labels.ts';
import type { IssueWords } from '../../../rules/issue-words.ts';
import type { IssueType } from './triage.ts';

const list = (text: string): readonly string[] => text.trim().split(/\s+/u);

const words: ReadonlyMap<string, IssueType> = new Map(
  (
    [
      [
        'BUG_FIX',
        `fix fixes fixed fixing bug bugs bugfix hotfix crash crashes crashed crashing broken breaks fails failing failed
        fail failure regression wrong incorrect incorrectly error errors exception throws leak leaks hangs freezes
        doesn't doesnt cannot can't cant missing fehler absturz kaputt falsch sturzt`,
      ],
      [
        'REFACTOR_STYLE',
        `refactor refactors refactoring rename renames renaming cleanup clean-up clean tidy restructure reorganize
        reorganise simplify dedupe deduplicate extract style styling format formatting lint typo typos whitespace
        reword umbenennen aufraumen vereinfachen`,
      ],
      [
        'NEW_FEATURE',
        `add adds adding support supports allow allows implement implements introduce create feature feat enable
        provide new extend hinzufugen unterstutzen einfuhren neu neue neuer`,
      ],
    ] as const
  ).flatMap(([type, text]) => list(text).map((word) => [word, type] as const)),
);

const labelled: ReadonlyMap<string, IssueType> = new Map([
  ...[labelNames.bug, 'regression', 'defect'].map((label) => [label, 'BUG_FIX'] as const),
  ...[labelNames.feature, labelNames.enhancement].map((label) => [label, 'NEW_FEATURE'] as const),
  ...['refactor', 'refactoring', 'style', 'cleanup', 'tech-debt', 'tech debt'].map(
    (label) => [label, 'REFACTOR_STYLE'] as const,
  ),
]);

/** `type: bug` and `kind/bug` are `bug`. */
const plainLabel = (label: string): string => label.toLowerCase().replace(/^.*[:/]\s*/u, '');

const firstOf = (found: readonly string[]): IssueType | undefined =>
  found.map((word) => words.get(word)).find((type) => type !== undefined);

/** A feature, where nothing says otherwise: that needs a test, and no proof of an earlier failure. */
export function chooseType(labels: readonly string[], { title, body }: IssueWords): IssueType {
  const byLabel = labels.map((label) => labelled.get(plainLabel(label))).find((type) => type !== undefined);
  return byLabel ?? firstOf(title) ?? firstOf(body) ?? 'NEW_FEATURE';
}
