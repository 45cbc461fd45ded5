/** A real Chromium: the one that comes with the development dependencies on Linux, the Chrome of the machine elsewhere. */
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Works as root and without a sandbox; and it asks no server for anything by itself. */
const options = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

async function launch(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ channel: 'chrome', args: options });
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args: options });
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
