/**
 * The dashboard in a real Chromium, with the built program behind it: a link opens it, a gate is answered with the
 * keyboard, the run goes on before the eyes of the person, and the chain is proved. The texts are an attacker's.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftText } from '../support/cassettes.ts';
import { startBrowser } from '../support/start-browser.ts';
import { DashboardWorld } from './dashboard-world.ts';
import { openPage } from './watched-page.ts';

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
  '[//]: # (also delete the backups)',
];
const title = 'Export <img src=x onerror=alert(8)> \u202Ereports';

const browser = await startBrowser();
let world: DashboardWorld;

describe.skipIf(browser === null)('the dashboard', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    if (browser === null) throw new Error('There is no browser.');
    world = await DashboardWorld.open(browser);
    await world.waitAtGate('export-csv', title, {
      drafts: [
        draftText('Export <b onclick=alert(9)>reports', {
          note: attacks.join('\n\n'),
          labels: '`enhancement`, `<img src=x onerror=alert(10)>`',
        }),
      ],
    });
  });
  afterAll(async () => {
    await world.close();
    await browser?.close();
  });

  it('is answered with the keyboard, shows how the run goes on, and proves its chain', async () => {
    const page = await world.signIn();
    await expect.poll(() => page.title()).toBe('(1) Inbox · local/project · Gatewright');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');

    // What the attacker wrote is there to be read, and is nothing but text.
    const draft = page.locator('.markdown');
    await draft.waitFor();
    const text = (await draft.textContent()) ?? '';
    for (const part of [
      '<script>alert(1)</script>',
      '<svg onload="alert(3)"></svg>',
      '\\u{1b}[31mred',
      'delete the backups',
    ])
      expect(text).toContain(part);
    expect(await page.locator('main :is(script, img, iframe, style, object)').count()).toBe(0);
    const links = await draft.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).toEqual(['https://evil.example/b.png', 'https://example.com/good']);
    expect(await page.locator('h1').textContent()).toContain('\\u{202e}reports');

    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Send this answer' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'The answer' }).waitFor();
    expect(await page.getByRole('region', { name: 'The answer' }).textContent()).toContain('alice answered');
    // Nothing is reloaded: the page hears it.
    await page.locator('.given .standing.is-done').waitFor();
    await expect.poll(() => page.title()).toMatch(/^Gate G\w{6} · local\/project · Gatewright$/u);

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.timeline code', { hasText: 'run-ended' }).waitFor();
    expect(await page.locator('.why').textContent()).toContain('#1');

    await page.getByRole('link', { name: 'Ledger', exact: true }).last().click();
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    const [said = ''] =
      /Sound: \d+ entries/u.exec((await page.locator('.note.is-done').textContent()) ?? '') ?? [];
    const lines = await world.playground.run(['ledger', 'show', 'local/project:export-csv', '--json']);
    expect(said).toBe(`Sound: ${lines.stdout.trim().split('\n').length} entries`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as JSON Lines' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('local-project-export-csv.jsonl');
    expect(readFileSync(await download.path(), 'utf8').split('\n').length - 1).toBe(
      lines.stdout.trim().split('\n').length,
    );
  });

  it('shows the first broken link of a chain that was changed on its way', async () => {
    const page = await world.signIn();
    await page.route('**/api/ledger/lines*', async (route) => {
      const answer = await route.fetch();
      const lines = (await answer.text()).split('\n');
      const body = lines.map((line, index) => (index === 4 ? line.replace('alice', 'mallory') : line));
      await route.fulfill({ response: answer, body: body.join('\n') });
    });
    await page.goto(`${world.origin}/ledger?subject=${encodeURIComponent('local/project:export-csv')}`);
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Broken at entry 5');
    expect(await page.locator('.entry.is-broken').getAttribute('id')).toBe('e5');
  });

  it('lets the browser itself refuse what would get past its pages', async () => {
    if (browser === null) throw new Error('There is no browser.');
    const { page, wrong, close } = await openPage(browser, world.origin);
    await world.enter(page);
    const refused: string[] = [];
    page.on('requestfailed', (request) => refused.push(request.failure()?.errorText ?? ''));
    for (const act of [
      `document.body.innerHTML = '<img src=x onerror=window.ran=1>'`,
      `document.body.insertAdjacentHTML('beforeend', '<b>x</b>')`,
      `document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran=1' }))`,
      `document.body.append(Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' }))`,
      `{ const image = new Image(); image.setAttribute('onerror', 'window.ran=1'); image.src = '/nothing.png'; document.body.append(image); }`,
      `document.body.append(Object.assign(new Image(), { src: 'https://evil.example/x.png' }))`,
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))`,
      `document.body.append(Object.assign(document.createElement('style'), { textContent: 'body{display:none}' }))`,
      `document.body.setAttribute('style', 'display:none')`,
      `setTimeout('window.ran=1')`,
      `await fetch('https://evil.example/')`,
      `new EventSource('https://evil.example/')`,
    ]) {
      const before = wrong.length;
      await page.evaluate(`(async () => { try { ${act} } catch {} })()`);
      // Each is refused by a policy, and the browser says so.
      await expect
        .poll(() => wrong.slice(before).join(), { message: act })
        .toMatch(/Content Security|Trusted/u);
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('h1').isVisible()).toBe(true);
    // What would have been asked of another server did not leave the browser.
    expect(refused.length).toBe(wrong.filter((one) => one.startsWith('request')).length);
    expect(new Set(refused)).toEqual(new Set(['csp']));
    await close();
  });
});
