/**
 * Points around everything that a run does to the world: before and after each change on the forge, each push, each use
 * of a workspace, each command and each piece of work of a coding agent, and after each entry of the ledger. Whoever
 * kills runs decides at each point whether to.
 */

import type { Forge } from '../../src/ports/forge/forge.ts';
import type { Repository } from '../../src/ports/repository.ts';
import type { Workspaces } from '../../src/ports/workspace.ts';
import type { House } from '../../src/runs/house.ts';

/** What lies at a point, and what the call is about. */
export type Point = (name: string, args: readonly unknown[]) => void;

export interface Watch {
  readonly point: Point;
  /** Called first, also where no point lies: the dead do nothing. */
  readonly enter?: () => void;
}

const forgeWrites = [
  'ensureLabel',
  'createIssue',
  'editIssue',
  'createComment',
  'updateComment',
  'addReaction',
  'createBranch',
  'deleteBranch',
  'createPullRequest',
  'editPullRequest',
  'createReview',
  'mergePullRequest',
  'mergeTogether',
  'updateBranch',
  'setStatus',
  'createCommitComment',
] as const satisfies readonly (keyof Forge)[];

const repositoryWrites = [
  'createFile',
  'move',
  'removeFolder',
  'commit',
  'makeWorktree',
  'removeWorktree',
] as const satisfies readonly (keyof Repository)[];

const workspaceWrites = [
  'open',
  'takeSnapshot',
  'takeEarlySnapshot',
  'commit',
  'remove',
] as const satisfies readonly (keyof Workspaces)[];

type Method = (...args: unknown[]) => Promise<unknown>;

/** The same object with points around some of its methods. */
function withPoints<T extends object>(
  object: T,
  name: string,
  methods: readonly (keyof T)[],
  { point, enter }: Watch,
  isBefore = true,
): T {
  return new Proxy(object, {
    get(inner, key) {
      const value: unknown = Reflect.get(inner, key, inner);
      if (typeof value !== 'function') return value;
      const method = (value as Method).bind(inner);
      if (!methods.includes(key as keyof T)) return method;
      return async (...args: unknown[]) => {
        enter?.();
        if (isBefore) point(`before ${name}.${String(key)}`, args);
        const result = await method(...args);
        point(`after ${name}.${String(key)}`, args);
        return result;
      };
    },
  });
}

/** @param on whether points lie around the calls of the forge */
export function withHousePoints<H extends House>(house: H, watch: Watch, on = { forge: true }): H {
  const { eventFeed } = house;
  return {
    ...house,
    ledger: withPoints(house.ledger, 'ledger', ['append', 'appendNew'], watch, false),
    repository: withPoints(house.repository, 'repository', repositoryWrites, watch),
    forge: on.forge ? withPoints(house.forge, 'forge', forgeWrites, watch) : house.forge,
    transport: withPoints(house.transport, 'transport', ['pushBranch'], watch),
    workspaces: withPoints(house.workspaces, 'workspaces', workspaceWrites, watch),
    commands: withPoints(house.commands, 'commands', ['run'], watch),
    eventFeed: eventFeed === null ? null : withPoints(eventFeed, 'happenings', ['since'], watch, false),
    makeCodingAgent: (spec: string) => withPoints(house.makeCodingAgent(spec), 'coder', ['work'], watch),
    openCheckpoints: async () =>
      withPoints(await house.openCheckpoints(), 'checkpoints', ['put', 'putWrites'], watch),
  };
}
