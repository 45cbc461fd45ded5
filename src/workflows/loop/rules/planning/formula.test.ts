import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { chooseFormula } from './formula.ts';

const choose = (title: string, body = '', labels: readonly string[] = []): string =>
  chooseFormula({ title, body, labels }).formula;

describe('the formula of an issue', () => {
  it.each([
    [['bug'], 'bugfix'],
    [['type: bug', 'AI'], 'bugfix'],
    [['kind/regression'], 'bugfix'],
    [['tech-debt'], 'refactor'],
    [['Enhancement'], 'feature'],
    [['refactor', 'feature'], 'refactor'],
    [['feature', 'bug'], 'bugfix'],
  ])('follows the labels %s: %s', (labels, formula) => {
    // Whatever the words say.
    expect(choose('Refactor and add and fix', 'bug', labels)).toBe(formula);
  });

  it.each([
    ['Fix crash when adding a user', 'bugfix'],
    ['fix: login returns 500', 'bugfix'],
    ['Add an error page', 'feature'],
    ['Extract the parser into a module', 'refactor'],
    ['refactor(api): split the router', 'refactor'],
    ['Anmeldung stürzt ab', 'bugfix'],
    ['Export als CSV hinzufügen', 'feature'],
    ['Konfiguration auslagern', 'refactor'],
    ['Login', 'feature'],
    ['Debugger', 'feature'],
    ['', 'feature'],
  ])('follows the title "%s": %s', (title, formula) => {
    expect(choose(title)).toBe(formula);
  });

  it('follows the body where it speaks of one kind only', () => {
    expect(choose('Login', 'It throws an exception and is broken.')).toBe('bugfix');
    expect(choose('Login', 'It is broken. Please add a test.')).toBe('feature');
    expect(choose('Login', '<!-- fix the bug -->\n\nPlease rename it.')).toBe('refactor');
    expect(choose('Login', 'x', ['AI', 'wontfix', 'newsletter', 'debug'])).toBe('feature');
  });

  it('has its phases and says why', () => {
    expect(chooseFormula({ title: 'x', body: '', labels: ['bug'] })).toEqual({
      formula: 'bugfix',
      why: 'the label "bug"',
      phases: ['reproduce', 'fix', 'verify'],
    });
  });

  it('can be chosen for any text', () => {
    const text = hostileText(
      ['<!--', '-->', '`', '\n', '# ', '- [ ] ', 'bug', '> ', '\u202E', '|', '[', '](', '\0'],
      60,
    );
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 2 }), (title, body, labels) => {
        expect(['bugfix', 'feature', 'refactor']).toContain(choose(title, body, labels));
      }),
      { numRuns: 60 },
    );
  });
});
