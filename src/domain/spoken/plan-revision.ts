/**
 * Comments under a plan that do not approve it: which of them say how the plan should be different, and which speak of
 * approving without doing it, so that the person is asked. A wrong guess here starts no work. Pure, over sentences as
 * `plain-sentences.ts` gives them.
 */

/** A sentence that calls itself a change, with any words after that. */
const called =
  /^(?:please )?(?:\/revise|(?:revise|rework|update|change|adapt) (?:the|this|your) plan|revise)(?:$| )/u;

/** Whether a comment begins by saying that it changes the plan. */
export function wantsRevision(sentences: readonly string[]): boolean {
  const [first, ...more] = sentences;
  if (first === undefined || !called.test(first)) return false;
  return more.length > 0 || first.replace(called, '').trim() !== '';
}

/**
 * The plan, or the work, with what it should do: such a sentence is about the plan even if the comment calls no agent.
 */
const aboutPlan =
  /^(?:(?:but|and|then|also|instead|however|please note that|i think|i'd say) )*(?:the|this|your) (?:plan|implementation|approach|design|solution|proposal) (?:should|must|shall|needs?|has to|ought to|could)(?: not)? [a-z]/u;

export function isRevision(sentences: readonly string[]): boolean {
  return sentences.some((sentence) => aboutPlan.test(sentence) && !sentence.includes('?'));
}

/** Words about approving, in any sense. */
const approvalWords: readonly RegExp[] = [
  /\b(?:dis|un-?|re-?|pre-?)?approv(?:e|ed|es|ing)\b/u,
  /(?:^|\s)\/(?:approve|lgtm|implement)\b/u,
  /\bgo ahead\b/u,
  /\bproceed(?:s|ed|ing)?\b/u,
  /\bship (?:it|this)\b/u,
  /\blgtm\b/u,
  /\bgreen light\b/u,
  /\bthumbs up\b/u,
];

/** What makes something be for later, or for a case. */
const condition =
  /\b(?:if|unless|once|when|whenever|after|until|till|before|provided|assuming|as long as|as soon as|depends?|except|tomorrow|later|tonight|today|soon|next (?:week|month|sprint|time)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|maybe|perhaps|probably|not yet|almost|nearly)\b/u;
/** What says that something is to be different. */
const change =
  /\b(?:should|must|needs?|has to|have to|instead|rather|with|without|using|use|uses|via|also|too|as well|add|remove|rename|replace|drop|split|move|change|keep|make|avoid|prefer|show|send|store)\b/u;

const partly =
  /\bimplement(?:ing|ed)? (?:only|just|steps?|parts?|phases?|points?|items?|the (?:first|second|third|last|other|rest))\b/u;
const wholly =
  /\bimplement(?:ing|ed)?(?:[^\w\s]|$| (?:it|this|that|these|them|the plan|this plan|your plan|now|yet|anything|everything|soon|not)\b)/u;

/** "Implement it" is about the plan as a whole; "implement the parser with a table" is about what is in it. */
function speaksOfImplementing(sentence: string): boolean {
  if (!/\bimplement(?:ing|ed)?\b/u.test(sentence)) return false;
  if (partly.test(sentence)) return true;
  if (!wholly.test(sentence)) return false;
  return condition.test(sentence) || !change.test(sentence);
}

/** Whether a comment that does not approve is about approving. */
export function speaksOfApproving(sentences: readonly string[]): boolean {
  return sentences.some(
    (sentence) =>
      approvalWords.some((word) => word.test(sentence)) ||
      (/\b(?:dis)?approvals?\b/u.test(sentence) && (condition.test(sentence) || !change.test(sentence))) ||
      speaksOfImplementing(sentence),
  );
}

/** Whole sentences that say no, or not now, and not what instead. */
const refusals: readonly string[] = [
  ...[
    'no',
    'nope',
    'nah',
    'no way',
    'no thanks',
    'nack',
    'nak',
    'reject',
    'rejected',
    'i reject this',
    'denied',
  ],
  ...['declined', 'veto', '-1', 'stop', 'wait', 'hold', 'hold on', 'hold off', 'not now', 'cancel', 'abort'],
  ...['changes requested', 'request changes', 'please wait', 'please stop', 'please hold'],
];

/** Signs that say so without a word. */
const badSigns: readonly string[] = ['👎', '❌', '❎', '🚫', '🛑', '⛔', '✋', '🙅', '⚠', '✖', '🔴'];

/** A yes in other languages: the person means an approval, and an answer tells them which words approve a plan. */
const foreignYes: readonly string[] = [
  ...['ja', 'jawohl', 'genehmigt', 'freigegeben', 'einverstanden', 'passt', 'in ordnung', 'mach das', 'los'],
  ...['oui', 'approuvé', "d'accord", 'vas-y', 'allez-y', 'ça marche'],
  ...['sí', 'si', 'aprobado', 'adelante', 'de acuerdo', 'vale'],
  ...['sim', 'aprovado', 'pode seguir', 'approvato', 'va bene', 'procedi'],
  ...[
    'akkoord',
    'goedgekeurd',
    'godkänd',
    'godkendt',
    'tak',
    'zatwierdzam',
    'да',
    'одобрено',
    'одобряю',
    'хорошо',
  ],
  ...[
    'evet',
    'onaylandı',
    'はい',
    '承認',
    '承認します',
    '了解',
    '好',
    '好的',
    '同意',
    '批准',
    '可以',
    '네',
    '승인',
    '좋아요',
  ],
];

const laterOrMaybe = new RegExp(`^(?:but |and |only |just )*${condition.source}`, 'u');

/** @param isYes whether one of the sentences begins with a yes */
export function isRefusal(sentences: readonly string[], isYes: boolean): boolean {
  return sentences.some((sentence) => {
    const words = sentence.replace(/\uFE0F/gu, '').trim();
    if (refusals.includes(words) || foreignYes.includes(words.toLowerCase())) return true;
    if (badSigns.some((sign) => words.startsWith(sign) || words.endsWith(sign))) return true;
    return isYes && (laterOrMaybe.test(words) || (sentences.length === 1 && condition.test(words)));
  });
}
