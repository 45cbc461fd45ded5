/** Every row of the table by its examples, and what only looks similar. */
import { describe, expect, it } from 'vitest';
import { foundSecrets, otherSpellings, secretExamples } from '../../test/support/secret-examples.ts';
import { findNewSecrets, findSecretKind } from './find-secrets.ts';
import { hideTokens } from './hide-tokens.ts';
import { secretForms } from './secret-forms.ts';

const rows = secretForms.map(({ kind }) => kind);
const missed = Object.entries(secretExamples).flatMap(([kind, [, list]]) =>
  list.map((text) => [kind, text] as const),
);

describe('the table', () => {
  it('has an example and a near miss for every row, and no row twice', () => {
    expect(Object.keys(secretExamples)).toEqual(rows);
    expect(new Set(rows).size).toBe(rows.length);
    for (const [list, misses] of Object.values(secretExamples)) {
      expect(list.length).toBeGreaterThan(0);
      expect(misses.length).toBeGreaterThan(0);
    }
  });

  it.each(foundSecrets)('knows %s: %s', (kind, text) => {
    const form = secretForms.find((one) => one.kind === kind);
    const match = form?.form.exec(text) ?? null;
    expect(match).not.toBeNull();
    expect(findNewSecrets('a.txt', `one\nkey = '${text}'\n`, null)).toMatchObject([
      { path: 'a.txt', line: 2 },
    ]);
  });

  it.each(foundSecrets.filter(([kind]) => kind !== 'an AWS secret key'))('names %s', (kind, text) => {
    // What fits several forms is named by one of them.
    const kinds = secretForms.filter(({ form }) => form.test(text)).map((one) => one.kind);
    expect(kinds).toContain(kind);
    expect(kinds).toContain(findSecretKind(text));
  });

  const spellings = Object.entries(otherSpellings).flatMap(([kind, list]) =>
    list.map((text) => [kind, text] as const),
  );
  it.each(spellings)('knows %s in another spelling: %s', (kind, text) => {
    const form = secretForms.find((one) => one.kind === kind);
    expect(form?.form.exec(`key: ${text} end`)?.[0]).toBe(text.replace(/['"]$/u, ''));
  });

  it.each(missed)('does not take for %s: %s', (kind, text) => {
    const line = `before ${text} after`;
    const form = secretForms.find((one) => one.kind === kind);
    const match = form?.form.exec(line) ?? null;
    const isFound = match !== null && form?.isReal?.(match) !== false && findSecretKind(line) === kind;
    expect(isFound).toBe(false);
  });

  it.each(foundSecrets)('is what is hidden in logs too: %s', (_, text) => {
    const shown = hideTokens(`log: ${text} end`);
    expect(shown).toContain('[hidden]');
    expect(shown.length).toBeLessThan(`log: ${text} end`.length + 8);
  });
});
