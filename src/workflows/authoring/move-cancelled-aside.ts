/** Frees the short name of a cancelled run: its files move to a folder of their own, and nothing of them is lost. */

import { activeFolder, cancelledFolder } from '../../domain/drafts/lineage.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { type AuthoringRun, isAuthoringRun } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import type { AuthoringTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import { definitions } from './definitions.ts';
import { hasPassedNoReturn } from './has-passed-no-return.ts';

export interface MovedAside {
  readonly run: string;
  readonly to: string;
}

const effectNames = { lineage: 'cancelled/lineage', worktree: 'cancelled/worktree' } as const;

/** Whether the run wrote files into its folder, and that folder was not moved aside since. */
function ownsFolder({ id, request }: AuthoringRun, entries: readonly LedgerEntry[]): boolean {
  const folder = `${activeFolder(request.slug)}/`;
  const isMoved = entries.some(
    (entry) =>
      entry.kind === 'effect-receipted' && entry.key?.startsWith(`${id}/${effectNames.lineage}`) === true,
  );
  const hasWritten = entries.some(
    (entry) =>
      entry.kind === 'effect-intended' &&
      entry.data.effect.kind === 'write-file' &&
      entry.data.effect.path.startsWith(folder),
  );
  return hasWritten && !isMoved;
}

/** The cancelled run that the files under a short name are of: the last run here that had the name. */
async function findCancelled(house: AuthoringTools, slug: string): Promise<AuthoringRun | null> {
  const runs = (await house.views.listRuns({ root: house.repository.root, slugs: [slug] })).filter(
    isAuthoringRun,
  );
  const last = runs.find(({ request }) => request.slug === slug && !request.dryRun);
  return last?.status === 'done' && last.reason?.code === 'cancelled' ? last : null;
}

/** Null when the files are not of a cancelled run; then they stay. */
export async function moveCancelledAside(house: AuthoringTools, slug: string): Promise<MovedAside | null> {
  const cancelled = await findCancelled(house, slug);
  if (cancelled === null) return null;
  const { id: run, subject, request } = cancelled;
  const lease = await acquireLease(house, subject);
  try {
    const entries = await house.ledger.readRun(run);
    if (!ownsFolder(cancelled, entries)) return null;
    const definition = definitions[request.workflow];
    if (hasPassedNoReturn(run, definition, entries))
      throw new GatewrightError(
        'slug-taken',
        `The cancelled run ${run} had finished its last step, or was about to; a new run would do it a second time.`,
        {
          hint: `See what it did with: gatewright runs show ${run}. To start again all the same, give another name with --slug.`,
        },
      );
    const to = cancelledFolder(run, slug);
    const { allowance } = definition;
    const effects = makeEffects(house, { run, subject, fence: lease, allowance, dryRun: false });
    await effects.perform(effectNames.lineage, 'move-path', () => ({ from: activeFolder(slug), to }));
    await effects.perform(effectNames.worktree, 'remove-worktree', () => ({ name: run }));
    await (await house.openCheckpoints()).deleteThread(run);
    return { run, to };
  } finally {
    await lease.release();
  }
}
