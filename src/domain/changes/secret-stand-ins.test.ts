/** What stands where a password of an address goes: every form that stands for one, and what only looks like that. */
import { describe, expect, it } from 'vitest';
import { findSecretKind } from './find-secrets.ts';

/** Put together here, so that no scanner takes these lines for what they are about. */
const address = (password: string, host = 'db.example.org', user = 'app'): string =>
  `postgres://${user}:${password}@${host}/x`;
const isFound = (...parts: Parameters<typeof address>): boolean =>
  findSecretKind(address(...parts)) === 'a password in an address';

/** A dollar before a brace is written as `~`: in a text in quotation marks it would look like a mistake. */
const rows = (text: string): string[] => text.trim().replaceAll('~', '$').split(/\s+/u);

describe('stands for a password', () => {
  it.each(
    rows(`
      $A $MYSQL $DB_1 $PASSWORD $DB_PASS2 ~{x} ~{db.pass-1} ~{{secrets.X}} $(pass) $(a.b-c) $() %A% %PASSWORD% %DB_PASS2%
      {x} {password} {{password}} {a.b} {x[0]} {f()} #{x} #{password} %s %d %v %q %(password)s %(x)d
      [hidden] [a.b-c] (token) *** ****** a\`b a\\b9 $password $dbPass $pwd $db_pw $secret $token $apiKey
      $credentials $authValue {} [] ()
    `),
  )('%s', (password) => expect(isFound(password)).toBe(false));
  it.each(['$other', '$_x9', '$A1', '$zyx'])('%s, beside a user who is a variable too', (password) => {
    expect(isFound(password, undefined, '$user')).toBe(false);
    expect(isFound(password, undefined, '$u_1')).toBe(false);
  });
});

describe('is a password', () => {
  it.each(
    rows(`
      a$A $A!b $A$ $1A $a$(pass) %Ab %1A% x%A% %A%x %a% {x}y9 y9{x} %xy %sa a%s %(a)x %(a)sx x%(a)s %()s
      [abc abc] [a]b9 b9[a] (a)b9 **a ****a a*** $other $x9 $apw9 a~{x} ~{x}a $a-pass ~{a $(a $(a)b b$(a)
    `),
  )('%s', (password) => expect(isFound(password)).toBe(true));
  it.each(['user', '$1', '$u-1', 'a$u'])('$other, beside the user %s', (user) =>
    expect(isFound('$other', undefined, user)).toBe(true),
  );
});

describe('opens nothing', () => {
  it.each(['localhost', 'LOCALHOST:5432', '127.0.0.1', '127.12.34.56:1', '0.0.0.0', '[::1]', '[::1]:1'])(
    'at %s',
    (host) => expect(isFound('r3al-one', host)).toBe(false),
  );
  it.each([
    ...[
      'localhosts',
      'localhost.example',
      'localhost-1',
      'xlocalhost',
      '127.0.0.1.example',
      '127.0.0',
      '128.0.0.1',
    ],
    ...[
      '1127.0.0.1',
      '0.0.0.0.example',
      '10.0.0.0',
      '[::11]',
      '[::2]',
      '127.a.0.1',
      '127.0.a.1',
      '127.0.0.a',
    ],
  ])('but at %s', (host) => expect(isFound('r3al-one', host)).toBe(true));
  it('for a user whose name it is', () => {
    expect(isFound('Bob1', undefined, 'bOB1')).toBe(false);
    expect(isFound('Bob1', undefined, 'bOB2')).toBe(true);
  });
});
