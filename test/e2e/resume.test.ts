/** Going on: by whom, where, with what; and what giving a run up may and may not remove. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { itLong } from '../support/it-long.ts';
import { openRecords, readPrompts } from '../support/open-records.ts';
import { crashChildFile, Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const start = ['issue', '--brief', brief];

let playground: Playground;
let models: string[];

beforeEach(() => {
  playground = new Playground();
  models = writeCassette(playground.folder, 'resume', {
    drafts: [draftText('A'), draftText('B')],
    verdicts: [approved, approved],
  });
});

afterEach(() => playground.remove());

async function countIssues(): Promise<number> {
  return (await playground.json<unknown[]>(['forge', 'issue', 'list', '--state', 'all'])).length;
}

/** Dies right after the issue was filed, before that is written down. */
async function dieAfterFiling(): Promise<void> {
  const log = join(playground.folder, 'points');
  const other = new Playground();
  await other.run([...start, '--auto', ...models], { env: { CRASH_LOG: log }, file: crashChildFile });
  other.remove();
  const { readFileSync } = await import('node:fs');
  const index = readFileSync(log, 'utf8').split('\n').indexOf('after forge.createIssue');
  const killed = await playground.run([...start, '--auto', ...models], {
    env: { CRASH_AT: String(index + 1) },
    file: crashChildFile,
  });
  expect(killed.signal).toBe('SIGKILL');
  expect(await countIssues()).toBe(1);
}

async function runId(): Promise<string> {
  return (await playground.json<{ id: string }[]>(['runs']))[0]?.id ?? '';
}

describe('resuming', () => {
  it('by somebody else after a crash files nothing twice', async () => {
    await dieAfterFiling();
    await playground.run(['forge', 'permission', 'set', 'bob', 'write']);
    const resumed = await playground.run(['issue', '--resume', brief, '--auto', ...models], {
      env: { GATEWRIGHT_ACTOR: 'bob' },
    });
    expect(resumed.code, resumed.all).toBe(0);
    expect(await countIssues()).toBe(1);
  });

  it('needs write permission, as answering a gate does', async () => {
    await playground.run([...start, ...models]);
    const mallory = await playground.run(['issue', '--resume', brief, '--auto', ...models], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect(mallory.code).toBe(4);
    expect(await countIssues()).toBe(0);
  });

  itLong('by run id works from any folder, in the run’s own repository', async () => {
    await playground.run([...start, ...models]);
    const elsewhere = new Playground({ name: 'elsewhere' });
    const env = { GATEWRIGHT_DATABASE_URL: playground.database };
    const resumed = await elsewhere.run(['issue', '--resume', await runId(), '--auto', ...models], { env });
    expect(resumed.code, resumed.all).toBe(0);
    expect(playground.list('docs/lineage/done')).toEqual(['1-export-csv']);
    expect(elsewhere.exists('docs')).toBe(false);
    elsewhere.remove();
  });

  itLong('with the command that was shown works, whatever the options of the start were', async () => {
    const other = new Playground({ name: 'other' });
    const database = join(playground.folder, 'another.db');
    const first = await playground.run([
      ...start,
      '--repo',
      other.repository,
      '--slug',
      'aa',
      '--database',
      database,
      ...models,
    ]);
    const second = await playground.run([
      ...start,
      '--repo',
      other.repository,
      '--slug',
      'bb',
      '--database',
      database,
      ...models,
    ]);
    for (const stopped of [first, second]) {
      const shown = /Or continue with: gatewright (.+)/u.exec(stopped.stderr)?.[1] ?? '';
      const resumed = await playground.run([...shown.split(' '), '--auto'], { cwd: playground.folder });
      expect(resumed.code, `${shown}\n${resumed.all}`).toBe(0);
    }
    expect(other.list('docs/lineage/done')).toEqual(['1-aa', '2-bb']);
    other.remove();
  });

  itLong('as a dry run is refused: it would not be one', async () => {
    await playground.run([...start, ...models]);
    const result = await playground.run(['issue', '--resume', brief, '--dry-run', ...models]);
    expect(result.code).toBe(2);
    expect(await countIssues()).toBe(0);
  });

  itLong('with a reviewer of the drafter’s family needs a waiver too', async () => {
    await playground.run([...start, ...models]);
    const same = writeCassette(playground.folder, 'same', {
      drafts: [draftText('A')],
      verdicts: [approved],
      reviewerModel: 'claude-other',
    });
    const refused = await playground.run(['issue', '--resume', brief, '--auto', ...same]);
    expect(refused.stderr).toContain('(models-not-independent)');
    const waived = await playground.run([
      'issue',
      '--resume',
      brief,
      '--auto',
      '--waive-independence',
      'known',
      ...same,
    ]);
    expect(waived.code, waived.all).toBe(0);
  });

  itLong('with other models does not let the family that drafted review its own draft', async () => {
    await playground.run([...start, ...models]);
    const swapped = writeCassette(playground.folder, 'swapped', {
      drafts: [draftText('A')],
      verdicts: [approved],
      drafterModel: 'gpt-test',
      reviewerModel: 'claude-other',
    });
    const refused = await playground.run(['issue', '--resume', brief, '--auto', ...swapped]);
    expect(refused.stderr).toContain('(models-not-independent)');
    expect(await countIssues()).toBe(0);
    const waiver = ['--waive-independence', 'known'];
    const waived = await playground.run(['issue', '--resume', brief, '--auto', ...waiver, ...swapped]);
    expect(waived.code, waived.all).toBe(0);
  });

  it('says what continues a blocked run, on the screen and in JSON', async () => {
    const result = await playground.run([
      ...start,
      '--auto',
      '--max-iterations',
      '1',
      '--json',
      ...writeCassette(playground.folder, 'r', { drafts: [draftText('A')], verdicts: [revise] }),
    ]);
    const { error } = JSON.parse(result.stdout);
    expect(error.stop).toMatchObject({ run: await runId(), status: 'blocked', owner: 'person' });
    expect(error.stop.resume).toBe(`gatewright issue --resume ${await runId()} --max-iterations 11`);
    const again = await playground.run(['issue', '--resume', brief, '--auto', '--max-iterations', '1']);
    expect(again.stderr).toContain(`Continue with: gatewright issue --resume ${await runId()}`);
  });

  it('tells that a gate was answered and only a resume is missing', async () => {
    await playground.run([...start, ...models]);
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    await playground.run(['gate', 'answer', gate?.id ?? '', '--choice', 'send', '--no-run']);
    expect((await playground.run(['status'])).stdout).toContain('answered: its gate was answered');
    expect((await playground.run(['explain', brief])).stdout).toContain('gatewright issue --resume');
  });

  it('gives the drafter every verdict, also those on drafts that were edited since', async () => {
    const twice = writeCassette(playground.folder, 'twice', {
      drafts: [draftText('A'), draftText('B')],
      verdicts: [
        { ...approved, summary: 'ALPHA' },
        { ...approved, summary: 'BETA' },
      ],
    });
    const terminal = new TerminalSession(playground, [...start, '--strict', ...twice], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see('Your choice [A/R/M]');
    playground.write('docs/lineage/active/export-csv/002-draft.md', draftText('Edited'));
    terminal.type('A');
    await terminal.see('changed after it was shown');
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.see('Executing: N4_review');
    await terminal.answer('Your choice [A/R/M]', 'R');
    await terminal.answer('> ', '');
    await terminal.answer('Your choice [G/R/S]', 'S');
    await terminal.exit();
    const told = (await readPrompts(playground, 'drafter')).at(-1) ?? '';
    expect(told).toContain('ALPHA');
    expect(told).toContain('BETA');
  });
});

describe('giving a run up', () => {
  const clean = [...start, '--on-collision', 'clean', '--auto'];

  itLong('is refused when it has filed its issue already', async () => {
    await dieAfterFiling();
    const cleaned = await playground.run([...clean, ...models]);
    expect(cleaned.code).toBe(1);
    expect(cleaned.stderr).toContain('a new run would do it a second time');
    expect(await countIssues()).toBe(1);
  });

  it('does not remove a folder that no run made', async () => {
    playground.write('docs/lineage/active/export-csv/precious.txt', 'mine');
    const cleaned = await playground.run([...clean, ...models]);
    expect(cleaned.stderr).toContain('(slug-taken)');
    expect(playground.read('docs/lineage/active/export-csv/precious.txt')).toBe('mine');
  });

  itLong('with "runs cancel" after it has filed does not file a second time', async () => {
    await dieAfterFiling();
    expect((await playground.run(['runs', 'cancel', await runId()])).code).toBe(0);
    for (const args of [start, clean]) {
      const again = await playground.run([...args, '--auto', ...models]);
      expect([again.code, again.stderr]).toEqual([
        1,
        expect.stringContaining('give another name with --slug'),
      ]);
    }
    expect(await countIssues()).toBe(1);
  });

  it('sees a run of the same work tree that files to another repository', async () => {
    const other = new Playground({ name: 'other' });
    await playground.run(['forge', 'issue', 'list', '--repo', other.repository]);
    await playground.run([...start, '--repo', 'local/other', ...models]);
    const second = await playground.run([...start, '--auto', ...models]);
    expect(second.stderr).toContain('(slug-taken)');
    other.remove();
  });

  it('tells who holds the brief before it asks anything', async () => {
    const first = new TerminalSession(playground, [...start, ...models], { GATEWRIGHT_EDITOR: 'true' });
    await first.see('Your choice [G/R/S]');
    const second = await playground.run([...start, '--auto', ...models]);
    expect(second.stderr).toContain('(lease-held)');
    expect(second.stderr).toContain('alice has been working on it');
    first.kill();
    await first.exit();
  });
});

describe('after filing', () => {
  it('ideas that git ignores stay out of the commit', async () => {
    playground.write('.gitignore', 'ideas/\n');
    playground.git('rm', '--cached', '--quiet', brief);
    playground.git('add', '.gitignore');
    playground.git('commit', '--quiet', '--message', 'Ideas are private');
    const result = await playground.run([...start, '--auto', ...models]);
    expect(result.code, result.all).toBe(0);
    expect(playground.git('show', '--name-only', '--format=', 'HEAD')).not.toContain('ideas/');
    expect(playground.exists('ideas/done/1-export-csv.md')).toBe(true);
  });

  it('an idea that is a link to elsewhere is left where it is', async () => {
    const outside = join(playground.folder, 'notes.md');
    writeFileSync(outside, playground.read(brief));
    rmSync(playground.path(brief));
    symlinkSync(outside, playground.path(brief));
    const result = await playground.run([...start, '--auto', ...models]);
    expect(result.code, result.all).toBe(0);
    expect(playground.exists(brief)).toBe(true);
  });

  it.each([
    ['a file elsewhere', () => join(playground.folder, 'notes.md'), brief],
    ['a folder elsewhere', () => playground.folder, 'ideas/linked/notes.md'],
    ['the settings of git', () => '../../.git/config', brief],
  ])('an idea that came with the repository as a link to %s is not filed', async (_, target, typed) => {
    writeFileSync(join(playground.folder, 'notes.md'), '# My key\n\ns3cr3t\n');
    rmSync(playground.path(brief));
    const link = typed === brief ? brief : 'ideas/linked';
    symlinkSync(target(), playground.path(link));
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'A gift');
    const result = await playground.run(['issue', '--brief', typed, '--auto', ...models]);
    expect(result.code, result.all).toBe(1);
    expect(result.stderr).toContain('(path-outside-root)');
    expect(await countIssues()).toBe(0);
    expect(playground.git('status', '--porcelain')).toBe('');
  });

  it('a commit that a person made meanwhile is taken as it is', async () => {
    writeFileSync(playground.path('.git/index.lock'), '');
    const busy = playground.run([...start, '--auto', ...models]);
    await expect
      .poll(() => playground.list('docs/lineage/done'), { timeout: 20_000 })
      .toEqual(['1-export-csv']);
    await expect.poll(() => playground.exists('ideas/done/1-export-csv.md'), { timeout: 20_000 }).toBe(true);
    // With an index of their own, so that the person is not held up by the lock either.
    const index = playground.path('.git/index-of-a-person');
    copyFileSync(playground.path('.git/index'), index);
    for (const args of [
      ['add', '--all'],
      ['commit', '--quiet', '--message', 'By hand'],
    ]) {
      const env = { ...playground.environment, GIT_INDEX_FILE: index };
      execFileSync('git', args, { cwd: playground.repository, env });
    }
    rmSync(playground.path('.git/index.lock'));
    const result = await busy;
    expect(result.code, result.all).toBe(0);
  });
});

describe('tampering', () => {
  it('is not built on: a resume refuses a chain that was changed', async () => {
    await playground.run([...start, ...models]);
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(playground.database);
    database.prepare(`UPDATE ledger SET actor = 'mallory' WHERE seq = (SELECT max(seq) FROM ledger)`).run();
    database.close();
    const resumed = await playground.run(['issue', '--resume', brief, '--auto', ...models]);
    expect(resumed.stderr).toContain('(ledger-broken)');
    expect(await countIssues()).toBe(0);
  });

  it('a lost key is not replaced', async () => {
    await playground.run([...start, ...models]);
    renameSync(`${playground.database}.key`, `${playground.database}.kept`);
    const resumed = await playground.run(['issue', '--resume', brief, '--auto', ...models]);
    expect(resumed.stderr).toContain('(database-corrupt)');
    renameSync(`${playground.database}.kept`, `${playground.database}.key`);
    expect((await playground.run(['issue', '--resume', brief, '--auto', ...models])).code).toBe(0);
  });

  it('with the texts behind the hashes is named', async () => {
    await playground.run([...start, '--auto', ...models]);
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(playground.database);
    database.prepare(`UPDATE texts SET text = 'tampered' WHERE text LIKE '# A%'`).run();
    database.close();
    const verified = await playground.run(['ledger', 'verify']);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('is another one now');
  });

  it('whichever text is lost is named', async () => {
    await playground.run([...start, '--auto', ...models]);
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(playground.database);
    const texts = database.prepare('SELECT hash, text FROM texts').all() as { hash: string; text: string }[];
    expect(texts.length).toBeGreaterThan(5);
    const { ledger, close } = openRecords(playground);
    for (const { hash, text } of texts) {
      database.prepare('DELETE FROM texts WHERE hash = ?').run(hash);
      const { problems } = await ledger.verify();
      expect(problems.length, text.slice(0, 200)).toBeGreaterThan(0);
      for (const one of problems) {
        expect(one.problem).toBe('removed');
        expect(one.explanation).toContain(hash);
      }
      database.prepare('INSERT INTO texts (hash, text) VALUES (?, ?)').run(hash, text);
    }
    expect((await ledger.verify()).problems).toEqual([]);
    close();
    database.prepare('DELETE FROM texts WHERE hash = ?').run(texts[0]?.hash);
    database.close();
    const verified = await playground.run(['ledger', 'verify']);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('is gone');
  });
});
