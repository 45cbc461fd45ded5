/**
 * Whether somebody who may has taken the label for planning off after the plan was there: together with an order that is
 * the other way to approve it. Asked of the forge, which says who did it; that the label is not there says nothing.
 */
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import { type AgentContext, requireNumber } from '../agent.ts';
import { listOwnLabelChanges } from '../pull-requests/list-own-label-changes.ts';
import { mayBeOwnChange } from '../pull-requests/rules/label-provenance.ts';

const planning = labelNames.planning;

/** Forges write moments with and without parts of a second. */
function isAfter(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}

/** @param plan the comment with the plan @param until when the order was given, ISO 8601 */
export async function isReleased(context: AgentContext, plan: number, until: string): Promise<boolean> {
  const { forge, repository, settings, own, ledger } = context;
  const number = requireNumber(context);
  const changes = (await forge.listLabelEvents(repository, number)).filter(
    ({ label }) => label.toLowerCase() === planning,
  );
  const last = changes.at(-1);
  if (last === undefined || last.change !== 'removed' || isAfter(last.at, until)) return false;
  if (last.actorKind === 'bot' || isListedBot(settings, last.actor)) return false;
  // Under a person's account, what we took off ourselves looks as if that person had.
  const entries = await ledger.readSubject(context.subject);
  const removals = listOwnLabelChanges(entries, number, 'remove', planning, 'begun');
  if (mayBeOwnChange(changes, own, removals)) return false;
  const posted = (await forge.listComments(repository, number)).find(({ id }) => id === plan);
  if (posted === undefined || isAfter(posted.createdAt, last.at)) return false;
  return isAtLeast(await forge.permissionOf(repository, last.actor), 'write');
}
