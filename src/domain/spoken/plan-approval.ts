/**
 * What a comment says to a plan. Approving is a closed grammar: a comment approves when every sentence of it is made of
 * phrases in `approval-words.ts` and one of them approves. A condition, a change, a question, a joke or an unknown sign is
 * in no list, and then a person is asked, because starting work that was not agreed to costs more than asking.
 */
import {
  approvedObjects,
  approvingPhrases,
  approvingVerbs,
  assentingPhrases,
  assentingSigns,
  mereReceipts,
  orderingPhrases,
  planQuestion,
  pleasantries,
  thanks,
} from './approval-words.ts';
import { asksOthers, listSteps } from './asks-others.ts';
import { readPlainBlock, readPlainWords } from './plain-sentences.ts';
import { isRefusal, isRevision, speaksOfApproving, wantsRevision } from './plan-revision.ts';
import {
  hasPoints,
  isPartlyRead,
  mentions,
  spokenAsides,
  spokenPassages,
  spokenQuotes,
} from './spoken-text.ts';

/**
 * `approves`: it says so and nothing else. `assents`: it says yes, which counts if it is an answer to the plan.
 * `revises`: it says how the plan should be different. `unclear`: it speaks of approving but not plainly, or says nothing
 * that can be acted on, so the person is asked. `other`: anything else; said to us, it is a change to the plan.
 */
export type PlanAnswer = 'approves' | 'assents' | 'revises' | 'unclear' | 'other';

type Kind = 'approval' | 'assent' | 'receipt' | 'thanks' | 'pleasantry' | 'order';

const kinds = new Map<string, Kind>();
function add(kind: Kind, phrases: Iterable<string>): void {
  for (const phrase of phrases) if (!kinds.has(phrase)) kinds.set(phrase, kind);
}
add('approval', approvingPhrases);
for (const [verb, how] of Object.entries(approvingVerbs)) {
  if (how === 'alone') add('approval', [verb]);
  add(
    'approval',
    approvedObjects.map((object) => `${verb} ${object}`),
  );
}
add('receipt', mereReceipts);
add('assent', assentingPhrases);
add('thanks', thanks);
add('pleasantry', pleasantries);
add('order', orderingPhrases);

const longestPhrase = Math.max(...[...kinds.keys()].map((phrase) => phrase.split(' ').length));
/** An approval needs no more words than this; a longer sentence does not approve. */
const mostWords = 40;
const mostSentences = 20;

/** The phrases that a sentence is made of, longest first where it can be cut in several ways; null when it says more. */
function cutPhrases(sentence: string, allowed: ReadonlySet<Kind>): Kind[] | null {
  const words = sentence.split(' ');
  if (words.length > mostWords) return null;
  // From the end: for each place, the kinds of the phrases up to the end of the sentence.
  const rest: (Kind[] | null)[] = [];
  rest[words.length] = [];
  for (let from = words.length - 1; from >= 0; from -= 1) {
    rest[from] = null;
    for (let to = Math.min(words.length, from + longestPhrase); to > from; to -= 1) {
      const kind = kinds.get(words.slice(from, to).join(' '));
      const tail = rest[to];
      if (kind === undefined || !allowed.has(kind) || tail === null || tail === undefined) continue;
      rest[from] = [kind, ...tail];
      break;
    }
  }
  return rest[0] ?? null;
}

const inAnswers: ReadonlySet<Kind> = new Set(['approval', 'assent', 'receipt', 'thanks', 'pleasantry']);
const inOrders: ReadonlySet<Kind> = new Set([...inAnswers, 'order']);

interface Said {
  readonly kinds: readonly Kind[];
  readonly signs: readonly string[];
}

/** The phrases that all sentences are made of; null when one sentence says something that is in no list. */
function readKinds(comment: string, handle: string, allowed: ReadonlySet<Kind>): Said | null {
  const found: Kind[] = [];
  const signs: string[] = [];
  for (const readings of readPlainWords(comment, handle)) {
    let isKnown = false;
    for (const reading of readings) {
      const cut =
        reading.sentences.length > mostSentences
          ? [null]
          : reading.sentences.map((one) => cutPhrases(one, allowed));
      if (cut.includes(null)) continue;
      isKnown = true;
      found.push(...cut.flatMap((one) => one ?? []));
      signs.push(...reading.signs);
      break;
    }
    if (!isKnown) return null;
  }
  return { kinds: found, signs };
}

function agree(comment: string, handle: string, said: Said): PlanAnswer | null {
  const readings = readPlainWords(comment, handle);
  const sentences = readings.flatMap(([asOne]) => asOne?.sentences ?? []);
  const lines = readings.flatMap((both) => both.at(-1)?.sentences ?? []);
  const has = (kind: Kind): boolean => said.kinds.includes(kind);
  if (has('approval')) {
    if (hasPoints(comment) || listSteps(lines)) return 'unclear';
    return !mentions(comment, handle) && asksOthers(sentences, lines) ? 'unclear' : 'approves';
  }
  if (has('assent')) return 'assents';
  if (has('receipt')) return has('thanks') ? 'unclear' : 'assents';
  const isSign = said.kinds.length === 0 && said.signs.length > 0;
  return isSign && said.signs.every((sign) => assentingSigns.includes(sign)) ? 'assents' : null;
}

/** What agrees under a quote is an answer to that quote: to a part of the plan, a question in it, or another person. */
function answersElse(comment: string, agreed: PlanAnswer): boolean {
  // A plain yes may also answer a mail that is quoted as a whole; what names the approval answers what was picked out.
  const said = agreed === 'assents' ? spokenQuotes(comment) : spokenPassages(comment);
  const quotes = said.join(' ').replace(/\s+/gu, ' ').trim();
  return quotes !== '' && !quotes.includes(planQuestion);
}

/** Whether a comment says so little that it cannot change a plan. */
function isThin(sentences: readonly string[]): boolean {
  const words = sentences
    .join(' ')
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.length < 2 && words.join('').length < 12;
}

export function readPlanAnswer(comment: string, handle: string): PlanAnswer {
  const readings = readPlainWords(comment, handle);
  const sentences = readings.flatMap(([asOne]) => asOne?.sentences ?? []);
  const isCalled = mentions(comment, handle);
  if (wantsRevision(sentences)) return 'revises';
  const said = readKinds(comment, handle, inAnswers);
  const agreed = said === null ? null : agree(comment, handle, said);
  if (agreed !== null && isPartlyRead(comment)) return 'unclear';
  if (agreed !== null) return answersElse(comment, agreed) ? 'unclear' : agreed;
  if (speaksOfApproving(sentences)) return 'unclear';
  if (isRevision(sentences)) return 'revises';
  const startsWithYes = (sentence: string): boolean => {
    const words = sentence.split(' ');
    return [1, 2, 3].some((count) => {
      const kind = kinds.get(words.slice(0, count).join(' '));
      return kind === 'assent' || kind === 'receipt';
    });
  };
  if (isRefusal(sentences, sentences.some(startsWithYes))) return 'unclear';
  if (readKinds(comment, handle, inOrders)?.kinds.includes('order') === true) return 'other';
  // An approval that is struck out, or a box with it.
  const isAside = speaksOfApproving(spokenAsides(comment).map((words) => words.toLowerCase().slice(0, 200)));
  if (isAside && isThin(sentences)) return 'unclear';
  // Pleasantries alone, a sign, a single word: addressed to us, it waits for an answer and changes nothing.
  return isCalled && (said !== null || isThin(sentences)) ? 'unclear' : 'other';
}

const inPoliteness: ReadonlySet<Kind> = new Set(['thanks', 'pleasantry']);

/** Whether words of a block are thanks and pleasantries and nothing else. */
export function isPolite(words: string, handle: string): boolean {
  return readPlainBlock([words], handle).sentences.every((one) => cutPhrases(one, inPoliteness) !== null);
}

/** Whether a comment calls us and asks for nothing but the work itself: no change, no condition, no question, no "not". */
export function isPlainOrder(comment: string, handle: string): boolean {
  return mentions(comment, handle) && readKinds(comment, handle, inOrders) !== null;
}
