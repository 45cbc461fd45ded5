/** Recordings of workflows whose runs have sessions: taken from where they are kept, and played again. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { composePackagePrompts, listFolders } from '../../src/compose/compose-tapes.ts';
import type { WorkflowName } from '../../src/domain/fleet/agent-names.ts';
import { parseTape, type SessionsTape } from '../../src/domain/recordings/tape.ts';
import { exportTape } from '../../src/fleet/tapes/export-tape.ts';
import { replaySession, type TapeReport } from '../../src/fleet/tapes/replay-tape.ts';
import type { House } from '../../src/runs/house.ts';
import { type FleetRoom, packageRoot } from './fleet-room.ts';

const prompts = composePackagePrompts(packageRoot);

/** Of the newest run. */
export async function recordSessions(
  { house, fleet }: { readonly house: House; readonly fleet: Pick<FleetRoom, 'playground'> },
  workflow: WorkflowName,
): Promise<SessionsTape> {
  const [run] = await house.views.listRuns({ workflows: [workflow] });
  const { folder, repository } = fleet.playground;
  const folders = listFolders({ dataFolder: join(folder, 'data') }, repository);
  const text = exportTape(run?.id ?? '', await house.tapes.read(run?.id ?? ''), folders);
  expect(text).not.toContain(folder);
  return parseTape(text, `a ${workflow}`) as SessionsTape;
}

export async function replaySessions({ sessions }: SessionsTape): Promise<TapeReport[]> {
  const reports: TapeReport[] = [];
  for (const session of sessions) reports.push(await replaySession(session, prompts));
  return reports;
}

export function differing(reports: readonly TapeReport[]): object[] {
  return reports.flatMap(({ compared, ended, isSame }) => (isSame ? [] : [{ compared, ended }]));
}
