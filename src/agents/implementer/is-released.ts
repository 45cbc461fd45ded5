/**
 * Whether an actor with the right removed the planning label after the plan was posted: together with an order, this is
 * the second way to approve a plan. The forge is asked, because it knows who removed the label; the absence of the
 * label alone proves nothing.
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
  // When we act under a person's account, our own removals look as if that person had made them.
  const entries = await ledger.readWork(context.subject);
  const removals = listOwnLabelChanges(entries, number, 'remove', planning, 'begun');
  if (mayBeOwnChange(changes, own, removals)) return false;
  const posted = (await forge.listComments(repository, number)).find(({ id }) => id === plan);
  if (posted === undefined || isAfter(posted.createdAt, last.at)) return false;
  return isAtLeast(await forge.permissionOf(repository, last.actor), 'write');
}
