/** A pull request that has everything that merging it takes, and the review that says so, as the ledger would have it. */
import type { StoredReview } from '../../src/domain/review-finding.ts';
import type { FleetRoom } from './fleet-room.ts';

export async function recordReview(
  world: FleetRoom,
  pull: { readonly number: number; readonly head: string },
  more: Partial<StoredReview> = {},
): Promise<void> {
  const { number, head: commit } = pull;
  const subject = `${world.repository}#${number}`;
  const review: StoredReview = { commit, base: 'main', summary: 'Fine.', findings: [], unseen: [], ...more };
  const { ledger } = world.house;
  await ledger.append([
    {
      subject,
      run: `R-${number}-${review.commit.slice(0, 7)}`,
      actor: 'alice',
      kind: 'code-reviewed',
      key: `${subject}@${review.commit}`,
      data: {
        number,
        commit: review.commit,
        isClean: review.findings.length === 0,
        review: await ledger.putText(JSON.stringify(review)),
        by: 'a reviewer',
      },
    },
  ]);
}

export async function setLabel(world: FleetRoom, number: number, name: string, as = 'alice'): Promise<void> {
  await (await world.as(as)).editIssue(world.repository, number, { addLabels: [name] });
}

/** By Alice, reviewed and labelled by her. */
export async function openReadyPullRequest(
  world: FleetRoom,
  branch: string,
  files: Readonly<Record<string, string>>,
  body = '',
): Promise<{ readonly number: number; readonly head: string }> {
  const pull = await world.openPullRequest(branch, files, { body });
  await recordReview(world, pull);
  await setLabel(world, pull.number, 'auto-merge');
  return pull;
}
