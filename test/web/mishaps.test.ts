/** What goes wrong while a person works, in a real Chromium: nothing that was typed is lost, and no page stays blank. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftText } from '../support/cassettes.ts';
import { startBrowser } from '../support/start-browser.ts';
import { DashboardWorld } from './dashboard-world.ts';
import { openPage } from './watched-page.ts';

const browser = await startBrowser();
let world: DashboardWorld;
let gate = '';

async function openGate(page: Page): Promise<void> {
  await page.goto(`${world.origin}/gates/${gate}`);
  await page.getByRole('form', { name: 'Your answer' }).waitFor();
}

describe.skipIf(browser === null)('a person at a gate', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    if (browser === null) throw new Error('There is no browser.');
    world = await DashboardWorld.open(browser);
    gate = await world.waitAtGate('mishaps', 'Mishaps', {
      drafts: [draftText('First'), draftText('Second')],
    });
  });
  afterAll(async () => {
    await world.close();
    await browser?.close();
  });

  it('is told when a part of the program does not load, and comes back to the others', async () => {
    if (browser === null) throw new Error('There is no browser.');
    // React writes the failure to the console, which is no failure of this test.
    const { page, close } = await openPage(browser, world.origin);
    await world.enter(page);
    await page.route('**/assets/gate-page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Mishaps' }).click();
    await page.getByRole('heading', { name: 'The page cannot be shown' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('A part of the program did not load.');
    await page.goBack();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.goForward();
    await page.unroute('**/assets/gate-page-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('form', { name: 'Your answer' }).waitFor();
    await close();
  });

  it('keeps what was typed over a key, over a lost answer, and is told that it may not have arrived', async () => {
    const page = await world.signIn();
    await openGate(page);
    await page.keyboard.press('r');
    const field = page.getByRole('textbox', { name: 'What should be different?' });
    await page.keyboard.type('Say more');
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('Say more');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    expect(await field.inputValue()).toBe('Say more');

    await page.route('**/answer', (route) => route.abort());
    await page.keyboard.press('Control+Enter');
    const told = page.locator('form [role=alert]');
    expect(await told.textContent()).toContain('It is not known whether the answer arrived.');
    expect(await field.inputValue()).toBe('Say more');
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await told.waitFor({ state: 'detached' });

    await openGate(page);
    await page.keyboard.press('r');
    await field.waitFor();
    expect(await field.inputValue()).toBe('Say more');
  });

  it('has the words back when the session ended, and sees what was not sent when another person was faster', async () => {
    const [page, quick] = [await world.signIn(), await world.signIn()];
    await openGate(page);
    await page.keyboard.press('r');
    await page.keyboard.type('Never sent');
    await page.context().clearCookies();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole('heading', { name: 'The session has ended' }).waitFor();
    expect(await page.locator('main code').textContent()).toBe(
      `gatewright serve --link --port ${new URL(world.origin).port}`,
    );
    await world.enter(page);
    await openGate(page);
    await page.keyboard.press('r');
    const field = page.getByRole('textbox', { name: 'What should be different?' });
    expect(await field.inputValue()).toBe('Never sent');

    await openGate(quick);
    await quick.keyboard.press('r');
    await quick.keyboard.type('Shorter');
    await quick.keyboard.press('Control+Enter');
    await quick.getByRole('region', { name: 'The answer' }).waitFor();
    const unsent = page.getByRole('region', { name: 'Not sent' });
    await unsent.waitFor();
    expect(await unsent.textContent()).toContain('Never sent');
    expect(await quick.getByRole('region', { name: 'Not sent' }).count()).toBe(0);
  });
});
