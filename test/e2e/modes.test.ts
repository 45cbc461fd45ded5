/** How a run behaves under its options: auto, strict, test mode, dry run, limits, budgets, independence, no models. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { itLong } from '../support/it-long.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});

afterEach(() => playground.remove());

const cassette = (
  drafts: readonly (string | { quotaUntil: string })[],
  verdicts: readonly Record<string, unknown>[] | readonly (typeof approved)[],
  more = {},
) => writeCassette(playground.folder, 'modes', { drafts, verdicts: [...verdicts], ...more });

describe('without any model', () => {
  it('an ordinary brief becomes an issue, and it says that no model was used', async () => {
    const result = await playground.run(['issue', '--brief', brief, '--auto']);
    expect(result.code, result.all).toBe(0);
    expect(result.stderr).toContain('No model is used');
    expect(result.stderr).toContain('GATEWRIGHT_DRAFTER');
    const [issue] = await playground.json<{ title: string; body: string }[]>(['forge', 'issue', 'list']);
    expect(issue?.title).toBe('Export reports as CSV');
    expect(issue?.body).toContain('- [ ] a button on every report page');
  });

  it('a brief without anything to check is stopped with a reason, and a person can fill the gap', async () => {
    playground.write(
      'notes.md',
      '# A vague wish\n\nIt would be great if all of this were somehow more pleasant for everybody involved.\n',
    );
    const result = await playground.run(['issue', '--brief', 'notes.md', '--auto']);
    expect(result.code).toBe(11);
    expect(result.stderr).toContain('(no-progress)');
    const explained = await playground.run(['explain', 'notes.md']);
    expect(explained.stdout).toContain('returned the draft unchanged');
    expect(explained.stdout).toMatch(/gatewright issue --resume 01[0-9A-Z]{24}/u);
    const fill = playground.editor(
      `sed -i -e 's/^_Not in the brief: what has to be true.*$/- [ ] the start page loads in 2 seconds/' -e 's/^_Not in the brief: what is required.*$/1. a fast start page/' "$1"`,
    );
    const terminal = new TerminalSession(playground, ['issue', '--resume', 'notes.md'], {
      GATEWRIGHT_EDITOR: fill,
    });
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(playground.exists('notes.md')).toBe(true);
  });

  itLong('warns about a very short brief', async () => {
    playground.write('short.md', '# Go faster\n\n- twice as fast\n');
    const result = await playground.run(['issue', '--brief', 'short.md', '--auto']);
    expect(result.stderr).toContain('The brief has only');
  });
});

describe('--select', () => {
  it('lists ideas with their first heading; q quits', async () => {
    playground.write('ideas/active/b-second.md', 'no heading here\n');
    const terminal = new TerminalSession(playground, ['issue', '--select'], { GATEWRIGHT_EDITOR: 'true' });
    await terminal.see('[1] b-second.md');
    await terminal.see('no heading here');
    await terminal.see('[2] export-csv.md');
    await terminal.see('Export reports as CSV');
    await terminal.answer('Select idea [1-2, q]:', '7');
    await terminal.see('from 1 to 2');
    await terminal.answer('Select idea [1-2, q]:', 'q');
    expect(await terminal.exit()).toBe(0);
    expect(playground.exists('docs')).toBe(false);
  });

  it('needs a terminal', async () => {
    const result = await playground.run(['issue', '--select']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('use --brief FILE');
  });
});

describe('auto and test mode', () => {
  it.each(['GATEWRIGHT_AUTO_MODE', 'AGENTOS_AUTO_MODE'])('%s=1 asks nothing', async (name) => {
    const result = await playground.run(
      ['issue', '--brief', brief, ...cassette([draftText('T')], [approved])],
      { env: { [name]: '1' } },
    );
    expect(result.code, result.all).toBe(0);
  });

  it.each(['GATEWRIGHT_TEST_MODE', 'AGENTOS_TEST_MODE'])(
    '%s=1 takes the first idea and approves everything, on the record',
    async (name) => {
      const result = await playground.run(['issue', ...cassette([draftText('T')], [revise])], {
        env: { [name]: '1' },
      });
      expect(result.code, result.all).toBe(0);
      const { ledger, views, close } = openRecords(playground);
      const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
      expect(entries.filter((entry) => entry.kind === 'gate-answered').map((entry) => entry.actor)).toEqual([
        'policy:test-mode',
        'policy:test-mode',
      ]);
      close();
    },
  );

  it('auto opens the done folder at the end, on a terminal', async () => {
    const editor = playground.editor('echo "$*" >> "$0.log"');
    const terminal = new TerminalSession(
      playground,
      ['issue', '--brief', brief, '--auto', ...cassette([draftText('T')], [approved])],
      { GATEWRIGHT_EDITOR: editor },
    );
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    await expect
      .poll(() => playground.git('-C', playground.folder, 'hash-object', `${editor}.log`))
      .not.toBe('');
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(`${editor}.log`, 'utf8').trim()).toBe(
      playground.path('docs/lineage/done/1-export-csv'),
    );
  });

  it('a reviewer that asks to discuss stops auto mode, and asks a person otherwise', async () => {
    const discuss = {
      decision: 'DISCUSS',
      summary: 'A person has to choose.',
      findings: [],
      questions: ['Which market first?'],
    };
    const models = cassette([draftText('T')], [discuss]);
    const auto = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(auto.code).toBe(11);
    expect(auto.stderr).toContain('(verdict-undecided)');
    const terminal = new TerminalSession(playground, ['issue', '--resume', brief, ...models], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.see('Against the verdict: The verdict says DISCUSS.');
    await terminal.answer('Approve anyway? [Y/N]', 'Y');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
  });

  itLong('an approval that lists something blocking approves nothing', async () => {
    const contradiction = { ...revise, decision: 'APPROVED' as const };
    const models = cassette([draftText('A'), draftText('B')], [contradiction, approved]);
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(result.code, result.all).toBe(0);
    const [issue] = await playground.json<{ title: string }[]>(['forge', 'issue', 'list']);
    expect(issue?.title).toBe('B');
    expect(playground.read('docs/lineage/done/1-export-csv/003-verdict.md')).toContain('- [x] **REVISE**');
  });

  it('--auto and --strict contradict each other', async () => {
    expect((await playground.run(['issue', '--brief', brief, '--auto', '--strict'])).code).toBe(2);
  });
});

describe('limits', () => {
  it('stops after the allowed rounds and says how to go on', async () => {
    const models = cassette(
      [1, 2, 3].map((number) => draftText(`Draft ${number}`)),
      [revise, revise, approved],
    );
    const result = await playground.run([
      'issue',
      '--brief',
      brief,
      '--auto',
      '--max-iterations',
      '2',
      ...models,
    ]);
    expect(result.code).toBe(11);
    expect(result.stderr).toContain('(iteration-limit)');
    const explained = await playground.run(['explain', brief]);
    expect(explained.stdout).toMatch(/gatewright issue --resume 01[0-9A-Z]{24} --max-iterations 12/u);
    const again = await playground.run([
      'issue',
      '--resume',
      brief,
      '--auto',
      '--max-iterations',
      '12',
      ...models,
    ]);
    expect(again.code, again.all).toBe(0);
  });

  it('checks the budget before a call, and goes on when it is raised', async () => {
    const models = cassette([draftText('T')], [approved]);
    const poor = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
      env: { GATEWRIGHT_BUDGET_RUN_TOKENS: '100' },
    });
    expect(poor.code).toBe(11);
    expect(poor.stderr).toContain('(budget-exceeded)');
    expect(poor.stderr).toContain('GATEWRIGHT_BUDGET_RUN_TOKENS');
    expect(poor.stderr).not.toContain('Calling');
    const rich = await playground.run(['issue', '--resume', brief, '--auto', ...models]);
    expect(rich.code, rich.all).toBe(0);
  });

  it('pauses when a model is out of quota, and goes on with the same step, at no cost', async () => {
    const until = '2099-01-01T00:00:00Z';
    const empty = cassette([{ quotaUntil: until }], [approved]);
    const paused = await playground.run([
      'issue',
      '--brief',
      brief,
      '--auto',
      '--max-iterations',
      '1',
      ...empty,
    ]);
    expect(paused.code, paused.all).toBe(12);
    expect(paused.stderr).toContain(`out of quota until ${until}`);
    expect(await playground.json(['status'])).toMatchObject({
      stopped: [{ status: 'paused', reason: { until } }],
    });
    const full = cassette([draftText('T')], [approved]);
    const resumed = await playground.run([
      'issue',
      '--resume',
      brief,
      '--auto',
      '--max-iterations',
      '1',
      ...full,
    ]);
    expect(resumed.code, resumed.all).toBe(0);
    expect(playground.read('docs/lineage/done/1-export-csv/004-filed.json')).toContain(
      '"total_iterations": 1',
    );
  });

  itLong(
    'refuses a reviewer of the drafter’s family unless that is waived, and records the waiver',
    async () => {
      const models = cassette([draftText('T')], [approved], { reviewerModel: 'claude-other' });
      const refused = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('both of the family "claude"');
      expect(refused.stderr).not.toContain('Calling');
      const waived = await playground.run([
        'issue',
        '--resume',
        brief,
        '--auto',
        '--waive-independence',
        'only one key',
        ...models,
      ]);
      expect(waived.code, waived.all).toBe(0);
      const { ledger, views, close } = openRecords(playground);
      const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
      expect(entries.find((entry) => entry.kind === 'independence-waived')).toMatchObject({
        data: { why: 'only one key' },
      });
      close();
    },
  );

  itLong('lists every failed check at once', async () => {
    playground.git('config', 'user.useConfigOnly', 'true');
    playground.git('config', '--unset', 'user.name');
    playground.git('config', '--unset', 'user.email');
    playground.write('.gitignore', 'docs/\n');
    const models = cassette([draftText('T')], [approved], { reviewerModel: 'claude-other' });
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    for (const part of [
      'git does not know your name and address',
      'git ignores docs/lineage',
      'independence',
    ])
      expect(result.stderr).toContain(part);
  });
});

describe('--dry-run', () => {
  it('shows what would be done and changes nothing', async () => {
    const models = cassette([draftText('A'), draftText('B', { labels: '`reports`' })], [revise, approved]);
    const before = playground.git('status', '--porcelain', '--untracked-files=all');
    const result = await playground.run(['issue', '--brief', brief, '--dry-run', ...models]);
    expect(result.code, result.all).toBe(0);
    expect(result.stdout.trim().split('\n')).toEqual([
      'write-file docs/lineage/active/export-csv/001-brief.md',
      'make-worktree',
      'write-file docs/lineage/active/export-csv/002-draft.md',
      'write-file docs/lineage/active/export-csv/003-verdict.md',
      'write-file docs/lineage/active/export-csv/004-draft.md',
      'write-file docs/lineage/active/export-csv/005-verdict.md',
      'ensure-label reports',
      'create-issue "B" in local/project',
      'write-file docs/lineage/active/export-csv/006-filed.json',
      expect.stringMatching(/^move-path docs\/lineage\/active\/export-csv → /u),
      expect.stringMatching(/^move-path ideas\/active\/export-csv.md → /u),
      expect.stringMatching(/^commit-files/u),
      'remove-worktree',
    ]);
    expect(playground.git('status', '--porcelain', '--untracked-files=all')).toBe(before);
    expect(playground.git('rev-list', '--count', 'HEAD')).toBe('1');
    expect(await playground.json(['forge', 'issue', 'list'])).toEqual([]);
    expect(await playground.json(['forge', 'label', 'list'])).toEqual([]);
    const real = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(real.code, real.all).toBe(0);
  });
});

describe('another repository', () => {
  it('--repo PATH files there, with the lineage there', async () => {
    const other = new Playground({ name: 'other' });
    const models = cassette([draftText('T')], [approved]);
    const result = await playground.run([
      'issue',
      '--brief',
      brief,
      '--auto',
      '--repo',
      other.repository,
      ...models,
    ]);
    expect(result.code, result.all).toBe(0);
    expect(result.stdout).toContain('local://local/other/issues/1');
    expect(other.list('docs/lineage/done')).toEqual(['1-export-csv']);
    expect(playground.exists('docs')).toBe(false);
    expect(other.read('docs/lineage/done/1-export-csv/004-filed.json')).toContain(
      '"brief_file": "export-csv.md"',
    );
    other.remove();
  });

  it('--repo OWNER/NAME files there and keeps the lineage here', async () => {
    const other = new Playground({ name: 'other' });
    await playground.run(['forge', 'issue', 'list', '--repo', other.repository]);
    const models = cassette([draftText('T')], [approved]);
    const result = await playground.run([
      'issue',
      '--brief',
      brief,
      '--auto',
      '--repo',
      'local/other',
      ...models,
    ]);
    expect(result.code, result.all).toBe(0);
    expect(result.stdout).toContain('local://local/other/issues/1');
    expect(playground.list('docs/lineage/done')).toEqual(['1-export-csv']);
    const unknown = await playground.run(['forge', 'issue', 'list', '--repo', 'local/nothing']);
    expect(unknown.stderr).toContain('(forge-not-found)');
    other.remove();
  });
});
