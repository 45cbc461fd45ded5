/**
 * Whether a comment approves a plan. Only a comment that says nothing else approves: whoever adds a condition, a change
 * or a doubt is asked to say plainly what they want, because starting work nobody agreed to costs more than asking.
 */
import { mentions, spokenBlocks, withoutMention } from './spoken-text.ts';

/** Said around an approval, meaning nothing by themselves. */
const pleasantries = [
  'ok',
  'okay',
  'yes',
  'yep',
  'sure',
  'great',
  'perfect',
  'excellent',
  'nice',
  'nice work',
  'good work',
  'well done',
  'thanks',
  'thank you',
  'thanks a lot',
  'looks good',
  'looks good to me',
  'lgtm',
  'this looks good',
  'the plan looks good',
  'sounds good',
  'please',
  'hi',
  'hello',
] as const;

const object =
  '(?: (?:it|this|that|the plan|this plan|the approved plan|your plan|as planned|as described))?';

/** Sentences that approve, whole. */
const approvals = [
  `(?:i )?approved?${object}`,
  `(?:the|this|your) plan is approved`,
  `plan approved`,
  `go ahead(?: and (?:implement|build|do|start)${object}| with${object})?`,
  `(?:please |you (?:may|can) )?(?:go ahead and )?(?:implement|proceed)(?: with)?${object}`,
  `(?:please )?(?:start|begin)(?: (?:implementing|the implementation))${object}`,
  `ship it`,
].map((pattern) => new RegExp(`^${pattern}$`, 'u'));

/** Sentences that order work and add nothing to it, whole. They approve nothing by themselves. */
const plainOrders = [
  `(?:please )?(?:do|start|begin|build|make|finish|take)(?: (?:it|this|that|on it|on this|this on))?`,
  `(?:please )?(?:work on|get started on|start on|carry out|get to work on|start with|begin with)(?: (?:it|this|that|the plan|this plan|your plan))`,
  `(?:please )?(?:continue|go on|go|get started|get to work|start working|start work|carry on|go for it|do the work|over to you|your turn)`,
  `(?:please )?(?:carry|work) (?:it|this|that|the plan|this plan) out`,
].map((pattern) => new RegExp(`^(?:${pattern})?(?: ?now)?(?: please)?$`, 'u'));

function sentencesOf(block: string): string[] {
  return (
    block
      .toLowerCase()
      .replace(/[\u2018\u2019]/gu, "'")
      // Emoji and the like decorate; they neither grant nor refuse.
      .replace(/\p{Extended_Pictographic}|\uFE0F|\u200D/gu, ' ')
      // A question asks; it approves nothing, so its mark stays.
      .split(/[.!;,:\u2013\u2014\n]|\s-\s|(?<=\?)/u)
      .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
      .filter((sentence) => sentence !== '')
  );
}

function withoutPleasantry(sentence: string): string {
  for (const words of [...pleasantries].sort((a, b) => b.length - a.length)) {
    if (sentence === words) return '';
    if (sentence.startsWith(`${words} `)) return sentence.slice(words.length + 1);
  }
  return sentence;
}

function isApproval(sentence: string): boolean {
  return approvals.some((pattern) => pattern.test(sentence));
}

/** What is said, sentence by sentence, without the call and without what means nothing by itself. */
function readSentences(comment: string, handle: string): string[] {
  // "Approve `step 1`" approves something, and not the plan.
  return spokenBlocks(comment, ' … ')
    .flatMap((block) => sentencesOf(withoutMention(block, handle)))
    .map((sentence) => {
      let rest = sentence;
      for (let next = withoutPleasantry(rest); next !== rest; next = withoutPleasantry(rest)) rest = next;
      return rest;
    })
    .filter((sentence) => sentence !== '');
}

/**
 * `approves`: it says so and nothing else. `unclear`: it speaks of approving but not plainly, so somebody should ask.
 * `other`: it is about something else, such as a change to the plan.
 */
export function readPlanAnswer(comment: string, handle: string): 'approves' | 'unclear' | 'other' {
  const sentences = readSentences(comment, handle);
  const hasApproved = sentences.some(isApproval);
  if (hasApproved && sentences.every(isApproval)) return 'approves';
  const speaksOfIt = /\b(dis)?approv|\bgo ahead\b|\bimplement|\bproceed|\bship it\b/u;
  return hasApproved || sentences.some((sentence) => speaksOfIt.test(sentence)) ? 'unclear' : 'other';
}

/** Whether a comment calls us and asks for nothing but the work itself: no change, no condition, no question, no "not". */
export function isPlainOrder(comment: string, handle: string): boolean {
  if (!mentions(comment, handle)) return false;
  return readSentences(comment, handle).every(
    (sentence) => isApproval(sentence) || plainOrders.some((pattern) => pattern.test(sentence)),
  );
}
