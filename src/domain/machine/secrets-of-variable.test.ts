import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startProcessorClock } from '../../../test/support/processor-time.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { secretsOfVariable } from './secrets-of-variable.ts';

const secret = ['hunter2', 'hunter2'].join('-');

describe('secretsOfVariable', () => {
  it.each([
    ...['DB_PASS', 'PGPASS', 'PGPASSWORD', 'MYSQL_PWD', 'GCP_CREDENTIALS', 'NPM_AUTH', 'npm_config__auth'],
    ...['SENTRY_DSN', 'STRIPE_SECRET_KEY_LIVE', 'API_TOKEN_PROD', 'DB_PASSWORD_1', 'APIKEY', 'githubToken'],
    ...['AWS_ACCESS_KEY_ID', 'REDIS_PASSWD', 'SESSION_COOKIE', 'SIGNING_KEYS', 'DB_CREDS', 'SSH_PASSPHRASE'],
  ])('takes the value of %s', (name) => expect(secretsOfVariable(name, ` ${secret} `)).toEqual([secret]));

  it.each([
    ...['PWD', 'OLDPWD', 'KEYBOARD_LAYOUT', 'GIT_AUTHOR_NAME', 'BYPASS_CACHE', 'AUTH_METHOD', 'SSH_KEY_TYPE'],
    ...['EDITOR', 'XAUTHORITY', 'LANG', 'DATABASE_URL', 'AUTH_USER'],
  ])('does not take the value of %s', (name) => expect(secretsOfVariable(name, secret)).toEqual([]));

  it.each([
    ...['short', '1234567', '/run/secrets/db', '~/.ssh/id_rsa', './keys/dev.pem', 'C:\\keys\\dev.pem'],
    ...['--no-password', '-v', '--mode=strict', ''],
  ])('takes no short value, path or flag: %s', (value) =>
    expect(secretsOfVariable('DB_PASS', value)).toEqual([]),
  );

  it('takes a key in base64 that begins with a slash', () => {
    const key = `/aB3${'xY7'.repeat(8)}`;
    expect(secretsOfVariable('AWS_SECRET_ACCESS_KEY', key)).toEqual([key]);
  });

  it.each([
    [`postgres://app:${secret}@db.internal:5432/app`, [secret]],
    ['postgres://app:p%40ssw0rd!@db/app', ['p%40ssw0rd!', 'p@ssw0rd!']],
    [`https://${'ab12'.repeat(8)}@o1.ingest.example/1`, ['ab12'.repeat(8)]],
    [`Server=db;User Id=app;Password=${secret};Encrypt=true`, [secret]],
    [`jdbc:postgresql://db/app?user=app&password=${secret}`, [secret]],
    [`https://example.com/hook?access_token=${secret}&x=1`, [secret]],
    ['postgres://db.internal:5432/app', []],
    ['postgres://app@db.internal/app', []],
    ['https://example.com/a@b', []],
  ])('finds the password in an address, whatever the variable is called: %s', (value, expected) => {
    expect(secretsOfVariable('DATABASE_URL', value)).toEqual(expected);
  });

  it('finds the keys in JSON and behind the word of a header', () => {
    const json = JSON.stringify({
      type: 'service_account',
      private_key: `-----BEGIN X-----\nMIIEvQabc\n-----END X-----\n`,
    });
    expect(secretsOfVariable('GOOGLE_THING', json)).toEqual(['MIIEvQabc']);
    expect(secretsOfVariable('PROXY_AUTH', `Bearer ${secret}`)).toContain(secret);
  });

  it('takes every password of an address, in every name, quickly', () => {
    const password = fc.stringMatching(/^[A-Za-z0-9!$*+,;=_~.-]{8,40}$/u);
    const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,30}$/u);
    fc.assert(
      fc.property(name, password, (one, word) => {
        expect(secretsOfVariable(one, `amqp://user:${word}@host/x`)).toContain(word);
      }),
      { numRuns: propertyRuns(500) },
    );
    const elapsed = startProcessorClock();
    for (const part of ['a', '_', 'a://', 'a-', 'password=', '/a', '{"a":', '-----', ':@'])
      secretsOfVariable('A_TOKEN', part.repeat(20_000));
    expect(elapsed()).toBeLessThan(5000);
  });
});
