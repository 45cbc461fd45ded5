/**
 * Each mutated text is refused with the place where it is wrong, or it is one that the document allows. Never an exception,
 * never a long wait.
 */
import { expect, it } from 'vitest';
import { processorMilliseconds } from '../../../../../test/support/processor-time.ts';
import {
  largeStates,
  type StateMutation,
  stateMutations,
} from '../../../../../test/support/state-mutations.ts';
import { readState, writeState } from './state-document.ts';

function judge(text: string, at: StateMutation['at']): string | null {
  const read = readState(text);
  if ('state' in read) {
    if (at !== null) return 'was accepted';
    return JSON.stringify(JSON.parse(writeState(read.state))) === text ? null : 'was not kept';
  }
  if (at === null) return `was refused: ${JSON.stringify(read.problems.slice(0, 3))}`;
  const isThere = read.problems.some(({ path }) => path === at || (at !== '' && path.startsWith(at)));
  if (!isThere) return `was refused elsewhere: ${JSON.stringify(read.problems.slice(0, 3))}`;
  if (read.problems.length > 101) return `has ${read.problems.length} problems`;
  return read.problems.every(({ message }) => /^[a-z]/u.test(message) && message.length < 300)
    ? null
    : `is not said in words: ${JSON.stringify(read.problems.slice(0, 3))}`;
}

it('refuses each mutated state at its place, or keeps it, and takes no long time', () => {
  expect(new Set(stateMutations.map(({ name }) => name)).size).toBe(stateMutations.length);
  expect(stateMutations.length).toBeGreaterThan(1000);
  const wrong: string[] = [];
  for (const mutation of stateMutations) {
    const { name, text, at } = mutation;
    const spent = processorMilliseconds(() => {
      const found = judge(text, at);
      if (found !== null) wrong.push(`${name} ${found}`);
    });
    if (spent > 500) wrong.push(`${name} took ${Math.round(spent)} ms`);
  }
  expect(wrong).toEqual([]);
});

it('refuses 50 MB before it looks at it', () => {
  for (const { text, at } of largeStates)
    expect(processorMilliseconds(() => judge(text, at))).toBeLessThan(50);
});
