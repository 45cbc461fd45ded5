/** Whether whoever caused an event may give orders, and if not, why. Asked again whenever something is done for it. */
import type { FleetEvent } from '../domain/event.ts';
import type { RefusalReason } from '../domain/fleet-entries.ts';
import { isListedBot } from '../domain/fleet-settings.ts';
import { isBotLogin } from '../domain/login.ts';
import { isAtLeast } from '../domain/permission.ts';
import { programOrderLimit, readProgramOrders } from '../domain/program-orders.ts';
import type { House } from './house.ts';
import { subjectOfEvent } from './receive-event.ts';

type Place = Pick<House, 'forge' | 'fleet' | 'repositoryName' | 'ledger'>;

export interface ActorRefusal {
  readonly because: RefusalReason;
  readonly detail: string;
  /** Whether people have to be told of it. */
  readonly isNews: boolean;
}

async function judgeProgram(house: Place, event: FleetEvent): Promise<ActorRefusal | null> {
  const { actor } = event;
  const { fleet } = house;
  if (!isListedBot(fleet, actor))
    return { because: 'bot', detail: `${actor} is a program that is not listed`, isNews: false };
  const isProgram = (login: string): boolean => isBotLogin(login) || isListedBot(fleet, login);
  const entries = await house.ledger.readSubject(subjectOfEvent(event));
  const { count, isBegun, isTold } = readProgramOrders(entries, event.delivery, isProgram);
  if (isBegun || count < programOrderLimit) return null;
  const detail = `programs have given ${count} orders in a row; a person has to give the next`;
  return { because: 'loop', detail, isNews: !isTold };
}

/** Null when they may. */
export async function judgeActor(house: Place, event: FleetEvent): Promise<ActorRefusal | null> {
  if (event.actorKind === 'bot') return judgeProgram(house, event);
  const { actor } = event;
  const permission = await house.forge.permissionOf(house.repositoryName, actor);
  if (isAtLeast(permission, 'write')) return null;
  const detail = `${actor} has no write permission${permission === 'none' ? '' : `, only ${permission}`}`;
  return { because: 'not-permitted', detail, isNews: false };
}
