/** Opens the repository and the forge that a run belongs to, wherever the person is. */
import { existsSync } from 'node:fs';
import type { RunSummary } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import type { House } from '../../runs/house.ts';
import type { App } from './app.ts';

export async function openHouseOf(app: App, run: RunSummary, asAgent = false): Promise<House> {
  const { root, forge = 'local', repository } = run.request;
  if (existsSync(root)) return app.openHouse(root, { forge, name: repository, asAgent });
  throw new GatewrightError(
    'not-a-repository',
    `The run ${run.id} belongs to ${root}, which does not exist.`,
    {
      hint: 'Put the folder back where it was and try again.',
    },
  );
}
