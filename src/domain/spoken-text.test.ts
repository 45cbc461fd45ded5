import { describe, expect, it } from 'vitest';
import { gap, mentions, spokenBlocks, withoutMention } from './spoken-text.ts';

describe('mentions', () => {
  it.each([
    '@gatewright do it',
    'Hey @Gatewright, please',
    '- item\n- @gatewright',
    '**@gatewright**',
    '(@gatewright)',
  ])('hears %j', (text) => expect(mentions(text, 'gatewright')).toBe(true));

  it.each([
    'gatewright',
    '@gatewright-bot',
    '@gatewrights',
    'me@gatewright',
    'a@gatewright.example',
    '@gatewright.example',
    '`@gatewright`',
    '```\n@gatewright\n```',
    '> @gatewright do it',
    '<!-- @gatewright -->',
    '@@gatewright',
    'https://example.com/@gatewright',
  ])('does not hear %j', (text) => expect(mentions(text, 'gatewright')).toBe(false));

  it('takes the handle as it is, whatever signs are in it', () => {
    expect(mentions('@a.b', 'a.b')).toBe(true);
    expect(mentions('@axb', 'a.b')).toBe(false);
  });
});

describe('spokenBlocks', () => {
  it('keeps the words of the writer, block by block', () => {
    expect(spokenBlocks('# Title\n\nOne `two` three\n\n> quoted\n\n- a\n- b\n\n```\ncode\n```\n')).toEqual([
      'Title',
      `One ${gap} three`,
      'a',
      'b',
      gap,
    ]);
  });

  it('survives absurd nesting', () => {
    expect(spokenBlocks(`${'> '.repeat(5_000)}x\n\n${'- '.repeat(5_000)}y`)).toEqual([]);
  });
});

describe('withoutMention', () => {
  it('leaves the rest', () => {
    expect(withoutMention('@bot: do this, @bot', 'bot')).toBe('do this,');
  });
});
