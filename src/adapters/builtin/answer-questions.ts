/**
 * Finds which open questions of a draft a person answers at the gate, and ticks them with the person's own words. Rules
 * recognise few forms of an answer; everything else stays feedback, so that no question is closed by mistake.
 */
import { findOpenQuestions } from '../../domain/drafts/mechanical-checks.ts';
import { inertCode } from '../../domain/text/inert-markdown.ts';
import { parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { isDoubt, targetOf } from './brief-words.ts';
import { asLine } from './carry-markdown.ts';

interface Answered {
  readonly draft: string;
  /** What answers nothing. */
  readonly rest: string;
}

const fillers = new Set(
  `a an and any are as at be but by can could do does for from has have how if in into is it its may maybe more not of on
  only or open perhaps please question should so sure that the their them then there these they this those to todo unclear
  unsure was we what when where whether which who why will with would yes no about ask decide tbd still need needs
  der die das den dem ein eine einen ist sind war wir wie was wann wo ob und oder nicht noch mit von für auf im in zu
  vielleicht sollen soll welche welcher welches unklar offen frage`
    .split(/\s+/u)
    .filter((word) => word !== ''),
);

/** Words that begin a request for a change, not an answer. */
const asksForMore =
  /^(?:please|add|ask|change|check|clarify|correct|describe|drop|explain|fix|list|look|make|mention|name|remove|rename|replace|rewrite|say|shorten|specify|tell|write|bitte|nenne|beschreibe|ergänze)\b/iu;

const saysYesOrNo = /^(?:yes|no|ja|nein)\b/iu;

function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}.,_'-]*[\p{L}\p{N}])?/gu) ?? [];
  return new Set(words.filter((word) => !fillers.has(word)));
}

const normalise = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[*_`~]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

/** How much of a question a line speaks of, from 0 to 1. */
function overlap(question: ReadonlySet<string>, line: ReadonlySet<string>): number {
  const shared = [...question].filter((word) => line.has(word)).length;
  return question.size === 0 ? 0 : shared / question.size;
}

/** `Which separator? A semicolon.`: the question itself, and then the answer. */
function afterQuote(line: string, questions: readonly string[]): { index: number; words: string } | null {
  const said = normalise(line.replace(/^>\s*/u, ''));
  const index = questions.findIndex((question) => said.startsWith(normalise(question)));
  if (index === -1) return null;
  const words = said.slice(normalise(questions[index] ?? '').length).replace(/^[\s:?.–—-]+/u, '');
  return words === '' || isDoubt(words) || words.includes('?') ? null : { index, words };
}

/** Which question one line answers; -1 when none, or when that is not plain. */
function answersWhich(line: string, questions: readonly string[]): number {
  const quoted = afterQuote(line, questions);
  if (quoted !== null) return quoted.index;
  const words = line.replace(/^(?:[-+*]\s+)/u, '');
  if (words.includes('?') || isDoubt(words) || asksForMore.test(words)) return -1;
  if (questions.length === 1 && saysYesOrNo.test(words)) return 0;
  const said = contentWords(words);
  const rates = questions.map((question) => overlap(contentWords(question), said));
  const best = Math.max(...rates);
  return best >= 0.5 && rates.filter((rate) => rate === best).length === 1 ? rates.indexOf(best) : -1;
}

/** `1. A semicolon`, by the numbers that the questions are shown with; null unless every line is one. */
function readNumbered(lines: readonly string[], count: number): Map<number, string[]> | null {
  const answers = new Map<number, string[]>();
  for (const line of lines) {
    const [, number = '', words = ''] = /^\s*(\d{1,2})\s*[.:)]\s+(\S.*)$/u.exec(line) ?? [];
    const index = Number(number) - 1;
    if (words === '' || index < 0 || index >= count || answers.has(index) || isDoubt(words)) return null;
    answers.set(index, [words]);
  }
  return answers.size > 0 ? answers : null;
}

/** Lines that carry structure of their own, such as `Out of scope: dates`, code or a heading, answer nothing. */
function isPlainLine(line: string): boolean {
  const [, name = ''] = /^([\p{L}][\p{L} /]{2,40}):/u.exec(line) ?? [];
  if (name !== '' && targetOf(name) !== null) return false;
  return !/^(?: {4}|\t|#|```|~~~|\||<)/u.test(line);
}

function renderAnswer(words: string): string {
  const [only, ...rest] = parseMarkdown(words).children;
  const isWords = only?.type === 'paragraph' && rest.length === 0;
  const line = isWords ? asLine('- ', words, only.children, '') : null;
  return `  Answer: ${line?.replace(/^- /u, '') ?? inertCode(words, 2000)}`;
}

/** Ticks the questions in their section; those that are not found there stay open. */
function tick(draft: string, answers: ReadonlyMap<string, readonly string[]>): string {
  const done: string[] = [];
  let isInside = false;
  let pending: readonly string[] = [];
  const flush = (): void => {
    done.push(...pending.map(renderAnswer));
    pending = [];
  };
  for (const line of draft.split('\n')) {
    const heading = /^#{1,6}\s+(.*)$/u.exec(line)?.[1];
    const [, mark = '', words] = /^([-*+] )(?:\[ \] )?(.*)$/u.exec(line) ?? [];
    if (!/^\s+\S/u.test(line)) flush();
    if (heading !== undefined) isInside = /\bopen questions\b/iu.test(heading);
    const text =
      words === undefined ? '' : plainText({ type: 'root', children: parseMarkdown(words).children }).trim();
    const given = isInside && mark !== '' ? answers.get(text) : undefined;
    done.push(given === undefined ? line : `${mark}[x] ${words ?? ''}`);
    if (given !== undefined) pending = given;
  }
  flush();
  return done.join('\n');
}

export function answerQuestions(draft: string, feedback: string): Answered {
  const questions = findOpenQuestions(draft);
  const lines = feedback.replace(/\r\n?/gu, '\n').split('\n');
  const said = lines.filter((line) => line.trim() !== '');
  const isCode = /^(?:```|~~~)/mu.test(feedback);
  if (questions.length === 0 || isCode || !said.some(isPlainLine)) return { draft, rest: feedback };
  const numbered = readNumbered(said, questions.length);
  const answers = new Map<string, string[]>();
  const rest: string[] = [];
  if (numbered !== null) for (const [index, words] of numbered) answers.set(questions[index] ?? '', words);
  else
    for (const line of lines) {
      const index = line.trim() === '' || !isPlainLine(line) ? -1 : answersWhich(line, questions);
      if (index === -1) rest.push(line);
      else {
        const question = questions[index] ?? '';
        answers.set(question, [...(answers.get(question) ?? []), line.replace(/^(?:[-+*>]\s+)/u, '').trim()]);
      }
    }
  if (answers.size === 0) return { draft, rest: feedback };
  const ticked = tick(draft, answers);
  const left = new Set(findOpenQuestions(ticked));
  // What could not be ticked is still open, so its answer must not get lost.
  if ([...answers.keys()].some((question) => left.has(question))) return { draft, rest: feedback };
  return { draft: ticked, rest: rest.join('\n').trim() };
}
