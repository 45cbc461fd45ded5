/** Words of models and strangers call nobody, close nothing and hide nothing; code stays as it is. */
import { describe, expect, it } from 'vitest';
import { quietMarkdown } from './quiet-markdown.ts';

describe('quietMarkdown', () => {
  it.each<[string, string, string]>([
    ['a name', 'ask @bob.', 'ask @&#8203;bob.'],
    ['an address', 'a@b.example', 'a@b.example'],
    ['a number', 'Closes #12, GH-3', 'Closes #&#8203;12, GH-&#8203;3'],
    ['a sign written as a number', '&#64;bob', '&#&#8203;64;bob'],
    ['a comment', '<!-- hidden -->', '&lt;!-- hidden -->'],
    ['a box that would swallow the rest', '<details>\n\nx', '&lt;details>\n\nx'],
    ['code', 'use `@Inject()` and `#1`', 'use `@Inject()` and `#1`'],
    ['a block of code', '```ts\n@Inject() // #1\n```', '```ts\n@Inject() // #1\n```'],
    ['a block that is left open', 'x\n\n```ts\ncode @a', 'x\n\n```ts\ncode @a\n```'],
    ['a block that is left open with tildes', '~~~~\ncode', '~~~~\ncode\n~~~~'],
    ['a heading', '## Goal\n\ntext', '## Goal\n\ntext'],
  ])('%s', (_name, text, quiet) => {
    expect(quietMarkdown(text, 1000)).toBe(quiet);
  });

  it('cuts what is too long', () => {
    expect(quietMarkdown('x'.repeat(20), 10)).toBe(`${'x'.repeat(10)}…`);
  });
});
