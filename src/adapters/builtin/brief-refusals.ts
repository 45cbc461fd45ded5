/**
 * The words by which a heading or an introduction takes back what stands under it, in English and German. What a list
 * says is only asked for when nothing above it says the contrary, so these words are many and match early: a list that
 * is held back by mistake is a question to a person, a list that is turned around is a wrong issue.
 */
import { normaliseTitle } from '../../domain/text/markdown.ts';

/** Words between blanks: signs are gone, "don't" is `don t`. */
function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'u');
}

const modal = 'must|shall|should|may|could|will|would|ought|do|need|needs|dare|might|to';

/** What rules something out. */
const ruledOut = words(
  `(?:${modal}) (?:(?:it|we|they|you|this|that|ever|also|definitely|certainly|absolutely|really) )?(?:not|never)(?: (?:ever|be|to))?`,
  '(?:mustn|shan|shouldn|won|wouldn|don|needn) t|mustnt|wont|dont|never',
  'not (?:\\p{L}+ )?(?:required|needed|necessary|wanted|desired|planned|included|supported|allowed|permitted|now|yet|today|in|for|part|to|a|an|the|our|ours|us|this|these|here|going|doing|building|covered|relevant|asked|acceptable|ok|okay|worth|on)',
  'no longer|no (?:need|plan|plans|intention|go|goes|gos|goals?|more)|nothing',
  'out of (?:the )?scope|(?:outside|beyond) (?:of )?(?:the |this )?scope|non ?goals?|anti ?goals?|non ?(?:requirements?|features?|objectives?|targets?)|off (?:limits|the table)|hands off|taboo|parking lot|icebox|backlog|wish ?list',
  'reject(?:ed|s|ions?)?|refus(?:e|ed|als?)|declined?|discard(?:ed)?|dropped|abandoned|scrapped|cancell?ed|withdrawn|vetoed|turned down|ruled out|voted down|thrown out|struck',
  'exclud(?:e|ed|es|ing)|exclusions?|except|exceptions?|avoid(?:ed|s|ing)?|forbid(?:den|s)?|prohibit(?:ed|s|ions?)?|banned|disallow(?:ed)?|denied|refrain|omit(?:ted)?|left out|leave (?:out|alone|untouched)',
  'postponed?|defer(?:red)?|delayed|parked|later|some ?day|follow ups?|next (?:release|version|time|phase|step|iteration|milestone)|(?:v|version|phase|release) ?[2-9]',
  'alternatives?|unwanted|unneeded|unnecessary|unplanned|unsupported|undesired|deprecated|obsolete|superseded|nice to haves?|bad ideas?',
  'nicht|nichts|nie|niemals|kein(?:e[mnrs]?)?|keinesfalls|keineswegs|weder|außerhalb|abgrenzung',
  'abgelehnt\\p{L}*|ablehnen|verworfen\\p{L}*|ausgeschlossen\\p{L}*|ausgenommen\\p{L}*|ausschlüsse|verboten\\p{L}*|verbote|untersagt\\p{L}*|tabu|vermeiden|verzichte\\p{L}*|verzicht|weglassen|weggelassen\\p{L}*|entfällt|entfallen|gestrichen\\p{L}*',
  'später\\p{L}*|künftig\\p{L}*|zukünftig\\p{L}*|zukunft|zurückgestellt\\p{L}*|verschoben\\p{L}*|aufgeschoben\\p{L}*|vertagt\\p{L}*|unerwünscht\\p{L}*|unnötig\\p{L}*|überflüssig\\p{L}*|alternativen?',
);

/** What says that something is there. */
const done = words(
  'already|done|finished|completed?|implemented|shipped|released|delivered|solved|resolved|answered|in place',
  'bereits|schon|erledigt\\p{L}*|fertig\\p{L}*|umgesetzt\\p{L}*|vorhanden\\p{L}*|implementiert\\p{L}*|abgeschlossen\\p{L}*|gelöst\\p{L}*|behoben\\p{L}*|beantwortet\\p{L}*|geklärt\\p{L}*',
);

/** What makes it doubtful whether something is asked for. */
const doubtful = words(
  'not|no|none|nor|neither|cannot|without|skip(?:ped)?|ignored?|cut|future|considered|outside|beyond|\\p{L}+n t|non|anti|un\\p{L}+ed|against|instead|rather|unless|lacks?|limitations?|optional|could have|wrong|bad|stop|remove[ds]?|delete[ds]?|exists?|existing|current|currently|previous|previously|former|formerly|old|legacy|fixed|closed|today',
  'ohne|außer|statt|anstatt|optional\\p{L}*|un\\p{L}+t|bestehend\\p{L}*|bisher\\p{L}*|derzeit\\p{L}*|aktuell\\p{L}*|früher\\p{L}*|alt(?:e[mnrs]?)?|raus|weg|falsch',
);

/** "Done when" says when the work will be done, and not that it is. */
const doneWhen =
  /(?:definition of|get(?:ting)? (?:it|this)?|when (?:is|are) (?:it|this|we)|to be) ?done|(?:done|finished|complete|completed|fertig|erledigt) (?:when|if|once|wenn|sobald)|(?:fertig|erledigt) ist/gu;

/** "Not only" and the like ask for more, not for less. */
const more = /not (?:only|just)|nicht nur|(?:not|nicht) (?:sure|clear|decided|certain|sicher|klar)/gu;

/**
 * `refused`: the words take back what stands under them, or say that it is done. `asked`: they may do so. Null: nothing in
 * them says so.
 */
export function refusalOf(title: string): 'refused' | 'asked' | null {
  const said = normaliseTitle(title.replace(/[*_~`]/gu, ' '))
    .replace(doneWhen, ' … ')
    .replace(more, ' … ');
  const isRefused = ruledOut.test(said) || done.test(said) || /^(?:not|no)(?![\p{L}\p{N}])/u.test(said);
  // "If the file is not there" speaks of a case, and not of what is refused.
  if (isRefused)
    return /^(?:if|when|while|once|unless|where|wenn|falls|sobald|solange)(?![\p{L}])/u.test(said)
      ? 'asked'
      : 'refused';
  return doubtful.test(said) ? 'asked' : null;
}

const listed =
  'what|things?|stuff|features?|ideas?|items?|points?|options?|requirements?|tasks?|goals?|scope|work|approaches|solutions|was|dinge|sachen|funktionen|ideen|punkte|anforderungen|aufgaben|ziele|lösungen';
const opensRefusal = new RegExp(
  `^(?:${listed})(?![\\p{L}])|^(?:${ruledOut.source}|${done.source})[^.]{0,24}$`,
  'u',
);
const onlyRefusal = new RegExp(
  `^(?:${listed}) .|^(?:(?:we|it|this|you|they|wir|es|and|or|und|oder) ?)*(?:(?:${ruledOut.source}|${done.source})(?: (?:and|or|und|oder|be|do|have|happen|considered|required|needed|wanted|planned|the|a|to|yet|now|erforderlich|nötig|notwendig|gewünscht|geplant|jetzt|${listed})(?![\\p{L}]))* ?)+$`,
  'u',
);

/** Whether a heading is only there to take back what stands under it. */
export function isRefusalHeading(title: string): boolean {
  return refusalOf(title) === 'refused' && opensRefusal.test(normaliseTitle(title));
}

/** Whether a heading takes back and names no work: such a heading is no title of a brief. */
export function isOnlyRefusal(title: string): boolean {
  return refusalOf(title) === 'refused' && onlyRefusal.test(normaliseTitle(title));
}

/** Words that point at what follows. */
const pointing =
  /(?<![\p{L}\p{N}])(?:following|these|those|this list|below|here|folgende[mnrs]?|diese[mnrs]?|unten)(?![\p{L}\p{N}])/iu;

/** Whether a whole sentence points at what follows it. */
export function pointsOn(spoken: string): boolean {
  return pointing.test(spoken) || isRefusalHeading(spoken);
}

/** A short line that goes on with the list before it. */
export const goesOn =
  /^\W{0,3}(?:and|also|or|nor|plus|further(?:more)?|as well|moreover|neither|und|auch|oder|sowie|noch|ferner|weiterhin)(?![\p{L}\p{N}])[^.!?]{0,40}$/iu;

/** What introduces a list without taking it back. */
const welcome = words(
  'tasks?|steps?|todos?|to do|missing|wanted|goals?|changes?|plan|proposal|idea|behaviou?r|rules?|cases?|examples?|summary|details?|notes?|features?|requirements?|criteria|scope|following|list',
  'adds?|shows?|has|have|supports?|gives?|prints?|contains?|includes?|accepts?|returns?|lists?|reads?|writes?|takes?|offers?|allows?|becomes?|works?|gets?|means|covers?|holds?|consists?|can|will|is|are|do|does|each|every|for|when|if|so',
  'aufgaben?|schritte?|fehlt|fehlen|gewünscht|ziele?|änderungen|plan|vorschlag|idee|verhalten|regeln?|fälle|beispiele?|folgende\\p{L}*|zeigt|hat|haben|unterstützt|gibt|enthält|nimmt|liest|schreibt|kann|können|wird|werden|ist|sind|jede[mnrs]?|für|wenn',
);

export function isWelcome(spoken: string): boolean {
  return welcome.test(normaliseTitle(spoken));
}

const reports =
  /(?<![\p{L}\p{N}])(?:said|says|say|wrote|writes|write|reported|told|tells|asked|asks|suggested|proposed|demanded|answered|replied|according to|quote[ds]?|forwarded|copied|pasted|sagte|sagt|schrieb|schreibt|meldete|meldet|fragte|laut|zitat)(?![\p{L}\p{N}])/iu;

/** Whether a line hands the word to another writer or to a program. */
export function isReport(spoken: string): boolean {
  return /:\W*$/u.test(spoken) || reports.test(spoken);
}

const answer =
  /^\W{0,4}(?:yes|yep|yeah|no|nope|ja|nein|doch|answer|antwort|a|decided|decision|entschieden|resolved|settled|agreed|neither|both|beides?|keine[rs]?)(?![\p{L}\p{N}])/iu;

const asksFor =
  /(?<![\p{L}\p{N}])(?:which|what|who|when|where|how|welche[mnrs]?|was|wer|wann|wo|wie)(?![\p{L}\p{N}])[^?]*\?\W*$/iu;

/** Whether a sentence answers the question before it: it begins as an answer does, or is the few words that were asked for. */
export function isAnswer(question: string, spoken: string): boolean {
  if (!/\?\W*$/u.test(question) || spoken.includes('?')) return false;
  if (answer.test(spoken) || /^(?:→|->|=>)/u.test(spoken.trim())) return true;
  return asksFor.test(question) && spoken.split(/\s+/u).length <= 3 && /[\p{L}\p{N}…]\.$/u.test(spoken);
}
