/** The page of a gate in a real Chromium: what is sent is what was read, and who was faster is said. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approved, draftText } from '../support/cassettes.ts';
import { startBrowser } from '../support/start-browser.ts';
import { DashboardWorld } from './dashboard-world.ts';

const browser = await startBrowser();
let world: DashboardWorld;

async function openGate(page: Page, gate: string): Promise<void> {
  await page.goto(`${world.origin}/gates/${gate}`);
  await page.getByRole('form', { name: 'Your answer' }).waitFor();
}

describe.skipIf(browser === null)('a gate', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    if (browser === null) throw new Error('There is no browser.');
    world = await DashboardWorld.open(browser);
  });
  afterAll(async () => {
    await world.close();
    await browser?.close();
  });

  it('takes no answer to a text that has changed, and shows what is new in it', async () => {
    const gate = await world.waitAtGate('changed', 'Change reports', { drafts: [draftText('First')] });
    const page = await world.signIn();
    await openGate(page, gate);
    const path = 'docs/lineage/active/changed/002-draft.md';
    world.playground.write(path, world.playground.read(path).replace('One sentence.', 'Another sentence.'));
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    const changed = page.locator('.changed');
    await changed.waitFor();
    expect(await changed.locator('.is-out').textContent()).toContain('One sentence.');
    expect(await changed.locator('.is-in').textContent()).toContain('Another sentence.');
    // What was read is still there, and nothing can be sent about it.
    expect(await page.locator('.markdown').textContent()).toContain('One sentence.');
    expect(await page.getByRole('button', { name: 'Send this answer' }).isDisabled()).toBe(true);
    await changed.getByRole('button').click();
    expect(await page.locator('.markdown').textContent()).toContain('Another sentence.');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    await page.locator('.given .standing.is-done').waitFor();
    const [issue] = await world.playground.json<{ body: string }[]>(['forge', 'issue', 'list']);
    expect(issue?.body).toContain('Another sentence.');
  });

  it('sends feedback with the keyboard, and shows what the next draft made of it', async () => {
    const gate = await world.waitAtGate('revised', 'Revise reports', {
      drafts: [draftText('First'), draftText('Second', { note: 'It says more.' })],
    });
    const page = await world.signIn();
    await openGate(page, gate);
    await page.keyboard.press('r');
    // Letters are words now, and choose nothing.
    await page.keyboard.type('Say more, and ask less');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Say more, and ask less').waitFor();
    const next = page.getByRole('link', { name: /^Answer G/u });
    await page.locator('.given a').click();
    await next.click();
    await page.getByRole('button', { name: 'Changes' }).click();
    const lines = await page.locator('.changes .is-in').allTextContents();
    expect(lines).toEqual(['+ put in: # Second', '+ put in: It says more.']);
    await page.getByRole('button', { name: 'Source' }).click();
    expect(await page.locator('.source').textContent()).toBe(
      world.playground.read('docs/lineage/active/revised/004-draft.md'),
    );
  });

  it('shows what would take the browser long as it was written, and says so', async () => {
    const gate = await world.waitAtGate('heavy', 'Heavy reports', {
      drafts: [draftText('First', { note: '*a_ '.repeat(3_000) })],
    });
    const page = await world.signIn();
    await openGate(page, gate);
    expect(await page.getByRole('region', { name: 'draft' }).textContent()).toContain('as it was written');
    expect(await page.locator('.source').textContent()).toContain('*a_ *a_ ');
    expect(await page.getByRole('button', { name: 'Rendered' }).count()).toBe(0);
  });

  it('sends an answer once, and waits for the page to know it', async () => {
    const gate = await world.waitAtGate('once', 'Answer once', { drafts: [draftText('First')] });
    const page = await world.signIn();
    await openGate(page, gate);
    await page.keyboard.press('a');
    // The answer arrives, and the page hears nothing of it yet.
    await page.route('**/api/gates/*', (route) => route.abort());
    const [sent] = await Promise.all([page.waitForResponse('**/answer'), page.keyboard.press('Enter')]);
    expect(sent.status()).toBe(200);
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await page.getByRole('button', { name: 'Sending…' }).isDisabled()).toBe(true);
    await page.unroute('**/api/gates/*');
    await page.locator('.given .standing.is-done').waitFor();
  });

  it('says who was faster, to a person who looks and to one who answers', async () => {
    const gate = await world.waitAtGate('twice', 'Two people', {
      drafts: [draftText('First'), draftText('Second')],
    });
    const [looking, late, quick] = [await world.signIn(), await world.signIn(), await world.signIn()];
    for (const page of [looking, late, quick]) await openGate(page, gate);
    // The page of the second person hears nothing more, and does not know.
    await late.route('**/api/gates/*', (route) => route.abort());
    await late.keyboard.press('a');
    await quick.keyboard.press('r');
    await quick.keyboard.type('Shorter');
    await quick.keyboard.press('Control+Enter');
    await quick.getByRole('region', { name: 'The answer' }).waitFor();
    await late.keyboard.press('Enter');
    const told = late.locator('form [role=alert]');
    expect(await told.textContent()).toMatch(/alice.*revise/u);
    const seen = looking.getByRole('region', { name: 'The answer' });
    await seen.waitFor();
    expect(await seen.textContent()).toContain('Shorter');
  });

  it('asks once more before it approves against the verdict, which stands beside the draft', async () => {
    const gate = await world.waitAtGate('against', 'Against advice', {
      drafts: [draftText('First')],
      verdicts: [
        { ...approved, decision: 'DISCUSS', summary: 'I doubt it.', questions: ['Which currency?'] },
      ],
    });
    const page = await world.signIn();
    await openGate(page, gate);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.locator('.given .standing.is-waiting').waitFor();
    await page.locator('.given a').click();
    await page.getByRole('link', { name: /^Answer G/u }).click();
    await page.getByRole('heading', { name: 'Verdict', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Verdict' }).textContent()).toContain('I doubt it.');
    expect(await page.getByRole('region', { name: 'What to know' }).textContent()).toContain('DISCUSS');
    await page.keyboard.press('a');
    const send = page.getByRole('button', { name: 'Send this answer' });
    expect(await send.isDisabled()).toBe(true);
    // All of it goes with the keyboard: the focus is where the next key counts.
    const box = page.getByRole('checkbox');
    const where = (): Promise<unknown> =>
      page.evaluate('document.activeElement.type ?? document.activeElement.tagName');
    expect(await where()).toBe('checkbox');
    await page.keyboard.press('Space');
    expect(await box.isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    expect(await where()).toBe('button');
    await page.keyboard.press('a');
    expect([await where(), await box.isChecked()]).toEqual(['checkbox', false]);
    await page.keyboard.press('r');
    expect(await where()).toBe('textarea');
    await page.getByRole('button', { name: 'Take back' }).click();
    expect(await where()).toBe('button');
    await page.keyboard.press('a');
    await page.getByRole('region', { name: 'Verdict' }).getByText('I doubt it.').first().click();
    expect(await where()).not.toBe('checkbox');
    await page.keyboard.press('a');
    expect(await where()).toBe('checkbox');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.locator('.given .standing.is-done').waitFor();
    expect(await where()).toBe('H1');
  });
});
