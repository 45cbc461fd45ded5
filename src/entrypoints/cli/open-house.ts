/** Opens the repository and the forge that a run belongs to, wherever the person is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { activeFolder } from '../../domain/drafts/lineage.ts';
import { matchRequest, type RunSummary } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import type { House } from '../../runs/house.ts';
import type { App } from './app.ts';

/** What a run left in its folder, and what to do without that folder. */
function explainGone(run: RunSummary): { readonly message: string; readonly hint: string } {
  const { id, request } = run;
  const files = matchRequest(request, {
    authoring: ({ slug }) => `, where its files (${activeFolder(slug)}) were`,
    agent: () => '',
    loop: () => '',
    pipeline: () => '',
  });
  return {
    message: `The run ${id} belongs to ${request.root}, which is not there any more${files}.`,
    hint: `If the folder was moved, run the command again in the folder where it is now; else put it back. To give the run up: gatewright runs cancel ${id}`,
  };
}

export async function openHouseOf(app: App, run: RunSummary, asAgent = false): Promise<House> {
  const { root, forge = 'local', repository } = run.request;
  if (existsSync(join(root, '.git'))) return app.openHouse(root, { forge, name: repository, asAgent });
  const { message, hint } = explainGone(run);
  throw new GatewrightError('not-a-repository', message, { hint });
}
