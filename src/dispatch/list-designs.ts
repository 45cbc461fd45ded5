/** Which issues have an approved design, by whom, and whether it still speaks of the issue as it is now. */
import { type ApprovedDesign, approvedDesigns } from '../domain/design-index.ts';
import { sha256 } from '../domain/hash.ts';
import { readIssueText } from '../domain/issue-text.ts';
import { isGatewrightError } from '../errors.ts';
import type { House } from './house.ts';

type Standing = 'current' | 'stale' | 'gone' | 'unknown';

export interface DesignStatus extends ApprovedDesign {
  readonly standing: Standing;
  readonly approvedBy: string;
  readonly reviewer: string;
}

type Place = Pick<House, 'views' | 'ledger' | 'forge' | 'repository' | 'repositoryName'>;

async function standingOf(house: Place, design: ApprovedDesign): Promise<Standing> {
  try {
    const issue = await house.forge.getIssue(house.repositoryName, design.issue);
    if (sha256(readIssueText(issue)) !== design.textHash) return 'stale';
  } catch (error) {
    // Deleted, emptied or out of reach: whatever it is, the design cannot be called current.
    if (!isGatewrightError(error)) throw error;
    return error.code === 'brief-empty' ? 'stale' : 'unknown';
  }
  return (await house.repository.exists(design.path)) ? 'current' : 'gone';
}

export async function listDesigns(house: Place): Promise<DesignStatus[]> {
  const designs: DesignStatus[] = [];
  for (const design of approvedDesigns(house.views.listRuns(), house.repositoryName)) {
    const entries = await house.ledger.readRun(design.run);
    const verdict = entries.findLast((entry) => entry.kind === 'verdict');
    designs.push({
      ...design,
      standing: await standingOf(house, design),
      approvedBy: entries.findLast((entry) => entry.kind === 'gate-answered')?.actor ?? '',
      reviewer: verdict?.kind === 'verdict' ? verdict.data.by : '',
    });
  }
  return designs;
}
