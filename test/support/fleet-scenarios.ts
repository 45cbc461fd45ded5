/**
 * A scene for every agent of the fleet (some share one) on the local forge: played undisturbed, with SIGKILL, and cut off
 * in this process.
 */
import { isExhaustive } from './crash-everywhere.ts';
import type { FleetScenario } from './fleet-scene.ts';
import { furtherOrderScenes, orderScenes } from './order-scenes.ts';
import { queueScenes } from './queue-scenes.ts';
import { scheduleScenes } from './schedule-scenes.ts';

export const fleetScenarios: readonly FleetScenario[] = [
  ...orderScenes,
  ...scheduleScenes,
  ...(isExhaustive ? furtherOrderScenes : []),
];

/** Those too for which there is not always time. */
export const allScenes: readonly FleetScenario[] = [
  ...orderScenes,
  ...scheduleScenes,
  ...furtherOrderScenes,
  ...queueScenes,
];

/** Those that one process plays, each on the forge that has what it is about. */
export const playableScenes: readonly FleetScenario[] = [...fleetScenarios, ...queueScenes];
