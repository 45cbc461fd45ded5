/**
 * The words by which a brief is read without a model, in English and German. They only decide where a sentence of the
 * brief is put; what is in doubt becomes a question, which a person answers.
 */
import { normaliseTitle } from '../../domain/text/markdown.ts';
import { isRefusalHeading, refusalOf } from './brief-refusals.ts';

/** The sections of the template that the outline fills. */
export type Target =
  | 'User Story'
  | 'Objective'
  | 'UX Flow'
  | 'Requirements'
  | 'Technical Approach'
  | 'Security Considerations'
  | 'Files to Create/Modify'
  | 'Dependencies'
  | 'Out of Scope'
  | 'Open Questions'
  | 'Acceptance Criteria'
  | 'Testing Notes';

/** Words in the brief's headings, and the section they speak of. The first that fits wins. */
const headingWords: readonly (readonly [RegExp, Target])[] = [
  [
    /out of scope|non ?goals?|not (?:included|in scope|now|part of)|excluded|^(?:for )?later$|nicht ziele|nicht (?:enthalten|jetzt|teil)|außerhalb|abgrenzung|^später$/u,
    'Out of Scope',
  ],
  [/question|unclear|undecided|^todos?$|^tbd$|fragen|unklar|^offen|zu klären/u, 'Open Questions'],
  [/accept|done when|success criteria|criteria|akzeptanz|fertig wenn|kriterien/u, 'Acceptance Criteria'],
  [/user stor|persona|nutzer ?geschichte/u, 'User Story'],
  [/security|privacy|permission|sicherheit|datenschutz/u, 'Security Considerations'],
  [/reproduce|repro$|actual|observed|what happens|was passiert/u, 'UX Flow'],
  [/test|verif/u, 'Testing Notes'],
  [/depend|blocked by|prerequisite|abhängig|voraussetzung/u, 'Dependencies'],
  [/files?$|files? to|modules? to|paths?$|^dateien/u, 'Files to Create/Modify'],
  [
    /approach|technical|implementation|design|architecture|how it works|umsetzung|ansatz|technik|lösung/u,
    'Technical Approach',
  ],
  [/flow|scenario|usage|example|experience|walkthrough|ablauf|beispiel|benutzung/u, 'UX Flow'],
  [
    /require|feature|must|should|expect|what we need|what to (?:do|build)|tasks?$|scope|anforderung|aufgaben|was wir brauchen|erwartet/u,
    'Requirements',
  ],
  [
    /objective|goal|why|problem|background|summary|motivation|idea|context|overview|^ziel|warum|hintergrund|zusammenfassung|idee/u,
    'Objective',
  ],
];

function spokenTarget(title: string): Target | null {
  const words = normaliseTitle(title);
  return headingWords.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** The section that a heading speaks of; null when it speaks of none, or takes back what stands under it. */
export function targetOf(title: string): Target | null {
  const reading = readHeading(title);
  return reading.kind === 'section' ? reading.target : null;
}

export type HeadingReading =
  | { readonly kind: 'section'; readonly target: Target }
  /** Kept together with what stands under it, out of scope or as a question. */
  | { readonly kind: 'refused' | 'asked' }
  /** Questions with their answers, or labels. */
  | { readonly kind: 'answered' | 'labels' }
  /** Only quoted; `isWhole`: with the headings under it. */
  | { readonly kind: 'none'; readonly isWhole: boolean };

/** What stands in these sections is to be done: nothing may come into them that a heading takes back. */
const asking: readonly Target[] = [
  'Requirements',
  'Acceptance Criteria',
  'Files to Create/Modify',
  'Dependencies',
];
const tellsOfFailure = /reproduce|repro$|actual|observed|what happens|was passiert/u;
const answeredWords =
  /(?<!(?:not|un|nicht|yet to be|noch) ?)(?:answered|resolved|settled|closed|decided|beantwortet|geklärt|erledigt)/u;

export function readHeading(title: string): HeadingReading {
  const words = normaliseTitle(title);
  if (/^labels?$/u.test(words)) return { kind: 'labels' };
  const [target, refusal] = [spokenTarget(title), refusalOf(title)];
  if (target === 'Open Questions' && answeredWords.test(words)) return { kind: 'answered' };
  const isFree = target === 'Out of Scope' || target === 'Open Questions' || tellsOfFailure.test(words);
  if (target !== null && (isFree || refusal === null)) return { kind: 'section', target };
  if (refusal === null) return { kind: 'none', isWhole: false };
  if (isRefusalHeading(title)) return { kind: 'refused' };
  if (target !== null && asking.includes(target)) return { kind: refusal };
  if (target !== null && refusal === 'asked') return { kind: 'section', target };
  return { kind: 'none', isWhole: refusal === 'refused' };
}

/** Letters on either side make another word; `\b` knows only those of ASCII. */
function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
}

const doubts = [
  /\?+(?=$|[\s"'’”»)\]*_.,;:!…])/u,
  /(?<![\p{L}\p{N}_])(?:FIXME|XXX|TBD|TBC|TBA)(?![\p{L}\p{N}_])/u,
  // A list of things to do may be what the brief is about; a mark that something is to be done is not.
  /^\W{0,3}todos?(?![\p{L}\p{N}_])|[(–—:-]\s*todo(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])todo(?:\s*[:(–—]|\W*$|\W+(?:ask|check|clarify|decide|define|discuss|figure|find|fragen|klären))/iu,
  words(
    "(?:not|isn['’]t|aren['’]t|am not|un) ?(?:quite |really |entirely |100 ?% )?(?:sure|certain|decided|clear)",
    'unsure|undecided|unclear|uncertain',
    'maybe|perhaps|possibly|presumably|probably',
    'no idea|no clue|who knows|dunno|idk',
    "(?:do not|don['’]t) (?:really )?(?:know|remember)",
    'to be (?:decided|determined|discussed|clarified|defined|confirmed|announced)',
    '(?:need|needs|have|has|still) to (?:ask|check|clarify|decide|discuss|figure out|find out|think about)',
    'i (?:think|guess|suppose|assume|wonder)|open question|wondering|might (?:be|want|need|have)|or something',
  ),
  /(?<![\p{L}\p{N}_])(?:[Aa]sk|[Cc]heck with|[Ff]rag(?:e|en)?) (?:@?\p{Lu}\p{Ll}+|them|him|her|legal|the team)(?![\p{L}\p{N}_])/u,
  words(
    'vielleicht|eventuell|evtl\\.?|möglicherweise|vermutlich|wahrscheinlich|womöglich',
    'unklar|unsicher|ungeklärt|nicht sicher|nicht klar|keine ahnung|weiß (?:ich )?(?:noch )?nicht',
    'noch (?:zu )?(?:klären|offen|entscheiden|fragen|unklar)|zu klären|muss noch geklärt werden',
    '(?:ich )?(?:glaube|denke|vermute)',
    'mal schauen|schauen wir mal',
  ),
];

/** Whether a sentence says that something is not decided. */
export function isDoubt(spoken: string): boolean {
  return doubts.some((pattern) => pattern.test(spoken));
}

const putOff = [
  words(
    'not now|not yet|not for now|not today|not this time|not (?:in|for) (?:this|the first|v1|version 1)\\b[^.]{0,30}',
    'out of scope|out-of-scope|not in scope|outside (?:of )?(?:the )?scope|beyond the scope',
    'non-?goals?|not a goal|not the goal|not part of (?:this|it|the)',
    '(?:for|in) (?:a|the|some) (?:later|next|future|separate|follow-?up|another) (?:issue|pr|pull request|release|version|step|iteration|phase|time)',
    'follow-?up|another time|some other time|next time|some day|someday|in (?:v2|version 2|phase 2)|v2',
    '(?:ignore|skip|leave|omit|drop|park|postpone|defer)\\b[^.?!]{0,60}\\b(?:for now|for the moment|out|aside)',
    'no [^.?!]{1,60} for now|postponed?|deferred',
    "(?:won['’]t|will not) (?:do|fix|support|implement|cover|touch) (?:this|that|it|now|here)?",
  ),
  words(
    'nicht jetzt|jetzt (?:noch )?nicht|vorerst nicht|erst mal nicht|erstmal nicht|noch nicht jetzt',
    'außerhalb des (?:umfangs|rahmens)|nicht teil (?:davon|dieser|dieses|von)|kein ziel|nicht enthalten',
    'ein andermal|in einem (?:zweiten|späteren|anderen) schritt|folge-?(?:issue|ticket)',
  ),
  // "Later" alone is a time like any other; at either end of a sentence, or with a mark, it puts something off.
  /^\W{0,3}(?:later|später)(?![\p{L}\p{N}_])(?! than)|\((?:maybe |perhaps |vielleicht )?(?:later|später)\)|(?<![\p{L}\p{N}_])(?:later|später)\s*[:(–—]/iu,
  /(?:maybe|perhaps|for|until|vielleicht|für) (?:later|später)(?![\p{L}\p{N}_])/iu,
  /(?<!\d+ ?\p{L}{0,12} )(?<!(?:second|minute|hour|day|week|month|year|moment|line|step)s? )(?<!(?:or|no|much|little|bit) )(?<![\p{L}\p{N}_])(?:later|später)[\s.!)\]…]*$/iu,
];

/** Whether a sentence says that something is not to be done now. */
export function isPutOff(spoken: string): boolean {
  return putOff.some((pattern) => pattern.test(spoken));
}

const dependency =
  /(?:depends? (?:up)?on|blocked (?:by|on)|requires|needs|after|waits? (?:for|on)|builds on|prerequisite|hängt (?:ab )?(?:von|an)|abhängig von|blockiert (?:durch|von)|braucht|wartet auf|voraussetzung|baut auf)[:\s](?:[^.?!]{0,60}?|\S*)(?:#\d+|\/(?:issues|pull)\/\d+|GH-\d+)/iu;

const undone = words(
  "not|no|never|neither|nor|none|nothing|cannot|without|instead|\\p{L}+n['’]t|no longer|any ?more",
  'was|were|had|used to|previously|formerly|once|already|done|resolved|merged|closed|except|independent',
  'nicht|nie|niemals|keine?[mnrs]?|ohne|weder|statt|früher|bereits|schon|erledigt|unabhängig|war|waren|hatte',
);

/** Whether a sentence names an issue that has to be done before: in a clause that does not take it back. */
export function isDependency(spoken: string): boolean {
  if (!dependency.test(spoken)) return false;
  const clauses = spoken.split(/[,;–—]\s|\s(?:but|and|aber|sondern|und)\s/iu);
  const named = clauses.filter((clause) => dependency.test(clause));
  return named.length === 0 ? !undone.test(spoken) : named.some((clause) => !undone.test(clause));
}

const story =
  /^\W{0,4}(?:as an? [^.?!]{1,120}?[,\s]+(?:i|we) (?:want|need|would like|['’]d like|can|wish|expect)|als [^.?!]{1,120}?[,\s]+(?:möchte|will|brauche|kann|hätte) ich)(?![\p{L}])/iu;

/** Whether a paragraph is a user story. */
export function isStory(spoken: string): boolean {
  return story.test(spoken);
}

const required = words(
  "must(?: not|n['’]t)?|shall(?: not)?|should(?: not|n['’]t)?|needs? to|have to|has to|(?:we|i|you|they|users?) (?:need|want|would like)",
  'required?|please|make sure|ensure',
  'muss|müssen|soll|sollen|sollte|sollten|darf nicht|dürfen nicht|brauchen|brauche|bitte|wir wollen|ich will|ich möchte',
);
const ordered =
  /^\W{0,3}(?:(?:then|also|and|next|finally|just)[, ]+)?(?:add|allow|avoid|build|change|check|clean up|convert|create|delete|deprecate|detect|disable|document|do not|don['’]t|drop|enable|export|extend|fix|handle|implement|improve|keep|let|log|make|merge|move|never|parse|print|provide|refactor|reject|remove|rename|render|replace|report|return|round|show|split|stop|store|strip|support|throw|treat|trim|update|upgrade|use|validate|warn|write)(?![\p{L}\p{N}_])/iu;

/** Whether a sentence says that something has to be. */
export function isRequired(spoken: string): boolean {
  return required.test(spoken);
}

/** Whether a sentence of prose asks for something. */
export function isWish(spoken: string): boolean {
  return required.test(spoken) || ordered.test(spoken);
}

const aim = /^\W{0,4}(?:(?:the|our|das|unser) )?(?:goals?|objectives?|aims?|purpose|ziele?|zweck)\W{0,4}:/iu;

/** Whether a sentence is introduced as what it is all for. */
export function isAim(spoken: string): boolean {
  return aim.test(spoken);
}

const greeting =
  /^(?:hi|hello|hey|dear|hallo|moin|servus|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|good (?:morning|evening|afternoon))(?![\p{L}\p{N}_])[^.?!]{0,60}[,!.]?$/iu;
const farewell =
  /^(?:thanks|thank you|thx|cheers|best|best regards|kind regards|regards|br|yours|sincerely|danke|vielen dank|viele grüße|liebe grüße|beste grüße|grüße|gruß|lg|vg|mfg|mit freundlichen grüßen)(?![\p{L}\p{N}_])[^.?!]{0,60}[,!.]?$/iu;
const mailHead =
  /^(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|von|an|gesendet|datum|betreff)\s*:\s*\S/iu;
const attribution = /^(?:on|am)\s.{4,120}(?:wrote|schrieb)\b.{0,80}:?$/iu;

/** Words around what a mail or a note says: they say nothing about the work. */
export function isFrame(spoken: string): boolean {
  return [greeting, farewell, mailHead, attribution].some((pattern) => pattern.test(spoken.trim()));
}

/** How the line with the subject of a mail begins, with the marks of answers. */
export const subjectMark = /^\s*(?:subject|betreff)\s*:\s*(?:(?:re|fwd?|aw|wg|antw?)(?:\[\d+\])?\s*:\s*)*/iu;

/** How a line of labels begins. */
export const labelsMark = /^\s*labels?\s*:\s*/iu;

/** The same as it has to be written: nothing in disguise sets a label. */
export const labelsSource = /^(?:\*\*|__|[*_])?labels?(?:\*\*|__|[*_])?\s*:/iu;

const changes = {
  add: /(?<![\p{L}\p{N}_])(?:new|add(?:s|ed)?|create[sd]?|introduce[sd]?|neu(?:e[rs]?)?|anlegen)(?![\p{L}\p{N}_])/iu,
  delete: /(?<![\p{L}\p{N}_])(?:delete[sd]?|remove[sd]?|gone|löschen|entfernen)(?![\p{L}\p{N}_])/iu,
} as const;

/** Whether the words about a file say that it is added or deleted. */
export function isChange(words: string, change: keyof typeof changes): boolean {
  return changes[change].test(words);
}
