/**
 * Merges a pull request that is reviewed, green and labelled for merging by an actor with the right to do so, and that
 * no label holds: exactly that pull request, at exactly that head. No model is asked. One run at a time merges in a
 * repository, so that the tested state is the merged state.
 */

import { choreSubject } from '../../domain/ledger/subject.ts';
import { type Agent, requireNumber } from '../agent.ts';
import { withStopsTold } from '../stops/report-stop.ts';
import { tellOnNumber } from '../stops/tell-on-number.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { endInConflict } from './end-in-conflict.ts';
import { explainMerge } from './explain-merge.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import { handToQueue, isLeftByQueue, tidyUpBehindQueue } from './hand-to-queue.ts';
import { describeUnmet } from './land-pull-request.ts';
import { mergeChecked } from './merge-checked.ts';
import { mergeTested } from './merge-tested.ts';
import { findWaiting, recordWaiting, whatIsLeft } from './record-waiting.ts';
import { newsOfGrant, reportGrant } from './report-grant.ts';
import { unmetBeforeTrying } from './rules/merge-conditions.ts';
import { findGrounds } from './rules/merge-grounds.ts';

export const autoMerge: Agent = withStopsTold(tellOnNumber('Merging this', null), {
  name: 'auto-merge',
  explain: explainMerge,
  async run(context) {
    const { repository, settings } = context;
    const number = requireNumber(context);
    const { head, base, isStrict, queue, unmet, isMerged, news, isOurQueueing, ...found } =
      await context.once('ready', async () => {
        const facts = await gatherMergeFacts(context, number);
        const conditions = unmetBeforeTrying(facts);
        const { head, base, state, rules } = facts;
        return {
          ...{ head, base, isMerged: state === 'merged' },
          ...{ isStrict: rules?.isStrict === true, queue: rules?.queue ?? null },
          isOurQueueing: state === 'merged' && (await isLeftByQueue(context, { number, head })),
          unmet: describeUnmet(conditions),
          isConflicting: conditions.some(({ code }) => code === 'conflict'),
          waiting: await findWaiting(context, { number, head }, conditions),
          grounds: conditions.length === 0 ? findGrounds(facts, { by: 'queue', tested: null }) : null,
          news: newsOfGrant(facts, conditions, context.startedAt),
        };
      });
    const { isConflicting, waiting, grounds } = found;
    if (isOurQueueing) return tidyUpBehindQueue(context, { number, head });
    if (isMerged) return { message: `nothing to do: #${number} is merged` };
    if (news !== null && !context.request.dryRun) await reportGrant(context, number, news);
    const own = { number, head };
    if (unmet !== '') {
      const message = `#${number} is not merged: ${unmet}`;
      const { handoffs = [] } = isConflicting ? await endInConflict(context, own, base) : {};
      // Missing in facts from before it was asked. A conflict that the implementer takes care of waits for no person.
      const left = (waiting ?? []).filter(({ code }) => code !== 'conflict' || handoffs.length === 0);
      await recordWaiting(context, own, left);
      return handoffs.length === 0 ? { message } : { message, handoffs };
    }
    if (context.request.dryRun)
      return { message: `#${number} at ${head.slice(0, 12)} meets all conditions for a merge` };
    if (queue !== null) return handToQueue(context, own, queue.removedAt, grounds ?? null);
    const end = await context.withLease(choreSubject(repository, 'merge-queue'), async (checkStillHeld) => {
      if (settings.verify === null) return mergeChecked(context, own, checkStillHeld);
      // GitHub would refuse a head that does not hold the newest base, however well it was tested with it.
      const ended = isStrict ? await bringUpToDate(context, own, base, checkStillHeld) : null;
      return ended ?? mergeTested(context, own, checkStillHeld);
    });
    await recordWaiting(context, own, whatIsLeft(end));
    return end;
  },
});
