/**
 * Writers that cheat, against the pipeline itself: its writer and build, its sandbox, its commits. No cheat reaches the
 * reviewer, each is sent back with a reason or put before a person, and nothing is left outside.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGatewrightError } from '../../src/errors.ts';
import { type Judged, PipelineBench } from '../support/pipeline-bench.ts';
import { hostileTree } from './hostile-tree-cases.ts';
import type { Step } from './loop-cheat-steps.ts';
import {
  cheatProjects,
  honestWork,
  steeringChanges,
  type WriterCheat,
  writerCheats,
} from './pipeline-cheat-cases.ts';

const seed = Number(process.env.GATEWRIGHT_TEST_SEED ?? 20261118) || 1;
const names = Object.keys(cheatProjects) as WriterCheat['project'][];
const benches = new Map<string, PipelineBench>();
let outside = '';

beforeAll(async () => {
  for (const name of names) benches.set(name, await PipelineBench.open(cheatProjects[name]));
  const { folder } = bench('npm').world.fleet.playground;
  outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'of a person\n', { mode: 0o600 });
  writeFileSync(join(outside, 'trap.sh'), `#!/bin/sh\ntouch ${join(outside, 'ran')}\n`, { mode: 0o755 });
}, 300_000);
afterAll(async () => {
  for (const one of benches.values()) await one.close();
});

function bench(project: WriterCheat['project']): PipelineBench {
  const found = benches.get(project);
  if (found === undefined) throw new Error(`There is no project ${project}.`);
  return found;
}

/** Where it goes on; an answer that oversteps twice stops it, as in the graph. */
async function attempt(project: WriterCheat['project'], steps: readonly Step[]): Promise<Judged> {
  try {
    return await bench(project).try((folder) => Object.assign({}, ...steps.map((step) => step(folder))));
  } catch (error) {
    if (!isGatewrightError(error, 'stage-overstepped')) throw error;
    const writer = { changes: [], test_file: null } as unknown as Judged['writer'];
    return { route: 'blocked', errors: [error.message], outcome: error.message, writer };
  }
}

/** Only commits on no branch were made, and the folder of the people is as it was. */
function expectNothingLeft(project: WriterCheat['project']): void {
  const { fleet, number } = bench(project).world;
  expect(fleet.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main');
  expect(fleet.git('log', '--format=%s', 'main')).not.toContain('wip');
  const left = fleet.git('status', '--porcelain', '--ignored').split('\n');
  expect(left.filter((line) => line !== '' && !line.includes('issue-state'))).toEqual([]);
  expect(existsSync(join(dirname(fleet.playground.repository), 'difference-new.test.js'))).toBe(false);
  expect(number).toBeGreaterThan(0);
}

describe('a writer', () => {
  it('has enough ways to cheat', () => {
    expect(writerCheats.length).toBeGreaterThanOrEqual(140);
    expect(new Set(writerCheats.map(({ name, project }) => `${project} ${name}`)).size).toBe(
      writerCheats.length,
    );
  });

  it.each(honestWork)('that $name ($project) comes to the reviewer', async ({ project, steps }) => {
    expect(await attempt(project, steps)).toMatchObject({ route: 'reviewer', errors: [] });
  });

  it.each(writerCheats)('that $name ($project) does not come to the reviewer', async ({ project, steps }) => {
    const { route, errors, outcome, writer } = await attempt(project, steps);
    expect({ route, errors, outcome }).toEqual({
      route: expect.stringMatching(/^(?:writer|blocked|escalation)$/u),
      errors: route === 'escalation' ? [] : expect.arrayContaining([expect.any(String)]),
      outcome: expect.stringMatching(route === 'escalation' ? /needs a person: \w/u : /\w{3}/u),
    });
    // What the document says of paths is by what is there.
    for (const { file } of writer.changes) expect(file).not.toMatch(/\.\.|^\/|[\u0000-\u001f\\]/u);
    expectNothingLeft(project);
  });
});

describe('work that is right', () => {
  it.each(steeringChanges)(
    'leaves $path out, and says so where it is claimed',
    async ({ path, steps, claims }) => {
      const silent = await attempt('npm', steps);
      expect(silent.writer.changes.map(({ file }) => file)).not.toContain(path);
      const { route, errors } = await attempt('npm', [...steps, claims]);
      expect({ route, errors }).toEqual({
        route: 'writer',
        errors: [expect.stringContaining(`${path} steers agents or builds`)],
      });
      expectNothingLeft('npm');
    },
  );

  const [, , , honest] = honestWork;
  const trees = fc.sample(hostileTree, { numRuns: 40, seed });
  it.each(trees.map((tree, index) => ({ ...tree, index })))(
    'with a hostile tree is refused: $index, $kind',
    async ({ make, about, named, kind }) => {
      const { route, errors } = await attempt('green', [
        ...(honest?.steps ?? []),
        (folder) => void make({ folder, outside, trap: join(outside, 'trap.sh') }) as undefined,
      ]);
      expect({ about, route }).toEqual({ about, route: 'writer' });
      expect(errors.join('\n'), about).toContain(named);
      if (kind === 'secret') expect(errors.join('\n')).toContain('holds a secret');
      expect(readdirSync(outside).sort()).toEqual(['secret', 'trap.sh']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('of a person\n');
      expectNothingLeft('green');
    },
  );
});
