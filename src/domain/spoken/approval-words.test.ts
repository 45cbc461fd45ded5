/** Every row of the lists of words by which plans are approved, written out once more: a row that is lost or bent is noticed. */
import { describe, expect, it } from 'vitest';
import * as words from './approval-words.ts';
import { isPlainOrder, readPlanAnswer } from './plan-approval.ts';

/** Rows are parted by bars. */
const rows = (text: string): string[] => text.split('|').map((row) => row.trim());

const answer = (text: string) => readPlanAnswer(text, 'claude');

const approving = rows(`
  /approve | /lgtm | /implement | lgtm | looks good to me | this looks good to me | that looks good to me |
  it looks good to me | the plan looks good to me | your plan looks good to me | all looks good to me |
  everything looks good to me | plan approved | the plan is approved | this plan is approved |
  your plan is approved | this is approved | it is approved | it's approved | consider it approved |
  consider this approved | you have my approval | you've got my approval | approval granted | green light |
  you have the green light | you've got the green light |
  i accept the plan | i accept this plan | i accept your plan | i accept the proposal | carry it out |
  carry this out | carry that out | carry the plan out | carry this plan out | start the implementation |
  begin the implementation
`);
const verbsAlone = rows(`
  approve | i approve | i hereby approve | we approve | approved | approving | i'm approving | i am approving |
  implement | you can implement | you may implement | go ahead and implement | go ahead and start |
  start implementing | begin implementing
`);
const verbsWith = [
  'i approve of',
  'we approve of',
  "let's implement",
  'go ahead and build',
  'go ahead and do',
  'go ahead and start with',
  'go ahead with',
  'proceed with',
  'carry out',
  'ship',
];
const objects = [
  'it',
  'this',
  'that',
  'the plan',
  'this plan',
  'your plan',
  'that plan',
  'the approved plan',
  'the proposal',
  'this proposal',
  'the implementation',
];
const assenting = rows(`
  yes | yep | yeah | yup | aye | ok | okay | sure | sure thing | absolutely | definitely | of course |
  agreed | i agree | confirmed | sounds good | sounds great | sounds good to me | looks good | looks great |
  this looks good | that looks good | it looks good | this looks great | the plan looks good |
  the plan looks great | plan looks good | the plan sounds good | all good |
  looks fine to me | looks great to me | this looks great to me | the plan looks great to me |
  the plan is good | this plan is good | the plan is fine | this plan is fine | the plan is great |
  i agree with the plan | i agree with this plan | i agree with your plan | we agree with the plan |
  that works | good to go |
  we are good to go | we're good to go | works for me | that works for me | this works for me | fine by me |
  fine with me | good by me | ok with me | ok by me | i'm happy with this | i'm happy with it |
  i'm happy with the plan | happy with this | happy with it | happy with the plan | i'm fine with this |
  i'm ok with this | no objections | go ahead | please go ahead | you can go ahead | you may go ahead |
  feel free to go ahead | feel free to proceed | proceed | you can proceed | you may proceed |
  let's proceed | go for it | do it | please do | let's do it | let's do this | let's go | let's go ahead |
  let's go for it | let's ship it | make it so | all yours | +1
`);
const thanks = rows(`
  thanks | thank you | thanks a lot | thanks so much | thank you so much | thank you very much |
  many thanks | thx | ty | cheers | much appreciated | appreciated | appreciate it | thanks for the review |
  thank you for the review | thanks for reviewing | good catch | thanks for the plan |
  thanks for this | thanks for the work | thanks for working on this | thank you for the plan |
  thank you for this | thanks for the detailed plan | thanks for the update
`);
const pleasing = rows(`
  please | pls | plz | kindly | now | then | so | and | hi | hello | hey | hey there | hi there |
  good morning | team | all | everyone | folks | great | perfect | excellent | awesome | amazing |
  wonderful | fantastic | brilliant | superb | cool | nice | good | neat | lovely | wow | great work |
  nice work | good work | excellent work | great job | nice job | good job | well done | great plan |
  good plan | nice plan | excellent plan | solid plan | this is great | this is a great plan |
  this is a good plan | great stuff | good stuff | nice one | love it | love this | i love it | i like it |
  i like this | i like the plan | i like this plan | makes sense | this makes sense | that makes sense |
  makes sense to me | very nice | very good | well thought out | as is | as it is | as planned |
  as proposed | as described | as written | as discussed | from my side | from me | by me | on my side |
  no changes needed | no further comments | no comments | no concerns | nothing to add | nothing to change |
  reviewed | plan | status | decision | verdict | answer | right away | immediately | at once | indeed |
  looking forward to it | looking forward to the pr | looking forward to seeing it | can't wait |
  sent from my iphone | sent from my ipad | sent from my phone | sent from my android phone
`);
const ordering = rows(`
  do | do it | do this | do that | do on it | do on this | do this on | start | start it | start this |
  start that | start on it | start on this | start this on | begin | begin it | begin this | begin that |
  begin on it | begin on this | begin this on | build | build it | build this | build that | build on it |
  build on this | build this on | make | make it | make this | make that | make on it | make on this |
  make this on | finish | finish it | finish this | finish that | finish on it | finish on this |
  finish this on | take | take it | take this | take that | take on it | take on this | take this on |
  work on it | work on this | work on that | work on the plan | work on this plan | work on your plan |
  get started on it | get started on this | get started on that | get started on the plan |
  get started on this plan | get started on your plan | start on it | start on this | start on that |
  start on the plan | start on this plan | start on your plan | carry out it | carry out this |
  carry out that | carry out the plan | carry out this plan | carry out your plan | get to work on it |
  get to work on this | get to work on that | get to work on the plan | get to work on this plan |
  get to work on your plan | start with it | start with this | start with that | start with the plan |
  start with this plan | start with your plan | begin with it | begin with this | begin with that |
  begin with the plan | begin with this plan | begin with your plan | continue | go on | go | get started |
  get to work | start working | start work | carry on | go for it | do the work | over to you | your turn |
  carry it out | carry this out | carry that out | carry the plan out | carry this plan out | work it out |
  work this out | work that out | work the plan out | work this plan out
`);
const signs = rows(`
  👍 | 👌 | ✅ | ✔ | ☑ | ✓ | 🚀 | 🎉 | 🎊 | 🥳 | ❤ | 🧡 | 💛 | 💚 | 💙 | 💜 | 🤍 | 🙏 | 💯 | 👏 | 🙌 | 💪 | 🤝 | ⭐ | 🌟 | ✨ |
  🚢 | 🏆 | 🎯 | 🟢 | 🆗 | 😀 | 😃 | 😄 | 😁 | 😊 | 🙂 | 😍 | 🤩 | 😎
`);
const assentingSigns = ['👍', '👌', '✅', '✔', '☑', '🚀', '💯', '🆗'];
/** Names and the signs that they stand for. */
const named = rows(`
  100 💯 | +1 👍 | thumbsup 👍 | ok_hand 👌 | white_check_mark ✅ | heavy_check_mark ✔ | ballot_box_with_check ☑ |
  rocket 🚀 | tada 🎉 | confetti_ball 🎊 | partying_face 🥳 | heart ❤ | green_heart 💚 | pray 🙏 | clap 👏 |
  raised_hands 🙌 | muscle 💪 | handshake 🤝 | star ⭐ | star2 🌟 | sparkles ✨ | ship 🚢 | shipit 🚢 | trophy 🏆 |
  dart 🎯 | green_circle 🟢 | ok 🆗 | grinning 😀 | smiley 😃 | smile 😄 | grin 😁 | blush 😊 |
  slightly_smiling_face 🙂 | heart_eyes 😍 | star_struck 🤩 | sunglasses 😎
`).map((row) => row.split(' '));
const names = named.map(([name = '']) => name);

it('holds these and no others', () => {
  expect(words.approvingPhrases).toEqual(approving);
  expect(words.approvingVerbs).toEqual({
    ...Object.fromEntries(verbsAlone.map((verb) => [verb, 'alone'])),
    ...Object.fromEntries(verbsWith.map((verb) => [verb, 'with'])),
  });
  expect(words.approvedObjects).toEqual(objects);
  expect(words.assentingPhrases).toEqual(assenting);
  expect(words.mereReceipts).toEqual(['ok', 'okay', 'alright', 'all right']);
  expect(words.thanks).toEqual(thanks);
  expect(words.pleasantries).toEqual(pleasing);
  expect(words.orderingPhrases).toEqual(ordering);
  expect(words.goodSigns).toEqual(signs);
  expect(words.assentingSigns).toEqual(assentingSigns);
  expect(words.signNames).toEqual(Object.fromEntries(named));
  expect(words.planQuestion).toBe('Shall this be carried out?');
});

describe('approves', () => {
  it.each(approving)('%s', (phrase) => {
    expect(answer(phrase)).toBe('approves');
    expect(answer(`${phrase.toUpperCase()}!`)).toBe('approves');
    expect(answer(`not ${phrase}`)).not.toBe('approves');
  });
  it.each(verbsAlone)('%s', (verb) => expect(answer(verb)).toBe('approves'));
  it.each([...verbsAlone, ...verbsWith])('%s with every object', (verb) => {
    for (const object of objects) expect(answer(`${verb} ${object}.`)).toBe('approves');
    expect(answer(`${verb} step 1`)).not.toBe('approves');
    expect(answer(`${verb} it?`)).not.toBe('approves');
  });
  it.each(verbsWith)('%s not without one', (verb) => expect(answer(verb)).not.toBe('approves'));
});

describe('is a yes', () => {
  it.each(assenting)('%s', (phrase) => {
    expect(answer(phrase)).toBe('assents');
    expect(answer(`${phrase} tomorrow`)).not.toBe('assents');
  });
  it.each(assentingSigns)('%s', (sign) => {
    expect(answer(sign)).toBe('assents');
    expect(answer(`${sign}${sign}`)).toBe('assents');
    expect(answer(`Thanks ${sign}`)).toBe('other');
  });
});

describe('approves nothing, and may stand beside an approval', () => {
  it.each([...thanks, ...pleasing])('%s', (phrase) => {
    expect(['approves', 'assents']).not.toContain(answer(phrase));
    expect(answer(`${phrase}. Approved.`)).toBe('approves');
    expect(answer(`Approved, ${phrase}`)).toBe('approves');
    expect(answer(`Yes. ${phrase}`)).toBe('assents');
  });
  it.each(thanks)('ok, %s', (phrase) => expect(answer(`ok, ${phrase}`)).toBe('unclear'));
  it.each(signs)('%s', (sign) => {
    expect(answer(`approve ${sign}`)).toBe('approves');
    expect(answer(`${sign} approve`)).toBe('approves');
    expect(answer(sign)).toBe(assentingSigns.includes(sign) ? 'assents' : 'other');
  });
  it.each(names)(':%s:', (name) => expect(answer(`:${name}: approve`)).toBe('approves'));
});

describe('orders the work, and approves nothing', () => {
  it.each(ordering)('%s', (phrase) => {
    expect(isPlainOrder(`@claude ${phrase}`, 'claude')).toBe(true);
    expect(isPlainOrder(`@claude ${phrase}, but not today`, 'claude')).toBe(false);
    expect(isPlainOrder(phrase, 'claude')).toBe(false);
    const isAlso = assenting.includes(phrase)
      ? 'assents'
      : answer(`@claude ${phrase}`) === 'approves'
        ? 'approves'
        : 'other';
    expect(answer(`@claude ${phrase}`)).toBe(isAlso);
  });
});
