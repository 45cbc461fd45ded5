/** A repository whose dashboard is open in a real browser, and people who look at it. */
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { approved, writeCassette } from '../support/cassettes.ts';
import { findPort } from '../support/find-port.ts';
import { Playground } from '../support/playground.ts';
import { type Served, serveProgram } from '../support/serve-program.ts';
import { openPage, type WatchedPage } from './watched-page.ts';

export interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

type Content = Parameters<typeof writeCassette>[2];

export class DashboardWorld {
  readonly playground = new Playground({ brief: null });
  readonly origin: string;
  readonly #browser: Browser;
  readonly #port: number;
  readonly #opened: WatchedPage[] = [];
  #served: Served | null = null;

  private constructor(browser: Browser, port: number) {
    this.#browser = browser;
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async open(browser: Browser): Promise<DashboardWorld> {
    const world = new DashboardWorld(browser, await findPort());
    await world.serve();
    return world;
  }

  async serve(): Promise<void> {
    this.#served = await serveProgram(this.playground, this.#port);
  }

  async endServer(): Promise<void> {
    await this.#served?.end('SIGKILL');
    this.#served = null;
  }

  /** A run on a brief that waits at its draft gate. The id of the gate. */
  async waitAtGate(slug: string, title: string, content: Partial<Content> = {}): Promise<string> {
    const { playground } = this;
    playground.write(`ideas/active/${slug}.md`, `# ${title}\n\nPeople copy numbers.\n\n- a button\n`);
    const models = writeCassette(playground.folder, slug, { drafts: [], verdicts: [approved], ...content });
    const result = await playground.run(['issue', '--brief', `ideas/active/${slug}.md`, ...models]);
    expect(result.code, result.all).toBe(10);
    const [, gate = ''] = /draft gate \((G\w{6})\)/u.exec(result.all) ?? [];
    return gate;
  }

  /** A person with a link of their own, at the inbox. */
  async signIn({ width = 1280, colorScheme = 'light' }: Look = {}): Promise<Page> {
    const page = await this.openPage({ width, colorScheme });
    await this.enter(page);
    return page;
  }

  /** Opens a link of its own, and shows the inbox. */
  async enter(page: Page): Promise<void> {
    // On a busy machine the server may take longer to answer than the command waits.
    let link = '';
    await expect
      .poll(async () => {
        const said = await this.playground.run(['serve', '--link', '--port', String(this.#port)]);
        link = said.stdout.trim();
        return link;
      })
      .toContain('/open?code=');
    await page.goto(link);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  }

  /** A browser without a session. */
  async openPage({ width = 1280, colorScheme = 'light' }: Look = {}): Promise<Page> {
    const watched = await openPage(this.#browser, this.origin, {
      viewport: { width, height: 800 },
      colorScheme,
    });
    this.#opened.push(watched);
    return watched.page;
  }

  async close(): Promise<void> {
    await this.endServer();
    for (const one of this.#opened) await one.close();
    this.playground.remove();
    // Nothing of an attacker ran, and no page asked another server for anything.
    expect(this.#opened.flatMap(({ wrong }) => wrong)).toEqual([]);
  }
}
