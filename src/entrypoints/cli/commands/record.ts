/** `record`: writes the recording of any past run. */
import { resolve } from 'node:path';
import { findRunOf } from '../../../runs/explain-subject.ts';
import { requireAuthoring } from '../../../runs/find-run.ts';
import { exportCassette } from '../../../workflows/authoring/recordings/export-cassette.ts';
import type { Handler } from '../table/command.ts';

export const recordRun: Handler = async (app, given) => {
  const records = await app.openRecords();
  const run = requireAuthoring(await findRunOf(records.views, given.args[0] ?? '', process.cwd()));
  const file = resolve(given.args[1] ?? '');
  await app.cassettes.writeText(file, await exportCassette(records.ledger, run), run.id);
  if (given.flag('json')) app.terminal.printJson({ run: run.id, file, status: run.status });
  else app.terminal.print(file);
  return 0;
};
