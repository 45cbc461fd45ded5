/**
 * Words with which people hold an approval back. Used to refuse, never to approve: a note with one of them asks the
 * person what they mean. No list knows all words, so notes also have to be written in Latin letters and plain signs.
 */
import { foldLetters, joinLetters, listReadings } from './fold-words.ts';
import { listPresentForms, listVerbForms } from './inflect-verb.ts';

const list = (text: string): string[] =>
  text
    .split(/[,\n]/u)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

/** Harmless, although a word of the lists below stands in them. */
const harmless = list(`
  no longer blocking, not blocking, non blocking, nothing blocking, no blockers, not a blocker, no objection, no objections
  no concern, no concerns, no changes, no remarks, no comments, no problem, no problems, no questions, nothing to add
  nothing is missing, no doubt, as expected
`);

/** Says of anything that it stops an approval. */
const blocking = list(`
  blocker, blockers, blocking, showstopper, showstoppers, show stopper, must fix, must fixes, must be fixed, must be changed
  must change, must be solved, must be resolved, must be removed, must be added, has to be fixed, have to be fixed
  has to be changed, needs to be fixed, need to be fixed, required change, required changes, changes required
  change required, required fix, fix required, fixes required, changes requested, do not merge, dont merge, do not approve
  dont approve, do not ship, dont ship, do not file, dont file, do not release, dont release, do not proceed, not approved
  not be approved, cannot approve, can not approve, cant approve, wont approve, disapproved, unapproved, rejected, i reject
  no go, veto, not ready
`);

/** Holds something back, wherever it stands in a note. */
const reserving = list(`
  not, no, never, none, nothing, nobody, neither, nor, cannot, without, nope, nay, nack
  dont, doesnt, didnt, isnt, arent, wasnt, werent, wont, wouldnt, cant, couldnt, shouldnt, mustnt, hasnt, havent, hadnt, neednt
  must, shall, should, ought, has to, have to, had to, need, needs, needed, require, requires, required, mandatory, obligatory
  if, unless, until, till, once, provided, providing, as long as, as soon as, subject to, condition, conditional, conditionally
  conditions, assuming, only, except, apart from, pending, before, first, depends, depending, contingent, when, whenever, after
  but, however, though, although, yet, still, otherwise, instead, nevertheless, nonetheless, whereas, despite, except for
  block, blocks, blocked, blocker, blockers, blocking, stopper, stoppers, showstopper, critical, severe, urgent, serious, grave
  fatal, p0, p1, s1, prio, priority, mustfix, fix, fixes, fixme, todo, wip, tbd, false, hardly, barely
  please, pls, plz, request, requests, requested, want, wants, ask, asks, change, changes, revise, revision, revisions, rework
  redo, rewrite, reconsider, rethink, discuss, discussion, wait, waits, waiting, hold, holds, stop, stops, pause, postpone
  postponed, defer, deferred, delay, delayed, undecided, reject, rejects, rejected, refuse, refused, decline, declined, veto
  object, objection, objections, oppose, against, disagree, disapprove, disapproved, unapproved, withdraw, withdrawn, revoke
  revoked, deny, denied, denies, withhold, withheld, suspend, suspended, forbidden, prohibited, forget, insist, insists, demand
  demands, back to, go back, send back, return to, expect, expects, expected, cancel, cancelled, canceled, abort, dismiss, undo, revert, ignore, wrong, bad, broken, breaks, fails, failing, fail
  bug, bugs, missing, lacks, lack, incomplete, unfinished, insufficient, inadequate, unacceptable, unsafe, insecure, vulnerable
  vulnerability, danger, dangerous, risky, risk, concern, concerns, concerned, worry, worried, worries, doubt, doubts, doubtful
  unclear, unsure, uncertain, maybe, perhaps, possibly, probably, almost, nearly, partly, partially, mostly, half, reluctant
  reluctantly, reservation, reservations, caveat, caveats, issue, issues, problem, problems, fake, joke, kidding, sarcasm
  muss, mussen, soll, sollte, sollten, erst, falls, wenn, sobald, bevor, solange, nicht, kein, keine, keinen, aber, jedoch, nur
  nein, noch, bitte, warten, wartet, blockiert, blockierend, ablehnen, abgelehnt, fehlt, fehlen, ohne, vorher, sofern
  muessen, zuerst, bis, stopp, halt, ausser, andern, aendern, uberarbeiten, ueberarbeiten
  doit, doivent, faut, bloque, bloquant, bloquante, avant, sauf, pas, mais, attendre, refus, refuse, corriger, non, manque
  si, seulement, jamais, rien, aucun, aucune, sans, obligatoire
  debe, deben, pero, antes, falta, faltan, rechazado, rechazo, esperar, corregir, solo, nunca, nada, sin, hasta, obligatorio
  deve, devono, prima, ma, manca, mas, nao, precisa, bloccante, moet, moeten, maar, niet, geen, eerst, nie, musi, trzeba, ale
  ikke, inte, maste, skal, men, ei, ne, net
`);

/** Verbs that hold something back in each of their forms. */
const refusing = list(`
  reject, refuse, decline, veto, object, oppose, disagree, disapprove, unapprove, withdraw, revoke, deny, withhold, suspend, forbid
  prohibit, insist, demand, cancel, abort, dismiss, undo, revert, ignore, block, await, hold, stop, pause, postpone, defer, delay
  require, need, expect, fail, break, lack, concern, worry, doubt, forget, scrap, skip, omit, protest, abandon, halt, resist, dispute
  retract, rescind, hesitate, regret, depend, shelve, ditch, trash, nix, kill, downvote, misclick, complain, condemn, dislike, hate
`);

/** The same, but what was done is settled: "revised", "fixed", "discussed with Legal". */
const wishing = list(`
  want, ask, request, change, fix, revise, rework, redo, rewrite, reconsider, rethink, discuss, wait, wish, prefer, suggest, recommend
  propose, advise, urge
`);

const more = list(`
  held, withdrew, withheld, forbade, undid, undone, broke, forgot, forgotten, rewrote
  thumbs down, thumb down, by accident, accident, accidental, accidentally, by mistake, mistake, mistaken, mistakenly, in error, oops
  start over, starting over, start again, start afresh, from scratch, begin again, review again, review it again, review this again
  look again, look at it again, think again, think about, second thought, second thoughts, call off, called off, back out, hang on
  tomorrow, tonight, later, soon, next week, next month, some day, someday, eventually, leave out, leave it out, leaving out, left out
  to be added, to be done, to be changed, to be removed, to be clarified, to be discussed, to be decided, to decide, to sign, outstanding
  excluding, excluded, excludes, exclusion, exception, exceptions, aside from, other than, save for, barring, precondition
  preconditions, prerequisite, prerequisites, too long, too short, too big, too large, too small, too many, too much, too few, too vague
  too early, too late, too complex, too risky, too expensive, too slow, ugly, rubbish, terrible, awful, horrible, poor, premature
  work in progress, under review, on ice, parked, take it back, take this back, take that back, taken back, untick, unticked, uncheck
  unchecked, i lied, just testing, let me, let us talk, talk to, call me, ping me, see me, sort of, kind of, meh, duress, reluctance
  grudgingly, tentative, tentatively, provisional, provisionally, in principle, in part, temporarily, temporary, just step, just part
  contra
  minus, to confirm, to be confirmed, tbc, under protest, rather, would, could, might
`);

const held: readonly string[] = [
  ...new Set([
    ...reserving,
    ...refusing.flatMap(listVerbForms),
    ...wishing.flatMap(listPresentForms),
    ...more,
  ]),
];

/** Asks for something when a sentence begins with it. */
const asking = list(`
  add, rename, remove, delete, replace, use, move, split, name, update, clarify, explain, describe, document, check, verify
  test, make, ensure, drop, keep, set, limit, write, tell, give, try, consider, correct, adjust, specify, define
  mention, include, exclude, raise, lower, reduce, increase, shorten, expand, extend, improve, get, put, turn, show, do, have, remember
`);

function findIn(text: string, phrases: readonly string[]): string | null {
  for (const reading of listReadings(text)) {
    let rest = reading;
    for (const phrase of harmless) rest = rest.replaceAll(` ${phrase} `, ' . ');
    const found = phrases.find((phrase) => rest.includes(` ${phrase} `));
    if (found !== undefined) return found;
  }
  return null;
}

/** Shorter ones stand by chance in other words. */
const shortestJoined = 8;

/** Something in a text that stops an approval; null when there is nothing. */
export function findBlockingWords(text: string): string | null {
  return findIn(text, blocking);
}

/** The same where words are written together, or letter by letter. */
function findJoined(text: string): string | null {
  const letters = joinLetters(text);
  const isIn = (phrase: string): boolean => {
    const joined = phrase.replaceAll(' ', '');
    return joined.length >= shortestJoined && joined !== phrase && letters.includes(joined);
  };
  return blocking.find(isIn) ?? null;
}

/** Letters, numbers, blanks, what people set between and behind words, and the signs with which they agree. */
const plainSigns: ReadonlySet<string> = new Set([
  ...'abcdefghijklmnopqrstuvwxyz0123456789 \t\n',
  ...'.,;:!()[]{}"\'’‘“”„«»`´-‐‑–—·•*_~/|@#&%+=<>≤≥±×^$€£¥§°→←',
  ...'✅✔✓👍👌🎉🚀🙏💯😀😃😄🙂😊🥳❤👏🤝🏻🏼🏽🏾🏿',
]);

/** Marks that strike letters out or frame them, and signs that no reader sees. */
const hiding =
  /(?!\u200D|\uFE0F)(?:[\u0334-\u0338]|\u034F|[\u115F\u1160]|[\u180B-\u180F]|[\u20D0-\u20FF]|\u3164|[\uFE00-\uFE0F]|\uFFA0|\p{Cf})/u;

/** Letters and digits that stand one by one, as in a word that is spelled. */
const spelled = /(?<![a-z0-9])[a-z0-9](?:[^a-z0-9]{1,3}[a-z0-9](?![a-z0-9])){2,}/gu;
const isSpelled = (folded: string): boolean =>
  (folded.match(spelled) ?? []).some((signs) => /[a-z]/u.test(signs));

const downvote = /(?<![a-z0-9])[-‐‑–—]\s?1(?![a-z0-9]|\.\d)/u;

/**
 * As they are shown: no reader knows what they say. People write `#` before a number, `%` behind one, and `;`
 * behind a word.
 */
const encoded = /&#?\w{1,31};|%[0-9a-f]{2}|#(?!\d)|\s;|(?<![0-9]\s?)%/u;

/** Digits that stand for letters. */
const mixed = /[a-z][0-9]+[a-z]/u;

/** As programmers write "not". */
const negated = /(?<![a-z0-9])!+[^a-z0-9]?[a-z]/u;

/** Some programs strike out what stands between one tilde and another. Before a number, one says "about". */
const about = /(?<![^\s(])~(?=[0-9])/gu;
const isStruck = (folded: string): boolean =>
  /~.*~/su.test(folded) && folded.replace(about, '').includes('~');

/** May stand before a verb that asks, and between it and another sentence. */
const joining = list(
  'then, and, also, now, so, next, finally, lastly, plus, additionally, just, simply, kindly, lets, to, you, we',
);
/** In the middle of a sentence these may be other words than orders; with one of the words below after them they are. */
const doubleMeaning = list(`
  use, move, split, name, update, document, check, test, make, drop, keep, set, limit, give, try, correct, raise, lower, increase
  get, put, turn, show, do, have
`);
const determiners = list(
  'a, an, the, it, this, that, these, those, them, some, more, all, each, every, another, our, your, its',
);
const joined = list('then, and, also');

/** A verb that asks for something: at the beginning of a sentence, or where a sentence goes on with "and". */
function findAsking(folded: string): string | null {
  for (const sentence of folded.split(/[^a-z0-9\s'’]/u).flatMap((one) => listReadings(one))) {
    const words = sentence.trim().split(' ');
    const [first = ''] = words.slice(words.findIndex((word) => !joining.includes(word)));
    if (asking.includes(first)) return first;
    const next = words.find(
      (word, index) =>
        asking.includes(word) &&
        joined.includes(words[index - 1] ?? '') &&
        (!doubleMeaning.includes(word) || determiners.includes(words[index + 1] ?? '')),
    );
    if (next !== undefined) return next;
  }
  return null;
}

/** Why words of a person hold an approval back, or may do so; null when they do not. */
export function findReservation(text: string): string | null {
  if (hiding.test(text)) return 'signs that hide or strike out letters';
  const folded = foldLetters(text);
  const odd = [...folded].find((sign) => !plainSigns.has(sign));
  if (odd === '?') return 'a question';
  if (odd !== undefined) return `the sign "${odd}"`;
  if (isSpelled(folded)) return 'letters that stand apart';
  if (downvote.test(folded)) return '"-1"';
  if (encoded.test(folded)) return 'encoded signs';
  if (mixed.test(folded)) return 'a word with digits in it';
  if (negated.test(folded)) return '"!" before a word';
  if (isStruck(folded)) return 'struck-out text';
  const word = findIn(text, blocking) ?? findIn(text, held) ?? findJoined(text);
  if (word !== null) return `"${word}"`;
  const asked = findAsking(folded);
  return asked === null ? null : `"${asked}"`;
}
