/**
 * Whether the actor of an event may give orders, and if not, why. Checked again each time before work is done for the
 * event.
 */
import type { FleetEvent } from '../domain/fleet/event.ts';
import { isListedBot } from '../domain/fleet/fleet-settings.ts';
import { programOrderLimit, readProgramOrders } from '../domain/fleet/program-orders.ts';
import { isBotLogin } from '../domain/forge/login.ts';
import { isAtLeast } from '../domain/forge/permission.ts';
import type { RefusalReason } from '../domain/ledger/fleet-entries.ts';
import { readPlanAnswer } from '../domain/spoken/plan-approval.ts';
import type { FleetTools } from '../runs/house.ts';
import { subjectOfEvent } from './receive-event.ts';

type Place = Pick<FleetTools, 'forge' | 'fleet' | 'repositoryName' | 'ledger'>;

export interface ActorRefusal {
  readonly because: RefusalReason;
  readonly detail: string;
  /** Whether a comment has to tell people about it. */
  readonly isNews: boolean;
}

async function judgeProgram(house: Place, event: FleetEvent): Promise<ActorRefusal | null> {
  const { actor } = event;
  const { fleet } = house;
  if (!isListedBot(fleet, actor))
    return { because: 'bot', detail: `${actor} is a program that is not listed`, isNews: false };
  const isProgram = (login: string): boolean => isBotLogin(login) || isListedBot(fleet, login);
  const state = await house.ledger.readState(subjectOfEvent(event));
  const { count, isBegun, isTold } = readProgramOrders(state, event.delivery, isProgram);
  if (isBegun) return null;
  if (
    event.kind === 'comment-created' &&
    state.openPlan !== null &&
    ['approves', 'assents'].includes(readPlanAnswer(event.text, fleet.handle))
  ) {
    const detail = `${actor} is a program: it may give orders, but only a person approves a plan`;
    return { because: 'bot', detail, isNews: false };
  }
  if (count < programOrderLimit) return null;
  const detail = `programs have given ${count} orders in a row; a person has to give the next`;
  return { because: 'loop', detail, isNews: !isTold };
}

async function judgePerson(house: Place, actor: string): Promise<ActorRefusal | null> {
  const permission = await house.forge.permissionOf(house.repositoryName, actor);
  if (isAtLeast(permission, 'write')) return null;
  const detail = `${actor} has no write permission${permission === 'none' ? '' : `, only ${permission}`}`;
  return { because: 'not-permitted', detail, isNews: false };
}

/** Null when they may. */
export async function judgeActor(house: Place, event: FleetEvent): Promise<ActorRefusal | null> {
  if (event.actorKind === 'bot') return judgeProgram(house, event);
  const refusal = await judgePerson(house, event.actor);
  // A program may use an account like a person's: the setting that lists the account declares it a program.
  return refusal === null && isListedBot(house.fleet, event.actor) ? judgeProgram(house, event) : refusal;
}
