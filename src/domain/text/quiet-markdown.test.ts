/** Words of models and strangers call nobody, close nothing and hide nothing; code stays as it is. */
import { describe, expect, it } from 'vitest';
import { quietMarkdown } from './quiet-markdown.ts';

describe('quietMarkdown', () => {
  it.each<[string, string, string]>([
    ['a name', 'ask @bob.', 'ask @&#8203;bob.'],
    ['an address', 'a@b.example', 'a@b.example'],
    ['a number', 'Closes #12, GH-3', 'Closes #&#8203;12, GH-&#8203;3'],
    ['a sign written as a number', '&#64;bob', '&amp;#&#8203;64;bob'],
    ['a sign written as a number to the base 16', '&#x40;bob', '&amp;#x40;bob'],
    ['a sign written by its name', '&commat;bob, closes &num;1', '&amp;commat;bob, closes &amp;num;1'],
    ['an emphasised name', '_@bob_ **@bob**', '_@&#8203;bob_ **@&#8203;bob**'],
    [
      'an issue by its address',
      'Fixes https://github.com/o/r/issues/1',
      'F&#8203;ixes https://github.com/o/r/issues/1',
    ],
    [
      'code that is words once the HTML before it is shown',
      '<!-- x -->\n    @bob',
      '&lt;!-- x -->\n    @&#8203;bob',
    ],
    [
      'the same with HTML in it',
      '<?x?>\n    <!-- y --> closes #1',
      '&lt;?x?>\n    &lt;!-- y --> closes #&#8203;1',
    ],
    ['signs that mean no other', 'a &lt; b &amp; c', 'a &lt; b &amp; c'],
    ['what is quiet already', 'ask @&#8203;bob about #&#8203;1', 'ask @&#8203;bob about #&#8203;1'],
    ['the number of the pause', 'closes #8203; now', 'closes #&#8203;8203; now'],
    ['a comment', '<!-- hidden -->', '&lt;!-- hidden -->'],
    ['a box that would swallow the rest', '<details>\n\nx', '&lt;details>\n\nx'],
    ['code', 'use `@Inject()` and `#1`', 'use `@Inject()` and `#1`'],
    ['a block of code', '```ts\n@Inject() // #1\n```', '```ts\n@Inject() // #1\n```'],
    ['a block that is left open', 'x\n\n```ts\ncode @a', 'x\n\n```ts\ncode @a\n```'],
    ['a block that is left open with tildes', '~~~~\ncode', '~~~~\ncode\n~~~~'],
    ['a block that only seems closed', '```\ncode\n``` more', '```\ncode\n``` more\n```'],
    [
      'a block that is left open after a byte order mark',
      '\uFEFFx\n\n```\ncode',
      '\uFEFFx\n\n```\ncode\n```',
    ],
    ['code after a byte order mark', '\uFEFF`#1` #1', '\uFEFF`#1` #&#8203;1'],
    ['a heading', '## Goal\n\ntext', '## Goal\n\ntext'],
  ])('%s', (_name, text, quiet) => {
    expect(quietMarkdown(text, 1000)).toBe(quiet);
  });

  it('cuts what is too long', () => {
    expect(quietMarkdown('x'.repeat(20), 10)).toBe(`${'x'.repeat(10)}…`);
  });
});
