/** A pull request that meets all conditions for a merge, and the review that says so, as the ledger would have it. */

import type { StoredReview } from '../../src/domain/changes/review-finding.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
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

/** Once more, for the head as it is now. */
export async function setLabelAgain(
  world: FleetRoom,
  number: number,
  name: string,
  as = 'alice',
): Promise<void> {
  await (await world.as(as)).editIssue(world.repository, number, { removeLabels: [name] });
  await setLabel(world, number, name, as);
}

/** The delivery that told of a label, received and done with: GitHub's list of labels does not tell the head. */
export async function tellLabel(
  world: FleetRoom,
  pull: { readonly number: number; readonly head: string },
  name = 'auto-merge',
  base = 'main',
): Promise<void> {
  const { number, head } = pull;
  const { ledger, actor } = world.house;
  const set = (await world.house.forge.listLabelEvents(world.repository, number)).findLast(
    ({ label, change }) => label === name && change === 'added',
  );
  if (set === undefined) throw new Error(`#${number} does not carry ${name}`);
  const at = new Date(set.at).toISOString();
  const event = world.event('labeled', {
    ...{ number, isPullRequest: true, label: name, head, base, at },
    ...{ actor: set.actor, actorKind: set.actorKind },
  });
  await receiveEvent(world.house, event);
  const subject = `${world.repository}#${number}`;
  await ledger.append([
    { subject, run: '', actor, kind: 'event-settled', key: event.delivery, data: { runs: [] } },
  ]);
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

/** One that we labelled ourselves after we had pushed and opened it, as the ledger has it. */
export async function setOwnLabel(
  world: FleetRoom,
  { number, head }: { readonly number: number; readonly head: string },
  branch: string,
  remove: readonly string[] = [],
): Promise<void> {
  const { repository } = world;
  const run = `R-${branch}`;
  const entry = (key: string) =>
    ({ subject: `${repository}#${number}`, run, actor: 'implementer', key: `${run}/${key}#1` }) as const;
  const ours = await world.as(world.own, 'write');
  const { labels, updatedAt } = await ours.editIssue(repository, number, {
    addLabels: ['auto-merge'],
    removeLabels: remove,
  });
  const body = await world.house.ledger.putText('');
  const pushed = { kind: 'push-branch', repository, branch, commit: head, expected: null } as const;
  const opened = {
    ...({ kind: 'create-pull-request', repository, title: branch, body, head: branch } as const),
    ...{ base: 'main', author: world.own },
  };
  const labelled = {
    ...({ kind: 'edit-labels', repository, number, add: ['auto-merge'], remove: [...remove] } as const),
  };
  const { url } = await ours.getPullRequest(repository, number);
  const data = { dryRun: false } as const;
  await world.house.ledger.append([
    { ...entry('push'), kind: 'effect-intended', data: { effect: pushed, ...data } },
    { ...entry('push'), kind: 'effect-receipted', data: { result: { commit: head }, found: false } },
    { ...entry('open'), kind: 'effect-intended', data: { effect: opened, ...data } },
    { ...entry('open'), kind: 'effect-receipted', data: { result: { number, url }, found: false } },
    { ...entry('risk'), kind: 'effect-intended', data: { effect: labelled, ...data } },
    { ...entry('risk'), kind: 'effect-receipted', data: { result: { labels, updatedAt }, found: false } },
  ]);
}
