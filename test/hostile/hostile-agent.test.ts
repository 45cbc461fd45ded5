/**
 * An agent that obeys an attacker, in the sandbox of this machine: whatever it tries, it finds no secret, changes nothing
 * outside its workspace, leaves no process, and nothing of it runs when its work is taken over.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeLocalSandbox } from '../../src/adapters/sandbox/local-sandbox.ts';
import { SandboxedCommands } from '../../src/adapters/sandbox/sandboxed-commands.ts';
import type { Sandbox, SandboxKind } from '../../src/ports/sandbox.ts';
import type { Workspace } from '../../src/ports/workspace.ts';
import { findProcesses } from '../support/find-processes.ts';
import { isWithoutSandbox, needSandbox } from '../support/needs-sandbox.ts';
import { isLong } from '../support/property-runs.ts';
import type { Attack } from './attack.ts';
import { changingAttacks } from './changing-attacks.ts';
import { HostileWorld } from './hostile-world.ts';
import { lastingAttacks } from './lasting-attacks.ts';
import { readingAttacks } from './reading-attacks.ts';

const attacks = [...readingAttacks, ...changingAttacks, ...lastingAttacks];
const isThorough = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';

const world = new HostileWorld();

/** The kinds that this machine has: the one that is used, and the one that would be if bubblewrap were not there. */
const sandboxes = new Map<SandboxKind, Sandbox>();
const { PATH, HOME } = world.environment;
for (const environment of [
  { ...process.env, PATH, HOME },
  { PATH: `/nowhere:${world.toolPath.join(':')}`, HOME },
]) {
  const sandbox = makeLocalSandbox({ environment, demand: 'require' });
  const { kind } = await sandbox.inspect();
  if (kind !== 'none' && !sandboxes.has(kind)) sandboxes.set(kind, sandbox);
}
const [usual, other] = [...sandboxes.keys()];

beforeAll(async () => {
  await world.open();
});
afterAll(() => world.close());

/** Workspaces are used again as long as they are as they were made. */
class Workplace {
  readonly #name: string;
  #workspace: Workspace | null = null;
  #pristine = '';

  constructor(name: string) {
    this.#name = name;
  }

  async open(): Promise<Workspace> {
    if (this.#workspace === null) {
      this.#workspace = await world.workspaces.open(this.#name, world.base, world.base);
      this.#pristine = world.fingerprintOf(this.#workspace);
    }
    return this.#workspace;
  }

  get isUntouched(): boolean {
    return this.#workspace !== null && world.fingerprintOf(this.#workspace) === this.#pristine;
  }

  async renew(): Promise<void> {
    if (this.isUntouched) return;
    this.#workspace = null;
    await world.workspaces.remove(this.#name);
  }
}

async function expectNothingGained(attack: Attack, kind: SandboxKind, workplace: Workplace): Promise<void> {
  const workspace = await workplace.open();
  const sandbox = sandboxes.get(kind);
  if (sandbox === undefined) throw new Error('There is no such sandbox.');
  const before = world.fingerprint();
  const objects = [join(world.project, '.git', 'objects')];
  const beforeTaking = world.fingerprint(objects);
  const result = await new SandboxedCommands(sandbox, world.environment).run({
    folder: workspace.folder,
    // Through one pipe: what comes through two has no order.
    argv: ['sh', '-c', `exec 2>&1; echo begun; ${attack.script(world)}`],
    limitMilliseconds: attack.limitMilliseconds ?? 15_000,
    network: attack.network?.(world) ?? 'none',
  });
  expect(findProcesses(world.long)).toEqual([]);
  expect(result).toMatchObject({ sandbox: kind, timedOut: false, ...attack.result });
  expect(result.output).toMatch(/^begun$/mu);
  if (attack.told !== undefined) expect(result.output).toMatch(attack.told);
  expect(result.output).not.toContain(world.canary);
  expect(world.fingerprint()).toBe(before);
  expect(world.isHelperAlive()).toBe(true);
  attack.check?.(world);
  if (attack.taken === undefined && workplace.isUntouched) return;
  const snapshot = await world.workspaces.takeSnapshot(workspace);
  expect({
    files: snapshot.files.map(({ path }) => path).sort(),
    leftOut: snapshot.leftOut,
    problems: [...snapshot.problems].sort(),
  }).toEqual({ files: [], leftOut: [], problems: [], ...attack.taken });
  expect(world.readWorkspace(workspace)).not.toContain(world.canary);
  expect(await world.workspaces.diff(world.base, snapshot.tree, 1_000_000)).not.toContain(world.canary);
  expect(world.fingerprint(objects)).toBe(beforeTaking);
}

function table(some: readonly Attack[]) {
  return some.map((attack) => [attack.name, attack] as const);
}

it.skipIf(isWithoutSandbox)('there is a sandbox here, and there are enough attacks', async () => {
  await needSandbox();
  expect(attacks.length).toBeGreaterThanOrEqual(60);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

describe.runIf(usual !== undefined)(`an agent that obeys an attacker (${usual})`, () => {
  const workplace = new Workplace('usual');
  afterEach(() => workplace.renew());

  it.each(table(attacks.filter((_, index) => isThorough || isLong || index % 3 === 0)))('%s', (_, attack) =>
    expectNothingGained(attack, usual ?? 'none', workplace),
  );

  it('nothing comes afterwards', async () => {
    const before = world.fingerprint();
    await wait(700);
    expect(findProcesses(world.long)).toEqual([]);
    expect(world.fingerprint()).toBe(before);
  });
});

describe.runIf(other !== undefined)(`the same (${other})`, () => {
  const workplace = new Workplace('second');
  afterEach(() => workplace.renew());

  it.each(table(attacks.filter((_, index) => isThorough || index % (isLong ? 5 : 60) === 0)))(
    '%s',
    (_, attack) => expectNothingGained(attack, other ?? 'none', workplace),
  );
});

describe('without a sandbox there would be something to find', () => {
  const workplace = new Workplace('open');
  afterEach(() => workplace.renew());

  it.each(table(attacks.filter(({ wouldFind }) => wouldFind === true)))('%s', async (_, attack) => {
    const { folder } = await workplace.open();
    const options = { cwd: folder, env: world.environment, timeout: 15_000, maxBuffer: 1e8 };
    const output = await new Promise<string>((resolve) => {
      execFile('sh', ['-c', attack.script(world)], options, (__, said, complained) =>
        resolve(said + complained),
      );
    });
    expect(output.includes(world.canary)).toBe(true);
  });
});
