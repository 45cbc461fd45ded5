/**
 * Comments that say "approve" to other people, or as one of several steps. They are asked about, since the writer may not
 * approve. Pure, over sentences as `plain-sentences.ts` gives them.
 */
import { approvedObjects } from './approval-words.ts';

/** "Please approve" is said to the person who is to approve, unless it is said to us. */
const plea = /\b(?:please|pls|plz|kindly)\b/u;
const crowd =
  /^(?:(?:hi|hey|hello|good morning|please|now|so|and|then) )*(?:team|all|everyone|folks)(?:$| (?:(?:please|pls|plz|kindly|now|then) )*approve\b)/u;
const imperative = /(?<![\w/]|\b(?:i|we) |\bhereby )approve\b/u;
/** Sends others on, in a comment that says "approve". */
const lead =
  /\b(?:go ahead|proceed|feel free|you can|you may|let's|do it|please do|go for it|make it so|all yours|right away|immediately|at once|can't wait)\b|^(?:now|so|then|and|hi|hello|hey|good morning)\b/u;
const objects = approvedObjects.join('|');
/** How a person says it of themselves: "approve", "yes approve it", "approve the plan now". */
const ownImperative = new RegExp(
  `^(?:(?:yes|yep|yeah|lgtm|approved) )*(?:approve(?: (?:${objects}))?(?: now)?(?: |$))+$`,
  'u',
);
/** The same by other words, and what is said of later. */
const asked =
  /\b(?:please|pls|plz|kindly|go ahead|go ahead and|feel free to|you can|you may|let's) (?:\/approve|\/?lgtm)\b|\bthen (?:i|we) (?:hereby )?approve\b/u;

/** Tells what others did, or calls them. */
const byOthers = /\b(?:team|all|everyone|folks) (?:(?:please|now|then|so|and) )*approv(?:e|ed|ing)\b/u;

/** @param lines the sentences, none of them longer than a line */
export function asksOthers(sentences: readonly string[], lines: readonly string[]): boolean {
  if (sentences.some((sentence) => asked.test(sentence)) || lines.some((line) => byOthers.test(line)))
    return true;
  const all = [...sentences, ...lines];
  if (!all.some((sentence) => imperative.test(sentence))) return false;
  return (
    lines.some((line) => imperative.test(line) && !ownImperative.test(line)) ||
    all.some((sentence) => plea.test(sentence) || crowd.test(sentence) || lead.test(sentence))
  );
}

const step = /^(?:plan|review|approve|implement|ship it|merge|start implementing|begin implementing)$/u;
const fewestSteps = 3;

/** "Plan. Approve. Implement." says in which order things are done. */
export function listSteps(lines: readonly string[]): boolean {
  return new Set(lines.filter((line) => step.test(line))).size >= fewestSteps;
}
