/** Which issues have an approved design, by whom, and whether it still speaks of the issue as it is now. */

import { readIssueText } from '../../../domain/drafts/issue-text.ts';
import { type Sha256, sha256 } from '../../../domain/ledger/hash.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import { isGatewrightError } from '../../../errors.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import { type ApprovedDesign, approvedDesigns } from './rules/design-index.ts';

type Standing = 'current' | 'stale' | 'edited' | 'gone' | 'unknown';

export interface DesignStatus extends ApprovedDesign {
  readonly standing: Standing;
  readonly approvedBy: string;
  readonly reviewer: string;
}

type Place = Pick<AuthoringTools, 'views' | 'ledger' | 'forge' | 'repository' | 'repositoryName'>;

/** Whether the file is the one that was approved. Line ends do not count: git may change them all. */
async function fileStanding(house: Place, path: string, approved: Sha256 | null): Promise<Standing> {
  const text = await house.repository.readText(path);
  if (text === null) return 'gone';
  return sha256(text.replace(/\r\n/gu, '\n')) === approved ? 'current' : 'edited';
}

async function standingOf(house: Place, design: ApprovedDesign, entries: LedgerEntry[]): Promise<Standing> {
  try {
    const issue = await house.forge.getIssue(house.repositoryName, design.issue);
    if (sha256(readIssueText(issue)) !== design.textHash) return 'stale';
  } catch (error) {
    // The issue was deleted, emptied or cannot be reached: in each case the design cannot be called current.
    if (!isGatewrightError(error)) throw error;
    return error.code === 'brief-empty' || error.code === 'brief-unreadable' ? 'stale' : 'unknown';
  }
  return fileStanding(house, design.path, approvedContent(design, entries));
}

function approvedContent(design: ApprovedDesign, entries: readonly LedgerEntry[]): Sha256 | null {
  const writes = entries.flatMap((entry) =>
    entry.kind === 'effect-intended' && entry.data.effect.kind === 'write-file' ? [entry.data.effect] : [],
  );
  return writes.findLast((effect) => effect.path === design.path)?.content ?? null;
}

export async function listDesigns(house: Place): Promise<DesignStatus[]> {
  const designs: DesignStatus[] = [];
  const place = { forge: house.forge.kind, repository: house.repositoryName };
  const runs = await house.views.listRuns({ repository: place.repository, workflows: ['lld'] });
  for (const design of approvedDesigns(runs, place)) {
    const entries = await house.ledger.readRun(design.run);
    const verdict = entries.findLast((entry) => entry.kind === 'verdict');
    designs.push({
      ...design,
      standing: await standingOf(house, design, entries),
      approvedBy: entries.findLast((entry) => entry.kind === 'gate-answered')?.actor ?? '',
      reviewer: verdict?.kind === 'verdict' ? verdict.data.by : '',
    });
  }
  return designs;
}
