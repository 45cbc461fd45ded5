/** A page of a browser, with everything on record that it must not do. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface WatchedPage {
  readonly page: Page;
  /** Dialogs, errors, refused scripts, and requests to others. */
  readonly wrong: readonly string[];
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const wrong: string[] = [];
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  // What the content security policy refuses is said here too. Answers that say no are part of the story.
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded with a status');
    const isGone = message.text().includes('net::ERR_');
    if (message.type() === 'error' && !isAnswer && !isGone) wrong.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const isOurs = [origin, origin.replace('127.0.0.1', 'localhost')].includes(new URL(request.url()).origin);
    if (!isOurs) wrong.push(`request: ${request.url()}`);
  });
  return { page, wrong, close: () => context.close() };
}
