/** What is around every page, in a real Chromium: who gets in, what is said when the server is gone, and small screens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftText } from '../support/cassettes.ts';
import { startBrowser } from '../support/start-browser.ts';
import { DashboardWorld } from './dashboard-world.ts';

const browser = await startBrowser();
let world: DashboardWorld;
let gate = '';

describe.skipIf(browser === null)('every page', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    if (browser === null) throw new Error('There is no browser.');
    world = await DashboardWorld.open(browser);
    gate = await world.waitAtGate('long', `A title ${'that goes on '.repeat(12)}${'x'.repeat(120)}`, {
      drafts: [
        draftText('First', {
          note: `${'y'.repeat(300)}\n\n| a | b |\n|---|---|\n| ${'z'.repeat(200)} | 2 |`,
        }),
      ],
    });
  });
  afterAll(async () => {
    await world.close();
    await browser?.close();
  });

  it('fits on a small screen, has one heading, and one part for each thing', async () => {
    const page = await world.signIn({ width: 375, colorScheme: 'dark' });
    const [run] = await world.playground.json<{ id: string; subject: string }[]>(['runs']);
    const addresses = [
      ...['/', '/runs', '/fleet', '/ledger', `/gates/${gate}`, `/runs/${run?.id}`, '/runs?number=99'],
      `/ledger?${new URLSearchParams({ subject: run?.subject ?? '' })}`,
    ];
    for (const address of addresses) {
      await page.goto(`${world.origin}${address}`);
      await page.locator('h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      const size = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
      expect([address, size]).toEqual([address, [375, 375]]);
      expect(await page.locator('h1').count()).toBe(1);
      for (const role of ['banner', 'navigation', 'main', 'search'] as const)
        expect(await page.getByRole(role).count(), `${address} ${role}`).toBeGreaterThan(0);
    }
  });

  it('is reached by keys, by what is typed, and by going back', async () => {
    const page = await world.signIn();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('Type a number such as 12').waitFor();
    await page.getByRole('textbox').fill(gate);
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: 'Your answer' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/gates/${gate}`);
    const focus = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    await expect.poll(focus).toContain('A title that goes on');
    await page.goBack();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await expect.poll(focus).toBe('Inbox');
  });

  it('hears of a gate that is asked while it is open', async () => {
    const page = await world.signIn();
    await page.getByRole('link', { name: 'Runs' }).click();
    await world.waitAtGate('later', 'Asked later', { drafts: [draftText('First')] });
    await expect.poll(() => page.title()).toMatch(/^\(2\)/u);
    await page.getByRole('link', { name: 'Asked later' }).waitFor();
  });

  it('is live in more tabs than a browser has connections', async () => {
    const first = await world.signIn();
    const tabs = [first];
    while (tabs.length < 9) {
      const tab = await first.context().newPage();
      await tab.goto(world.origin);
      await tab.getByRole('heading', { name: 'Inbox' }).waitFor();
      tabs.push(tab);
    }
    await world.waitAtGate('tabs', 'Asked of many', { drafts: [draftText('First')] });
    for (const tab of tabs)
      await tab
        .getByRole('listitem')
        .filter({ hasText: 'Draft gate' })
        .filter({ hasText: 'Asked of many' })
        .waitFor();
    for (const tab of tabs) await tab.close();
  });

  it('opens for who comes from another site with one more click, since a session does not come along', async () => {
    const page = await world.signIn();
    // The other name of this machine is another site.
    await page.goto(world.origin.replace('127.0.0.1', 'localhost'));
    await page.evaluate(`location.href = '${world.origin}/gates/${gate}'`);
    await page.waitForURL(`${world.origin}/gates/${gate}`);
    await page.getByRole('link', { name: 'go on' }).click();
    await page.getByRole('form', { name: 'Your answer' }).waitFor();
  });

  it('without a session says how to get in, and with a link that is spent', async () => {
    const page = await world.openPage();
    for (const address of ['/', `/gates/${gate}`]) {
      await page.goto(`${world.origin}${address}`);
      expect(await page.locator('main').textContent()).toContain('gatewright serve --link');
    }
    await page.goto(`${world.origin}/open?code=spent`);
    expect(await page.locator('main').textContent()).toContain('gatewright serve --link');
  });

  it('says that the connection is lost, and that the session has ended with the server', async () => {
    const page = await world.signIn();
    await world.endServer();
    await page.locator('.lost').waitFor();
    // What was there is still there.
    expect(await page.getByRole('heading', { name: 'Inbox' }).count()).toBe(1);
    await world.serve();
    await page.getByRole('heading', { name: 'The session has ended' }).waitFor({ timeout: 30_000 });
    const again = await world.signIn();
    expect(await again.locator('.lost').count()).toBe(0);
  });
});
