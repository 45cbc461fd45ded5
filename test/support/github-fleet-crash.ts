/**
 * Scenes of the fleet on GitHub, played by the real program: each delivery is a process of its own, as in a job of GitHub
 * Actions. It is killed (SIGKILL) somewhere, started again in one of the ways in which people and Actions do that, and
 * what is then at GitHub, in git and on the ledger has to be what an undisturbed one leaves.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectWhole } from './fleet-crash.ts';
import { type FleetScenario, scheduleCommand } from './fleet-scene.ts';
import type { Fault } from './github-fault.ts';
import { GithubFleetWorld } from './github-fleet-world.ts';
import { openRecords } from './open-records.ts';
import { crashChildFile, type Result } from './playground.ts';
import { lookAround, type WorldState } from './world-state.ts';

type Command = readonly string[];
type Extra = Readonly<Record<string, string>>;

/** Where a process dies: at a point of its own, or when the server gets a certain request. */
export type Death =
  | { readonly process: number; readonly at: number; readonly name: string }
  | {
      readonly process: number;
      readonly push: number;
      readonly reset: 'before' | 'after';
      readonly name: string;
    };

/** How it is started again: the same delivery comes again; everything open is taken up; a run is named. */
export const restarts = ['delivered again', 'dispatch', 'resumed by name'] as const;
type Restart = (typeof restarts)[number];

class Play {
  readonly world: GithubFleetWorld;
  readonly commands: readonly Command[];
  readonly #restoreState: () => void;

  constructor(world: GithubFleetWorld, commands: readonly Command[], restoreState: () => void) {
    this.world = world;
    this.commands = commands;
    this.#restoreState = restoreState;
  }

  static async open({ files = {}, arrange }: FleetScenario): Promise<Play> {
    const plain = await GithubFleetWorld.open(files);
    const { schedule, environment } = await arrange(plain);
    const world = await plain.reopen(environment);
    if (schedule !== null) {
      // What happened before is not what this is about.
      await (await plain.reopen({ GATEWRIGHT_AGENTS: 'pr-size-guardian' })).catchUp();
      return Play.#save(world, [scheduleCommand(schedule)]);
    }
    return Play.#save(world, await Play.#writeDeliveries(world));
  }

  static async #writeDeliveries(world: GithubFleetWorld): Promise<Command[]> {
    return (await world.pending()).map(({ id, name, payload }) => {
      const file = join(world.playground.folder, `${id}.json`);
      writeFileSync(file, JSON.stringify(payload));
      return ['dispatch', '--event', file, '--name', name, '--delivery', id];
    });
  }

  static #save(world: GithubFleetWorld, commands: readonly Command[]): Play {
    world.playground.save();
    return new Play(world, commands, world.server.state.save());
  }

  /** The same place as it was before the first command. */
  async again(): Promise<Play> {
    this.world.playground.restore();
    this.#restoreState();
    this.world.server.faults.length = 0;
    const world = await this.world.reopen(this.world.environment);
    // The same deliveries, which tell of the same moments as the server does.
    await Play.#writeDeliveries(world);
    return new Play(world, this.commands, this.#restoreState);
  }

  run(command: Command, env: Extra = {}, onStart?: (kill: () => void) => void): Promise<Result> {
    const { playground, environment } = this.world;
    return playground.run(command, {
      env: { ...environment, CRASH_REQUESTS: '1', ...env },
      file: crashChildFile,
      ...(onStart === undefined ? {} : { onStart }),
    });
  }

  async finish(command: Command): Promise<void> {
    const result = await this.run(command);
    expect(result.code, result.all).toBe(0);
  }

  async die(command: Command, death: Death): Promise<void> {
    let kill = (): void => undefined;
    if ('push' in death) {
      const fault: Fault = {
        ...{ method: 'POST', path: /git-receive-pack$/u, after: death.push, reset: death.reset },
        onHit: () => kill(),
      };
      this.world.server.faults.push(fault);
    }
    const env: Extra = 'at' in death ? { CRASH_AT: String(death.at) } : {};
    const killed = await this.run(command, env, (stop) => {
      kill = stop;
    });
    expect(killed.signal, `${death.name}\n${killed.all}`).toBe('SIGKILL');
  }

  /** Whether its delivery, the last word of the command, is on the ledger. */
  async isKnown(command: Command): Promise<boolean> {
    const { ledger, close } = openRecords(this.world.playground);
    const known = await ledger.find('event-received', command.at(-1) ?? '');
    close();
    return known !== null;
  }

  async startAgain(command: Command, restart: Restart): Promise<void> {
    if (restart === 'dispatch') await this.finish(['dispatch']);
    if (restart === 'resumed by name') {
      const { views, close } = openRecords(this.world.playground);
      const [open] = (await views.listRuns()).filter(({ status }) => status !== 'done');
      close();
      if (open !== undefined) await this.finish(['dispatch', '--resume', open.id]);
    }
    // Of a delivery that was lost before anybody had written it down only GitHub knows.
    if (restart === 'delivered again' || !(await this.isKnown(command))) await this.finish(command);
  }

  /** Everything that came of it is delivered too; then somebody looks. */
  async end(): Promise<WorldState> {
    await this.world.catchUp();
    return lookAround(this.world);
  }
}

/** The places in which a scene is played: all that leads up to it is done once in each, not again for every death. */
export class Stages {
  readonly #scenario: FleetScenario;
  readonly #free: Play[] = [];

  constructor(scenario: FleetScenario) {
    this.#scenario = scenario;
  }

  async play(): Promise<Play> {
    return (await this.#free.pop()?.again()) ?? Play.open(this.#scenario);
  }

  /** Ends it, looks, and leaves the place to the next one. */
  async end(play: Play): Promise<WorldState> {
    const state = await play.end();
    this.#free.push(play);
    return state;
  }

  expectWhole(state: WorldState): void {
    expectWhole(this.#scenario, state);
  }

  async close(): Promise<void> {
    for (const { world } of this.#free) await world.remove();
  }
}

interface Undisturbed {
  readonly state: WorldState;
  /** Of each process, in order. */
  readonly deaths: readonly Death[];
}

export async function playUndisturbed(stages: Stages): Promise<Undisturbed> {
  const play = await stages.play();
  const folder = mkdtempSync(join(tmpdir(), 'gw-points-'));
  const deaths: Death[] = [];
  for (const [process, command] of play.commands.entries()) {
    const log = join(folder, `points-${process}`);
    writeFileSync(log, '');
    const { requests } = play.world.server;
    const before = requests.length;
    const result = await play.run(command, { CRASH_LOG: log });
    expect(result.code, result.all).toBe(0);
    const points = readFileSync(log, 'utf8').trim().split('\n');
    deaths.push(...points.map((name, index) => ({ process, at: index + 1, name })));
    const pushes = requests
      .slice(before)
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/git-receive-pack'));
    for (const push of pushes.keys())
      for (const reset of ['before', 'after'] as const)
        deaths.push({ process, push, reset, name: `${reset} the server has push ${push + 1}` });
  }
  rmSync(folder, { recursive: true });
  const state = await stages.end(play);
  stages.expectWhole(state);
  return { state, deaths };
}

export async function survive(
  stages: Stages,
  undisturbed: WorldState,
  death: Death,
  restart: Restart,
): Promise<void> {
  const place = `process ${death.process + 1}, ${death.name}, ${restart}`;
  try {
    const play = await stages.play();
    for (const [process, command] of play.commands.entries()) {
      if (process !== death.process) await play.finish(command);
      else {
        await play.die(command, death);
        await play.startAgain(command, restart);
      }
    }
    expect(await stages.end(play)).toEqual(undisturbed);
  } catch (cause) {
    throw new Error(`after being killed in ${place}`, { cause });
  }
}

/** Killed again and again, every so many points of each life; resolves with how many lives it took. */
export async function surviveManyDeaths(
  stages: Stages,
  undisturbed: WorldState,
  every: number,
): Promise<number> {
  const play = await stages.play();
  let lives = 0;
  for (const command of play.commands) {
    for (let isDead = true; isDead; lives += 1) {
      const result = await play.run(command, { CRASH_AT: String(every) });
      isDead = result.signal === 'SIGKILL';
      if (!isDead) expect(result.code, result.all).toBe(0);
      if (lives > 100) throw new Error(`It does not come to an end.\n${result.all}`);
    }
  }
  expect(await stages.end(play)).toEqual(undisturbed);
  return lives;
}
