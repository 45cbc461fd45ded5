/** Every word that holds an approval back, and notes with which people approve. */
import { describe, expect, it } from 'vitest';
import { findBlockingWords, findReservation } from './verdict-reservations.ts';

const list = (text: string): string[] => text.trim().split(/\s*[,\n]\s*/u);

const blocking = list(`
  blocker, blockers, blocking, showstopper, showstoppers, show stopper, must fix, must fixes, must be fixed, must be changed
  must change, must be solved, must be resolved, must be removed, must be added, has to be fixed, have to be fixed
  has to be changed, needs to be fixed, need to be fixed, required change, required changes, changes required
  change required, required fix, fix required, fixes required, changes requested, do not merge, dont merge, do not approve
  dont approve, do not ship, dont ship, do not file, dont file, do not release, dont release, do not proceed, not approved
  not be approved, cannot approve, can not approve, cant approve, wont approve, disapproved, unapproved, rejected, i reject
  no go, veto, not ready
`);
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
const inflected = list(`
  vetoed, vetoes, vetoing, rejecting, objecting, objected, declining, declines, awaiting, awaits, refusing, refuses, opposing, opposed
  disagreeing, disagrees, disapproving, withdrawing, withdrew, revoking, denying, withholding, suspending, forbidding, forbids
  insisting, demanding, demanded, cancelling, aborting, aborted, dismissed, undoing, undone, reverted, ignoring, ignored, holding
  held, stopped, stopping, paused, pausing, postponing, deferring, delaying, requiring, needing, expecting, failed, lacking, doubting
  worrying, forgetting, scrap, scrapped, scrapping, skip, skipped, skipping, omit, omitted, protest, protesting, abandoned, halted
  wanting, asking, requesting, changing, fixing, revising, revises, reworking, rewriting, reconsidering, rethinking, discussing, discusses
  prefer, prefers, suggest, suggests, suggesting, recommend, propose, wish, thumbs down, by accident, by mistake, start over
  review again, tomorrow, later, leave out, minus, to confirm, under protest, accidentally, oops, rather, would, could, might
  second thoughts, from scratch, next week, call off, hang on
  to be added, to be done, to be changed, to be removed, to be clarified, to be discussed, to be decided, to decide, to sign, outstanding
  excluding, excluded, excludes, exclusion, exception, exceptions, aside from, other than, save for, barring, precondition
  preconditions, prerequisite, prerequisites, too long, too short, too big, too large, too small, too many, too much, too few, too vague
  too early, too late, too complex, too risky, too expensive, too slow, ugly, rubbish, terrible, awful, horrible, poor, premature
  work in progress, under review, on ice, parked, take it back, take this back, take that back, taken back, untick, unticked, uncheck
  unchecked, i lied, just testing, let me, let us talk, talk to, call me, ping me, see me, sort of, kind of, meh, duress, reluctance
  grudgingly, tentative, tentatively, provisional, provisionally, in principle, in part, temporarily, temporary, just step, just part
  contra
`);
const asking = list(`
  add, rename, remove, delete, replace, use, move, split, name, update, clarify, explain, describe, document, check, verify
  test, make, ensure, drop, keep, set, limit, write, tell, give, try, consider, correct, adjust, specify, define
  mention, include, exclude, raise, lower, reduce, increase, shorten, expand, extend, improve, get, put, turn, show, do, have, remember
`);
const harmless = list(`
  no longer blocking, not blocking, non blocking, nothing blocking, no blockers, not a blocker, no objection, no objections
  no concern, no concerns, no changes, no remarks, no comments, no problem, no problems, no questions, nothing to add
  nothing is missing, no doubt, as expected
`);

describe('words that hold an approval back', () => {
  const missed = (texts: readonly string[]): string[] =>
    texts.filter((text) => findReservation(text) === null);
  const taken = (texts: readonly string[]): string[] =>
    texts.filter((text) => findReservation(text) !== null);

  it('stop it, whoever wrote them', () => {
    const texts = blocking.flatMap((words) => [words, `Here: ${words}.`, words.replaceAll(' ', '\n')]);
    expect(texts.filter((text) => findBlockingWords(text) === null)).toEqual([]);
    expect(missed(blocking)).toEqual([]);
  });
  it('are found in a note, and not in longer words', () => {
    expect(missed(reserving)).toEqual([]);
    expect(missed(inflected)).toEqual([]);
    expect(missed(inflected.map((word) => `Fine (${word.toUpperCase()}) so.`))).toEqual([]);
    expect(taken(inflected.map((word) => `x${word.replaceAll(' ', 'x')}x`))).toEqual([]);
    expect(missed(reserving.map((word) => `Fine (${word.toUpperCase()}) so.`))).toEqual([]);
    const longer = reserving.filter((word) => !/\d|showstopper/u.test(word));
    expect(taken(longer.map((word) => `x${word.replaceAll(' ', 'x')}x`))).toEqual([]);
  });
  it('ask for something where a sentence begins', () => {
    const places = ['WORD it', 'Good. WORD it', 'Good (WORD it)', 'Good\n\n- WORD it', '"WORD it"'];
    for (const place of places)
      expect(missed(asking.map((word) => place.replace('WORD', word))), place).toEqual([]);
    expect(taken(asking.map((word) => `Good to ${word} it`))).toEqual([]);
    expect(findReservation('Good, name it')).toBe('"name"');
    for (const lead of [
      'Then',
      'And',
      'Also',
      'Now',
      'So',
      'And then',
      'Now also',
      "Let's",
      'You',
      'Good, and',
    ])
      expect(missed(asking.map((word) => `${lead} ${word} tests.`)), lead).toEqual([]);
    for (const lead of ['Good and', 'It is fine then', 'We like it and also'])
      expect(missed(asking.map((word) => `${lead} ${word} the tests`)), lead).toEqual([]);
    expect(findReservation('Good and add tests')).toBe('"add"');
    expect(findReservation('Good and rename columns')).toBe('"rename"');
    expect(findReservation('Complete and correct')).toBeNull();
    expect(
      taken(['The title and limit are clear', 'Docs and test are good', 'Nice and short', 'So be it']),
    ).toEqual([]);
  });
  it('are harmless in some phrases, and only there', () => {
    expect(taken(harmless.map((words) => `Good, ${words} here.`))).toEqual([]);
    expect(taken(harmless.map((words) => `Good, ${words}, then ${words}`))).toEqual([]);
    for (const words of harmless) {
      expect(findReservation(`Good, ${words}, but later.`)).toBe('"but"');
      expect(findReservation(`Good, ${words}, then no.`)).toBe('"no"');
      expect(findBlockingWords(words)).toBeNull();
    }
  });
  it('are named as they are in the list', () => {
    expect(findReservation('We must wait')).toBe('"must"');
    expect(findReservation('They must fix it')).toBe('"must fix"');
    expect(findBlockingWords('They must fix it')).toBe('must fix');
    expect(findBlockingWords('They must wait')).toBeNull();
  });
  it.each(['mustbefixed', 'Mustbefixed', 'donotmerge', 'must-be-fix-ed', 'wemustbefixedsoon'])(
    'are found written together: %s',
    (word) => expect(findReservation(word)).not.toBeNull(),
  );
  it('are not found in pieces of other words', () => {
    for (const text of ['Kimono goes well', 'Notable work', 'A fixture', 'Butter, iffy', 'Nonsense aside'])
      expect([text, findReservation(text)]).toEqual([text, null]);
  });
});

describe('how words are written', () => {
  it.each([
    ['MustFix', '"must fix"'],
    ['DONTmerge', '"dont merge"'],
    ['n0', '"no"'],
    ['5top', '"stop"'],
    ['$top', '"stop"'],
    ['b@d', '"bad"'],
    ['f!x', '"fix"'],
    ['un-\n  less', '"unless"'],
    ['un‐\nless', '"unless"'],
    ['un.less', '"unless"'],
    ['mu_st', '"must"'],
    ['n o', '"no"'],
    ['P – 0', '"p0"'],
    ['don’t', '"dont"'],
    ["don't", '"dont"'],
    ['m\u00FCssen', '"mussen"'],
    ['mu\u0301st', '"must"'],
    ['\uFF4Dust', '"must"'],
    ['außer', '"ausser"'],
    ['l1mit', 'a word with digits in it'],
    ['l123mit', 'a word with digits in it'],
    ['!!good', '"!" before a word'],
    ['ab a b cd a, b c', 'letters that stand apart'],
    ['%6dust', 'encoded signs'],
    ['&amp;', 'encoded signs'],
    ['&#109;', 'encoded signs'],
    ['& # 7 7 ; & # 1 1 7 ;', 'encoded signs'],
    ['& #7 7 ; & #1 1 7 ;', 'encoded signs'],
    ['# 1', 'encoded signs'],
    ['#good', 'encoded signs'],
    ['% 4 1', 'encoded signs'],
    ['good % 4', 'encoded signs'],
    ['a b c', 'letters that stand apart'],
    ['O. K. 1', 'letters that stand apart'],
    ['~5 good~', 'struck-out text'],
    ['~good~', 'struck-out text'],
    ['a~5 and b~6', 'struck-out text'],
    ['~5 and ~b', 'struck-out text'],
    ['N.0.', '"no"'],
    ['n - 0', '"no"'],
    ['1.f', '"if"'],
    ['-1', '"-1"'],
    ['– 1.', '"-1"'],
    ['!good', '"!" before a word'],
    ['a: !(good)', '"!" before a word'],
    ['~~good~~', 'struck-out text'],
    ['~good\nso~', 'struck-out text'],
    ['good?', 'a question'],
    ['good？', 'a question'],
    ['да', 'the sign "д"'],
    ['gооd', 'the sign "о"'],
    ['好', 'the sign "好"'],
    ['ᴍᴜꜱᴛ', 'the sign "ᴍ"'],
    ['🅼', 'the sign "🅼"'],
    ['🇳🇴', 'the sign "🇳"'],
    ['👎', 'the sign "👎"'],
    ['\\neg', 'the sign "\\"'],
    ...[
      ...[
        '\u200B',
        '\u200C',
        '\u2060',
        '\uFEFF',
        '\u00AD',
        '\u202E',
        '\u200E',
        '\u{E006E}',
        '\u034F',
        '\u115F',
        '\u1160',
      ],
      ...[
        '\u180B',
        '\u180E',
        '\u180F',
        '\u20D0',
        '\u20DD',
        '\u20FF',
        '\u3164',
        '\uFE00',
        '\uFE0E',
        '\uFFA0',
        '\u0334',
        '\u0338',
      ],
    ].map((sign): [string, string] => [`go${sign}od`, 'signs that hide or strike out letters']),
  ])('%j: %s', (text, found) => expect(findReservation(text)).toBe(found));

  it.each([
    ...[
      '10 MB',
      'v2',
      'a - 12',
      'x-1',
      '1, 2, 3',
      'A or B',
      '~10 MB',
      '100 %',
      'Good!',
      'Good! So',
      'a & b',
      '',
      ' ',
    ],
    ...['élan à la carte, mañana, øre, łódź', '“good” – so', '👍🏽', '❤️', '-1.5', '- 10', 'm\u200Dm'].filter(
      (text) => text !== '👩',
    ),
    'See #12 & #13.',
    '~5 minutes is fine, ~10 too.',
    'It takes (~5 to ~10) minutes',
    '100% fine, 50 % faster, R&D agrees',
  ])('%j is plain', (text) => expect(findReservation(text)).toBeNull());
});

describe('notes with which people approve', () => {
  const notes = [
    ...[
      'LGTM',
      'Looks good to me.',
      'Thanks!',
      'Great work, ship it 🚀',
      'Approved by Legal on Monday.',
      '+1',
      'Agreed.',
    ],
    ...[
      'Go ahead.',
      "Let's go!",
      'Done.',
      'I talked to Bob about it, he is fine with it.',
      'The limit is 10 MB, see section 3.',
    ],
    ...[
      'Deleted the finding about columns: they are named in the table.',
      'Checked with finance, the numbers are right.',
    ],
    ...[
      'Typo fixed in the title.',
      'We will do the rest in the next version.',
      'Follow-up is in #12.',
      'Very clear draft.',
    ],
    ...[
      'Alice and Bob have read it.',
      'See https://example.com/limits for the numbers.',
      'Good enough for now.',
      '👍',
    ],
    ...[
      'The reviewer has a point about cost; we accept it.',
      'Accepted as it is.',
      'Ready.',
      'OK for the release in May.',
    ],
    ...[
      'I like the second part best.',
      'Settled in the meeting on 3 May.',
      'Out of scope here.',
      'Fine with me.',
      'Yes.',
    ],
    ...[
      'All findings are settled.',
      'The suggestions go into the backlog.',
      'No objections.',
      'Nothing to add.',
      'Perfect.',
    ],
    ...[
      'Confirmed by the customer.',
      'Cost is known: 40 € a month.',
      'Security has seen it and agrees.',
      'Gut so, danke.',
    ],
    ...[
      'Parfait, merci.',
      'Freigegeben.',
      'Muy bien.',
      'Same as last time.',
      'I added the limit to the draft myself.',
    ],
    ...[
      'Requirements 1 to 4 are complete.',
      'Works for us.',
      'The team agreed to this yesterday.',
      'Nice and short.',
    ],
    ...[
      'Our lawyers signed off.',
      'This is what we want.',
      'I changed my mind about the columns.',
      'Not needed in May.',
    ],
  ];
  it(`at least 95 % of ${notes.length} are taken, the others ask`, () => {
    const asked = notes.filter((text) => findReservation(text) !== null);
    expect(asked.length / notes.length, JSON.stringify(asked)).toBeLessThan(0.05);
  });
});
