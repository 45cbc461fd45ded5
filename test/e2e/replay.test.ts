/** Recording and replaying with the real program: any run, replayed, gives the same files byte for byte. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { GithubServer } from '../support/github-server.ts';
import { crashChildFile, Playground, type Result } from '../support/playground.ts';
import { answerWith, ScriptedProvider } from '../support/scripted-provider.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';

let playground: Playground;
let file: string;
beforeEach(() => {
  playground = new Playground();
  file = join(playground.folder, 'run.cassette.json');
});
afterEach(() => playground.remove());

const twoRounds = () =>
  writeCassette(playground.folder, 'two', {
    drafts: [draftText('First try'), draftText('Reports as CSV', { labels: '`reports`, `enhancement`' })],
    verdicts: [revise, approved],
  });

/** Everything that the recorded run left, by path. */
function lineage(folder: string): Record<string, string> {
  const done = join(folder, 'docs/lineage/done');
  const names = readdirSync(done, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names
      .filter((name) => /\.\w+$/u.test(name))
      .map((name) => [name, readFileSync(join(done, name), 'utf8')]),
  );
}

interface Replayed {
  readonly isSame: boolean;
  readonly artefacts: { path: string; state: string }[];
  readonly changedPrompts: string[];
  readonly stopped: string | null;
  readonly folder: string | null;
}

/** Replays into a folder, in a home where nobody has ever used Gatewright, and compares the files themselves as well. */
async function expectSame(source = file): Promise<Replayed> {
  const into = join(playground.folder, `into-${readdirSync(playground.folder).length}`);
  const home = join(playground.folder, 'elsewhere');
  mkdirSync(home, { recursive: true });
  const env = {
    HOME: home,
    GATEWRIGHT_DATABASE_URL: join(home, 'other.db'),
    GATEWRIGHT_ACTOR: 'bob',
    TZ: 'Asia/Tokyo',
  };
  const result = await playground.run(['replay', source, '--into', into, '--json'], { env });
  expect(result.code, result.all).toBe(0);
  const replayed = JSON.parse(result.stdout) as Replayed;
  expect(replayed).toMatchObject({ isSame: true, stopped: null });
  expect(lineage(join(into, 'repository'))).toEqual(lineage(playground.repository));
  expect(existsSync(join(home, 'other.db')), 'the database of the person is not touched').toBe(false);
  return replayed;
}

describe('a recorded run, replayed', () => {
  it('in auto mode: the same files, no model, no person', async () => {
    const made = await playground.run([
      'issue',
      '--brief',
      brief,
      '--auto',
      '--record',
      file,
      ...twoRounds(),
    ]);
    expect(made.code, made.all).toBe(0);
    expect(made.stderr).toContain(`Recorded to: ${file}`);
    const replayed = await expectSame();
    expect(replayed.artefacts.map(({ path }) => path)).toEqual([
      ...['001-brief.md', '002-draft.md', '003-verdict.md', '004-draft.md', '005-verdict.md'].map(
        (name) => `docs/lineage/done/1-export-csv/${name}`,
      ),
      'docs/lineage/done/1-export-csv/006-filed.json',
      'the issue as it was filed',
    ]);
    expect(replayed.changedPrompts).toEqual([]);
    const temporary = join(playground.folder, 'temporary');
    mkdirSync(temporary);
    const shown = await playground.run(['replay', file], { env: { TMPDIR: temporary } });
    expect(shown.code).toBe(0);
    expect(shown.stdout.trim().split('\n')).toEqual(replayed.artefacts.map(({ path }) => `same     ${path}`));
    expect(shown.stderr).toContain(`All ${replayed.artefacts.length} are the same, byte for byte.`);
    expect(readdirSync(temporary), 'nothing is left of it').toEqual([]);
  });

  it('with a person who edits drafts and a verdict over two rounds, on a repository with other issues', async () => {
    for (const title of ['One', 'Two'])
      await playground.run(['forge', 'issue', 'create', '--title', title, '--body', 'x']);
    const editor = playground.editor(
      'for file in "$@"; do printf "\\nEdited at the gate: %s\\n" "$(wc -l < "$file")" >> "$file"; done',
    );
    const terminal = new TerminalSession(
      playground,
      ['issue', '--brief', brief, '--strict', '--record', file, ...twoRounds()],
      { GATEWRIGHT_EDITOR: editor },
    );
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'R');
    await terminal.answer('> ', 'Name the size limit');
    terminal.type('');
    await terminal.answer('Your choice [G/R/S]', 'G');
    // The draft was edited at the gate once more, so it is reviewed again; the cassette has no third verdict.
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.see(
      'Against the verdict: The verdict approves nothing: Something is written after the boxes',
    );
    await terminal.answer('Approve anyway? [Y/N]', 'Y');
    await terminal.see('cassette-mismatch');
    await terminal.exit();
    const third = writeCassette(playground.folder, 'three', {
      drafts: [],
      verdicts: [revise, approved, { ...approved, summary: 'Still ready.' }],
    });
    const resumed = new TerminalSession(playground, ['issue', '--resume', brief, '--strict', ...third], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await resumed.answer('Your choice [A/R/M]', 'A');
    await resumed.see('SUCCESS!');
    expect(await resumed.exit()).toBe(0);
    expect(playground.list('docs/lineage/done')).toEqual(['3-export-csv']);
    const replayed = await expectSame();
    expect(replayed.artefacts.map(({ path }) => path.split('/').at(-1))).toContain('004-feedback.txt');
    expect(playground.read('docs/lineage/done/3-export-csv/005-draft.md')).toContain('Edited at the gate');
  });

  it('with files that a person put between ours: the numbers are the recorded ones', async () => {
    const models = twoRounds();
    const start = await playground.run(['issue', '--brief', brief, '--record', file, ...models]);
    expect(start.code).toBe(10);
    playground.write('docs/lineage/active/export-csv/007-notes.md', 'Mine.\n');
    const done = await playground.run(['issue', '--resume', brief, '--auto', ...models]);
    expect(done.code, done.all).toBe(0);
    expect(playground.list('docs/lineage/done/1-export-csv')).toContain('011-filed.json');
    playground.git('rm', '--quiet', '--force', 'docs/lineage/done/1-export-csv/007-notes.md');
    await expectSame();
  });

  it('killed in the middle and resumed: the run remembers that it is recorded', {
    timeout: 120_000,
  }, async () => {
    const models = twoRounds();
    for (const [index, at] of [12, 60, 110, 135].entries()) {
      const place = new Playground();
      const record = join(place.folder, 'run.cassette.json');
      const args = ['issue', '--brief', brief, '--auto', '--record', record, ...models];
      const killed = await place.run(args, { file: crashChildFile, env: { CRASH_AT: String(at) } });
      expect(killed.signal, `${index}: ${killed.all}`).toBe('SIGKILL');
      expect(existsSync(record)).toBe(false);
      const resumed = await place.run(['issue', '--resume', brief, '--auto']);
      expect(resumed.code, resumed.all).toBe(0);
      const replayed = await place.run(['replay', record]);
      expect(replayed.code, `killed at ${at}\n${replayed.all}`).toBe(0);
      place.remove();
    }
  });

  it('of a past run that nobody thought of recording; and again, over the old recording', async () => {
    await playground.run(['issue', '--brief', brief, '--auto', ...twoRounds()]);
    for (const _ of [1, 2]) {
      const recorded = await playground.run(['record', 'export-csv', file]);
      expect(recorded.code, recorded.all).toBe(0);
      expect(recorded.stdout.trim()).toBe(file);
    }
    await expectSame();
    const direct = await playground.run(['replay', 'export-csv']);
    expect(direct.code, direct.all).toBe(0);
  });

  it('that waits at a gate: as far as it got', async () => {
    const args = ['issue', '--brief', brief, '--record', file, ...twoRounds()];
    expect((await playground.run(args)).code).toBe(10);
    const result = await playground.run(['replay', file]);
    expect(result.code, result.all).toBe(0);
    expect(result.stdout).toContain('same     docs/lineage/active/export-csv/002-draft.md');
    expect(result.stdout).not.toContain('003');
    // Whoever answers from elsewhere goes on with the run, which remembers that it is recorded.
    const gates = await playground.json<{ id: string }[]>(['gates']);
    const answered = await playground.run(['gate', 'answer', gates[0]?.id ?? '', '--choice', 'send']);
    expect(answered.stderr).toContain(`Recorded to: ${file}`);
    const later = await playground.run(['replay', file]);
    expect(later.code, later.all).toBe(0);
    expect(later.stdout).toContain('same     docs/lineage/active/export-csv/003-verdict.md');
  });

  it('after the forge refused and a person tried again', async () => {
    const models = writeCassette(playground.folder, 'refused', {
      drafts: [draftText('Reports', { labels: '`reports`' })],
      verdicts: [approved],
    });
    await playground.run(['forge', 'permission', 'set', 'carol', 'admin']);
    const terminal = new TerminalSession(
      playground,
      ['issue', '--brief', brief, '--record', file, ...models],
      {
        GATEWRIGHT_EDITOR: 'true',
      },
    );
    await terminal.see('Your choice [G/R/S]');
    const demote = await playground.run(['forge', 'permission', 'set', 'alice', 'none'], {
      env: { GATEWRIGHT_ACTOR: 'carol' },
    });
    expect(demote.code, demote.all).toBe(0);
    terminal.type('G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('Your choice [R/E/A]');
    await playground.run(['forge', 'permission', 'set', 'alice', 'admin'], {
      env: { GATEWRIGHT_ACTOR: 'carol' },
    });
    terminal.type('R');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    await expectSame();
  });

  it('that filed on GitHub: the same number and address, without GitHub', async () => {
    playground.git('remote', 'add', 'origin', 'https://github.com/acme/project.git');
    const github = await GithubServer.start();
    github.addUser('octo', 'a-github-token');
    github.state.addRepository('acme/project', { octo: 'write' });
    const args = ['issue', '--brief', brief, '--auto', '--forge', 'github', '--record', file, ...twoRounds()];
    const made = await playground.run(args, {
      env: { GATEWRIGHT_GITHUB_URL: github.url, GITHUB_TOKEN: 'a-github-token' },
    });
    expect(made.code, made.all).toBe(0);
    await github.close();
    expect(playground.read('docs/lineage/done/1-export-csv/006-filed.json')).toContain(
      'https://github.com/acme/project/issues/1',
    );
    expect(readFileSync(file, 'utf8')).not.toMatch(/a-github-token|octo/u);
    await expectSame();
  });

  it('with a brief from outside the repository', async () => {
    const outside = join(playground.folder, 'My Notes.md');
    writeFileSync(
      outside,
      '# Notes\n\nSome notes that somebody wrote down in a hurry, long enough to count.\n',
    );
    const args = ['issue', '--brief', outside, '--auto', '--record', file, ...twoRounds()];
    expect((await playground.run(args)).code).toBe(0);
    await expectSame();
    expect(readFileSync(file, 'utf8')).not.toContain(playground.folder);
  });

  it('with real SDKs: no key, no environment value and no folder of the machine is in the file', async () => {
    const server = await new ScriptedProvider().start();
    server.script = (seen) =>
      answerWith(seen, seen.provider === 'anthropic' ? draftText('Export as CSV') : approved);
    const env = {
      ...server.environment,
      ANTHROPIC_API_KEY: 'sk-ant-canary-111',
      GEMINI_API_KEY: 'AIza-canary-222',
      SOME_TOKEN: 'canary-333',
    };
    const models = ['--drafter', 'anthropic:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];
    const args = ['issue', '--brief', brief, '--auto', '--record', file, ...models];
    const made = await playground.run(args, { env });
    expect(made.code, made.all).toBe(0);
    const text = readFileSync(file, 'utf8');
    for (const value of ['canary', playground.folder, playground.home, server.url, 'alice'])
      expect(text).not.toContain(value);
    expect(text).toContain('claude-sonnet-4-5');
    await server.stop();
    await expectSame();
  });

  it('is not written when a text in it holds a key', async () => {
    const models = writeCassette(playground.folder, 'leak', {
      drafts: [draftText('Reports', { note: 'Use sk-ant-canary-111 to call it.' })],
      verdicts: [approved],
    });
    const env = { ANTHROPIC_API_KEY: 'sk-ant-canary-111' };
    const made = await playground.run(['issue', '--brief', brief, '--auto', '--record', file, ...models], {
      env,
    });
    expect(made.code, made.all).toBe(0);
    expect(made.stderr).toContain('was not recorded');
    expect(existsSync(file)).toBe(false);
    const later = await playground.run(['record', 'export-csv', file], { env });
    expect(later.stderr).toContain('(cassette-secret)');
    expect(later.code).toBe(1);
  });
});

describe('where a recording may go', () => {
  const start = (target: string): Promise<Result> =>
    playground.run(['issue', '--brief', brief, '--auto', '--record', target, ...twoRounds()]);

  it('not over anything else, and nothing is begun', async () => {
    const result = await start(playground.path('README.md'));
    expect(result.stderr).toContain('(cannot-write)');
    expect(playground.read('README.md')).toBe('# Project\n');
    expect(playground.exists('docs')).toBe(false);
  });

  it('not over the recording of another run', async () => {
    await start(file);
    playground.write(
      'ideas/active/second.md',
      '# Second\n\nAnother idea, with enough words in it to be one.\n',
    );
    const args = ['issue', '--brief', 'ideas/active/second.md', '--auto', '--record', file, ...twoRounds()];
    expect((await playground.run(args)).stderr).toMatch(
      /something else is there already\.\nWhat to do: Name another file/u,
    );
  });

  it('not into a folder that is not there, and not for a dry run', async () => {
    expect((await start(join(playground.folder, 'no', 'run.json'))).stderr).toContain('there is no folder');
    const dry = await playground.run(['issue', '--brief', brief, '--dry-run', '--record', file]);
    expect(dry.code).toBe(2);
  });
});
