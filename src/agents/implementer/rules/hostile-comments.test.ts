/** Comments from a grammar of quoting, HTML, mail, emoji, negation, conditions and disguise: none orders, approves or dismisses. */
import { describe, expect, it } from 'vitest';
import {
  falseCalls,
  finding,
  outerWraps,
  payloads,
  spoilers,
  wraps,
} from '../../../../test/support/hostile-comments.ts';
import { fewOf } from '../../../../test/support/property-runs.ts';
import { isPlainOrder, readPlanAnswer } from '../../../domain/spoken/plan-approval.ts';
import { mentions } from '../../../domain/spoken/spoken-text.ts';
import { readReviewCall } from '../../reviewer/rules/review-call.ts';
import { readDismissals } from './dismissal.ts';

/** What a comment does; nothing is the only right answer here. */
function effectsOf(text: string): string[] {
  const answer = readPlanAnswer(text, 'claude');
  return [
    ...(mentions(text, 'claude') ? ['calls'] : []),
    ...(answer === 'approves' || answer === 'assents' ? [answer] : []),
    ...(isPlainOrder(text, 'claude') ? ['orders'] : []),
    ...(readReviewCall(text, 'claude') === null ? [] : ['asks for a review']),
    ...readDismissals(text, 'claude').map(() => 'dismisses'),
  ];
}

function heard(texts: Iterable<string>, isFault: (effects: string[]) => boolean): [string, string[]][] {
  return [...texts].flatMap((text): [string, string[]][] => {
    const effects = effectsOf(text);
    return isFault(effects) ? [[text, effects]] : [];
  });
}

describe('words that are not the writer’s own', () => {
  it.each(wraps)('%s', (_, wrap) => {
    // Sure that it is the wrapping: without it the words are heard.
    for (const words of payloads) expect(effectsOf(words)).not.toEqual([]);
    expect(heard(payloads.map(wrap), (effects) => effects.length > 0)).toEqual([]);
  });

  it.each(wraps)('%s, with another around it, and with words before', (name, wrap) => {
    const texts = payloads
      .slice(0, 5)
      .flatMap((words) =>
        outerWraps.flatMap(([, outer]) => [
          outer(wrap(words)),
          `Hm.\n\n${outer(`Well.\n\n${name === 'settings of a file' ? words : wrap(words)}`)}`,
        ]),
      );
    // Of each way other cases, so that all the outer ones are among them.
    const nth = wraps.findIndex(([known]) => known === name);
    expect(heard(fewOf(texts, 7, nth), (effects) => effects.length > 0)).toEqual([]);
  });
});

describe('names that are not the name', () => {
  const orders = ['please implement this', 'approve', `dismiss ${finding}`, 'review', 'continue'];
  it.each(falseCalls)('%s', (call) => {
    const texts = orders.flatMap((order) => [
      `${call} ${order}`,
      `Well, ${call} ${order}`,
      `- ${call} ${order}`,
    ]);
    const isFault = (effects: string[]): boolean => effects.some((effect) => effect !== 'approves');
    expect(heard(texts, isFault)).toEqual([]);
    // Whoever is called by another name is not us: an approval with a call to them is none.
    expect(heard([`${call} approve`], (effects) => effects.length > 0)).toEqual([]);
  });
});

describe('approvals with something that takes them back', () => {
  const approvals = [
    'approve',
    'LGTM',
    'implement it',
    'go ahead',
    'yes',
    'ship it',
    '/approve',
    '@claude approve',
  ];
  const isFault = (effects: string[]): boolean =>
    effects.includes('approves') || effects.includes('assents') || effects.includes('orders');

  it.each(approvals)('%s', (words) => {
    expect(effectsOf(words).some((effect) => effect === 'approves' || effect === 'assents')).toBe(true);
    const texts = spoilers.flatMap((spoil) => [
      spoil(words),
      `Thanks! ${spoil(words)}`,
      `${spoil(words)}\n\nThanks!`,
    ]);
    expect(heard(texts, isFault)).toEqual([]);
  });
});

describe('dismissals with something that takes them back', () => {
  it('dismiss nothing', () => {
    const order = `dismiss ${finding}`;
    const texts = spoilers.flatMap((spoil) => [
      `@claude ${spoil(order)}`,
      spoil(`@claude ${order}`).replace(/\n\n[\s\S]*$/u, '?'),
      `@claude ${order} because ${spoil('it is fine')}?`,
    ]);
    const known = texts.filter((text) => !/^[^\n]*\n\n/u.test(text));
    expect(heard(known, (effects) => effects.includes('dismisses'))).toEqual([]);
  });
});

it('are many', () => {
  const count =
    wraps.length * (payloads.length + 10 * outerWraps.length) + falseCalls.length * 15 + spoilers.length * 27;
  expect(count).toBeGreaterThan(10_000);
});
