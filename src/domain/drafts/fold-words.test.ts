/** Letters as a reader sees them, and the words that they may be put together to. */
import { describe, expect, it } from 'vitest';
import { foldLetters, joinLetters, listReadings } from './fold-words.ts';

describe('letters', () => {
  it.each([
    ['ÀÉÎÕÜ ñç', 'aeiou nc'],
    ['ßæœøđłıþð', 'ssaeoeodlithd'],
    ['\uFF41\u{1D41B}\u24D2\u{1F133}', 'abcd'],
    ['a\u0301\u200B\u00ADb\uFEFF', 'ab'],
    ['Ab 1!?', 'ab 1!?'],
    ['’‘ʼ´`', "'''''"],
    ['жω好', 'жω好'],
  ])('%j are %j', (text, folded) => expect(foldLetters(text)).toBe(folded));

  it.each([
    ["D.o N-o\nt 1 m'erge", 'donotmerge'],
    ['Ä1b', 'ab'],
    ['', ''],
  ])('%j joined are %j', (text, joined) => expect(joinLetters(text)).toBe(joined));
});

describe('words', () => {
  it.each([
    ['All good', [' all good ']],
    ['', ['  ']],
    ['?!', ['  ']],
    ["Don't, won’t, ca`n´t ‘so", [' dont wont cant so ']],
    [
      'h0 w1 e3 a4 s5 t7 u$ vv@ ww! 0xx $yy 2',
      [' h0 w1 e3 a4 s5 t7 u vv ww 0xx yy 2 ', ' ho wi ee aa ss tt us vva wwi oxx syy 2 '],
    ],
    ['10 4 $5', [' 10 4 5 ', ' 10 45 ']],
    ['b10cka$@ 3', [' b10cka 3 ', ' biockasa 3 ']],
    ['un- \n less', [' un less ', ' unless ']],
    ['un‐\nless', [' un less ', ' unless ']],
    ['un‑\nless', [' un less ', ' unless ']],
    ['un-xy\nless', [' un xy less ', ' unxy less ']],
    ['mu.st aa_bb', [' mu st aa bb ', ' must aabb ']],
    ['n – o 5', [' n o 5 ', ' no 5 ']],
    ['p / 0', [' p 0 ', ' p0 ', ' po ']],
    ['1.f', [' 1 f ', ' 1f ', ' if ']],
    ['an o', [' an o ']],
    ['MustFix', [' mustfix ', ' must fix ']],
    ['NOTgood', [' notgood ', ' not good ']],
    ['DON’Tmerge', [' dontmerge ', ' dont merge ']],
    ["DON'Tmerge", [' dontmerge ', ' dont merge ']],
    ['Fix OK', [' fix ok ']],
    ['AB CD', [' ab cd ']],
  ])('of %j are %j', (text, readings) => expect(listReadings(text)).toEqual(readings));
});
