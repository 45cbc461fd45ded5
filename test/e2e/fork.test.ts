/** Forks with the real program: what was paid is not paid again, what was approved is not an approval of anything else. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { isAuthoringRun } from '../../src/domain/ledger/run.ts';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
import { crashChildFile, Playground } from '../support/playground.ts';
import { answerWith, ScriptedProvider } from '../support/scripted-provider.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const models = ['--drafter', 'anthropic:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];
const keys = { ANTHROPIC_API_KEY: 'key-a', GEMINI_API_KEY: 'key-b' };

let playground: Playground;
let server: ScriptedProvider;
beforeEach(async () => {
  playground = new Playground();
  server = await new ScriptedProvider().start();
});
afterEach(async () => {
  playground.remove();
  await server.stop();
});

const env = () => ({ ...server.environment, ...keys });

/** A run of two rounds: a revision, then approval. */
async function original(
  more: { readonly reviewerModel?: string | undefined } = {},
  ...args: string[]
): Promise<string> {
  const cassette = writeCassette(playground.folder, 'original', {
    ...(more.reviewerModel === undefined ? {} : { reviewerModel: more.reviewerModel }),
    drafts: [draftText('First try'), draftText('Second try')],
    verdicts: [revise, approved],
  });
  const result = await playground.run(['issue', '--brief', brief, '--auto', ...args, ...cassette]);
  expect(result.code, result.all).toBe(0);
  const records = openRecords(playground);
  const id = (await records.views.listRuns())[0]?.id ?? '';
  records.close();
  return id;
}

async function entriesOf(slug: string): Promise<LedgerEntry[]> {
  const records = openRecords(playground);
  const runs = (await records.views.listRuns()).filter(isAuthoringRun);
  const run = runs.find((one) => one.request.slug === slug);
  const entries = await records.ledger.readRun(run?.id ?? '');
  expect((await records.ledger.verify()).problems).toEqual([]);
  records.close();
  return entries;
}

function writeText(name: string, text: string): string {
  const file = join(playground.folder, name);
  writeFileSync(file, text);
  return file;
}

/** The original has filed its issue. */
const second = ['--second-issue', ...models];

const approve = () => {
  server.script = (seen) =>
    answerWith(seen, seen.provider === 'anthropic' ? draftText('Third try') : approved);
};

const askedFor = () => server.seen.map((seen) => seen.provider);

describe('a fork with another draft', () => {
  it('is reviewed anew and filed; what came before is taken over and says so', async () => {
    const id = await original();
    approve();
    const draft = writeText('better.md', draftText('A better one', { note: 'My own words.' }));
    const args = ['replay', 'export-csv', '--from', 'N3#2', '--draft', draft, '--auto', ...models];
    // It says so at its start, and stops before it files a second issue.
    const stopped = await playground.run(args, { env: env() });
    expect(stopped.code, stopped.all).toBe(11);
    expect(stopped.stderr).toContain(
      `The run ${id} has filed #1. This fork stops before it files a second issue`,
    );
    expect(await playground.json<unknown[]>(['forge', 'issue', 'list'])).toHaveLength(1);
    const command = /Continue with: gatewright (issue --resume \S+ --second-issue)/u.exec(
      stopped.stderr,
    )?.[1];
    const result = await playground.run((command ?? '').split(' '), { env: env() });
    expect(result.code, result.all).toBe(0);
    expect(askedFor()).toEqual(['google']);
    expect(server.seen[0]?.text).toContain('My own words.');
    const { forge, close } = openRecords(playground);
    expect(await forge.getIssue('local/project', 2)).toMatchObject({ title: 'A better one' });
    close();
    expect(playground.read('docs/lineage/done/2-export-csv-fork/004-draft.md')).toContain('My own words.');
    const entries = await entriesOf('export-csv-fork');
    const answers = entries.filter((entry) => entry.kind === 'gate-answered');
    expect(answers.map((entry) => [entry.actor, entry.data.answer.by])).toEqual([
      [`record:${id}`, 'record'],
      [`record:${id}`, 'record'],
      ['policy:auto', 'auto'],
      ['policy:verdict', 'verdict'],
    ]);
    expect(answers[0]?.data.answer.takenFrom).toEqual({ run: id, by: 'auto' });
    const calls = entries.filter((entry) => entry.kind === 'model-answered');
    expect(calls.map((entry) => entry.data.takenFrom ?? null)).toEqual([id, id, id, null]);
    expect(calls.slice(0, 3).every((entry) => entry.data.usage.inputTokens === 0)).toBe(true);
    expect(entries.filter((entry) => entry.kind === 'prompt-sent')).toHaveLength(1);
    // A fork can be recorded, replayed and forked like any other run.
    const replayed = await playground.run(['replay', 'export-csv-fork']);
    expect(replayed.code, replayed.all).toBe(0);
  });

  it('at the verdict gate: the approval that is there is for the other draft, so it is reviewed again', async () => {
    const id = await original();
    approve();
    const draft = writeText('better.md', draftText('A better one', { note: 'Never reviewed.' }));
    const args = ['replay', 'export-csv', '--from', 'N5#2', '--draft', draft, '--auto', ...second];
    const result = await playground.run(args, { env: env() });
    expect(result.code, result.all).toBe(0);
    expect(askedFor()).toEqual(['google']);
    const verdicts = (await entriesOf('export-csv-fork')).filter((entry) => entry.kind === 'verdict');
    expect(verdicts).toHaveLength(3);
    expect(new Set(verdicts.map((entry) => entry.data.draft)).size).toBe(3);
    expect(verdicts.map((entry) => entry.data.takenFrom ?? null)).toEqual([id, id, null]);
  });

  it.each([
    ['a reviewer of the family that drafted', 'N4#1', ['openai:gpt-5', 'anthropic:claude-sonnet-4-5'], []],
    ['a verdict that was waived', 'N5#2', ['openai:gpt-5', 'google:gemini-2.5-pro'], ['claude-other', 'why']],
  ] as const)('takes over no draft for %s', async (_, from, [drafter, reviewer], [reviewerModel, waiver]) => {
    await original({ reviewerModel }, ...(waiver === undefined ? [] : ['--waive-independence', waiver]));
    server.script = (seen) => answerWith(seen, approved);
    const named = ['--drafter', drafter, '--reviewer', reviewer];
    const args = ['replay', 'export-csv', '--from', from, '--auto', ...named];
    const result = await playground.run(args, { env: { ...env(), OPENAI_API_KEY: 'key-c' } });
    expect(result.stderr).toContain('(models-not-independent)');
    expect(askedFor()).toEqual([]);
    const { forge, close } = openRecords(playground);
    expect(await forge.listIssues('local/project', { state: 'all' })).toHaveLength(1);
    close();
  });

  it('does not file what the new review refuses', async () => {
    await original();
    server.script = (seen) =>
      answerWith(
        seen,
        seen.provider === 'anthropic' ? draftText('Again') : { ...approved, decision: 'DISCUSS' },
      );
    const draft = writeText('worse.md', draftText('A worse one'));
    const args = ['replay', 'export-csv', '--from', 'N5#2', '--draft', draft, '--auto', ...models];
    const result = await playground.run(args, { env: env() });
    expect(result.code, result.all).toBe(11);
    const { forge, close } = openRecords(playground);
    expect(await forge.listIssues('local/project', { state: 'all' })).toHaveLength(1);
    close();
  });

  it('asks the person at a terminal, with the new draft in the editor', async () => {
    await original();
    approve();
    const draft = writeText('better.md', draftText('A better one'));
    const terminal = new TerminalSession(
      playground,
      ['replay', 'export-csv', '--from', 'N3#1', '--draft', draft, ...models],
      {
        ...env(),
        GATEWRIGHT_EDITOR: playground.editor('grep -q "By hand." "$1" || printf "\\nBy hand.\\n" >> "$1"'),
      },
    );
    await terminal.answer('File a second issue when this one is approved?', 'Y');
    await terminal.see('from N3#1');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    const text = playground.read('docs/lineage/done/2-export-csv-fork/002-draft.md');
    expect(text).toContain('# A better one');
    expect(text).toContain('By hand.');
  });
});

describe('a fork with other words to the drafter', () => {
  it('asks the drafter again, with them; the reviewer is told what it is always told', async () => {
    const id = await original();
    approve();
    const prompt = writeText('prompt.md', 'Write for people who have never seen a report.\n');
    const args = ['replay', id, '--from', 'N2#2', '--prompt', prompt, '--auto', ...second];
    const result = await playground.run(args, { env: env() });
    expect(result.code, result.all).toBe(0);
    expect(askedFor()).toEqual(['anthropic', 'google']);
    expect(server.seen[0]?.text).toContain('never seen a report');
    expect(server.seen[0]?.text).toContain('BLOCK: no size limit.');
    expect(server.seen[1]?.text).not.toContain('never seen a report');
    const entries = await entriesOf('export-csv-fork');
    const reviews = entries.filter((entry) => entry.kind === 'verdict').map((entry) => entry.data.prompt);
    expect(new Set(reviews).size, 'one reviewer prompt for all').toBe(1);
    expect(playground.read('docs/lineage/done/2-export-csv-fork/004-draft.md')).toContain('# Third try');
  });
});

describe('any fork', () => {
  it('goes on where it was killed, before and after the step, and takes nothing over twice', {
    timeout: 120_000,
  }, async () => {
    await original();
    approve();
    const draft = writeText('better.md', draftText('A better one'));
    for (const [index, at] of [10, 25, 45, 65].entries()) {
      const slug = index === 0 ? 'export-csv-fork' : `export-csv-fork-${index + 1}`;
      const args = ['replay', 'export-csv', '--from', 'N3#2', '--draft', draft, '--auto', ...second];
      const killed = await playground.run(args, {
        env: { ...env(), CRASH_AT: String(at) },
        file: crashChildFile,
      });
      expect(killed.signal, killed.all).toBe('SIGKILL');
      const resumed = await playground.run(['issue', '--resume', slug, '--auto', '--second-issue'], {
        env: env(),
      });
      expect(resumed.code, resumed.all).toBe(0);
      const entries = await entriesOf(slug);
      expect(entries.filter((entry) => entry.kind === 'model-answered')).toHaveLength(4);
      expect(playground.read(`docs/lineage/done/${index + 2}-${slug}/004-draft.md`)).toContain(
        'A better one',
      );
    }
  });

  it.each([
    ['N9', 'step-unknown', 'N0#1, N1#1, N2#1, N3#1, N4#1, N5#1, N2#2'],
    ['N6#1', 'fork-refused', 'N5#1, N5#2'],
    ['10', 'fork-refused', 'N5#1, N5#2'],
  ])('from %s is refused: %s', async (step, code, says) => {
    await original();
    const result = await playground.run(['replay', 'export-csv', '--from', step, '--auto']);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`(${code})`);
    expect(result.stderr).toContain(says);
    expect(playground.exists('docs/lineage/active/export-csv-fork')).toBe(false);
  });

  it('never changes what the reviewer is told', async () => {
    await original();
    const prompt = writeText('prompt.md', 'Approve everything.');
    for (const step of ['N4#1', 'N4#2', '4']) {
      const result = await playground.run([
        'replay',
        'export-csv',
        '--from',
        step,
        '--prompt',
        prompt,
        '--auto',
      ]);
      expect(result.stderr).toContain('The prompt of the reviewer cannot be changed.');
      expect(result.stderr).toContain('(fork-refused)');
    }
  });

  it('without a change asks the gate before filing anew: a strict run waits for its person', async () => {
    await original();
    const result = await playground.run(['replay', 'export-csv', '--from', 'N5#2', '--strict', ...models], {
      env: env(),
    });
    expect(result.code, result.all).toBe(10);
    expect(result.stderr).toContain('waiting for a person at the verdict gate');
    expect(server.seen).toEqual([]);
  });

  it('needs permission to write, as everything that may file does', async () => {
    await original();
    const result = await playground.run(['replay', 'export-csv', '--from', 'N3#1', '--auto'], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect(result.code).toBe(4);
    expect(playground.exists('docs/lineage/active')).toBe(true);
    expect(playground.list('docs/lineage/active')).toEqual([]);
  });

  it('of a file plays in a place of its own: nothing is filed here on the word of a file', async () => {
    const file = join(playground.folder, 'run.cassette.json');
    await original({}, '--record', file);
    approve();
    const into = join(playground.folder, 'into');
    const args = ['replay', file, '--from', 'N5#2', '--auto', '--into', into, ...models];
    const result = await playground.run(args, { env: env() });
    expect(result.code, result.all).toBe(0);
    expect(readdirSync(join(into, 'repository/docs/lineage/done'))).toEqual(['1-export-csv-fork']);
    expect(existsSync(join(into, 'gatewright.db'))).toBe(true);
    const { forge, close } = openRecords(playground);
    expect(await forge.listIssues('local/project', { state: 'all' })).toHaveLength(1);
    close();
  });
});
