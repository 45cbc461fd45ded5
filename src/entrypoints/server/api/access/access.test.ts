/** Who may ask: the rules by themselves, each with what breaks it. */
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../../../errors.ts';
import { isLoopback, judgeRequest, placeOfLoopback } from './judge-request.ts';
import { LinkCodes, makeLinkCode } from './link-codes.ts';
import { RequestLimits } from './request-limits.ts';
import { isCsrfToken, Sessions } from './sessions.ts';

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'allowed';
  } catch (error) {
    return error instanceof GatewrightError ? error.code : String(error);
  }
};
const start = new Date('2026-11-19T08:00:00Z');
const later = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

describe('a request', () => {
  const place = placeOfLoopback(8787, '127.0.0.1');
  const own = { host: '127.0.0.1:8787' };
  const click = {
    ...{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  };
  const json = { 'content-type': 'application/json' };
  const judge = (method: string, path: string, headers: Readonly<Record<string, string>>): string =>
    codeOf(() => judgeRequest({ method, path, header: (name) => headers[name] ?? null }, place));

  it.each<[string, string, string, Readonly<Record<string, string>>, string]>([
    ['of a program', 'GET', '/api/runs', own, 'allowed'],
    ['by the other name', 'GET', '/api/runs', { host: 'LOCALHOST:8787' }, 'allowed'],
    ['over IPv6', 'GET', '/', { host: '[::1]:8787' }, 'allowed'],
    ['typed by a person', 'GET', '/api/runs', { ...own, 'sec-fetch-site': 'none' }, 'allowed'],
    ['of our page', 'GET', '/api/runs', { ...own, 'sec-fetch-site': 'same-origin' }, 'allowed'],
    ['a change of our page', 'POST', '/a', { ...own, ...json, origin: 'http://127.0.0.1:8787' }, 'allowed'],
    ['a click elsewhere on the link', 'GET', '/open', { ...own, 'sec-fetch-site': 'cross-site' }, 'allowed'],
    ['a click elsewhere on a page', 'GET', '/runs/X', { ...own, ...click }, 'allowed'],
    ['a click elsewhere on the API', 'GET', '/api/runs', { ...own, ...click }, 'request-foreign'],
    ['a frame elsewhere', 'GET', '/', { ...own, ...click, 'sec-fetch-dest': 'iframe' }, 'request-foreign'],
    ['a page as a script', 'GET', '/', { ...own, ...click, 'sec-fetch-mode': 'no-cors' }, 'request-foreign'],
    ['to a name that was rebound', 'GET', '/api/runs', { host: 'evil.example:8787' }, 'host-unknown'],
    ['to our name as a part', 'GET', '/', { host: '127.0.0.1:8787.evil.example' }, 'host-unknown'],
    ['to another port', 'GET', '/', { host: '127.0.0.1:8788' }, 'host-unknown'],
    ['without a port', 'GET', '/', { host: '127.0.0.1' }, 'host-unknown'],
    ['without a host', 'GET', '/', {}, 'host-unknown'],
    ['of another site', 'GET', '/api/events', { ...own, 'sec-fetch-site': 'cross-site' }, 'request-foreign'],
    ['of another port', 'GET', '/api/events', { ...own, 'sec-fetch-site': 'same-site' }, 'request-foreign'],
    ['of another origin', 'GET', '/api/events', { ...own, origin: 'http://127.0.0.1:9' }, 'request-foreign'],
    ['of a sandboxed frame', 'GET', '/api/runs', { ...own, origin: 'null' }, 'request-foreign'],
    ['over HTTPS', 'GET', '/api/runs', { ...own, origin: 'https://127.0.0.1:8787' }, 'request-foreign'],
    ['a change without origin', 'POST', '/a', { ...own, ...json }, 'request-foreign'],
    [
      'a change typed by a person',
      'POST',
      '/a',
      { ...own, ...json, origin: 'http://127.0.0.1:8787', 'sec-fetch-site': 'none' },
      'request-foreign',
    ],
    [
      'a change from the other name',
      'POST',
      '/a',
      { ...own, ...json, origin: 'http://localhost:8787' },
      'request-foreign',
    ],
    [
      'a form',
      'POST',
      '/a',
      { ...own, origin: 'http://127.0.0.1:8787', 'content-type': 'text/plain' },
      'request-invalid',
    ],
    ['with another method', 'PUT', '/a', { ...own, origin: 'http://127.0.0.1:8787' }, 'route-unknown'],
    ['that asks what is allowed', 'OPTIONS', '/a', own, 'route-unknown'],
  ])('%s is judged', (_, method, path, headers, expected) => {
    expect(judge(method, path, headers)).toBe(expected);
  });

  it.each([
    '//evil.example/x',
    '/a//b',
    '/a/',
    '/../a',
    '/a/..',
    '/a/.git',
    '/%2e%2e/a',
    '/a\\b',
    '/a b',
    '',
    'a',
  ])('at %j leads nowhere', (path) => {
    expect(judge('GET', path, own)).toBe('route-unknown');
  });

  it('may name the address where it was received', () => {
    for (const [host, name] of [
      ['127.9.9.9', '127.9.9.9'],
      ['::1', '[::1]'],
      ['localhost', 'localhost'],
    ] as const) {
      const { hosts } = placeOfLoopback(8787, host);
      expect(hosts).toContain(`${name}:8787`);
      expect(new Set(hosts).size).toBe(hosts.length);
    }
    expect(placeOfLoopback(8787, '127.0.0.1').hosts).toHaveLength(3);
  });

  it('of this machine alone is known by the address', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].filter(isLoopback)).toHaveLength(4);
    const others = ['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', ''];
    expect(others.filter(isLoopback)).toEqual([]);
  });
});

describe('a link', () => {
  const key = 'the key of the ledger';
  const codes = (): LinkCodes => new LinkCodes(key, 8787, start);
  const redeem = (code: string, at = later(5), links = codes()): string =>
    codeOf(() => links.redeem(code, at));

  it('opens one session, once', () => {
    const links = codes();
    const code = makeLinkCode(key, 8787, start);
    expect(redeem(code, later(5), links)).toBe('allowed');
    expect(redeem(code, later(6), links)).toBe('link-spent');
    expect(redeem(makeLinkCode(key, 8787, later(6)), later(7), links)).toBe('allowed');
    expect(makeLinkCode(key, 8787, start)).not.toBe(code);
  });

  it('dies after ten minutes, used or not, and is not remembered for longer', () => {
    const links = codes();
    const code = makeLinkCode(key, 8787, start);
    expect(redeem(code, later(599), links)).toBe('allowed');
    for (const at of [600, 606, 100_000]) expect(redeem(code, later(at), links)).toBe('link-spent');
    expect(redeem(makeLinkCode(key, 8787, start), later(600))).toBe('link-spent');
  });

  it('is for one server, from its start on', () => {
    expect(redeem(makeLinkCode(key, 8788, start))).toBe('link-spent');
    expect(redeem(makeLinkCode('another key', 8787, start))).toBe('link-spent');
    // One that an earlier server took, and only that one remembered.
    expect(redeem(makeLinkCode(key, 8787, later(-60)))).toBe('link-spent');
    expect(redeem(makeLinkCode(key, 8787, later(-1)))).toBe('link-spent');
    expect(redeem(makeLinkCode(key, 8787, later(60)))).toBe('link-spent');
  });

  it('is refused with any sign of it changed', () => {
    const code = makeLinkCode(key, 8787, start);
    for (let at = 0; at < code.length; at += 1) {
      const other = code[at] === '0' ? '1' : '0';
      expect(redeem(code.slice(0, at) + other + code.slice(at + 1)), `sign ${at}`).toBe('link-spent');
    }
    for (const wrong of ['', code.slice(1), `${code}0`, ` ${code}`, `${code}\n`, code.toUpperCase()])
      expect(redeem(wrong)).toBe('link-spent');
  });
});

describe('a session', () => {
  const open = (sessions = new Sessions(8787)) => {
    const { session, setCookie } = sessions.begin(start);
    return { sessions, session, setCookie, cookie: setCookie.split(';')[0] ?? '' };
  };

  it('is held by a cookie that no script reads and no other site sends', () => {
    expect(open().setCookie).toMatch(
      /^gatewright-8787=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/u,
    );
  });

  it('is found by its cookie among others, and by nothing else', () => {
    const { sessions, session, cookie } = open();
    expect(sessions.find(`a=b; ${cookie}; c=d`, start)).toBe(session);
    const forged = `gatewright-8787=${'A'.repeat(43)}`;
    for (const header of [null, '', 'gatewright-8787=', forged, cookie.replace('8787', '8788')])
      expect(sessions.find(header, start)).toBeNull();
    // Another port of the host has planted one.
    expect(sessions.find(`${cookie}; ${forged}`, start)).toBeNull();
    expect(sessions.find(`gatewright-8787=${session.id}`, start)).toBeNull();
    expect(new Sessions(8787).find(cookie, start)).toBeNull();
  });

  it('ends after twelve hours without use, after a week, and when it is ended', () => {
    const hour = 3600;
    const { sessions, session, cookie } = open();
    expect(sessions.find(cookie, later(11 * hour))).toBe(session);
    expect(sessions.find(cookie, later(22 * hour))).toBe(session);
    expect(sessions.isOpen(session, later(33 * hour))).toBe(true);
    expect(sessions.find(cookie, later(35 * hour))).toBeNull();
    const used = open();
    for (let at = 0; at < 7 * 24; at += 6)
      expect(used.sessions.find(used.cookie, later(at * hour))).not.toBeNull();
    expect(used.sessions.find(used.cookie, later(7 * 24 * hour))).toBeNull();
    const ended = open();
    expect(ended.sessions.end(ended.session)).toContain('Max-Age=0');
    expect(ended.sessions.find(ended.cookie, start)).toBeNull();
  });

  it('has a limit, and the one that was not used for longest goes', () => {
    const { sessions, cookie } = open();
    const second = sessions.begin(later(1));
    sessions.find(cookie, later(2));
    for (let count = 0; count < 49; count += 1) sessions.begin(later(3));
    expect(sessions.find(cookie, later(4))).not.toBeNull();
    expect(sessions.isOpen(second.session, later(4))).toBe(false);
  });

  it('has a token for changes that is its own', () => {
    const { session } = open();
    expect(isCsrfToken(session, session.csrf)).toBe(true);
    for (const sent of [null, '', session.csrf.slice(1), `${session.csrf}A`, session.id, open().session.csrf])
      expect(isCsrfToken(session, sent)).toBe(false);
  });
});

describe('requests in a short time', () => {
  const takeMany = (limits: RequestLimits, who: string, count: number, at = 0): number => {
    let allowed = 0;
    for (let index = 0; index < count; index += 1)
      if (codeOf(() => limits.take(who, at)) === 'allowed') allowed += 1;
    return allowed;
  };

  it('are limited, for those without a session together', () => {
    const limits = new RequestLimits();
    expect(takeMany(limits, 'stranger', 100)).toBe(30);
    expect(takeMany(limits, 'link', 100)).toBe(30);
    expect(takeMany(limits, 'stranger', 100, 10_000)).toBe(10);
    // A session is not kept out by those who have none.
    expect(takeMany(limits, 's', 1000)).toBe(200);
    expect(takeMany(limits, 'other', 10)).toBe(10);
  });

  it('say when to come again', () => {
    const limits = new RequestLimits();
    takeMany(limits, 'stranger', 30);
    expect(() => limits.take('stranger', 100)).toThrow(
      expect.objectContaining({ code: 'request-limit', facts: { retryAfter: 1 } }),
    );
  });
});
