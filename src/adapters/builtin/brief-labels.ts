/** Reads which labels a brief names. Only what is surely a list of names sets a label. */
import { plainText } from '../../domain/text/markdown.ts';
import type { Sentence } from './brief-sentences.ts';
import { labelsMark, labelsSource } from './brief-words.ts';

const noLabels = /^(?:none|n\/a|no|keine|-|tbd|todo)\.?$/iu;
/** In a name of more than one word, these say that the label is not wanted. */
const negated =
  /(?:^|\s)(?:not|no|never|without|except|but|minus|remove|drop|don['’]?t|un|nicht|nie|keine?n?|ohne|außer|statt|instead)(?:\s|$)/iu;

/** Names between commas; null when they do not look like names of labels. */
export function readNames(line: string): string[] | null {
  const names = line
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^["'`]|["'`]$/gu, '')
        .trim(),
    )
    .filter((name) => name !== '' && !noLabels.test(name));
  const isName = (name: string): boolean =>
    name.length <= 50 &&
    name.split(/\s+/u).length <= 3 &&
    !/[?!()]|[.;:]\s/u.test(name) &&
    !negated.test(name);
  return names.every(isName) ? names : null;
}

/** Whether a sentence is written as a line of labels, whatever it names. */
export function isLabelsLine(sentence: Sentence): boolean {
  if (sentence.beginsLine !== true || !labelsSource.test(sentence.source)) return false;
  return !sentence.nodes.some((node) => node.type === 'html');
}

/** The names in a list, in code or in words; null when it holds more than names. */
export function namesIn(sentence: Pick<Sentence, 'nodes'>): string[] | null {
  const codes = sentence.nodes.filter((node) => node.type === 'inlineCode').map((node) => node.value.trim());
  const words = sentence.nodes
    .map((node) => (node.type === 'inlineCode' ? ',' : plainText(node)))
    .join('')
    .replace(labelsMark, '');
  if (codes.length > 0)
    return /^[\s,.]*(?:(?:and|und)[\s,.]*)*$/u.test(words.replace(/,\s*(?:and|und)\s*,/gu, ','))
      ? codes
      : null;
  return readNames(words.replace(/\.$/u, ''));
}

/** The labels that a sentence names; null when it is no line of labels. */
export function labelsOf(sentence: Sentence): string[] | null {
  return isLabelsLine(sentence) ? namesIn(sentence) : null;
}
