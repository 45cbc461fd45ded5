/** What tests of scheduled agents need besides a fleet: a past, slots, and deaths in the middle of a run. */
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import type { ScheduleName } from '../../src/domain/fleet/agent-names.ts';
import type { EventOf } from '../../src/domain/fleet/event.ts';
import { handleOpenEvents } from '../../src/fleet/handle-event.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import { runAgent } from '../../src/fleet/run-agent.ts';
import type { FleetWorld } from './fleet-world.ts';
import { type Death, makeMortalLedger } from './mortal-ledger.ts';

const day = 86_400_000;

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * day);
}

/** The forge as somebody saw it that many days ago: what they do then is dated then. */
export function forgeInThePast(world: FleetWorld, login: string, days: number): LocalForge {
  const { database, environment } = world.playground;
  return new LocalForge(openDatabase(database), { now: () => daysFromNow(-days) }, login, environment);
}

/** A slot that many days from now. */
export function slot(world: FleetWorld, schedule: ScheduleName, days = 0): EventOf<'schedule-due'> {
  const own = { actor: world.own, actorKind: 'bot' as const };
  return world.event('schedule-due', { schedule, at: daysFromNow(days).toISOString(), ...own });
}

export async function fileIssue(
  forge: LocalForge,
  repository: string,
  title: string,
  labels: readonly string[] = [],
): Promise<number> {
  for (const name of labels) await forge.ensureLabel(repository, { name, colour: 'ededed', description: '' });
  return (await forge.createIssue(repository, { title, body: '', labels })).number;
}

/** Everything on the forge that anybody can see, without what differs from run to run. */
export async function lookAtForge(world: FleetWorld): Promise<unknown[]> {
  const forge = await world.as('alice');
  const issues = await forge.listIssues(world.repository, { state: 'all' });
  const hide = (text: string) => text.replace(/<!--.*?-->|\d{4}-\d\d-\d\d( \d\d:\d\d)?|agent-[\w-]+/gu, '…');
  return Promise.all(
    issues.map(async ({ number, title, body, state, labels }) => ({
      ...{ number, title: hide(title), body: hide(body), state, labels: [...labels].sort() },
      comments: (await forge.listComments(world.repository, number)).map((one) => hide(one.body)),
      labelled: (await forge.listLabelEvents(world.repository, number)).map(
        ({ label, change }) => `${change} ${label}`,
      ),
    })),
  );
}

/** Settles an event in a process that dies at that write; tells how many writes there were until then. */
export async function dieWhileSettling(
  world: FleetWorld,
  event: EventOf<'schedule-due'>,
  death: Death,
): Promise<number> {
  const { ledger, count } = makeMortalLedger(world.house.ledger, death);
  const house = { ...world.house, ledger };
  try {
    await receiveEvent(house, event);
    await handleOpenEvents(house, { own: world.own }, () => undefined);
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'the power is out') throw error;
  }
  return count();
}

/** All deaths that a run of so many writes can die, or a sample of them. */
export function listDeaths(writes: number): Death[] {
  const all = Array.from({ length: 2 * writes }, (_, index) => ({
    write: Math.floor(index / 2) + 1,
    isWritten: index % 2 === 1,
  }));
  // An odd step takes both kinds of them.
  const step = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1' ? 1 : 11;
  return all.filter((_, index) => index % step === step - 1);
}

/** A run of the size guardian that stops because its comment is refused with this message; its id. */
export async function stopGuardian(world: FleetWorld, branch: string, message: string) {
  const { number, head } = await world.openPullRequest(branch, { [`${branch}.txt`]: 'x\n'.repeat(500) });
  const refuse = () => Promise.reject(new Error(message));
  const forge = new Proxy(world.house.forge, {
    get(target, name) {
      const value: unknown = name === 'createComment' ? refuse : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const event = world.event('pull-request-opened', { number, head });
  const target = { agent: 'pr-size-guardian', subject: `${world.repository}#${number}`, number } as const;
  const { run, status } = await runAgent({ ...world.house, forge }, target, event, { own: world.own });
  return { number, run: run.id, status };
}
