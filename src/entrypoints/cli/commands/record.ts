/** `record`: writes the recording of any past run. */
import { resolve } from 'node:path';
import { matchRun } from '../../../domain/ledger/run.ts';
import { GatewrightError } from '../../../errors.ts';
import { exportTape } from '../../../fleet/tapes/export-tape.ts';
import { findRunOf } from '../../../runs/explain-subject.ts';
import { exportCassette } from '../../../workflows/authoring/recordings/export-cassette.ts';
import type { App } from '../app.ts';
import type { Handler } from '../table/command.ts';

export async function recordAgentRun(app: App, run: string, root: string): Promise<string> {
  const { tapes, foldersOf } = await app.openTapes();
  return exportTape(run, await tapes.read(run), foldersOf(root));
}

/** A loop is many calls over days; what is not recorded is not offered. */
export async function refuseLoop({ id }: { readonly id: string }): Promise<never> {
  throw new GatewrightError('usage', `The run ${id} is a loop; loops cannot be recorded yet.`, {
    hint: `See what it did with: gatewright runs show ${id}`,
  });
}

export const recordRun: Handler = async (app, given) => {
  const records = await app.openRecords();
  const found = await findRunOf(records.views, given.args[0] ?? '', process.cwd());
  const file = resolve(given.args[1] ?? '');
  const text = await matchRun(found, {
    authoring: (run) => exportCassette(records.ledger, run),
    agent: (run) => recordAgentRun(app, run.id, run.request.root),
    loop: refuseLoop,
    pipeline: refuseLoop,
  });
  await app.cassettes.writeText(file, text, found.id);
  if (given.flag('json')) app.terminal.printJson({ run: found.id, file, status: found.status });
  else app.terminal.print(file);
  return 0;
};
