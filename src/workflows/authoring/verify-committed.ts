/** Whether the commits of authoring runs hold the drafts and verdicts that were decided on, where they can be seen. */

import { shortHash } from '../../domain/ledger/hash.ts';
import type { ChainProblem, EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { authoringWorkflows } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import type { CommittedFiles } from '../../ports/committed-files.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Records } from '../../runs/house.ts';
import { foldDecided } from './rules/artefacts.ts';

function findCommit(entries: readonly LedgerEntry[]): EntryOf<'effect-receipted'> | null {
  const intended = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'effect-intended' && entry.data.effect.kind === 'commit-files' ? [entry.key] : [],
    ),
  );
  const found = entries.findLast(
    (entry): entry is EntryOf<'effect-receipted'> =>
      entry.kind === 'effect-receipted' && intended.has(entry.key),
  );
  return found ?? null;
}

async function readDecided(
  ledger: Pick<Ledger, 'getText'>,
  entries: readonly LedgerEntry[],
): Promise<Map<string, string>> {
  const expected = new Map<string, string>();
  for (const file of foldDecided(entries)) {
    try {
      expected.set(file.path, await ledger.getText(file.sha256));
    } catch (error) {
      // A text that is lost or changed is found by looking through the texts.
      if (!isGatewrightError(error, 'ledger-broken')) throw error;
    }
  }
  return expected;
}

export async function verifyCommitted(
  { ledger, views }: Pick<Records, 'ledger' | 'views'>,
  files: CommittedFiles,
  subject?: Subject,
): Promise<ChainProblem[]> {
  const problems: ChainProblem[] = [];
  const filter = { workflows: authoringWorkflows, ...(subject === undefined ? {} : { subject }) };
  for (const run of await views.listRuns(filter)) {
    if (run.request.dryRun) continue;
    const entries = await ledger.readRun(run.id);
    const receipt = findCommit(entries);
    if (receipt === null || !('commit' in receipt.data.result)) continue;
    const { commit } = receipt.data.result;
    const expected = await readDecided(ledger, entries);
    for (const path of await files.findDiffering(run.request.root, commit, expected)) {
      const explanation = `${path} in the commit ${shortHash(commit)} differs from the recorded text`;
      problems.push({
        ...{ subject: run.subject, seq: receipt.seq, kind: receipt.kind },
        ...{ problem: 'changed', explanation },
      });
    }
  }
  return problems;
}
