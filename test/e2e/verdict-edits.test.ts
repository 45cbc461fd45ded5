/** The verdict that a person edits at N5 is the one that counts, and what is committed is what was decided on. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitCommittedFiles } from '../../src/adapters/git/git-committed-files.ts';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { EntryOf } from '../../src/domain/ledger/ledger-entry.ts';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { itLong } from '../support/it-long.ts';
import { openRecords, readPrompts } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const active = 'docs/lineage/active/export-csv';
const done = 'docs/lineage/done/1-export-csv';
const verdictFile = `${active}/003-verdict.md`;
const question = 'Enter to continue';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});

afterEach(() => playground.remove());

const models = (...verdicts: Record<string, unknown>[]) =>
  writeCassette(playground.folder, 'verdicts', {
    drafts: [draftText('First'), draftText('Second'), draftText('Third')],
    verdicts,
  });

const plain: Record<string, unknown> = { ...approved };
const blocked: Record<string, unknown> = { ...revise };
const discuss = { decision: 'DISCUSS', summary: 'Choose.', findings: [], questions: ['Which market?'] };

function session(args: readonly string[], editor = 'true'): TerminalSession {
  return new TerminalSession(playground, args, { GATEWRIGHT_EDITOR: editor });
}

function edit(change: (text: string) => string, path = verdictFile): void {
  playground.write(path, change(playground.read(path)));
}

const moveTick = (label: string) => (text: string) =>
  text.replace('[x]', '[ ]').replace(`[ ] **${label}**`, `[x] **${label}**`);

const approveByHand = (text: string) =>
  moveTick('APPROVED')(text).replace(/## Blocking\n\n(?:- .*\n(?: {2}.*\n)*)+\n/u, '');

async function readAnswers(): Promise<EntryOf<'gate-answered'>[]> {
  const { ledger, views, close } = openRecords(playground);
  const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
  close();
  return entries.filter((entry): entry is EntryOf<'gate-answered'> => entry.kind === 'gate-answered');
}

async function openGate(): Promise<string> {
  const [gate] = await playground.json<{ id: string }[]>(['gates']);
  return gate?.id ?? '';
}

describe('in default mode, at a terminal', () => {
  it('an approval that the person turns into a revision goes back to the drafter, with the remarks', async () => {
    const terminal = session(['issue', '--brief', brief, ...models(plain, plain)]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see('The verdict says APPROVED: the run continues with this draft.');
    await terminal.see(question);
    edit((text) => moveTick('REVISE')(text).replace('Ready.', 'Name the size limit, please.'));
    const decided = playground.read(verdictFile);
    terminal.type('');
    await terminal.see('VERDICT HAS FEEDBACK');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer(question, '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect((await readPrompts(playground, 'drafter')).at(-1)).toContain('Name the size limit, please.');
    const [, answer] = await readAnswers();
    expect(answer).toMatchObject({
      actor: 'alice',
      data: {
        answer: {
          choice: 'revise',
          by: 'person',
          seen: { verdict: sha256(decided) },
          verdict: { decision: 'REVISE', isEdited: true },
        },
      },
    });
    expect(playground.git('show', `HEAD:${done}/003-verdict.md`)).toBe(decided.trim());
    const shown = await playground.run(['ledger', 'show', 'export-csv']);
    expect(shown.stdout).toContain('revise by alice on an edited verdict that says REVISE');
    expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
  });

  it('a blocked draft that the person approves after deleting what blocks is filed', async () => {
    const terminal = session(['issue', '--brief', brief, ...models(blocked)]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see('The verdict says REVISE: the draft goes back to the drafter.');
    await terminal.see(question);
    // As an editor on Windows saves it.
    edit((text) => `\uFEFF${approveByHand(text).replaceAll('\n', '\r\n')}`);
    terminal.type('');
    await terminal.see('VERDICT PASSED, as you edited it');
    expect(await terminal.exit()).toBe(0);
    expect((await readAnswers()).at(-1)?.data.answer).toMatchObject({
      choice: 'approve',
      by: 'person',
      verdict: { decision: 'APPROVED', isEdited: true },
    });
  });

  it('what cannot be read decides nothing: the person is told why and asked again', async () => {
    const terminal = session(['issue', '--brief', brief, ...models(blocked)]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see(question);
    edit(moveTick('APPROVED'));
    terminal.type('');
    await terminal.see(
      'The verdict cannot be read, so it decides nothing: Approval is ticked, but something',
    );
    await terminal.see(question);
    edit((text) =>
      approveByHand(text).replace('ready to go on as it is', 'but only after the limit is named'),
    );
    terminal.type('');
    await terminal.see('The ticked box says more than its label.');
    await terminal.see(question);
    edit((text) => text.replace('but only after the limit is named', 'ready to go on as it is'));
    terminal.type('');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(await readAnswers()).toHaveLength(2);
  });

  it('E opens the editor, waits, and shows what the verdict says then; nothing is recorded before Enter', async () => {
    const editor = playground.editor(
      `case "$2" in *verdict.md) [ -e "$0.done" ] && sed -i -e 's/\\[x\\]/[ ]/' -e 's/\\[ \\] \\*\\*DISCUSS/[x] **DISCUSS/' "$2"; touch "$0.done";; esac`,
    );
    const terminal = session(['issue', '--brief', brief, ...models(plain)], editor);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer(question, 'x');
    await terminal.see('Please press Enter, or answer with E or M.');
    expect(await readAnswers()).toHaveLength(1);
    // Shown beside the workflow, the editor changes nothing the first time.
    await expect.poll(() => existsSync(`${editor}.done`)).toBe(true);
    await terminal.answer(question, 'E');
    // The person turned it into a question for a person: they are asked.
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.see('Against the verdict: The verdict says DISCUSS.');
    await terminal.answer('Approve anyway? [Y/N]', 'Y');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect((await readAnswers()).at(-1)?.data.answer).toMatchObject({
      choice: 'approve',
      isAgainstVerdict: true,
    });
  });

  itLong(
    'M leaves the gate open; an unread verdict that nobody touched decides as the reviewer did',
    async () => {
      const args = models(plain);
      const terminal = session(['issue', '--brief', brief, ...args]);
      await terminal.answer('Your choice [G/R/S]', 'G');
      await terminal.answer(question, 'M');
      expect(await terminal.exit()).toBe(10);
      const again = session(['issue', '--resume', brief, ...args]);
      await again.answer(question, '');
      expect(await again.exit()).toBe(0);
      expect((await readAnswers()).at(-1)).toMatchObject({
        actor: 'policy:verdict',
        data: { answer: { verdict: { decision: 'APPROVED', isEdited: false } } },
      });
    },
  );

  it('goes on when it is answered elsewhere', async () => {
    const terminal = session(['issue', '--brief', brief, ...models(plain)]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see(question);
    const answered = await playground.run(['gate', 'answer', await openGate(), '--choice', 'approve']);
    expect(answered.code, answered.all).toBe(0);
    await terminal.see('Answered in another process; continuing.');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
  });
});

describe('without a terminal', () => {
  itLong('an edited verdict that cannot be read leaves the gate open and says why', async () => {
    const args = models(discuss);
    expect((await playground.run(['issue', '--brief', brief, ...args])).code).toBe(10);
    expect((await playground.run(['gate', 'answer', await openGate(), '--choice', 'send'])).code).toBe(10);
    edit((text) => `${moveTick('APPROVED')(text)}\nBut only after Legal has seen it.\n`);
    const waiting = await playground.run(['issue', '--resume', brief, '--no-input', ...args]);
    expect(waiting.code, waiting.all).toBe(10);
    expect(waiting.stderr).toContain('the verdict cannot be read: Something is written after the boxes');
    const refused = await playground.run(['gate', 'answer', await openGate(), '--choice', 'approve']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('(verdict-not-approved)');
    expect(refused.stderr).toContain('--against-verdict');
    const auto = await playground.run(['issue', '--resume', brief, '--auto', ...args]);
    expect(auto.code).toBe(11);
    expect(auto.stderr).toContain('(verdict-undecided)');
    const confirmed = await playground.run([
      ...['gate', 'answer', await openGate(), '--choice', 'approve', '--against-verdict'],
    ]);
    expect(confirmed.code, confirmed.all).toBe(0);
    expect((await readAnswers()).at(-1)?.data.answer).toMatchObject({
      by: 'person',
      isAgainstVerdict: true,
      verdict: { decision: null, isEdited: true },
    });
  });

  it('one that can be read decides when the run goes on', async () => {
    const args = models(discuss);
    await playground.run(['issue', '--brief', brief, ...args]);
    await playground.run(['gate', 'answer', await openGate(), '--choice', 'send']);
    edit(moveTick('APPROVED'));
    const resumed = await playground.run(['issue', '--resume', brief, '--no-input', ...args]);
    expect(resumed.code, resumed.all).toBe(0);
    expect((await readAnswers()).at(-1)?.data.answer).toMatchObject({
      choice: 'approve',
      verdict: { decision: 'APPROVED', isEdited: true },
    });
  });
});

describe('in strict mode', () => {
  it('approving against the verdict says so and asks once more', async () => {
    const terminal = session(['issue', '--brief', brief, '--strict', ...models(blocked)]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.see('Against the verdict: The verdict says REVISE.');
    await terminal.answer('Approve anyway? [Y/N]', 'N');
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.answer('Approve anyway? [Y/N]', 'Y');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect((await readAnswers()).at(-1)?.data.answer).toMatchObject({
      choice: 'approve',
      isAgainstVerdict: true,
      verdict: { decision: 'REVISE', isEdited: false },
    });
    const shown = await playground.run(['ledger', 'show', 'export-csv']);
    expect(shown.stdout).toContain('approve by alice against the verdict');
  });

  it('approving with the verdict asks nothing more', async () => {
    const terminal = session(['issue', '--brief', brief, '--strict', ...models(plain)]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'A');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(terminal.output).not.toContain('Against the verdict');
  });
});

describe('ledger verify', () => {
  it('notices a commit that holds another verdict than was decided on', async () => {
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models(plain)]);
    expect(result.code, result.all).toBe(0);
    expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
    const commit = playground.git('rev-parse', 'HEAD');
    const verdict = `${done}/003-verdict.md`;
    const decided = new Map([[verdict, playground.read(verdict)]]);
    edit(moveTick('REVISE'), verdict);
    playground.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    const amended = playground.git('rev-parse', 'HEAD');
    const files = new GitCommittedFiles(playground.environment);
    const look = (root: string, at: string, texts = decided) => files.findDiffering(root, at, texts);
    expect(await look(playground.repository, amended)).toEqual([verdict]);
    expect(await look(playground.repository, commit)).toEqual([]);
    // Line ends, a commit and a folder that are not there: nothing that could be held against anybody.
    const withEnds = new Map([...decided].map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));
    expect(await look(playground.repository, commit, withEnds)).toEqual([]);
    expect(await look(playground.repository, 'f'.repeat(40))).toEqual([]);
    expect(await look(playground.path('gone'), commit)).toEqual([]);
    // As if the run had committed what lay there: git shows the other commit in place of the one that is on the ledger.
    playground.git('replace', commit, amended);
    const verified = await playground.run(['ledger', 'verify']);
    expect(verified.code, verified.all).toBe(1);
    expect(verified.stdout).toContain(`${verdict} in the commit ${commit.slice(0, 8)}`);
    expect(verified.stdout).toContain('differs from the recorded text');
  });
});

describe('an edit after the decision', () => {
  it('is not committed in its place, and is not lost', async () => {
    const args = models(plain);
    await playground.run(['issue', '--brief', brief, '--strict', ...args]);
    await playground.run(['gate', 'answer', await openGate(), '--choice', 'send', '--no-run']);
    expect((await playground.run(['issue', '--resume', brief, ...args])).code).toBe(10);
    await playground.run(['gate', 'answer', await openGate(), '--choice', 'approve', '--no-run']);
    const decided = playground.read(verdictFile);
    edit(moveTick('REVISE'));
    edit((text) => text.replace('One sentence.', 'Another sentence.'), `${active}/002-draft.md`);
    const late = playground.read(verdictFile);
    const resumed = await playground.run(['issue', '--resume', brief, ...args]);
    expect(resumed.code, resumed.all).toBe(0);
    expect(resumed.stderr).toContain('003-verdict.md was changed after its gate was answered.');
    expect(playground.git('show', `HEAD:${done}/003-verdict.md`)).toBe(decided.trim());
    expect(playground.git('show', `HEAD:${done}/002-draft.md`)).toContain('One sentence.');
    expect(playground.read(`${done}/003-verdict.md`)).toBe(late);
    expect(
      playground
        .git('status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([`M ${done}/002-draft.md`, `M ${done}/003-verdict.md`]);
    expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
  });
});
