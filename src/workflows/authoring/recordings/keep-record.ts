/** Writes the recording of a run whenever it stops, if a person asked for one when the run was started or resumed. */
import { GatewrightError } from '../../../errors.ts';
import type { Progress } from '../../../ports/progress.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import type { Run } from '../drive-run.ts';
import { exportCassette } from './export-cassette.ts';

interface KeepRecord {
  readonly record?: string | null;
  readonly isResumed?: boolean;
  readonly progress: Progress;
}

/** Where the run is recorded to: what was said last counts. */
async function findRecordFile(house: AuthoringTools, run: Run, options: KeepRecord): Promise<string | null> {
  if (options.record != null) return options.record;
  const started = run.request.record ?? null;
  if (options.isResumed !== true) return started;
  return (await house.ledger.readRun(run.id)).reduce<string | null>(
    (file, entry) => (entry.kind === 'run-resumed' ? (entry.data.record ?? file) : file),
    started,
  );
}

/** Refuses, before anything is begun, a file that could not be written at the end. */
export async function checkRecordFile(
  house: AuthoringTools,
  file: string | null | undefined,
  run: string | null,
): Promise<void> {
  const why = file == null ? null : await house.cassettes.whyNotWritable(file, run);
  if (why !== null)
    throw new GatewrightError('cannot-write', `The run cannot be recorded to ${file}: ${why}.`, {
      hint: 'Name another file with --record. Only an earlier recording of the same run is replaced.',
    });
}

/** The outcome of the run is reported in any case: a recording that failed is a warning, and can be made later. */
export async function keepRecord(house: AuthoringTools, run: Run, options: KeepRecord): Promise<void> {
  if (run.request.dryRun) return;
  try {
    const file = await findRecordFile(house, run, options);
    if (file === null) return;
    await house.cassettes.writeText(file, await exportCassette(house.ledger, run), run.id);
    options.progress({ kind: 'recorded', file });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    options.progress({
      kind: 'warning',
      message: `The run was not recorded: ${why} Later: gatewright record ${run.id} FILE${house.commandSuffix}`,
    });
  }
}
