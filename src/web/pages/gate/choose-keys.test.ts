import { expect, it } from 'vitest';
import { chooseKeys } from './choose-keys.ts';

/** Choices as `name:key`, with `!` where they take words. */
function keysOf(...choices: readonly string[]): Record<string, string> {
  const all = choices.map((one) => {
    const [name = '', key = ''] = one.replace('!', '').split(':');
    return { name, key, label: name, takesFeedback: one.endsWith('!'), after: null };
  });
  return Object.fromEntries(chooseKeys(all));
}

it.each([
  [['send:G', 'revise:R!'], { send: 'a', revise: 'r' }],
  [['approve:A', 'revise:R!'], { approve: 'a', revise: 'r' }],
  [['retry:R', 'edit:E'], { retry: 'a', edit: 'e' }],
  [['next:N', 'loop:L', 'skip:K!', 'close:C!'], { next: 'a', loop: 'l', skip: 'r', close: 'c' }],
  [['works:W', 'issue:I!'], { works: 'a', issue: 'r' }],
  [['answer:A!', 'plan:P'], { answer: 'a', plan: 'p' }],
  [['retry:R!', 'plan:P!', 'skip:K!', 'again:J'], { again: 'a', retry: 'r', plan: 'p' }],
])('gives each choice a key of its own: %j', (choices, keys) => {
  expect(keysOf(...choices)).toEqual(keys);
});
