/** Ten issues at once in one repository, by ten commands and by the fleet: each pipeline sees, writes and keeps its own. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import {
  analysed,
  PipelineWorld,
  reviewed,
  type Script,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

const names = ['alpha', 'bravo', 'cocoa', 'delta', 'eagle', 'fjord', 'grape', 'hotel', 'igloo', 'joker'];
const sourceOf = (name: string): string => `src/${name}.js`;
const testOf = (name: string): string => `test/${name}.test.js`;

const files = {
  'package.json': '{ "name": "many", "type": "module", "scripts": { "test": "node --test" } }\n',
  ...Object.fromEntries(
    names.map((name) => [sourceOf(name), `export function ${name}(a, b) {\n  return a - b;\n}\n`]),
  ),
  'test/zero.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { alpha } from '../src/alpha.js';\n\ntest('zero', () => assert.equal(alpha(0, 0), 0));\n",
};

const issueOf = (name: string) => ({
  title: `${name} subtracts`,
  body: `Steps: call \`${name}(1, 2)\` of \`${sourceOf(name)}\`. Expected: 3. Actual: -1. Done when it is 3.`,
  labels: ['bug'],
});

/** What the agents of one issue are given has to name it, or they do not answer. */
const scriptOf = (name: string): Script =>
  [
    triaged(),
    analysed({
      brief: `In \`${sourceOf(name)}\`, \`${name}\` subtracts. It has to add.`,
      files: [{ path: sourceOf(name), purpose: `holds ${name}`, action: 'modify' }],
      test_requirement: {
        ...{ required: true, type: 'regression', location: testOf(name) },
        description: `${name}(1, 2) is 3`,
      },
      ...{ must_do: [`${name}(1, 2) is 3`], must_not_do: ['Do not change test/zero.test.js'] },
      observations: [
        { type: 'pattern', content: `The file of ${name} has one function.`, file: sourceOf(name) },
      ],
    }),
    written(
      [
        { write: sourceOf(name), content: `export function ${name}(a, b) {\n  return a + b;\n}\n` },
        {
          write: testOf(name),
          content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../${sourceOf(name)}';\n\ntest('${name}', () => assert.equal(${name}(1, 2), 3));\n`,
        },
      ],
      {
        summary: `${name} adds now.`,
        changes: [{ file: sourceOf(name), description: `${name} adds` }],
        test_file: testOf(name),
      },
    ),
    reviewed({ good: [`${name} is small.`] }),
  ].map((one) => ({ ...one, request: { includes: [`${name} subtracts`] } }));

async function openAll(): Promise<PipelineWorld[]> {
  world = await PipelineWorld.open(names.flatMap(scriptOf), files, issueOf(names[0] ?? ''));
  const others: PipelineWorld[] = [];
  for (const name of names.slice(1)) others.push(await world.another(issueOf(name)));
  return [world, ...others];
}

/** No word of one pipeline is in anything of another. */
async function expectApart(all: readonly PipelineWorld[]): Promise<void> {
  const { fleet, house } = world;
  const alice = await fleet.as('alice');
  const pulls = await alice.listPullRequests(fleet.repository, { state: 'all' });
  expect(pulls).toHaveLength(names.length);
  for (const [index, one] of all.entries()) {
    const name = names[index] ?? '';
    const foreign = new RegExp(names.filter((other) => other !== name).join('|'), 'u');
    const pull = pulls.find(({ head }) => head.branch === `agent/issue-${one.number}`);
    const { body, head } = await alice.getPullRequest(fleet.repository, pull?.number ?? 0);
    expect(body).toContain(`Fixes #${one.number}`);
    const changed = fleet.git('diff', '--name-only', `main...${head.sha}`).trim().split('\n');
    expect(changed.sort()).toEqual([sourceOf(name), testOf(name)]);
    const said = [body, ...(await one.comments()), JSON.stringify(await one.state())];
    for (const entry of await one.entriesOf('prompt-sent'))
      if (entry.data.role !== 'pipeline-analyst' && entry.data.role !== 'pipeline-writer')
        said.push(await house.ledger.getText(entry.data.prompt));
    for (const text of said) expect(text, name).not.toMatch(foreign);
    expect((await one.state()).pipeline).toMatchObject({ status: 'completed', attempt: 1 });
    expect(await house.leases.holderOf(`${fleet.repository}#${one.number}`)).toBeNull();
  }
  expect((await house.ledger.verify()).problems).toEqual([]);
  const learned = await fleet.playground.json<{ content: string; file: string | null }[]>([
    'learnings',
    'list',
  ]);
  expect(learned.map(({ content, file }) => [content, file]).sort()).toEqual(
    names.map((name) => [`The file of ${name} has one function.`, sourceOf(name)]).sort(),
  );
  const left = readdirSync(fleet.playground.repository).filter((name) => name.startsWith('issue-state'));
  expect(left).toEqual([]);
  const copies = join(fleet.playground.folder, 'workspaces');
  expect(existsSync(copies) ? readdirSync(copies) : []).toEqual([]);
}

describe('ten pipelines at once', () => {
  it('by ten commands end each with its own pull request', async () => {
    const all = await openAll();
    const results = await Promise.all(
      all.map(({ number }) =>
        world.fleet.playground.run(['solve', String(number), '--no-input', ...world.models], {
          isAlone: true,
        }),
      ),
    );
    for (const { code, all: said } of results) expect(code, said).toBe(0);
    await expectApart(all);
  });

  it('by labels that come together end each with its own pull request', async () => {
    const all = await openAll();
    const alice = await world.fleet.as('alice');
    await alice.ensureLabel(world.fleet.repository, {
      ...{ name: labelNames.agent, colour: 'ededed', description: '' },
    });
    for (const { number } of all)
      await alice.editIssue(world.fleet.repository, number, { addLabels: [labelNames.agent] });
    await world.fleet.catchUp();
    await expectApart(all);
  });
});
