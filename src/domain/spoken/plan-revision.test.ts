/** Comments that do not approve: row by row, which are asked back and which change the plan. */
import { describe, expect, it } from 'vitest';
import { readPlanAnswer } from './plan-approval.ts';

const answer = (text: string) => readPlanAnswer(text, 'claude');

describe('a change that is called one', () => {
  it.each([
    'revise: use SQLite',
    'revise use SQLite',
    '/revise use SQLite',
    'please revise the plan: use SQLite',
    'revise this plan: approve nothing',
    'rework your plan, with SQLite',
    'update the plan: SQLite',
    'change the plan to SQLite',
    'adapt the plan to SQLite',
  ])('%s', (text) => {
    expect(answer(text)).toBe('revises');
    expect(answer(`@claude ${text}`)).toBe('revises');
  });
  it.each(['revise', '/revise', '@claude revise', 'revise the plan'])('%s says nothing to go by', (text) =>
    expect(answer(text)).not.toBe('revises'),
  );
  it.each(['we should revise: no', '/revised x', 'reviser: x', 'do not revise: x'])('%s is none', (text) =>
    expect(answer(text)).not.toBe('revises'),
  );
});

describe('a sentence about the plan', () => {
  const subjects = ['plan', 'implementation', 'approach', 'design', 'solution', 'proposal'];
  const modals = ['should', 'must', 'shall', 'need', 'needs', 'has to', 'ought to', 'could'];
  it.each(subjects)('the %s should …', (subject) => {
    for (const first of ['the', 'this', 'your'])
      expect(answer(`${first} ${subject} should use SQLite`)).toBe('revises');
    expect(answer(`a ${subject} should use SQLite`)).toBe('other');
    expect(answer(`the ${subject} uses SQLite`)).toBe('other');
  });
  it.each(modals)('the plan %s …', (modal) => {
    expect(answer(`The plan ${modal} keep the flag.`)).toBe('revises');
    expect(answer(`The plan ${modal} not keep the flag.`)).toBe('revises');
    expect(answer(`The plan ${modal} keep the flag?`)).toBe('other');
    expect(answer(`The plan ${modal}`)).toBe('other');
  });
  it.each(['but', 'and', 'then', 'also', 'instead', 'however', 'please note that', 'i think', "i'd say"])(
    '%s the plan should …',
    (first) => expect(answer(`${first} the plan should use SQLite`)).toBe('revises'),
  );
  it('is asked about when it speaks of approving', () => {
    expect(answer('the plan should be approved by Bob')).toBe('unclear');
    expect(answer('the plan should be implemented now. go ahead.')).toBe('unclear');
  });
});

describe('words of approving that do not approve', () => {
  it.each([
    'I approve of nothing',
    'Bob approved of that',
    'Bob approves of that',
    'who is approving that thing',
    'I disapprove of it',
    'un-approve that one',
    'unapproved',
    're-approved already',
    'pre-approved by law',
    'run /approve there',
    'run /lgtm there',
    'run /implement there',
    'we could go ahead',
    'how to proceed',
    'he proceeds',
    'he proceeded',
    'proceeding is hard',
    'they ship it on time',
    'they ship this on time',
    'that was an lgtm once',
    'we need a green light',
    'a thumbs up for Bob',
    'my approval is missing',
    'disapproval is fine',
    'two approvals are missing',
  ])('%s', (text) => expect(answer(text)).toBe('unclear'));
  it.each([
    'improve it',
    'the process is slow',
    'a proof of it',
    'leadership ships',
    'it is green',
    'lights',
  ])('%s speaks of something else', (text) => expect(answer(text)).toBe('other'));
  it('tells approvals that are the subject from those that are meant', () => {
    expect(answer('@claude the approval page should show the name')).toBe('other');
    expect(answer('@claude my approval depends on the tests')).toBe('unclear');
    expect(answer('@claude the approval should come once it is green')).toBe('unclear');
  });
});

describe('implementing', () => {
  it.each([
    ...['do not implement', "don't implement it", 'never implement this', 'implementing that would be wrong'],
    ...[
      'implement these when ready',
      'he implemented them',
      'who will implement the plan',
      'not implement yet',
    ],
    ...[
      'implement this plan in June',
      'implement your plan in June',
      'implement anything',
      'implement everything',
    ],
    ...[
      'implement now or in June',
      'implement soon',
      'implement not',
      'implement it with care if it is green',
    ],
    ...['implement only the first', 'implement just that', 'implement step 1', 'implement steps 1 to 3'],
    ...[
      'implement part one',
      'implement parts of it',
      'implement phase 1',
      'implement point 2',
      'implement item 3',
    ],
    ...['implement the first of them', 'implement the second', 'implement the third', 'implement the last'],
    ...[
      'implement the other one',
      'implement the rest',
      'implementing phases with care',
      'implement points',
      'implement items',
    ],
  ])('%s is asked about', (text) => expect(answer(`@claude ${text}`)).toBe('unclear'));

  const changes = [
    ...['it should be small', 'it must be small', 'it needs a test', 'it has to be small', 'we have to test'],
    ...[
      'SQLite instead',
      'rather SQLite',
      'with SQLite',
      'without SQLite',
      'using SQLite',
      'use SQLite',
      'it uses SQLite',
    ],
    ...[
      'via SQLite',
      'also SQLite',
      'SQLite too',
      'SQLite as well',
      'add SQLite',
      'remove SQLite',
      'rename it',
    ],
    ...[
      'replace SQLite',
      'drop SQLite',
      'split the file',
      'move the file',
      'change the file',
      'keep the file',
    ],
    ...[
      'make it small',
      'avoid SQLite',
      'prefer SQLite',
      'show the name',
      'send a mail',
      'store the name',
      'it need a test',
    ],
  ];
  it.each(changes)('implement it: %s', (change) =>
    expect(answer(`@claude implement it so that ${change}`)).toBe('other'),
  );
  it('of something in it is a change', () => {
    expect(answer('@claude implement the cache in memory')).toBe('other');
    expect(answer('@claude the implementation is too big')).toBe('other');
  });
});

describe('a yes with a condition', () => {
  const conditions = [
    ...[
      'if',
      'unless',
      'once',
      'when',
      'whenever',
      'after',
      'until',
      'till',
      'before',
      'provided',
      'assuming',
    ],
    ...[
      'as long as',
      'as soon as',
      'depends',
      'depend',
      'except',
      'tomorrow',
      'later',
      'tonight',
      'today',
      'soon',
    ],
    ...['next week', 'next month', 'next sprint', 'next time', 'on monday', 'on tuesday', 'on wednesday'],
    ...['on thursday', 'on friday', 'on saturday', 'on sunday', 'maybe', 'perhaps', 'probably', 'not yet'],
    ...['almost', 'nearly'],
  ];
  it.each(conditions)('%s', (word) => {
    for (const first of ['', 'but ', 'and ', 'only ', 'just '])
      expect(answer(`@claude yes, ${first}${word} it is green`)).toBe('unclear');
    expect(answer(`@claude ok ${word} it is green`)).toBe('unclear');
    expect(answer(`@claude works for me ${word} it is green`)).toBe('unclear');
    // Without a yes it is a wish.
    expect(answer(`@claude stay calm ${word} it is green`)).toBe('other');
  });
});

describe('no', () => {
  it.each([
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
    ...[
      'declined',
      'veto',
      '-1',
      'stop',
      'wait',
      'hold',
      'hold on',
      'hold off',
      'not now',
      'cancel',
      'abort',
    ],
    ...['changes requested', 'request changes', 'please wait', 'please stop', 'please hold'],
    ...['👎', '❌', '❎', '🚫', '🛑', '⛔', '✋', '🙅', '⚠', '⚠️', '✖', '🔴'],
  ])('%s', (text) => {
    expect(answer(text)).toBe('unclear');
    expect(answer(`@claude ${text}`)).toBe('unclear');
  });
  it.each(['👎', '❌', '❎', '🚫', '🛑', '⛔', '✋', '🙅', '⚠', '✖', '🔴'])(
    '%s before and after words',
    (sign) => {
      expect(answer(`${sign} this one`)).toBe('unclear');
      expect(answer(`this one ${sign}`)).toBe('unclear');
    },
  );
  it.each(['👀', 'hm', '🤔', 'no idea'])('%s is neither', (text) => expect(answer(text)).toBe('other'));
});

describe('a yes in another language', () => {
  it.each([
    ...[
      'ja',
      'jawohl',
      'genehmigt',
      'freigegeben',
      'einverstanden',
      'passt',
      'in ordnung',
      'mach das',
      'los',
    ],
    ...['oui', 'approuvé', "d'accord", 'vas-y', 'allez-y', 'ça marche', 'Ça marche'],
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
      'Да',
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
  ])('%s is asked back', (text) => {
    expect(answer(text)).toBe('unclear');
    expect(answer(`${text}!`)).toBe('unclear');
  });
});

describe('too little to go by', () => {
  it.each(['@claude', '@claude hm', '@claude SQLite', '@claude great', '@claude 🤔', '@claude …'])(
    '%s',
    (text) => expect(answer(text)).toBe('unclear'),
  );
  it.each(['@claude Postgres instead', '@claude internationalisation', '@claude SQLiteを使ってください'])(
    '%s is enough',
    (text) => expect(answer(text)).toBe('other'),
  );
});
