/**
 * The words by which a plan is approved: closed lists, in lower case, each row a whole phrase. What is not in them does not
 * approve. `docs/approving.md` shows them.
 */

/** Approve by themselves, wherever they are said under a plan. */
export const approvingPhrases: readonly string[] = [
  ...['/approve', '/lgtm', '/implement'],
  ...['lgtm', 'looks good to me', 'this looks good to me', 'that looks good to me', 'it looks good to me'],
  ...['the plan looks good to me', 'your plan looks good to me', 'all looks good to me'],
  ...['everything looks good to me', 'plan approved', 'the plan is approved', 'this plan is approved'],
  ...['your plan is approved', 'this is approved', 'it is approved', "it's approved", 'consider it approved'],
  ...['consider this approved', 'you have my approval', "you've got my approval", 'approval granted'],
  ...['green light', 'you have the green light', "you've got the green light"],
  ...['i accept the plan', 'i accept this plan', 'i accept your plan', 'i accept the proposal'],
  ...['carry it out', 'carry this out', 'carry that out', 'carry the plan out', 'carry this plan out'],
  ...['start the implementation', 'begin the implementation'],
];

/** Approve with one of the objects after them; those that are marked also without. */
export const approvingVerbs: Readonly<Record<string, 'alone' | 'with'>> = {
  approve: 'alone',
  'i approve': 'alone',
  'i approve of': 'with',
  'i hereby approve': 'alone',
  'we approve': 'alone',
  'we approve of': 'with',
  approved: 'alone',
  approving: 'alone',
  "i'm approving": 'alone',
  'i am approving': 'alone',
  implement: 'alone',
  'you can implement': 'alone',
  'you may implement': 'alone',
  "let's implement": 'with',
  'go ahead and implement': 'alone',
  'go ahead and build': 'with',
  'go ahead and do': 'with',
  'go ahead and start': 'alone',
  'go ahead and start with': 'with',
  'go ahead with': 'with',
  'proceed with': 'with',
  'start implementing': 'alone',
  'begin implementing': 'alone',
  'carry out': 'with',
  ship: 'with',
};

export const approvedObjects: readonly string[] = [
  ...['it', 'this', 'that', 'the plan', 'this plan', 'your plan', 'that plan', 'the approved plan'],
  ...['the proposal', 'this proposal', 'the implementation'],
];

/** What a plan asks. */
export const planQuestion = 'Shall this be carried out?';

/**
 * A yes to what the plan asks. It counts when the comment calls the agent, or when no other person has commented since
 * the plan.
 */
export const assentingPhrases: readonly string[] = [
  ...['yes', 'yep', 'yeah', 'yup', 'aye', 'ok', 'okay', 'sure', 'sure thing', 'absolutely', 'definitely'],
  ...['of course', 'agreed', 'i agree', 'confirmed', 'sounds good', 'sounds great', 'sounds good to me'],
  ...['looks good', 'looks great', 'this looks good', 'that looks good', 'it looks good', 'this looks great'],
  ...['the plan looks good', 'the plan looks great', 'plan looks good', 'the plan sounds good', 'all good'],
  ...['looks fine to me', 'looks great to me', 'this looks great to me', 'the plan looks great to me'],
  ...['the plan is good', 'this plan is good', 'the plan is fine', 'this plan is fine', 'the plan is great'],
  ...['i agree with the plan', 'i agree with this plan', 'i agree with your plan', 'we agree with the plan'],
  ...[
    'that works',
    'good to go',
    'we are good to go',
    "we're good to go",
    'works for me',
    'that works for me',
  ],
  ...['this works for me', 'fine by me', 'fine with me', 'good by me', 'ok with me', 'ok by me'],
  ...["i'm happy with this", "i'm happy with it", "i'm happy with the plan", 'happy with this'],
  ...['happy with it', 'happy with the plan', "i'm fine with this", "i'm ok with this", 'no objections'],
  ...['go ahead', 'please go ahead', 'you can go ahead', 'you may go ahead', 'feel free to go ahead'],
  ...['feel free to proceed', 'proceed', 'you can proceed', 'you may proceed', "let's proceed"],
  ...['go for it', 'do it', 'please do', "let's do it", "let's do this", "let's go", "let's go ahead"],
  ...["let's go for it", "let's ship it", 'make it so', 'all yours', '+1'],
];

/** "OK, thanks" may only say that it was read. */
export const mereReceipts: readonly string[] = ['ok', 'okay', 'alright', 'all right'];
export const thanks: readonly string[] = [
  ...['thanks', 'thank you', 'thanks a lot', 'thanks so much', 'thank you so much', 'thank you very much'],
  ...['many thanks', 'thx', 'ty', 'cheers', 'much appreciated', 'appreciated', 'appreciate it'],
  ...['thanks for the review', 'thank you for the review', 'thanks for reviewing', 'good catch'],
  ...['thanks for the plan', 'thanks for this', 'thanks for the work', 'thanks for working on this'],
  ...[
    'thank you for the plan',
    'thank you for this',
    'thanks for the detailed plan',
    'thanks for the update',
  ],
];

/** Said around an approval, meaning nothing by themselves. */
export const pleasantries: readonly string[] = [
  ...['please', 'pls', 'plz', 'kindly', 'now', 'then', 'so', 'and', 'hi', 'hello', 'hey', 'hey there'],
  ...['hi there', 'good morning', 'team', 'all', 'everyone', 'folks', 'great', 'perfect', 'excellent'],
  ...['awesome', 'amazing', 'wonderful', 'fantastic', 'brilliant', 'superb', 'cool', 'nice', 'good', 'neat'],
  ...['lovely', 'wow', 'great work', 'nice work', 'good work', 'excellent work', 'great job', 'nice job'],
  ...['good job', 'well done', 'great plan', 'good plan', 'nice plan', 'excellent plan', 'solid plan'],
  ...[
    'this is great',
    'this is a great plan',
    'this is a good plan',
    'great stuff',
    'good stuff',
    'nice one',
  ],
  ...['love it', 'love this', 'i love it', 'i like it', 'i like this', 'i like the plan', 'i like this plan'],
  ...['makes sense', 'this makes sense', 'that makes sense', 'makes sense to me', 'very nice', 'very good'],
  ...['well thought out', 'as is', 'as it is', 'as planned', 'as proposed', 'as described', 'as written'],
  ...['as discussed', 'from my side', 'from me', 'by me', 'on my side', 'no changes needed'],
  ...['no further comments', 'no comments', 'no concerns', 'nothing to add', 'nothing to change'],
  ...[
    'reviewed',
    'plan',
    'status',
    'decision',
    'verdict',
    'answer',
    'right away',
    'immediately',
    'at once',
    'indeed',
  ],
  ...['looking forward to it', 'looking forward to the pr', 'looking forward to seeing it', "can't wait"],
  ...['sent from my iphone', 'sent from my ipad', 'sent from my phone', 'sent from my android phone'],
];

/** Orders to begin, which add nothing to the work. They approve nothing by themselves. */
const orderVerbs = ['do', 'start', 'begin', 'build', 'make', 'finish', 'take'];
const orderObjects = ['', ' it', ' this', ' that', ' on it', ' on this', ' this on'];
const workVerbs = [
  ...['work on', 'get started on', 'start on', 'carry out', 'get to work on', 'start with', 'begin with'],
];
const workObjects = ['it', 'this', 'that', 'the plan', 'this plan', 'your plan'];
export const orderingPhrases: readonly string[] = [
  ...orderVerbs.flatMap((verb) => orderObjects.map((object) => `${verb}${object}`)),
  ...workVerbs.flatMap((verb) => workObjects.map((object) => `${verb} ${object}`)),
  ...['continue', 'go on', 'go', 'get started', 'get to work', 'start working', 'start work', 'carry on'],
  ...['go for it', 'do the work', 'over to you', 'your turn'],
  ...['carry', 'work'].flatMap((verb) => workObjects.slice(0, 5).map((object) => `${verb} ${object} out`)),
];

/** Signs that may stand beside an approval. Any other one makes it none. */
export const goodSigns: readonly string[] = [
  ...[
    '👍',
    '👌',
    '✅',
    '✔',
    '☑',
    '✓',
    '🚀',
    '🎉',
    '🎊',
    '🥳',
    '❤',
    '🧡',
    '💛',
    '💚',
    '💙',
    '💜',
    '🤍',
    '🙏',
    '💯',
  ],
  ...['👏', '🙌', '💪', '🤝', '⭐', '🌟', '✨', '🚢', '🏆', '🎯', '🟢', '🆗'],
  ...['😀', '😃', '😄', '😁', '😊', '🙂', '😍', '🤩', '😎'],
];

/** Signs that are a yes to the plan when nothing else is said. */
export const assentingSigns: readonly string[] = ['👍', '👌', '✅', '✔', '☑', '🚀', '💯', '🆗'];

/** How GitHub lets people write them. */
export const signNames: Readonly<Record<string, string>> = {
  ...{ '+1': '👍', thumbsup: '👍', ok_hand: '👌', white_check_mark: '✅', heavy_check_mark: '✔' },
  ...{ ballot_box_with_check: '☑', rocket: '🚀', tada: '🎉', confetti_ball: '🎊', partying_face: '🥳' },
  ...{ heart: '❤', green_heart: '💚', pray: '🙏', '100': '💯', clap: '👏', raised_hands: '🙌', muscle: '💪' },
  ...{ handshake: '🤝', star: '⭐', star2: '🌟', sparkles: '✨', ship: '🚢', shipit: '🚢', trophy: '🏆' },
  ...{ dart: '🎯', green_circle: '🟢', ok: '🆗', grinning: '😀', smiley: '😃', smile: '😄', grin: '😁' },
  ...{ blush: '😊', slightly_smiling_face: '🙂', heart_eyes: '😍', star_struck: '🤩', sunglasses: '😎' },
};
