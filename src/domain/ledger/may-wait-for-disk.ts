/**
 * Which entries need no wait for the disk of their own. They are written at once, so that they outlive the process; they
 * reach the disk with the next entry that is waited for, and in the same order. A machine that loses power between the
 * two has forgotten them, together with everything after them, which is as if the process had been killed before them.
 *
 * So an entry may wait if nothing outside happens because of it before the next entry that may not:
 *
 * - a change outside follows its `effect-intended`, a call that costs money its `prompt-sent`, a person's decision its
 *   `gate-answered`, and a delivery leaves the inbox after its `event-received`: all of those are waited for;
 * - what a call cost, how a run ended and why an event was refused is told to people, so that is waited for too.
 */
import type { EntryKind } from './ledger-entry.ts';

/** A kind that is not listed is waited for. */
const waiting: ReadonlySet<EntryKind> = new Set<EntryKind>([
  // A run that is forgotten has changed nothing yet; its event, or a person, begins it again.
  ...(['run-started', 'run-resumed', 'node-begun'] as const),
  // What was looked up or computed; a run that is resumed does it again.
  ...([
    'files-listed',
    'step-done',
    'sandbox-used',
    'copy-prepared',
    'command-verified',
    'change-proven',
  ] as const),
  'verdict',
  // An intent without a receipt is looked for on the forge and in git before anything is repeated.
  ...(['effect-receipted', 'work-pushed', 'pull-request-made', 'work-summarised', 'code-reviewed'] as const),
  // The intent of the merge follows it and is waited for.
  'merge-granted',
  // The event is handled again, finds that its runs have ended, and is settled.
  'event-settled',
]);

/** Whether a transaction with these entries may be committed without a wait for the disk. */
export function mayWaitForDisk(kinds: readonly EntryKind[]): boolean {
  return kinds.every((kind) => waiting.has(kind));
}
