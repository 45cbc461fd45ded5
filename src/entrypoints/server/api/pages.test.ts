/** Pages and their files: who gets them, with which headers, and what is there when they are not built. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld } from '../../../../test/support/api-world.ts';
import { builtPages } from '../../../../test/support/playground.ts';
import { answerPage } from './pages/answer-page.ts';
import { PageFiles } from './pages/page-files.ts';
import { pageAddresses } from './schemas/page-addresses.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
  await world.signIn();
});
afterAll(() => {
  expect(world.troubles).toEqual([]);
  world.close();
});

const host = '127.0.0.1:8787';

async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await world.fetch(path, { headers: { host, cookie: world.cookie, ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const addresses = Object.values(pageAddresses).map((path) => path.replace(':id', 'X'));
const assets = readdirSync(join(builtPages, 'assets'));

describe('a page', () => {
  it.each(addresses)('is at %s for who has a session, and says without one how to get in', async (path) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<div id="page">');
    const stranger = await get(path, { cookie: '' });
    expect(stranger.status).toBe(401);
    expect(stranger.text).toContain('gatewright serve --link');
    expect(stranger.text).not.toContain('<script');
  });

  it('may run and load our files only, and is kept nowhere', async () => {
    const { headers } = await get('/');
    expect(headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('holds no script and no style of its own', async () => {
    for (const { text } of [await get('/'), await get('/', { cookie: '' })]) {
      expect(text).not.toMatch(/<style|style=|\son\w+=/iu);
      for (const [, attributes = ''] of text.matchAll(/<script([^>]*)>/gu))
        expect(attributes).toContain('src="/assets/');
      for (const [, url] of text.matchAll(/(?:src|href)="([^"]+)"/gu))
        expect(assets).toContain(url?.slice(8));
    }
  });

  it('is shown to who comes with a link that opens nothing, if they have a session', async () => {
    const link = `/open?code=${world.makeCode()}`;
    const html = { accept: 'text/html,*/*' };
    expect((await get(link, { ...html, cookie: '' })).headers.get('set-cookie')).toContain('HttpOnly');
    const again = await get(link, html);
    expect([again.status, again.headers.get('location')]).toEqual([303, '/']);
    expect(again.headers.get('set-cookie')).toBeNull();
    const stranger = await get(link, { ...html, cookie: '' });
    expect(stranger.status).toBe(401);
    expect(stranger.text).toContain('gatewright serve --link');
    // A program is told as ever.
    expect((await get(link)).headers.get('content-type')).toBe('application/problem+json');
  });

  it('says that there is none, at an address that is none', async () => {
    const html = { accept: 'text/html,*/*' };
    expect(await get('/board', html)).toMatchObject({ status: 404, text: (await get('/')).text });
    for (const headers of [{ ...html, cookie: '' }, {}]) {
      const answer = await get('/board', headers);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
  });

  it('is not shown to a page of another site', async () => {
    expect((await get('/', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('says what to do where it is not built', async () => {
    const response = await answerPage(new PageFiles(join(builtPages, 'not-there')), true);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
    expect(await new PageFiles(join(builtPages, 'not-there')).areBuilt()).toBe(false);
    expect(await new PageFiles(builtPages).areBuilt()).toBe(true);
  });
});

describe('a file of the pages', () => {
  it('is kept by browsers, since its name says what is in it', async () => {
    expect(assets.length).toBeGreaterThan(3);
    for (const name of assets) {
      const { status, headers, text } = await get(`/assets/${name}`, { cookie: '' });
      expect([name, status]).toEqual([name, 200]);
      expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(
        /^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/u,
      );
      expect(headers.get('content-security-policy')).toContain('sandbox');
      expect(text).not.toContain('sourceMappingURL');
    }
  });

  it.each([
    ...['index.html', 'index-abcdefgh.js', 'package.json', 'index-abcdefgh.js.map', '__proto__'],
    ...['..%2f..%2fpackage.json', '..%5cindex.html', 'a/b-abcdefgh.js', 'constructor-abcdefgh.js'],
  ])('is not %s', async (name) => {
    const { status, headers } = await get(`/assets/${name}`);
    expect(status).toBe(404);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
