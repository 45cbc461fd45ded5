/** What an issue does not say, and whether it says anything at all. */
import type { IssueWords } from '../../../rules/issue-words.ts';
import type { IssueType } from './triage.ts';

/** Shorter than a plain sentence. */
const shortestBody = 30;
const fewestWords = 3;
/** In scripts that set no blanks between words. */
const fewestLetters = 6;

/** Whether title and body together hold as much as a sentence. */
export function hasSentence(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const unspaced =
    text.match(
      /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Khmer}|\p{Script=Lao}/gu,
    ) ?? [];
  return words.length >= fewestWords || unspaced.length >= fewestLetters;
}

const detailHeading =
  /\b(?:steps|reproduc\w*|repro|expected|actual|observed|behaviou?r|error|errors|log|logs|stack|trace|schritte|erwartet\w*|tatsachlich\w*|verhalten|fehler\w*)\b/u;
const detailWords =
  /\b(?:steps to|to reproduce|reproduc\w+|expect(?:s|ed|ation)?|actual(?:ly)?|instead|should|error|errors|exception|traceback|stack trace|stacktrace|throws|thrown|fails with|returns|status [45]\d\d|segfault|panic\w*|core dump|screenshot|statt|stattdessen|erwartet|sollte|fehlermeldung|ausnahme|reproduzier\w+)\b/u;

function hasDetails({ sections, prose }: IssueWords, hasCode: boolean): boolean {
  return (
    hasCode ||
    detailWords.test(prose) ||
    sections.some(({ title, text }) => detailHeading.test(title) && text !== '')
  );
}

/** Questions to the author, none when the issue says enough. */
export function listQuestions(words: IssueWords, type: IssueType, hasCode: boolean): string[] {
  const { length } = words;
  const questions: string[] = [];
  if (length === 0)
    questions.push('The issue has no description. What happens today, and what should happen instead?');
  else if (length < shortestBody)
    questions.push(
      `The description has only ${length} characters. What happens today, and what should happen instead?`,
    );
  if (type === 'BUG_FIX' && !hasDetails(words, hasCode))
    questions.push(
      'How can the bug be reproduced? Give the steps, what you expected and what happened, or the text of the error.',
    );
  return questions;
}
