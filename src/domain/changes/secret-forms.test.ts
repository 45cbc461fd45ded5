/** Every row of the table by its examples, and what only looks similar. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundSecrets, otherSpellings, secretExamples } from '../../../test/support/secret-examples.ts';
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

/** Put together here, so that no scanner takes these lines for what they are about. */
const address = (password: string, host = 'db.example.org', user = 'app'): string =>
  `postgres://${user}:${password}@${host}/x`;

describe('a password in an address', () => {
  it.each([
    // It only begins or ends like a placeholder.
    ...['realkey', 'mysecret', '4test', 'password7', 'xxxy', 'yxxx', '...a', 'fookey', '123456', 'hidden-9'],
    ...[
      'my-pass',
      'mypass9',
      'passcodes',
      'ayour-1',
      '%41bc',
      '%slot',
      '%done',
      '(pw)x',
      'a***',
      '$p4ss!',
      '{a}b',
      '$A-b',
    ],
  ])('is one: %s', (password) => expect(findSecretKind(address(password))).toBe('a password in an address'));

  it.each([
    ...['xxx', 'xxxxxx', '...', 'pass', 'password', 'passwd', 'passphrase', 'passcode', 'pwd', 'PASSWORD'],
    ...['mypass', 'my_pass', 'mypassword', 'my_password', 'your', 'your-password', 'your_token', 'yourkey'],
    ...['secret', 'token', 'key', 'changeme', 'example', 'foobar', 'foo', 'bar', 'baz', 'qux', 'abc', '123'],
    ...['1234', '99999', 'test', 'guest', 'dummy', 'fake', 'redacted', 'hidden', 'null', 'undefined', 'none'],
    ...['port', 'app', 'APP', '$PASSWORD', '{name}', '[hidden]', '***', '`pw`x', '(pw)'],
  ])('is none: %s', (password) => expect(findSecretKind(address(password))).toBeNull());

  it('is whatever the address may hold, unless all of it stands for a password', () => {
    const legal = [...'abcXYZ0129-._~!$&()*+,;=:{}[]^|%@'];
    const anyPassword = fc
      .array(fc.constantFrom(...legal), { minLength: 6, maxLength: 24 })
      .map((signs) => signs.join(''))
      .filter((text) => /[a-z].*\d|\d.*[a-z]/iu.test(text) && /[!$&()*+,;={}[\]^|%@]/u.test(text));
    fc.assert(
      fc.property(anyPassword, (password) => {
        const isStandIn = /^(?:\$\w+|%\w+%|[$#]?\{.*\}|\$?\(.*\)|\[.*\]|%.*)$/u.test(password);
        fc.pre(!isStandIn);
        expect(findSecretKind(address(password))).toBe('a password in an address');
      }),
    );
  });

  it.each([
    ...['localhost', 'LOCALHOST:5432', '127.0.0.1', '127.10.20.30:80', '127.100.200.255', '0.0.0.0'],
    '[::1]:5432',
  ])('opens nothing on this machine: %s', (host) =>
    expect(findSecretKind(address('hunter2', host))).toBeNull(),
  );
  it.each([
    ...['my.localhost', 'localhost.example.org', 'localhost-2', '127.0.0.1.example.org', 'x127.0.0.1'],
    ...['10.0.0.0', '127.0.0', '[::11]'],
  ])('opens what is elsewhere: %s', (host) =>
    expect(findSecretKind(address('hunter2', host))).not.toBeNull(),
  );
});

describe('what is cut off', () => {
  const some = (length: number): string => 'aB3dE5gH7jK9'.repeat(9).slice(0, length);
  const hex = (length: number): string => '0a1b2c3d'.repeat(9).slice(0, length);
  it.each([
    `xGR1348941${some(20)}`,
    `abC8Q~${some(30)}`,
    `whsec_${some(31)}`,
    `SG.${some(16)}.${some(15)}`,
    `${some(14)}.atlasv1.${some(59)}`,
    `glsa_${some(32)}_${hex(7)}`,
    `PMAK-${hex(24)}-${hex(33)}`,
    `eyJ${some(10)}.eyJ${some(10)}.${some(15)}`,
    `PuTTY-User-Key-File-${'3'}: ab`,
  ])('is no key: %s', (text) => expect(findSecretKind(`before ${text} after`)).toBeNull());
});
