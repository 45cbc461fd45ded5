/**
 * How much an issue says, before a planner is paid to read it: five questions, each answered in full (2), in part (1) or
 * not (0). The score decides how many questions the author is asked; code decides it, from words in English and German.
 */

import { isFilePath } from '../../../rules/is-file-path.ts';
import { type IssueText, type IssueWords, readIssueWords } from '../../../rules/issue-words.ts';

type ScopeDimension = 'what' | 'where' | 'why' | 'scope' | 'acceptance';
type Points = 0 | 1 | 2;

interface ScopeQuestion {
  readonly id: string;
  readonly text: string;
  readonly dimension: ScopeDimension;
}

interface ScopeScore {
  /** 0 to 10. */
  readonly score: number;
  readonly dimensions: Readonly<Record<ScopeDimension, Points>>;
  /** None from 7 points on, one for 5 or 6, up to three below. */
  readonly questions: readonly ScopeQuestion[];
  /** How often a person looks at the plan: once from 9 points on, twice for 7 or 8, at each of its five phases below. */
  readonly checkpoints: 1 | 2 | 5;
}

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

const actions = list(`
  should must need needs want wants add adds fix fixes implement create remove delete change replace update rename move
  refactor support allow show return returns fail fails failing crash crashes throws breaks broken error errors wrong
  instead extract migrate introduce split print write read validate reject log
  soll sollen muss mussen braucht hinzufugen beheben erstellen entfernen loschen andern ersetzen umbenennen verschieben
  unterstutzen anzeigen fehlt schlagt sturzt falsch statt einfuhren ausgeben prufen
`);
const areas = list(`
  api backend frontend database login auth authentication page screen endpoint route module component service form
  button table dashboard settings cli command parser server client job worker middleware controller model schema
  seite maske endpunkt modul komponente dienst formular knopf tabelle datenbank anmeldung einstellungen befehl
`);
const reasons = [
  ...[
    ' because ',
    ' so that ',
    ' in order to ',
    ' users need ',
    ' customers need ',
    ' otherwise ',
    ' since we ',
    ' which means ',
  ],
  ...[' weil ', ' damit ', ' sonst ', ' da wir ', ' um zu ', ' benutzer brauchen ', ' nutzer brauchen '],
];
const people = list(`
  user users customer customers client clients team developer developers admin people maintainer maintainers
  nutzer benutzer kunde kunden entwickler leute
`);
const limits = [
  ...[
    ' only ',
    ' specifically ',
    ' out of scope ',
    ' not part of ',
    ' no other ',
    ' nothing else ',
    ' not in scope ',
    ' must not change ',
  ],
  ...[
    ' nur ',
    ' ausschliesslich ',
    ' nicht teil ',
    ' nicht enthalten ',
    ' sonst nichts ',
    ' keine weiteren ',
  ],
];
const doneWhen = [
  ...[' done when ', ' is done if ', ' acceptance criteria ', ' definition of done '],
  ...[' fertig wenn ', ' erledigt wenn ', ' akzeptanzkriterien ', ' abnahmekriterien '],
];
const expectations = list(
  'expect expects expected should shall must soll sollen sollte muss mussen erwartet erwarte',
);

const has = (words: readonly string[], wanted: ReadonlySet<string>): boolean =>
  words.some((word) => wanted.has(word));
const says = ({ prose }: IssueWords, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => prose.includes(phrase));

/** Whether a section with such a heading has text, and how much at least. */
const hasSection = ({ sections }: IssueWords, heading: RegExp, least: number): boolean =>
  sections.some(({ title, text }) => heading.test(title) && text.length >= least);

function scoreWhat(words: IssueWords): Points {
  if (!has([...words.title, ...words.body], actions)) return 0;
  return words.length > 100 ? 2 : 1;
}

function scoreWhere({ tokens, title, body, prose }: IssueWords): Points {
  const isPath = (token: string): boolean => {
    const plain = token
      .replace(/[.:!?]+$/u, '')
      .replace(/^https?:\/\/[^/]+\/[^/]+\/[^/]+\/blob\/[^/]+\//u, '');
    return isFilePath(plain) && !plain.startsWith('path/to/');
  };
  const isRoute = (token: string, at: number): boolean =>
    /^(?:GET|POST|PUT|PATCH|DELETE)$/u.test(token) && (tokens[at + 1] ?? '').startsWith('/');
  const paths = tokens.filter(isPath);
  if (paths.some((path) => !path.endsWith('/')) || tokens.some(isRoute)) return 2;
  return paths.length > 0 || has([...title, ...body], areas) || / (?:line|zeile) \d/u.test(prose) ? 1 : 0;
}

function scoreWhy(words: IssueWords): Points {
  const isTold = hasSection(
    words,
    /^(?:background|why|motivation|problem|context|user story|hintergrund|warum|nutzen)/u,
    40,
  );
  if (says(words, reasons) || isTold || / um [a-z0-9 -]{1,80} zu /u.test(words.prose)) return 2;
  return has(words.body, people) || words.length > 300 ? 1 : 0;
}

function scoreLimits(words: IssueWords): Points {
  const isSaid = hasSection(
    words,
    /^(?:out of scope|non-goals|non goals|scope|nicht-ziele|nicht im umfang|abgrenzung|umfang)/u,
    3,
  );
  if (isSaid || says(words, limits)) return 2;
  return words.sections.filter(({ text }) => text !== '').length >= 2 || words.boxes.length > 0 ? 1 : 0;
}

function scoreAcceptance(words: IssueWords): Points {
  const heading = /^(?:acceptance|definition of done|requirements|akzeptanz|abnahme|anforderungen|expected)/u;
  if (words.boxes.length > 0 || says(words, doneWhen)) return 2;
  if (words.sections.some(({ title, items }) => heading.test(title) && items > 0)) return 2;
  return has([...words.title, ...words.body], expectations) ? 1 : 0;
}

const questions: Readonly<Record<ScopeDimension, string>> = {
  what: 'What should change? Say what happens today and what should happen instead.',
  where: 'Where should it change? Name a file, a folder, a page or an endpoint.',
  acceptance:
    'How do we know that it is done? Name a command that has to pass, a request and its status, or output that has to appear.',
  scope: 'What should stay as it is? Say what is not part of this change.',
  why: 'Why is it needed? Say who has which problem today.',
};
/** In the order in which an answer helps the planner most. */
const order: readonly ScopeDimension[] = ['what', 'where', 'acceptance', 'scope', 'why'];

function howMany(score: number): number {
  if (score >= 7) return 0;
  return score >= 5 ? 1 : 3;
}

/** Scores an issue and asks for what is missing, the emptiest first. */
export function scoreScope(issue: IssueText): ScopeScore {
  const words = readIssueWords(issue);
  const dimensions = {
    what: scoreWhat(words),
    where: scoreWhere(words),
    why: scoreWhy(words),
    scope: scoreLimits(words),
    acceptance: scoreAcceptance(words),
  };
  const score = Object.values(dimensions).reduce<number>((sum, points) => sum + points, 0);
  const gaps = ([0, 1] as const).flatMap((points) => order.filter((one) => dimensions[one] === points));
  return {
    score,
    dimensions,
    questions: gaps
      .slice(0, howMany(score))
      .map((dimension) => ({ id: `scope-${dimension}`, text: questions[dimension], dimension })),
    checkpoints: score >= 9 ? 1 : score >= 7 ? 2 : 5,
  };
}
