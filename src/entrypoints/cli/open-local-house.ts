/** For `forge …`, which is the local forge and nothing else. */
import { loadConfig } from '../../config/load-config.ts';
import { GatewrightError } from '../../errors.ts';
import type { App } from './app.ts';
import type { Given } from './table/command.ts';

export async function openLocalHouse(app: App, given: Given): ReturnType<App['openHouse']> {
  // A person who chose GitHub would think that the output is about GitHub.
  const config = loadConfig(app.config, await app.findRoot(given.text('repo')));
  if (config.forge !== 'local')
    throw new GatewrightError(
      'forge-local-only',
      '"gatewright forge" works on the local forge only, and GitHub is chosen (forge.kind).',
    );
  return app.openHouse(given.text('repo'), { forge: 'local', name: null });
}
