/** The way in which an issue is cut into tasks: a bug, a feature or a rebuild. Labels decide before words. */
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import { type IssueText, readIssueWords } from '../../../rules/issue-words.ts';
import type { formulas } from '../document/prd-schema.ts';

type Formula = (typeof formulas)[number];

interface FormulaChoice {
  readonly formula: Formula;
  /** For the plan and the ledger: what decided. */
  readonly why: string;
  /** The phases of the plan, in order. */
  readonly phases: readonly string[];
}

const phases: Readonly<Record<Formula, readonly string[]>> = {
  bugfix: ['reproduce', 'fix', 'verify'],
  feature: ['schema', 'logic', 'UI', 'integration'],
  refactor: ['analyse', 'extract', 'migrate', 'verify'],
};

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Words in the names of labels, such as `type: bug` or `kind/regression`. The first formula that fits wins. */
const kindWords: readonly (readonly [Formula, ReadonlySet<string>])[] = [
  ['bugfix', new Set([labelNames.bug, ...list('regression defect bugfix fehler')])],
  ['refactor', list('refactor refactoring tech-debt techdebt cleanup clean-up umbau')],
  ['feature', new Set([labelNames.feature, labelNames.enhancement, ...list('new feat neu')])],
];

const keywords: readonly (readonly [Formula, ReadonlySet<string>])[] = [
  [
    'bugfix',
    list(`
      bug bugs fix fixes fixed broken breaks regression error errors crash crashes crashing fails failing failure
      incorrect wrong unexpected 500 404 exception traceback hotfix
      fehler beheben behebt kaputt defekt absturz sturzt falsch behoben fehlerhaft
    `),
  ],
  [
    'refactor',
    list(`
      refactor refactoring restructure reorganize reorganise extract migrate migration move rename simplify cleanup
      decouple modularize modularise deduplicate tech-debt
      refaktorieren umbauen umstrukturieren auslagern migrieren verschieben umbenennen vereinfachen aufraumen entkoppeln
    `),
  ],
  [
    'feature',
    list(`
      add adds adding create implement new feature feat support enable introduce build enhance allow
      hinzufugen erstellen implementieren neu neue neues einfuhren unterstutzen ermoglichen bauen anlegen
    `),
  ],
];

const formulaOf = (word: string): Formula | null =>
  keywords.find(([, words]) => words.has(word))?.[0] ?? null;

function fromLabels(labels: readonly string[]): FormulaChoice | null {
  for (const [formula, words] of kindWords) {
    const decisive = labels.find((name) => {
      const parts = foldLetters(name).match(/[a-z0-9]+(?:-[a-z0-9]+)*/gu) ?? [];
      return parts.some((part) => words.has(part));
    });
    if (decisive !== undefined) return { formula, why: `the label "${decisive}"`, phases: phases[formula] };
  }
  return null;
}

/** Labels first; then the first word of the title that says it; then the body, if it speaks of one kind only; else a feature. */
export function chooseFormula(issue: IssueText): FormulaChoice {
  const labelled = fromLabels(issue.labels);
  if (labelled !== null) return labelled;
  const { title, body } = readIssueWords(issue);
  const word = title.find((one) => formulaOf(one) !== null);
  const said = word === undefined ? null : formulaOf(word);
  if (said !== null) return { formula: said, why: `the word "${word}" in the title`, phases: phases[said] };
  const kinds = [...new Set(body.map(formulaOf).filter((one) => one !== null))];
  const [only] = kinds;
  if (only !== undefined && kinds.length === 1)
    return { formula: only, why: 'the words of the text', phases: phases[only] };
  return { formula: 'feature', why: 'nothing in the issue says more', phases: phases.feature };
}
