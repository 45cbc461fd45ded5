/**
 * The dashboard in a real Chromium, with the built program behind it: a link opens it, a gate is answered with the
 * keyboard, the run goes on before the eyes of the person, and the chain is proved. The texts are an attacker's.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { findPort } from '../support/find-port.ts';
import { Playground } from '../support/playground.ts';
import { type Served, serveProgram } from '../support/serve-program.ts';
import { startBrowser } from '../support/start-browser.ts';
import { openPage, type WatchedPage } from './watched-page.ts';

const attacks = [
  '<script>alert(1)</script>',
  '<img src="https://evil.example/a.png" onerror="alert(2)">',
  '<svg onload="alert(3)"></svg>',
  '[a link](javascript:alert(4))',
  '<a href="javascript:alert(5)" onclick="alert(6)">here</a>',
  '![a picture](https://evil.example/b.png)',
  '[data](data:text/html,<script>alert(7)</script>)',
  '<iframe src="https://evil.example/"></iframe>',
  '<style>body{display:none}</style>',
  '\u001b[31mred\u001b[0m and \u202Edrawkcab',
  '[good](https://example.com/good)',
];
const title = 'Export <img src=x onerror=alert(8)> \u202Ereports';

const browser: Browser | null = await startBrowser();
let playground: Playground;
let served: Served;
let origin = '';
let port = 0;
const opened: WatchedPage[] = [];

/** A run on a brief that waits at its draft gate. */
async function waitAtGate(slug: string, heading: string, drafts: readonly string[]): Promise<string> {
  playground.write(`ideas/active/${slug}.md`, `# ${heading}\n\nPeople copy numbers.\n\n- a button\n`);
  const models = writeCassette(playground.folder, slug, { drafts: [...drafts], verdicts: [approved] });
  const result = await playground.run(['issue', '--brief', `ideas/active/${slug}.md`, ...models]);
  expect(result.code, result.all).toBe(10);
  const gates = await playground.json<{ id: string; title: string }[]>(['gates']);
  return gates.at(-1)?.id ?? '';
}

async function open(width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  if (browser === null) throw new Error('There is no browser.');
  const watched = await openPage(browser, origin, { viewport: { width, height: 800 }, colorScheme });
  opened.push(watched);
  const link = await playground.run(['serve', '--link', '--port', String(port)]);
  await watched.page.goto(link.stdout.trim());
  await watched.page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return watched.page;
}

describe.skipIf(browser === null)('the dashboard', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    playground = new Playground({ brief: null });
    port = await findPort();
    origin = `http://127.0.0.1:${port}`;
    await waitAtGate('export-csv', title, [draftText('Export reports', { note: attacks.join('\n\n') })]);
    served = await serveProgram(playground, port);
  });
  afterAll(async () => {
    await served.end('SIGKILL');
    await browser?.close();
    playground.remove();
    expect(opened.flatMap(({ wrong }) => wrong)).toEqual([]);
  });

  it('is answered with the keyboard, shows how the run goes on, and proves its chain', async () => {
    const page = await open();
    await expect.poll(() => page.title()).toBe('(1) local/project · Gatewright');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');

    // What the attacker wrote is there to be read, and is nothing but text.
    const draft = page.locator('.markdown');
    await draft.waitFor();
    const text = (await draft.textContent()) ?? '';
    for (const part of ['<script>alert(1)</script>', '<svg onload="alert(3)"></svg>', '\\u{1b}[31mred'])
      expect(text).toContain(part);
    expect(await page.locator('main :is(script, img, iframe, style, object)').count()).toBe(0);
    const links = await draft.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).toEqual(['https://evil.example/b.png', 'https://example.com/good']);
    expect(await page.locator('h1').textContent()).toContain('\\u{202e}reports');

    await page.keyboard.press('a');
    await page.getByRole('button', { name: /^Send:/u }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'The answer' }).waitFor();
    expect(await page.getByRole('region', { name: 'The answer' }).textContent()).toContain('alice answered');
    // Nothing is reloaded: the page hears it.
    await page.locator('.given .standing.is-done').waitFor();
    await expect.poll(() => page.title()).toBe('local/project · Gatewright');

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.timeline code', { hasText: 'run-ended' }).waitFor();
    expect(await page.locator('.why').textContent()).toContain('#1');

    await page.getByRole('link', { name: 'Ledger', exact: true }).last().click();
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    const [said = ''] =
      /Sound: \d+ entries/u.exec((await page.locator('.note.is-done').textContent()) ?? '') ?? [];
    const lines = await playground.run(['ledger', 'show', 'local/project:export-csv', '--json']);
    expect(said).toBe(`Sound: ${lines.stdout.trim().split('\n').length} entries`);
  });

  it('shows the first broken link of a chain that was changed on its way', async () => {
    const page = await open();
    await page.route('**/api/ledger/lines*', async (route) => {
      const answer = await route.fetch();
      const lines = (await answer.text()).split('\n');
      const body = lines.map((line, index) => (index === 4 ? line.replace('alice', 'mallory') : line));
      await route.fulfill({ response: answer, body: body.join('\n') });
    });
    await page.goto(`${origin}/ledger?subject=${encodeURIComponent('local/project:export-csv')}`);
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Broken at entry 5');
    expect(await page.locator('.entry.is-broken').getAttribute('id')).toBe('e5');
  });
});
