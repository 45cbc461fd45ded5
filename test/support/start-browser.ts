/** A real Chromium: the one that comes with the development dependencies on Linux, the Chrome of the machine elsewhere. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Works as root and without a sandbox; and it asks no server for anything by itself. */
const options = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** The first who asks unpacks it; others wait, because half of it would be taken for the whole. */
async function unpack(): Promise<string> {
  const where = join(tmpdir(), 'chromium-is-at');
  try {
    mkdirSync(join(tmpdir(), 'chromium-is-unpacked'));
  } catch {
    for (;;) {
      const path = await readFile(where, 'utf8').catch(() => null);
      if (path !== null) return path;
      await sleep(100);
    }
  }
  let path = '';
  try {
    path = await sparticuz.executablePath();
  } finally {
    writeFileSync(where, path);
  }
  return path;
}

async function launch(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ channel: 'chrome', args: options });
  return chromium.launch({ executablePath: await unpack(), args: options });
}

/** Null, with one line that says why, where none can start; with CI=true that is an error. */
export async function startBrowser(): Promise<Browser | null> {
  try {
    return await launch();
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    const [why = ''] = String(error).split('\n');
    process.stderr.write(`Tests with a browser are left out: none starts here (${why.slice(0, 200)}).\n`);
    return null;
  }
}
