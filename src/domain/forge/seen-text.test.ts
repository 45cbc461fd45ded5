import { describe, expect, it } from 'vitest';
import { findChanges, seenTextSchema, seeText } from './seen-text.ts';

const words = { title: 'sum subtracts', body: 'It should add.\n\n- really' };

describe('the words that somebody saw', () => {
  it.each<[string, typeof words, readonly string[]]>([
    ['the same', words, []],
    ['other line ends', { ...words, body: 'It should add.\r\n\r\n- really\r\n' }, []],
    ['another title', { ...words, title: 'sum adds' }, ['title']],
    ['another text', { ...words, body: `${words.body}!` }, ['body']],
    [
      'words moved from one to the other',
      { title: 'sum', body: `subtracts\n\n${words.body}` },
      ['title', 'body'],
    ],
    ['nothing left', { title: '', body: '' }, ['title', 'body']],
  ])('%s', (_, now, changed) => {
    const seen = seeText(words);
    expect(seenTextSchema.parse(seen)).toEqual(seen);
    expect(findChanges(seen, now)).toEqual(changed);
  });
});
