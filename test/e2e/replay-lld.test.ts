/** Designs, recorded and replayed: what their checks were told about the repository is part of the recording. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground, type Result } from '../support/playground.ts';

let playground: Playground;
let file: string;
beforeEach(async () => {
  playground = new Playground();
  file = join(playground.folder, 'run.cassette.json');
  playground.write('src/report.ts', 'export const report = 1;\n');
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'A report');
  for (const title of ['Another', 'Export reports as CSV']) {
    const body = 'People copy numbers by hand. They should get a file instead.\n\n- a button on every page';
    await playground.run(['forge', 'issue', 'create', '--title', title, '--body', body]);
  }
});
afterEach(() => playground.remove());

/** A design of #2 that changes one file. */
function designText(path: string, change: string): string {
  return `# LLD-2: Reports can be downloaded

## 1. Context & Goal

- **Issue:** #2
- **Objective:** a file instead of copying

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change | What and why |
|---|---|---|
| \`${path}\` | ${change} | writes the file |

## 3. Requirements

1. A report is written as CSV with its 5 columns.

## 10. Verification

### 10.1 Test Scenarios

| ID | Scenario | Type | Passes when |
|---|---|---|---|
| 010 | a report is downloaded | Auto | the file has 5 columns (REQ-1) |

## 11. Risks

| Risk | How likely, how bad | What is done about it |
|---|---|---|
| a large report | low | rows are streamed |

## 12. Definition of Done

- [ ] \`${path}\` writes CSV
`;
}

/** The first design speaks of a file that is not there, which only code notices. */
const models = () =>
  writeCassette(playground.folder, 'design', {
    drafts: [designText('src/missing.ts', 'Modify'), designText('src/report.ts', 'Modify')],
    verdicts: [approved],
    includes: 'People copy numbers by hand',
  });

function design(...args: string[]): Promise<Result> {
  return playground.run(['lld', '2', '--auto', ...args, ...models()]);
}

function contents(folder: string): Record<string, string> {
  const docs = join(folder, 'docs');
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/u.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(docs, name), 'utf8')]));
}

/** Replays it as somebody else, with a database of their own. */
async function replay(...args: string[]): Promise<Result> {
  const home = join(playground.folder, 'elsewhere');
  mkdirSync(home, { recursive: true });
  return playground.run(['replay', file, ...args], {
    env: { HOME: home, GATEWRIGHT_DATABASE_URL: join(home, 'other.db'), GATEWRIGHT_ACTOR: 'bob' },
  });
}

describe('a recorded design', () => {
  it('replayed gives the same files, with the same findings about a repository that is not there', async () => {
    const made = await design('--record', file);
    expect(made.code, made.all).toBe(0);
    expect(playground.read('docs/lineage/done/2-lld/003-verdict.md')).toContain('src/missing.ts');
    expect(readFileSync(file, 'utf8')).not.toContain(playground.folder);
    const into = join(playground.folder, 'into');
    const replayed = await replay('--into', into);
    expect(replayed.code, replayed.all).toBe(0);
    expect(replayed.stdout).toContain('same     docs/lld/active/LLD-2.md');
    expect(contents(join(into, 'repository'))).toEqual(contents(playground.repository));
  });

  it('that took the place of an earlier one, replayed, does so again', async () => {
    for (const _ of [1, 2]) expect((await design('--again')).code).toBe(0);
    const made = await design('--again', '--record', file);
    expect(made.code, made.all).toBe(0);
    expect(playground.list('docs/lld/superseded')).toEqual(['LLD-2-1.md', 'LLD-2-2.md']);
    const replayed = await replay();
    expect(replayed.code, replayed.all).toBe(0);
    expect(replayed.stdout).toMatch(/same {5}docs\/lineage\/done\/2-lld-3\/\d+-approved\.json/u);
  });

  it('approved by a person says so in the replay too, where no person is', async () => {
    const started = await playground.run(['lld', '2', '--strict', ...models()]);
    expect(started.code, started.all).toBe(10);
    for (let round = 0; round < 4; round += 1) {
      const records = openRecords(playground);
      const [gate] = await records.views.listOpenGates();
      records.close();
      if (gate === undefined) break;
      const { kind, decision, id } = gate.question;
      const choice = kind === 'draft' ? 'send' : decision === 'APPROVED' ? 'approve' : 'revise';
      await playground.run(['gate', 'answer', id, '--choice', choice]);
    }
    expect(playground.exists('docs/lld/active/LLD-2.md')).toBe(true);
    const name = playground.list('docs/lineage/done/2-lld').at(-1) ?? '';
    expect(playground.read(`docs/lineage/done/2-lld/${name}`)).toContain('"approved_by": "alice"');
    expect((await playground.run(['record', '2-lld', file])).code).toBe(0);
    const replayed = await replay();
    expect(replayed.code, replayed.all).toBe(0);
  });

  it('forked with another design is reviewed anew; of a file, in a place of its own', async () => {
    expect((await design('--record', file)).code).toBe(0);
    playground.write('../other.md', designText('src/export.ts', 'Add'));
    const draft = join(playground.folder, 'other.md');
    const forked = await playground.run([
      ...['replay', '2-lld', '--from', 'N3#2', '--draft', draft, '--auto'],
      ...['--reviewer', 'builtin:checklist'],
    ]);
    expect(forked.code, forked.all).toBe(0);
    expect(playground.read('docs/lld/active/LLD-2.md')).toContain('src/export.ts');
    expect(playground.read('docs/lld/superseded/LLD-2-1.md')).toContain('src/report.ts');

    const into = join(playground.folder, 'into');
    const elsewhere = await replay(
      ...['--from', 'N3#2', '--draft', draft, '--auto', '--into', into, '--reviewer', 'builtin:checklist'],
    );
    expect(elsewhere.code, elsewhere.all).toBe(11);
    expect(elsewhere.all).toContain('There is no folder');
  });

  it('is not forked past an answer that was given for other findings', async () => {
    expect((await design()).code).toBe(0);
    playground.write('lib/missing.ts', 'export const found = 1;\n');
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'Not missing any more');
    const forked = await playground.run(['replay', '2-lld', '--from', 'N3#2', '--auto']);
    expect(forked.code, forked.all).toBe(11);
    expect(forked.stderr).toContain('is not the one that the recorded answer was given for');
    expect(forked.stderr).toContain('(cassette-mismatch)');
    expect(playground.list('docs/lld/superseded')).toEqual([]);
  });
});
