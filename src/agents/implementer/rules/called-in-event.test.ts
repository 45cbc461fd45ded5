import { expect, it } from 'vitest';
import type { FleetEvent } from '../../../domain/fleet/event.ts';
import { isCalledIn } from './called-in-event.ts';

const common = {
  delivery: 'd',
  at: '2026-01-01T00:00:00.000Z',
  repository: 'o/r',
  actor: 'alice',
  actorKind: 'person',
  number: 1,
} as const;
const opened = (text: string): FleetEvent => ({ kind: 'issue-opened', ...common, text });

it.each([
  ['in the title', 'Ask @claude', true],
  ['in the title, before a text', 'Ask @claude\n\nIt fails.', true],
  ['in the text', 'It fails\n\n@claude please', true],
  ['in the text, after a type in the title', 'Array<string> fails\n\n@claude please', true],
  ['in the text, after an element in the title', 'Array<object> fails\n\n@claude please', true],
  ['in the text, after a fence in the title', '``` fails\n\n@claude please', true],
  ['in code in the title', '`@claude` fails\n\nIt does.', false],
  ['in an element of the text', 'It fails\n\n<del>@claude please</del>', false],
  ['nowhere', 'It fails\n\nIt does.', false],
] as const)('is called %s', (_, text, isCalled) => {
  expect(isCalledIn(opened(text), 'claude')).toBe(isCalled);
  expect(isCalledIn({ ...common, kind: 'issue-assigned', assignee: 'bob', text }, 'claude')).toBe(isCalled);
});

it('is called in a comment as a whole, and in nothing that has no words', () => {
  const comment = { ...common, kind: 'comment-created', isPullRequest: false, comment: 2 } as const;
  const fails = (type: string): FleetEvent => ({ ...comment, text: `${type} fails\n\n@claude please` });
  // What HTML has no element for is only a pair of brackets; an element may hold all that follows.
  expect(isCalledIn(fails('Array<string>'), 'claude')).toBe(true);
  expect(isCalledIn(fails('Array<object>'), 'claude')).toBe(false);
  expect(isCalledIn({ ...comment, text: 'x\n\n@claude please' }, 'claude')).toBe(true);
  expect(isCalledIn({ ...common, kind: 'labeled', isPullRequest: false, label: '@claude' }, 'claude')).toBe(
    false,
  );
});
