/**
 * The real program with a self-destruct: it kills itself (SIGKILL) at the n-th point of a run. A point lies after every
 * ledger entry, and before and after every effect on the world and every checkpoint. With CRASH_LOG it only writes the
 * points down, so that a test can count them first.
 */
import { appendFileSync } from 'node:fs';
import { composeHouse } from '../../src/compose-house.ts';
import { main } from '../../src/main.ts';

const { CRASH_AT = '0', CRASH_LOG } = process.env;
const target = Number(CRASH_AT);
let passed = 0;

function point(name: string): void {
  passed += 1;
  if (CRASH_LOG !== undefined) appendFileSync(CRASH_LOG, `${name}\n`);
  if (passed === target) process.kill(process.pid, 'SIGKILL');
}

type Method = (...args: never[]) => Promise<unknown>;

/** The same object with points around some of its methods. */
function withPoints<T extends object>(
  object: T,
  name: string,
  methods: readonly (keyof T)[],
  isBefore = true,
): T {
  return new Proxy(object, {
    get(inner, key) {
      const value = Reflect.get(inner, key, inner);
      if (typeof value !== 'function') return value;
      const method = (value as Method).bind(inner as never);
      if (!methods.includes(key as keyof T)) return method;
      return async (...args: never[]) => {
        if (isBefore) point(`before ${name}.${String(key)}`);
        const result = await method(...args);
        point(`after ${name}.${String(key)}`);
        return result;
      };
    },
  });
}

process.exitCode = await main(process.argv.slice(2), async (config, packageRoot, place) => {
  const house = await composeHouse(config, packageRoot, place);
  return {
    ...house,
    ledger: withPoints(house.ledger, 'ledger', ['append'], false),
    repository: withPoints(house.repository, 'repository', [
      'createFile',
      'move',
      'removeFolder',
      'commit',
      'makeWorktree',
      'removeWorktree',
    ]),
    forge: withPoints(house.forge, 'forge', ['ensureLabel', 'createIssue']),
    transport: withPoints(house.transport, 'transport', ['pushBranch']),
    openCheckpoints: async () =>
      withPoints(await house.openCheckpoints(), 'checkpoints', ['put', 'putWrites']),
  };
});
