/** A house whose clock jumps, with a coding agent that does its work in parts and waits until each is brought to safety. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetSession } from '../../src/fleet/run-agent.ts';
import type { CodingAgent } from '../../src/ports/coding-agent.ts';
import type { House } from '../../src/runs/house.ts';
import type { FleetRoom } from './fleet-room.ts';

/** What it writes; null deletes. */
export type Part = Readonly<Record<string, string | null>>;

/** Six minutes later with each look. */
function makeJumpingClock(clock: House['clock']): House['clock'] {
  let past = 0;
  return {
    now: () => {
      past += 360_000;
      return new Date(clock.now().getTime() + past);
    },
    randomBytes: (length) => clock.randomBytes(length),
    sleep: (milliseconds) => clock.sleep(milliseconds),
  };
}

function writePart(folder: string, part: Part): void {
  for (const [path, content] of Object.entries(part)) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    if (content === null) rmSync(full, { force: true });
    else writeFileSync(full, content);
  }
}

/**
 * @param subject whose pushes are counted
 * @param patience how often it is looked whether a part was saved; few times where it will not be
 */
export function saveEarly(
  house: House,
  { own }: Pick<FleetRoom, 'own'>,
  subject: string,
  parts: readonly Part[],
  patience = 2000,
): { readonly house: House; readonly session: FleetSession; readonly warnings: string[] } {
  const warnings: string[] = [];
  let idle = 0;
  let lastTree = '';
  const countSaves = async (): Promise<number> => {
    const pushed = (await house.ledger.readSubject(subject)).filter(({ kind }) => kind === 'work-pushed');
    return pushed.length + warnings.length + idle;
  };
  const workspaces: House['workspaces'] = new Proxy(house.workspaces, {
    get(inner, key) {
      const value: unknown = Reflect.get(inner, key, inner);
      if (typeof value !== 'function') return value;
      if (key !== 'takeEarlySnapshot') return value.bind(inner);
      return async (...args: Parameters<typeof inner.takeEarlySnapshot>) => {
        const snapshot = await inner.takeEarlySnapshot(...args);
        if (snapshot === null || snapshot.files.length === 0 || snapshot.tree === lastTree) idle += 1;
        lastTree = snapshot?.tree ?? '';
        return snapshot;
      };
    },
  });
  const inParts = (agent: CodingAgent): CodingAgent => ({
    ...{ name: agent.name, family: agent.family, readPrice: () => agent.readPrice(), title: agent.title },
    ...(agent.isFree === true ? { isFree: true } : {}),
    checkReady: () => agent.checkReady(),
    async work(task, schema) {
      for (const [index, part] of parts.entries()) {
        writePart(task.folder, part);
        const before = await countSaves();
        task.onProgress?.({ turns: index + 1, tool: 'Write', target: 'x', text: null });
        for (let wait = 0; wait < patience && (await countSaves()) === before; wait += 1) await sleep(5);
      }
      // What comes after that is not worth a save.
      const { onProgress: _, ...rest } = task;
      return agent.work(rest, schema);
    },
  });
  return {
    house: {
      ...house,
      clock: makeJumpingClock(house.clock),
      workspaces,
      makeCodingAgent: (spec) => inParts(house.makeCodingAgent(spec)),
    },
    session: {
      own,
      progressOf: () => (progress) => {
        if (progress.kind === 'warning') warnings.push(progress.message);
      },
    },
    warnings,
  };
}
