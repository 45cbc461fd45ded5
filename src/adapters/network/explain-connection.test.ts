import { describe, expect, it } from 'vitest';
import { wasCutOff } from './explain-connection.ts';

/** As `fetch` gives it: what happened is the cause of the cause. */
const failed = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

describe('what is tried again', () => {
  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])('%s', (code) => {
    expect(wasCutOff(failed(code))).toBe(true);
    expect(wasCutOff(new AggregateError([failed(code)]))).toBe(false);
    expect(wasCutOff(Object.assign(new AggregateError([]), { code }))).toBe(true);
  });
});

describe('what is not', () => {
  it.each([
    ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ENETUNREACH', 'EPROTO', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    // The answer may be on its way, and is paid for.
    ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
  ])('%s', (code) => expect(wasCutOff(failed(code))).toBe(false));

  it.each([undefined, null, 'ECONNRESET', { code: 'ECONNRESET' }, new Error('ECONNRESET')])('%j', (thrown) =>
    expect(wasCutOff(thrown)).toBe(false),
  );
});
