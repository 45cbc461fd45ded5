/** Puts back a label that somebody set or removed without the right to, or out of turn, and says why, once for each label. */

import { wasDoneBefore } from '../../domain/earlier-effects.ts';
import type { EventOf, FleetEvent } from '../../domain/event.ts';
import type { FleetSettings } from '../../domain/fleet-settings.ts';
import { judgeLabelChange, type LabelJudgement } from '../../domain/label-transitions.ts';
import { findLabel } from '../../domain/labels.ts';
import { inlineMarkdown } from '../../domain/markdown.ts';
import type { ForgeReader } from '../../ports/forge-reader.ts';
import { type Agent, requireNumber } from '../agent.ts';

type LabelEvent = EventOf<'labeled'> | EventOf<'unlabeled'>;

interface Place {
  readonly forge: Pick<ForgeReader, 'getIssue' | 'permissionOf'>;
  readonly settings: Pick<FleetSettings, 'bots'>;
  readonly own: string;
}

export function isLabelEvent(event: FleetEvent): event is LabelEvent {
  return event.kind === 'labeled' || event.kind === 'unlabeled';
}

/** Whether a change of a label stands. Labels that are not ours are looked up nowhere. */
export async function judgeLabelEvent(place: Place, event: LabelEvent): Promise<LabelJudgement> {
  const isOwn = event.actor.toLowerCase() === place.own.toLowerCase();
  if (isOwn || findLabel(event.label) === undefined) return { legal: true };
  const { forge, settings } = place;
  const { labels } = await forge.getIssue(event.repository, event.number);
  const has = labels.some((label) => label.toLowerCase() === event.label.toLowerCase());
  // Changed again since: what came later is judged by its own event.
  if (has !== (event.kind === 'labeled')) return { legal: true };
  return judgeLabelChange({
    labelsBefore: labels,
    change: event.kind === 'labeled' ? 'added' : 'removed',
    label: event.label,
    actor: {
      login: event.actor,
      isOwn,
      permission: await forge.permissionOf(event.repository, event.actor),
      isListedBot:
        event.actorKind === 'bot' &&
        settings.bots.some((bot) => bot.toLowerCase() === event.actor.toLowerCase()),
    },
  });
}

export const labelKeeper: Agent = {
  name: 'label-keeper',
  async run(context) {
    const { event, repository, effects, ledger } = context;
    const number = requireNumber(context);
    if (!isLabelEvent(event)) return { message: 'nothing to do' };
    const judgement = await context.once('judgement', () => judgeLabelEvent(context, event));
    if (judgement.legal) return { message: `"${event.label}" on #${number} stands` };
    const { add, remove } = judgement.revert;
    await effects.perform('revert', 'edit-labels', () => ({ repository, number, add, remove }));
    const key = `label-reason/${event.label.toLowerCase()}`;
    const entries = await ledger.readSubject(context.subject);
    const hasTold = wasDoneBefore(entries, key, context.runId);
    if (!hasTold) {
      await effects.perform(key, 'create-comment', async () => ({
        repository,
        number,
        body: await ledger.putText(`${inlineMarkdown(judgement.reason)}\n`),
        author: context.own,
      }));
    }
    return { message: `put the labels of #${number} back: ${judgement.reason}` };
  },
};
