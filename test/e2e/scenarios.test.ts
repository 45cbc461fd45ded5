/**
 * The 23 scenarios of document 001 §10.1, by their ids, against the real program: a pseudo-terminal where it asks, real
 * git, real SQLite, an editor that is a script. Those about filing (100 to 140) stand in scenarios-filing.test.ts. "gh" there is the forge here; "Gemini" and "Claude" are cassettes.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { openRecords, readPrompts } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const active = 'docs/lineage/active/export-csv';

let playground: Playground;
let editor: string;

beforeEach(() => {
  playground = new Playground();
  editor = playground.editor('echo "opened $*" >> "$0.log"');
});

afterEach(() => playground.remove());

function cassette(drafts: readonly string[], verdicts: readonly (typeof approved)[]): string[] {
  return writeCassette(playground.folder, `c${drafts.length}-${verdicts.length}`, { drafts, verdicts });
}

function session(args: readonly string[], env: Record<string, string> = {}): TerminalSession {
  return new TerminalSession(playground, args, { GATEWRIGHT_EDITOR: editor, ...env });
}

const once = () => cassette([draftText('Reports as CSV')], [approved]);

/** Makes a run that waits at its draft gate. */
async function waitingRun(models: readonly string[]): Promise<void> {
  const result = await playground.run(['issue', '--brief', brief, ...models]);
  expect(result.code, result.all).toBe(10);
}

describe('document 001 §10.1', () => {
  it('010 happy path: approved at the first try', async () => {
    const terminal = session(['issue', '--brief', brief, ...once()]);
    await terminal.see('>>> Iteration 1 | Draft #1');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('VERDICT PASSED');
    await terminal.see('SUCCESS!');
    await terminal.see('Issue: local://local/project/issues/1');
    expect(await terminal.exit()).toBe(0);
    const { forge, close } = openRecords(playground);
    expect(await forge.getIssue('local/project', 1)).toMatchObject({
      title: 'Reports as CSV',
      author: 'alice',
      labels: ['enhancement'],
    });
    close();
  });

  it('020 N0: the brief does not exist', async () => {
    const result = await playground.run(['issue', '--brief', 'ideas/active/nothing.md', ...once()]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('nothing.md does not exist');
    expect(playground.exists('docs')).toBe(false);
  });

  it('025 N0: the short name is in use, and a choice is offered', async () => {
    await waitingRun(once());
    const terminal = session(['issue', '--brief', brief, ...once()]);
    await terminal.see("Slug 'export-csv' already exists in active/");
    await terminal.see('[R]esume existing / [N]ew name / [C]lean');
    await terminal.answer('Your choice [R/N/C/A]', 'A');
    expect(await terminal.exit()).toBe(0);
  });

  it('026 N0: Resume goes on from the last node', async () => {
    await waitingRun(once());
    const terminal = session(['issue', '--brief', brief, ...once()]);
    await terminal.answer('Your choice [R/N/C/A]', 'R');
    await terminal.see('(resumed)');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(terminal.output).not.toContain('N0_load_brief');
    expect(playground.list('docs/lineage/done/1-export-csv')).toEqual([
      '001-brief.md',
      '002-draft.md',
      '003-verdict.md',
      '004-filed.json',
    ]);
  });

  it('027 N0: New name is asked until it is free and valid', async () => {
    await waitingRun(once());
    const terminal = session(['issue', '--brief', brief, ...once()]);
    await terminal.answer('Your choice [R/N/C/A]', 'N');
    await terminal.answer('Enter new slug:', '../escape');
    await terminal.see('not allowed');
    await terminal.answer('Your choice [R/N/C/A]', 'N');
    await terminal.answer('Enter new slug:', 'export-csv');
    await terminal.see('in use as well');
    await terminal.answer('Your choice [R/N/C/A]', 'N');
    await terminal.answer('Enter new slug:', 'foo');
    await terminal.answer('Your choice [G/R/S]', 'S');
    expect(await terminal.exit()).toBe(10);
    expect(playground.list('docs/lineage/active')).toEqual(['export-csv', 'foo']);
  });

  it('028 N0: Abort leaves everything as it is and exits with 0', async () => {
    await waitingRun(once());
    const before = playground.git('status', '--porcelain', '--untracked-files=all');
    const terminal = session(['issue', '--brief', brief, ...once()]);
    await terminal.answer('Your choice [R/N/C/A]', 'A');
    expect(await terminal.exit()).toBe(0);
    expect(playground.git('status', '--porcelain', '--untracked-files=all')).toBe(before);
  });

  it('028b N0: Clean gives up the old run and begins anew', async () => {
    await waitingRun(once());
    playground.write(`${active}/002-draft.md`, '# An old draft\n');
    const terminal = session(['issue', '--brief', brief, ...once()]);
    await terminal.answer('Your choice [R/N/C/A]', 'C');
    await terminal.see('Executing: N0_load_brief');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(playground.read('docs/lineage/done/1-export-csv/002-draft.md')).toContain('# Reports as CSV');
    expect((await playground.json<unknown[]>(['runs'])).length).toBe(1);
    expect(playground.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('030 N1: the editor cannot be run', async () => {
    const terminal = session(['issue', '--brief', brief, ...once()], {
      GATEWRIGHT_EDITOR: 'no-such-editor --wait',
    });
    await terminal.see('editor: your editor cannot be run: no-such-editor --wait');
    expect(await terminal.exit()).toBe(1);
    expect(terminal.output).toContain('GATEWRIGHT_EDITOR');
    expect(terminal.output).not.toContain('Calling');
  });

  it('040 N1: the forge does not know you, or lets you only read', async () => {
    await playground.run(['forge', 'label', 'list']);
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...once()], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('mallory has "none" permission on local/project');
    expect(result.stderr).toContain('gatewright forge permission set mallory write');
    expect(result.stderr).not.toContain('Calling');
    await playground.run(['forge', 'permission', 'set', 'mallory', 'write']);
    const again = await playground.run(['issue', '--resume', brief, '--auto', ...once()], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect(again.code, again.all).toBe(0);
  });

  it('050 N3: Revise loops to N2 and the drafter is called again', async () => {
    const models = cassette([draftText('First'), draftText('Second')], [approved]);
    const terminal = session(['issue', '--brief', brief, ...models]);
    await terminal.answer('Your choice [G/R/S]', 'R');
    await terminal.see('What should change?');
    await terminal.answer('> ', 'Name the size limit');
    await terminal.answer('> ', '');
    await terminal.see('>>> Iteration 2 | Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    expect(await terminal.exit()).toBe(0);
    expect(playground.list('docs/lineage/done/1-export-csv')).toEqual([
      '001-brief.md',
      '002-draft.md',
      '003-feedback.txt',
      '004-draft.md',
      '005-verdict.md',
      '006-filed.json',
    ]);
    expect(playground.read('docs/lineage/done/1-export-csv/003-feedback.txt')).toBe('Name the size limit\n');
  });

  it('060 N3: a revision keeps the draft away from the reviewer', async () => {
    const models = cassette([draftText('First'), draftText('Second')], [approved]);
    const terminal = session(['issue', '--brief', brief, ...models]);
    await terminal.answer('Your choice [G/R/S]', 'R');
    await terminal.answer('> ', '');
    await terminal.see('Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'S');
    expect(await terminal.exit()).toBe(10);
    const { ledger, views, close } = openRecords(playground);
    const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
    expect(entries.filter((entry) => entry.kind === 'verdict')).toEqual([]);
    expect(entries.filter((entry) => entry.kind === 'prompt-sent' && entry.data.role === 'reviewer')).toEqual(
      [],
    );
    close();
  });

  it('070 N5: Revise makes a new draft', async () => {
    const models = cassette([draftText('First'), draftText('Second')], [approved, approved]);
    const terminal = session(['issue', '--brief', brief, '--strict', ...models]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see('>>> Iteration 1 | Draft #1 | Verdict #1');
    await terminal.answer('Your choice [A/R/M]', 'R');
    await terminal.answer('> ', 'Shorter, please');
    await terminal.answer('> ', '');
    await terminal.see('>>> Iteration 2 | Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'A');
    expect(await terminal.exit()).toBe(0);
    const { forge, close } = openRecords(playground);
    expect((await forge.getIssue('local/project', 1)).title).toBe('Second');
    close();
  });

  it('080 N5: the verdict that a person edits is the one that counts', async () => {
    const sanitise = playground.editor(
      `case "$2" in *verdict.md) sed -i 's/BLOCK: no size limit/CLEANED TEXT/' "$2";; esac`,
    );
    const models = cassette([draftText('First'), draftText('Second')], [revise, approved]);
    const terminal = session(['issue', '--brief', brief, '--strict', ...models], {
      GATEWRIGHT_EDITOR: sanitise,
    });
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'R');
    await terminal.answer('> ', '');
    await terminal.see('Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'S');
    await terminal.exit();
    const told = (await readPrompts(playground, 'drafter')).at(-1) ?? '';
    expect(told).toContain('CLEANED TEXT');
    expect(told).not.toContain('no size limit');
  });

  it('090 N4: a draft without acceptance criteria is blocked', async () => {
    const incomplete = draftText('First').replace(/## Acceptance Criteria[\s\S]*?(?=## Definition)/u, '');
    const models = cassette([incomplete, draftText('Second')], [revise, approved]);
    const result = await playground.run([
      'issue',
      '--brief',
      brief,
      '--auto',
      '--max-iterations',
      '1',
      ...models,
    ]);
    expect(result.code).toBe(11);
    const verdict = playground.read(`${active}/003-verdict.md`);
    expect(verdict).toContain('Acceptance Criteria');
    expect(verdict).toContain('- [x] **REVISE**');
    // The mechanical check found it, so the reviewer was not paid.
    expect(result.stderr).not.toContain('Calling Gemini');
  });

  it('090b N4: a reviewer that blocks is in the verdict file', async () => {
    const models = cassette([draftText('First'), draftText('Second')], [revise, approved]);
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(result.code, result.all).toBe(0);
    expect(playground.read('docs/lineage/done/1-export-csv/003-verdict.md')).toContain(
      'BLOCK: no size limit',
    );
  });

  it('150 a closed terminal loses nothing', async () => {
    const models = once();
    const terminal = session(['issue', '--brief', brief, ...models]);
    await terminal.see('Your choice [G/R/S]');
    terminal.kill();
    await terminal.exit();
    const status = await playground.run(['status']);
    expect(status.stdout).toContain('interrupted');
    const again = session(['issue', '--resume', brief]);
    await again.see('>>> Iteration 1 | Draft #1');
    await again.answer('Your choice [G/R/S]', 'G');
    await again.answer('Enter to continue', '');
    await again.see('SUCCESS!');
    expect(await again.exit()).toBe(0);
    expect(again.output).not.toContain('Calling Claude');
  });

  it('160 two briefs side by side do not mix', async () => {
    playground.write(
      'ideas/active/other.md',
      '# Another idea\n\nSomething else entirely, with enough words to be a brief.\n',
    );
    const one = writeCassette(playground.folder, 'one', {
      drafts: [draftText('One')],
      verdicts: [approved],
      includes: 'report page',
    });
    const two = writeCassette(playground.folder, 'two', {
      drafts: [draftText('Two')],
      verdicts: [approved],
      includes: 'Something else',
    });
    const first = session(['issue', '--brief', brief, ...one]);
    const second = session(['issue', '--brief', 'ideas/active/other.md', ...two]);
    await first.see('Your choice [G/R/S]');
    await second.see('Your choice [G/R/S]');
    second.type('G');
    first.type('G');
    await second.answer('Enter to continue', '');
    await first.answer('Enter to continue', '');
    expect([await first.exit(), await second.exit()]).toEqual([0, 0]);
    const issues = await playground.json<{ title: string; body: string }[]>(['forge', 'issue', 'list']);
    expect(issues.map((issue) => issue.title).sort()).toEqual(['One', 'Two']);
    expect(
      playground
        .list('docs/lineage/done')
        .map((name) => name.replace(/^\d-/u, ''))
        .sort(),
    ).toEqual(['export-csv', 'other']);
  });

  it('170 ten rounds keep the numbers in order, none skipped, none used twice', async () => {
    const rounds = 12;
    const drafts = Array.from({ length: rounds }, (_, index) => draftText(`Draft ${index + 1}`));
    const verdicts = [...Array(rounds - 1).fill(revise), approved];
    const terminal = session(['issue', '--brief', brief, '--strict', ...cassette(drafts, verdicts)]);
    for (let round = 1; round < rounds; round += 1) {
      await terminal.answer('Your choice [G/R/S]', 'G');
      await terminal.answer('Your choice [A/R/M]', 'R');
      await terminal.answer('> ', `round ${round}`);
      await terminal.answer('> ', '');
    }
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'A');
    expect(await terminal.exit()).toBe(0);
    const names = playground.list('docs/lineage/done/1-export-csv');
    const kinds = [
      'brief.md',
      ...Array(rounds - 1)
        .fill(['draft.md', 'verdict.md', 'feedback.txt'])
        .flat(),
      'draft.md',
      'verdict.md',
      'filed.json',
    ];
    expect(names).toEqual(kinds.map((kind, index) => `${String(index + 1).padStart(3, '0')}-${kind}`));
    expect(names.length).toBeGreaterThan(30);
  });

  it('180 the lineage moves to done/ under the issue number', async () => {
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...once()]);
    expect(result.code, result.all).toBe(0);
    expect(playground.list('docs/lineage/active')).toEqual([]);
    const filed = JSON.parse(playground.read('docs/lineage/done/1-export-csv/004-filed.json'));
    expect(filed).toEqual({
      issue_number: 1,
      issue_url: 'local://local/project/issues/1',
      title: 'Reports as CSV',
      filed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u),
      brief_file: brief,
      total_iterations: 1,
      draft_count: 1,
      verdict_count: 1,
    });
    expect(playground.exists('ideas/done/1-export-csv.md')).toBe(true);
    expect(playground.exists(brief)).toBe(false);
  });

  it('190 one commit holds exactly these files', async () => {
    playground.write('README.md', '# Changed by somebody\n');
    playground.write('staged.txt', 'staged\n');
    playground.git('add', 'staged.txt');
    playground.write('loose.txt', 'untracked\n');
    const before = Number(playground.git('rev-list', '--count', 'HEAD'));
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...once()]);
    expect(result.code, result.all).toBe(0);
    expect(Number(playground.git('rev-list', '--count', 'HEAD'))).toBe(before + 1);
    const done = 'docs/lineage/done/1-export-csv';
    const names = playground
      .git('show', '--no-renames', '--name-status', '--format=', 'HEAD')
      .split('\n')
      .sort();
    expect(names).toEqual(
      [
        `A\t${done}/001-brief.md`,
        `A\t${done}/002-draft.md`,
        `A\t${done}/003-verdict.md`,
        `A\t${done}/004-filed.json`,
        'A\tideas/done/1-export-csv.md',
        `D\t${brief}`,
      ].sort(),
    );
    expect(playground.git('status', '--porcelain')).toBe(
      ['M README.md', 'A  staged.txt', '?? loose.txt'].join('\n'),
    );
    expect(playground.git('diff', '--name-only')).toBe('README.md');
  });
});
