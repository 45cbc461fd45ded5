import { expect, it } from 'vitest';
import { wordChoice } from './word-choice.ts';

it.each([
  ['send', '[G]emini - send to Gemini for review', 'Send to Gemini for review'],
  ['revise', '[R]evise - send back to Claude', 'Revise: send back to Claude'],
  ['approve', '[A]pprove - continue with this draft', 'Approve: continue with this draft'],
  ['approve', '[A]pprove: its commands may be run', 'Approve: its commands may be run'],
  ['skip', 's[K]ip a task: name it and say why', 'Skip a task: name it and say why'],
  ['works', '[W]orks', 'Works'],
  ['send', '[G]o - send to a\u202Eb', 'Send to a\\u{202e}b'],
])('%s, %s on a terminal, is said as %s', (name, label, words) => {
  expect(wordChoice({ name, label })).toBe(words);
});
