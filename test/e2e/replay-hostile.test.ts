/** Recordings that were tampered with or made to do harm: told what is wrong, and nothing written where it should not be. */
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { Playground, type Result } from '../support/playground.ts';

let playground: Playground;
let recorded: string;
let cassette: unknown;
let file: string;
let temporary: string;

beforeAll(async () => {
  playground = new Playground();
  const source = join(playground.folder, 'source.json');
  const models = writeCassette(playground.folder, 'two', {
    drafts: [draftText('First try'), draftText('Second try')],
    verdicts: [revise, approved],
  });
  const made = await playground.run([
    ...['issue', '--brief', 'ideas/active/export-csv.md', '--auto', '--record', source],
    ...models,
  ]);
  expect(made.code, made.all).toBe(0);
  recorded = readFileSync(source, 'utf8');
  temporary = join(playground.folder, 'temporary');
  mkdirSync(temporary);
  file = join(playground.folder, 'hostile.json');
});
afterAll(() => playground.remove());
beforeEach(() => {
  cassette = JSON.parse(recorded);
});

function replay(...args: string[]): Promise<Result> {
  return playground.run(['replay', file, ...args], { env: { TMPDIR: temporary } });
}

function replayChanged(): Promise<Result> {
  writeFileSync(file, JSON.stringify(cassette));
  return replay();
}

/** Changes one place of the recording; without a value it is taken out. */
function put(place: string, value?: unknown): void {
  const parts = place.split('.');
  const last = parts.pop() ?? '';
  let inner = cassette as Record<string, unknown>;
  for (const part of parts) inner = inner[part] as Record<string, unknown>;
  if (Array.isArray(inner)) inner.splice(Number(last), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) delete inner[last];
  else inner[last] = value;
}

const done = 'docs/lineage/done/1-export-csv';

describe('a recording that was tampered with', () => {
  it('in a draft: the draft differs, and everything that came of it', async () => {
    put('calls.2.answer.text.0', '# Something else');
    const result = await replayChanged();
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(`same     ${done}/002-draft.md`);
    expect(result.stdout).toContain(`differs  ${done}/004-draft.md`);
    expect(result.stdout).toContain(`differs  ${done}/006-filed.json`);
    expect(result.stdout).toContain('differs  the issue as it was filed');
  });

  it.each<[string, () => void, string]>([
    ['a verdict', () => put('calls.3.answer.object.summary', 'Bought.'), `differs  ${done}/005-verdict.md`],
    [
      'the model that answered',
      () => put('calls.1.reportedModel', 'gpt-5'),
      `differs  ${done}/003-verdict.md`,
    ],
    ['the brief', () => put('run.brief.text.99', 'More.'), `differs  ${done}/001-brief.md`],
    [
      'a moment',
      () =>
        put('run.moments', [{ key: 'effect-receipted file/create-issue', at: '2020-01-01T00:00:00.000Z' }]),
      `differs  ${done}/006-filed.json`,
    ],
    ['the number of the issue', () => put('run.forge.1.number', 7), `missing  ${done}/006-filed.json`],
    [
      'the address of the issue',
      () => put('run.forge.1.url', 'https://elsewhere.invalid/1'),
      `differs  ${done}/006-filed.json`,
    ],
    ['a hash', () => put('run.artefacts.1.sha256', '0'.repeat(64)), `differs  ${done}/002-draft.md`],
    ['a file that is left out', () => put('run.artefacts.5'), `extra    ${done}/006-filed.json`],
    ['an answer that is left out', () => put('calls.3'), `missing  ${done}/006-filed.json`],
    ['a gate that is left out', () => put('run.gates.3'), `missing  ${done}/006-filed.json`],
  ])('in %s', async (_, tamper, expected) => {
    tamper();
    const result = await replayChanged();
    expect(result.code, result.all).toBe(1);
    expect(result.stdout.split('\n')).toContain(expected);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('in the hash of a prompt: that is told, as a changed prompt is', async () => {
    put('calls.0.request.prompt', '0'.repeat(64));
    const result = await replayChanged();
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('would now differ from the recorded one (drafter call 1)');
  });
});

function makeHuge(): void {
  writeFileSync(file, '');
  truncateSync(file, 65 * 1024 * 1024);
}

describe('a recording made to do harm', () => {
  // Every field is tried in src/domain/recordings/cassette.test.ts; here, what the program does about it.
  it.each([
    ['run.artefacts.0.path', '../../escaped.md'],
    ['run.artefacts.0.writtenAs', '/tmp/gw-escaped.md'],
    ['run.brief.path', '.git/hooks/post-commit'],
    ['run.brief.path', 'a\u001b[2Jb.md'],
    ['run.brief.path', 'gatewright.config.json'],
    ['run.brief.path', '.gatewright/templates/0101-issue.md'],
    ['run.slug', '../../escaped'],
    ['run.steps.0.node', '\u001b]0;x\u0007'],
    ['run.exec', 'rm -rf /'],
  ])('%s "%s" is refused before anything is made', async (place, value) => {
    const before = readdirSync(playground.folder);
    put(place, value);
    const result = await replayChanged();
    expect(result.code, result.all).toBe(1);
    expect(result.stderr).toContain('(cassette-invalid)');
    expect(result.stderr).toContain(place === 'run.exec' ? 'run:' : `${place}:`);
    expect(result.all).not.toContain('\u001b');
    expect(readdirSync(temporary)).toEqual([]);
    expect(new Set(readdirSync(playground.folder))).toEqual(new Set([...before, 'hostile.json']));
  });

  it.each([
    ['a file where a folder has to be', ['ideas/active']],
    ['a name that no disk takes', ['a'.repeat(400)]],
  ])('%s is told', async (_, existing) => {
    put('run.existing', existing);
    const result = await replayChanged();
    expect(result.stderr).toContain('(cassette-invalid)');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('many mistakes are not told one by one', async () => {
    put(
      'calls',
      Array.from({ length: 5000 }, () => ({})),
    );
    const result = await replayChanged();
    expect(result.stderr).toContain('more');
    expect(result.stderr.split('\n').length).toBeLessThan(40);
  });

  it('texts that move the cursor are shown escaped', async () => {
    put('run.forge', [
      { effect: 'create-issue', failed: { code: 'internal', message: 'gone\u001b[2J\u001b]0;x\u0007' } },
    ]);
    put('run.title', '\u001b[31mred');
    const result = await replayChanged();
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('gone\\u{1b}[2J');
    expect(result.all).not.toContain('\u001b');
  });

  it('names of models and people are shown escaped too, when it is played and when it is forked', async () => {
    const bad = '\u001b[31m\u001b]0;x\u0007\u202e\u009b2J';
    const { models, calls } = cassette as { models: Record<string, object>; calls: object[] };
    for (const [role, model] of Object.entries(models))
      put(`models.${role}`, { ...model, title: `${role}${bad}` });
    for (const index of calls.keys()) put(`calls.${index}.reportedModel`, `gemini${bad}`);
    writeFileSync(file, JSON.stringify(cassette));
    const asCassette = ['--drafter', `cassette:${file}`, '--reviewer', `cassette:${file}`];
    for (const result of [
      await replay(),
      await replay('--json'),
      await replay('--from', 'N5', '--no-input'),
      await playground.run(['issue', '--brief', 'README.md', '--auto', ...asCassette]),
    ]) {
      expect(result.all).not.toMatch(/[\u001b\u0007\u009b\u202e]/u);
    }
  });

  it.each([
    ['huge', () => makeHuge()],
    ['not JSON', () => writeFileSync(file, '{"format":')],
    ['nested without end', () => writeFileSync(file, '['.repeat(500_000))],
    [
      'binary',
      () =>
        writeFileSync(
          file,
          Uint8Array.from({ length: 300 }, (_, index) => index % 256),
        ),
    ],
    ['empty', () => writeFileSync(file, '')],
  ])('a file that is %s is refused', async (_, write) => {
    write();
    const result = await replay();
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('(cassette-invalid)');
  });

  it('a device or a folder is refused at once', async () => {
    for (const path of ['/dev/zero', playground.folder]) {
      const result = await playground.run(['replay', path]);
      expect(result.stderr).toContain('(cassette-invalid)');
    }
  });

  it('a cassette of answers alone is told apart from a recording', async () => {
    const demo = join(import.meta.dirname, '../../demo/export-reports-as-csv.cassette.json');
    const result = await playground.run(['replay', demo]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('holds answers of models but no run');
  });

  it('nothing is replayed into a folder that holds something', async () => {
    writeFileSync(file, recorded);
    const result = await replay('--into', playground.repository);
    expect(result.code).toBe(2);
    expect(playground.exists('repository')).toBe(false);
  });

  it('options that need a step are refused without one', async () => {
    writeFileSync(file, recorded);
    for (const option of ['--draft', '--prompt', '--record']) {
      const result = await replay(option, join(playground.folder, 'x.md'));
      expect(result.code).toBe(2);
      expect(result.stderr).toContain('--from STEP');
    }
    for (const args of [
      ['--auto'],
      ['--strict'],
      ['--drafter', 'builtin:outline'],
      ['--max-iterations', '3'],
    ])
      expect((await replay(...args)).stderr).toContain(`${args[0]} is for a fork: give --from STEP too.`);
  });

  it('what is not there is said, with what to do about it', async () => {
    writeFileSync(file, recorded);
    const unknown = await playground.run(['replay', 'nothing.json']);
    expect(unknown.stderr).toContain('"nothing.json" is neither a file nor a known run.');
    const noDraft = await replay('--from', 'N3#1', '--draft', 'nothing.md');
    expect(noDraft.stderr).toMatch(/The draft .*nothing\.md does not exist\.\nWhat to do: Check the path\./u);
  });
});
