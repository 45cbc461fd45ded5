/** `record`: writes the recording of any past run. */
import { resolve } from 'node:path';
import { matchRun, type RunSummary } from '../../../domain/ledger/run.ts';
import { exportTape } from '../../../fleet/tapes/export-tape.ts';
import { findRunOf } from '../../../runs/explain-subject.ts';
import { exportCassette } from '../../../workflows/authoring/recordings/export-cassette.ts';
import type { App } from '../app.ts';
import type { Handler } from '../table/command.ts';

/** A run of an agent or a workflow, from its tapes. */
export async function recordFromTapes(
  app: App,
  { id, request: { root } }: Pick<RunSummary, 'id' | 'request'>,
): Promise<string> {
  const { tapes, foldersOf } = await app.openTapes();
  return exportTape(id, await tapes.read(id), foldersOf(root));
}

export const recordRun: Handler = async (app, given) => {
  const records = await app.openRecords();
  const found = await findRunOf(records.views, given.args[0] ?? '', process.cwd());
  const file = resolve(given.args[1] ?? '');
  const text = await matchRun(found, {
    authoring: (run) => exportCassette(records.ledger, run),
    agent: (run) => recordFromTapes(app, run),
    loop: (run) => recordFromTapes(app, run),
    pipeline: (run) => recordFromTapes(app, run),
  });
  await app.cassettes.writeText(file, text, found.id);
  if (given.flag('json')) app.terminal.printJson({ run: found.id, file, status: found.status });
  else app.terminal.print(file);
  return 0;
};
