/** What a scene of the fleet is, and how it is set up: what is there before, what wakes agents, and what has to come of it. */

import type { ScheduleName, WorkerName } from '../../src/domain/fleet/agent-names.ts';
import type { FleetEvent } from '../../src/domain/fleet/event.ts';
import { makeScheduleEvent } from '../../src/fleet/due-schedules.ts';
import { handleOpenEvents } from '../../src/fleet/handle-event.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import type { House } from '../../src/runs/house.ts';
import type { FleetRoom } from './fleet-room.ts';
import { FleetWorld } from './fleet-world.ts';
import { GithubFleetWorld } from './github-fleet-world.ts';
import type { WorldState } from './world-state.ts';

type Environment = Readonly<Record<string, string>>;

interface Scene {
  /** Null: what happened on the forge. */
  readonly schedule: ScheduleName | null;
  readonly environment: Environment;
}

export interface FleetScenario {
  readonly name: string;
  /** Whose work it shows. */
  readonly agents: readonly WorkerName[];
  /** Where it is played in one process; the local forge unless it has not what the scene is about. */
  readonly on?: 'github';
  readonly files?: Readonly<Record<string, string>>;
  readonly arrange: (world: FleetRoom) => Promise<Scene>;
  /** What came of it, beside what holds for every world. */
  readonly expectDone: (state: WorldState) => void;
}

export interface Stage {
  readonly world: FleetRoom;
  /** What `gatewright` is called with, once or as often as it is killed. */
  readonly command: readonly string[];
  readonly environment: Environment;
  /** The schedule that is due; null where what happened on the forge wakes agents. */
  readonly due: FleetEvent | null;
  /** The same in this process. */
  readonly settle: (house: House) => Promise<void>;
}

const delivery = 'due';

export async function setUp({ files = {}, arrange, on }: FleetScenario): Promise<Stage> {
  const plain: FleetRoom = await (on === 'github' ? GithubFleetWorld : FleetWorld).open(files);
  const { schedule, environment } = await arrange(plain);
  const world = await plain.reopen(environment);
  const session = { own: world.own };
  if (schedule === null)
    return {
      ...{ world, environment, due: null, command: ['dispatch'] },
      settle: (house) => world.catchUp(house),
    };
  const event = makeScheduleEvent(world.house, world.own, { schedule, delivery, at: new Date() });
  return {
    ...{ world, environment, due: event, command: scheduleCommand(schedule) },
    settle: async (house) => {
      await receiveEvent(house, event);
      await handleOpenEvents(house, session, () => undefined);
    },
  };
}

export function scheduleCommand(schedule: ScheduleName): readonly string[] {
  return ['dispatch', '--schedule', schedule, '--delivery', delivery];
}
