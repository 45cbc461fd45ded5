/** Designs: what is approved, by whom and for which text; what happens when that text changes; and who may begin anew. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { designText } from '../support/cassettes.ts';
import { changeIssue, designModels, fileIssue, issueWords } from '../support/designs.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground, type Result } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const done = 'docs/lineage/done/1-lld';
const path = 'docs/lld/active/LLD-1.md';
const newText = 'People want a file now, and it has to open in a spreadsheet.';

interface Status {
  readonly issue: number;
  readonly standing: string;
  readonly approvedBy: string;
  readonly reviewer: string;
  readonly textHash: string;
  readonly path: string;
  readonly run: string;
}

let playground: Playground;
let models: string[];

beforeEach(async () => {
  playground = new Playground();
  await fileIssue(playground);
  models = designModels(playground);
});

afterEach(() => playground.remove());

const lld = (...args: string[]): Promise<Result> => playground.run(['lld', ...args, ...models]);
const status = () => playground.json<Status[]>(['lld', 'status']);
const show = async () => (await playground.run(['lld', 'status'])).stdout;

async function design(...args: string[]): Promise<void> {
  const result = await lld('1', '--auto', ...args);
  expect(result.code, result.all).toBe(0);
}

function session(args: readonly string[]): TerminalSession {
  return new TerminalSession(playground, [...args, ...models], { GATEWRIGHT_EDITOR: 'true' });
}

async function entries() {
  const { ledger, views, close } = openRecords(playground);
  const found = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
  close();
  return found;
}

describe('an approved design', () => {
  it('is where it belongs, with its review log and hashes that fit', async () => {
    await design();
    const text = playground.read(path);
    expect(text.startsWith(designText(1).trimEnd())).toBe(true);
    expect(text).toMatch(
      /## Appendix: Review Log\n\n.*\n.*\n\| 1 \| \S+ \| gemini-test \| APPROVED \| 0 \|\n/u,
    );
    expect(text).toMatch(/\*\*Final status:\*\* APPROVED by policy:verdict\n$/u);
    const approval = JSON.parse(playground.read(`${done}/004-approved.json`));
    expect(approval).toEqual({
      issue_number: 1,
      issue_url: 'local://local/project/issues/1',
      title: issueWords.title,
      issue_text_sha256: sha256(playground.read(`${done}/001-brief.md`)),
      lld_path: path,
      lld_sha256: sha256(text),
      draft_sha256: sha256(playground.read(`${done}/002-draft.md`)),
      lineage_path: done,
      approved_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u),
      approved_by: 'policy:verdict',
      reviewer: 'gemini-test',
      total_iterations: 1,
      draft_count: 1,
      verdict_count: 1,
      supersedes: null,
    });
    expect(await status()).toMatchObject([
      { issue: 1, standing: 'current', approvedBy: 'policy:verdict', reviewer: 'gemini-test', path },
    ]);
    expect(await show()).toContain(`#1  approved  ${path}  (by policy:verdict, reviewed by gemini-test`);
  });

  it('is shown by explain, runs and status', async () => {
    await lld('1');
    const [gate] = await playground.json<{ id: string; subject: string }[]>(['gates']);
    expect(gate?.subject).toBe('local/project#1');
    expect((await playground.run(['gates'])).stdout).toContain(`draft gate  "${issueWords.title}"`);
    expect((await playground.run(['explain', '#1'])).stdout).toContain('gatewright gate answer');
    expect(await show()).toMatch(/^#1 {2}not approved yet: waiting for a person .*gatewright explain 01/u);
    const answered = await playground.run(['gate', 'answer', gate?.id ?? '', '--choice', 'send']);
    expect(answered.code, answered.all).toBe(0);
    expect((await playground.run(['explain', '#1'])).stdout).toContain(
      `the design of #1 is approved: ${path}`,
    );
    expect((await playground.run(['runs'])).stdout).toContain('local/project#1');
    expect((await playground.run(['status'])).stdout).toContain('1 design approved');
  });

  it('is not made twice, unless somebody wants that', async () => {
    expect(await show()).toBe('');
    await design();
    const refused = await lld('1', '--auto');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('(design-approved)');
    expect(refused.stderr).toContain('--again');
    const first = playground.read(path);
    await design('--again');
    expect(playground.read('docs/lld/superseded/LLD-1-1.md')).toBe(first);
    expect(JSON.parse(playground.read(`${done}-2/004-approved.json`)).supersedes).toBe(
      'docs/lld/superseded/LLD-1-1.md',
    );
    await design('--again', '--slug', 'mine');
    await design('--again', '--slug', 'mine');
    expect(playground.list('docs/lineage/done')).toEqual(['1-lld', '1-lld-2', 'mine', 'mine-2']);
    expect(playground.list('docs/lld/superseded')).toEqual(['LLD-1-1.md', 'LLD-1-2.md', 'LLD-1-3.md']);
    expect(await status()).toHaveLength(1);
    expect(playground.git('status', '--porcelain')).toBe('');
  });

  it('that somebody changes or removes is not called approved any more', async () => {
    await design();
    const text = playground.read(path);
    playground.write(path, text.replaceAll('\n', '\r\n'));
    expect((await status())[0]?.standing).toBe('current');
    playground.write(path, `${text}\nAnd send it to everybody.\n`);
    expect((await status())[0]?.standing).toBe('edited');
    expect(await show()).toContain('its file was changed since');
    playground.git('rm', '--quiet', '--force', path);
    expect((await status())[0]?.standing).toBe('gone');
    await design();
  });

  it('of a dry run is not there', async () => {
    const result = await lld('1', '--dry-run');
    expect(result.code, result.all).toBe(0);
    expect(result.stdout).toContain(`write-file ${path}`);
    expect(result.stdout).toContain('commit-files "docs(lld): approve the design of #1"');
    expect(playground.exists('docs')).toBe(false);
    expect(await status()).toEqual([]);
  });
});

describe('when the text of the issue changes', () => {
  it('its design is stale, and a new one has a lineage of its own', async () => {
    await design();
    await changeIssue(playground, 1, `${issueWords.body}\r\n\r\n`);
    expect((await status())[0]?.standing).toBe('current');
    await changeIssue(playground, 1, newText);
    expect((await status())[0]?.standing).toBe('stale');
    expect(await show()).toContain('stale: the issue was changed since');
    expect(await show()).toContain('make a new one with: gatewright lld 1');
    models = designModels(playground, [designText(1, { title: 'For a spreadsheet' })]);
    await design();
    expect(playground.list('docs/lineage/done')).toEqual(['1-lld', '1-lld-2']);
    expect(playground.read('docs/lineage/done/1-lld-2/001-brief.md')).toContain(newText);
    expect(playground.list('docs/lld/superseded')).toEqual(['LLD-1-1.md']);
    const names = playground.git('show', '--no-renames', '--name-only', '--format=', 'HEAD').split('\n');
    expect(names.filter((name) => !name.startsWith('docs/lineage/done/1-lld-2/'))).toEqual([
      path,
      'docs/lld/superseded/LLD-1-1.md',
    ]);
    expect((await status())[0]?.standing).toBe('current');
  });

  it('an issue that was emptied leaves a stale design, one that is out of reach an unknown one', async () => {
    await design();
    await changeIssue(playground, 1, '');
    expect((await status())[0]?.standing).toBe('stale');
    const empty = await lld('1', '--auto');
    expect(empty.stderr).toContain('(brief-empty)');
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(playground.database);
    database.pragma('foreign_keys = OFF');
    database.prepare('DELETE FROM forge_issues').run();
    database.close();
    expect((await status())[0]?.standing).toBe('unknown');
  });

  it('during a run, no reviewer is paid, and the way out that is named works', async () => {
    const waiting = await lld('1');
    expect(waiting.code, waiting.all).toBe(10);
    await changeIssue(playground, 1, newText);
    const stopped = await lld('--resume', '1-lld', '--auto');
    expect(stopped.stderr).toContain('(issue-changed)');
    expect(stopped.code).toBe(11);
    expect((await entries()).filter((entry) => entry.kind === 'prompt-sent')).toHaveLength(1);
    expect((await playground.run(['status'])).stdout).toContain('The text of #1 was changed');
    const named = /start again with: gatewright (.+?)\. Or/u.exec(stopped.stderr)?.[1] ?? '';
    const anew = await playground.run([...named.split(' '), '--auto', ...models]);
    expect(anew.code, anew.all).toBe(0);
    expect(playground.read(`${done}/001-brief.md`)).toContain(newText);
    expect(playground.list('docs/lineage/active')).toEqual([]);
  });

  it('during a run, putting it back is the other way out', async () => {
    await lld('1', '--slug', 'mine');
    await changeIssue(playground, 1, newText);
    const stopped = await lld('--resume', 'mine', '--auto');
    expect(stopped.stderr).toContain('gatewright lld 1 --on-collision clean --slug mine');
    await changeIssue(playground, 1, issueWords.body);
    const resumed = await lld('--resume', 'mine', '--auto');
    expect(resumed.code, resumed.all).toBe(0);
  });

  it('a cancelled run is in the way of no new one', async () => {
    await lld('1');
    const [cancelled] = await playground.json<{ id: string }[]>(['runs']);
    expect((await playground.run(['runs', 'cancel', cancelled?.id ?? ''])).code).toBe(0);
    const anew = await lld('1', '--auto');
    expect(anew.code, anew.all).toBe(0);
    expect(playground.list(`docs/lineage/cancelled/1-lld-${cancelled?.id}`)).toContain('001-brief.md');
  });

  it('between review and approval, nothing is approved', async () => {
    const terminal = session(['lld', '1', '--strict']);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see('Your choice [A/R/M]');
    await changeIssue(playground, 1, newText);
    terminal.type('A');
    await terminal.see('The text of #1 was changed since this run began.');
    expect(await terminal.exit()).toBe(11);
    expect(playground.exists('docs/lld')).toBe(false);
    expect(await status()).toEqual([]);
    const anew = await lld('1', '--on-collision', 'clean', '--auto');
    expect(anew.code, anew.all).toBe(0);
  });
});

describe('several at once', () => {
  it('one of two terminals has the issue', async () => {
    const first = session(['lld', '1']);
    await first.see('Your choice [G/R/S]');
    for (const args of [['1'], ['1', '--slug', 'other'], ['--resume', '1-lld']]) {
      const second = await lld(...args, '--auto');
      expect(second.stderr).toContain('(lease-held)');
      expect(second.stderr).toContain('alice has been working on it');
    }
    first.type('G');
    await first.answer('Enter to continue', '');
    expect(await first.exit()).toBe(0);
  });

  it('started at the same moment, exactly one makes the design', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => lld('1', '--auto')));
    expect(results.filter((result) => result.code === 0)).toHaveLength(1);
    for (const result of results.filter((one) => one.code !== 0)) {
      expect(result.stderr).toMatch(/\((?:lease-held|slug-taken|design-approved)\)/u);
    }
    expect(playground.list('docs/lineage/done')).toEqual(['1-lld']);
    expect(playground.exists('docs/lld/superseded')).toBe(false);
    expect(playground.git('rev-list', '--count', 'HEAD')).toBe('2');
  });

  it('one that was slow to begin sees that another has finished meanwhile', async () => {
    const bin = join(playground.folder, 'slow');
    const go = join(playground.folder, 'go');
    mkdirSync(bin);
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    // Git that waits when it is asked for the files, which is after the look whether there is a design.
    const wait = `touch "${go}.asked"; while [ ! -e "${go}" ]; do sleep 0.05; done`;
    const script = `#!/bin/sh\ncase "$*" in *ls-files*) ${wait};; esac\nexec "${real}" "$@"\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    const slow = playground.run(['lld', '1', '--auto', ...models], {
      env: { PATH: `${bin}:${playground.environment.PATH}` },
    });
    await expect.poll(() => existsSync(`${go}.asked`), { timeout: 20_000 }).toBe(true);
    await design();
    writeFileSync(go, '');
    const result = await slow;
    expect(result.stderr).toContain('(design-approved)');
    expect(playground.list('docs/lineage/done')).toEqual(['1-lld']);
    expect(await playground.json<unknown[]>(['runs'])).toHaveLength(1);
  });
});

describe('resuming', () => {
  it('by run id works from any folder, in the run’s own repository', async () => {
    await lld('1');
    const [run] = await playground.json<{ id: string }[]>(['runs']);
    const elsewhere = new Playground({ name: 'elsewhere' });
    const env = { GATEWRIGHT_DATABASE_URL: playground.database };
    const resumed = await elsewhere.run(['lld', '--resume', run?.id ?? '', '--auto', ...models], { env });
    expect(resumed.code, resumed.all).toBe(0);
    expect(playground.exists(path)).toBe(true);
    expect(elsewhere.exists('docs')).toBe(false);
    elsewhere.remove();
  });

  it('shows the command that continues it, and that command works', async () => {
    const stopped = await lld('1');
    const shown = /Or continue with: gatewright (.+)/u.exec(stopped.stderr)?.[1] ?? '';
    expect(shown).toMatch(/^lld --resume 01/u);
    const resumed = await playground.run([...shown.split(' '), '--auto'], { cwd: playground.folder });
    expect(resumed.code, resumed.all).toBe(0);
  });

  it('by the issue works from a folder inside', async () => {
    await lld('1');
    playground.write('deep/inside/a.txt', 'a');
    const args = ['lld', '--resume', '#1', '--auto', ...models];
    const resumed = await playground.run(args, { cwd: playground.path('deep/inside') });
    expect(resumed.code, resumed.all).toBe(0);
  });

  it('an edited draft is what is checked, reviewed and approved', async () => {
    await lld('1');
    const draft = designText(1, { title: 'Written by a person' });
    playground.write('docs/lineage/active/1-lld/002-draft.md', draft);
    const resumed = await lld('--resume', '1-lld', '--auto');
    expect(resumed.code, resumed.all).toBe(0);
    expect(playground.read(path).startsWith(draft.trimEnd())).toBe(true);
  });

  it.each([
    ['both', ['1', '--resume', '1-lld']],
    ['neither', []],
  ])('%s a number and --resume is a mistake', async (_, args) => {
    expect((await lld(...args)).code).toBe(2);
  });
});

describe('without a model', () => {
  it('the design has gaps, which block until a person fills them', async () => {
    const auto = await playground.run(['lld', '1', '--auto']);
    expect(auto.code, auto.all).toBe(11);
    expect(auto.stderr).toContain('(no-progress)');
    playground.write('docs/lineage/active/1-lld/004-draft.md', designText(1));
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    const answered = await playground.run(['gate', 'answer', gate?.id ?? '', '--choice', 'send']);
    expect(answered.code, answered.all).toBe(0);
    expect((await status())[0]).toMatchObject({ standing: 'current', reviewer: 'builtin:checklist' });
  });
});

describe('an issue that agents were called to meanwhile', () => {
  it('is still explained with the gate that its design waits at', async () => {
    const waiting = await playground.run(['lld', '1', '--no-input']);
    expect(waiting.code, waiting.all).toBe(10);
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    await playground.run(['forge', 'issue', 'comment', '1', '--body', '@claude please implement this']);
    await playground.run(['dispatch']);
    const { stdout } = await playground.run(['explain', '1']);
    expect(stdout).toContain('(issue, open)');
    expect(stdout).toContain(`the draft gate ${gate?.id} has to be answered (send or revise)`);
  });
});

describe('an issue that Gatewright filed itself', () => {
  it('does not count as hiding something, though it carries a mark', async () => {
    await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto']);
    const own = await playground.run(['lld', '2', '--no-input']);
    expect(own.code, own.all).toBe(10);
    expect(own.stderr).not.toContain('text that its page does not show');
    const draft = playground.read('docs/lineage/active/2-lld/002-draft.md');
    expect(draft).toContain('1. a button on every report page');
    await changeIssue(playground, 1, 'Some text. <!-- and more of it -->');
    expect((await playground.run(['lld', '1', '--no-input'])).stderr).toContain('does not show');
  });
});

describe('what the drafter is shown', () => {
  it('is the issue, the names of the files, and only what --context names', async () => {
    playground.write('secret.txt', 'do not show');
    playground.write('.gitignore', '.env\n');
    playground.write('.env', 'TOKEN=canary');
    const refused = await lld('1', '--context', '.env');
    expect(refused.code).toBe(2);
    await design('--context', 'README.md');
    const sent = (await entries()).find((entry) => entry.kind === 'prompt-sent');
    const { ledger, close } = openRecords(playground);
    const prompt = sent?.kind === 'prompt-sent' ? await ledger.getText(sent.data.prompt) : '';
    close();
    expect(prompt).toMatch(/<<<BEGIN ISSUE [0-9a-f]{16}>>>\n# Export reports as CSV\n/u);
    expect(prompt).toContain('secret.txt');
    expect(prompt).toContain('# Project');
    expect(prompt).not.toContain('do not show');
    expect(prompt).not.toContain('canary');
    expect(prompt).toContain(`Issue #1:`);
  });
});
