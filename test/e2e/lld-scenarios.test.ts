/**
 * The scenarios of document 001 §10.1 for designs, by their ids. Those about filing do not apply: a design is not filed
 * on a forge, so there are no labels to make (100) and nothing that a forge can refuse, retry, edit or abort (110, 120,
 * 130, 140). What can fail in their place, an issue that changes meanwhile, stands in lld.test.ts.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, designText, revise } from '../support/cassettes.ts';
import { designModels, fileIssue, issueWords } from '../support/designs.ts';
import { readPrompts } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const active = 'docs/lineage/active/1-lld';
const done = 'docs/lineage/done/1-lld';
const path = 'docs/lld/active/LLD-1.md';

let playground: Playground;
let editor: string;

beforeEach(async () => {
  playground = new Playground();
  editor = playground.editor('echo "opened $*" >> "$0.log"');
  await fileIssue(playground);
});

afterEach(() => playground.remove());

const models = (drafts?: readonly string[], verdicts?: readonly (typeof approved)[]) =>
  designModels(playground, drafts, verdicts);
const two = (verdicts: readonly (typeof approved)[]) =>
  models([designText(1), designText(1, { title: 'Second' })], verdicts);

function session(args: readonly string[], env: Record<string, string> = {}): TerminalSession {
  return new TerminalSession(playground, args, { GATEWRIGHT_EDITOR: editor, ...env });
}

/** Makes a run that waits at its draft gate. */
async function waitingRun(): Promise<void> {
  const result = await playground.run(['lld', '1', ...models()]);
  expect(result.code, result.all).toBe(10);
}

describe('document 001 §10.1, designs', () => {
  it('010 happy path: approved at the first try', async () => {
    const terminal = session(['lld', '1', ...models()]);
    await terminal.see('Issue: #1');
    await terminal.see('>>> Iteration 1 | Draft #1');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('VERDICT PASSED');
    await terminal.see('SUCCESS!');
    await terminal.see(`Design: ${path}`);
    expect(await terminal.exit()).toBe(0);
    expect(playground.read(path)).toContain('# LLD-1: Reports can be downloaded');
  });

  it('020 N0: the issue does not exist', async () => {
    const result = await playground.run(['lld', '99', ...models()]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('(forge-not-found)');
    for (const typed of ['0', 'x', '1.5', '-1', '1e3']) {
      const wrong = await playground.run(['lld', typed, ...models()]);
      expect(wrong.code, typed).toBe(2);
    }
    expect(playground.exists('docs')).toBe(false);
  });

  it('025 N0: the short name is in use, and a choice is offered', async () => {
    await waitingRun();
    const terminal = session(['lld', '1', ...models()]);
    await terminal.see("Slug '1-lld' already exists in active/");
    await terminal.see('[R]esume existing / [N]ew name / [C]lean');
    await terminal.answer('Your choice [R/N/C/A]', 'A');
    expect(await terminal.exit()).toBe(0);
  });

  it('026 N0: Resume goes on from the last node', async () => {
    await waitingRun();
    const terminal = session(['lld', '1', ...models()]);
    await terminal.answer('Your choice [R/N/C/A]', 'R');
    await terminal.see('Design Workflow (resumed)');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(terminal.output).not.toContain('N0_load_brief');
    expect(playground.list(done)).toEqual([
      '001-brief.md',
      '002-draft.md',
      '003-verdict.md',
      '004-approved.json',
    ]);
  });

  it('027 N0: New name is asked until it is free and valid', async () => {
    await waitingRun();
    const terminal = session(['lld', '1', ...models()]);
    await terminal.answer('Your choice [R/N/C/A]', 'N');
    await terminal.answer('Enter new slug:', '../escape');
    await terminal.see('not allowed');
    await terminal.answer('Your choice [R/N/C/A]', 'N');
    await terminal.answer('Enter new slug:', '1-lld');
    await terminal.see('in use as well');
    await terminal.answer('Your choice [R/N/C/A]', 'N');
    await terminal.answer('Enter new slug:', 'foo');
    await terminal.answer('Your choice [G/R/S]', 'S');
    expect(await terminal.exit()).toBe(10);
    expect(playground.list('docs/lineage/active')).toEqual(['1-lld', 'foo']);
  });

  it('028 N0: Abort leaves everything as it is and exits with 0', async () => {
    await waitingRun();
    const before = playground.git('status', '--porcelain', '--untracked-files=all');
    const terminal = session(['lld', '1', ...models()]);
    await terminal.answer('Your choice [R/N/C/A]', 'A');
    expect(await terminal.exit()).toBe(0);
    expect(playground.git('status', '--porcelain', '--untracked-files=all')).toBe(before);
  });

  it('028b N0: Clean gives up the old run and begins anew', async () => {
    await waitingRun();
    playground.write(`${active}/002-draft.md`, '# An old draft\n');
    const terminal = session(['lld', '1', ...models()]);
    await terminal.answer('Your choice [R/N/C/A]', 'C');
    await terminal.see('Executing: N0_load_brief');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
    expect(playground.read(`${done}/002-draft.md`)).toBe(designText(1));
    expect((await playground.json<unknown[]>(['runs'])).length).toBe(1);
    expect(playground.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('030 N1: the editor cannot be run', async () => {
    const terminal = session(['lld', '1', ...models()], { GATEWRIGHT_EDITOR: 'no-such-editor --wait' });
    await terminal.see('editor: your editor cannot be run: no-such-editor --wait');
    expect(await terminal.exit()).toBe(1);
    expect(terminal.output).not.toContain('Calling');
  });

  it('040 N1: the forge does not know you, or lets you only read', async () => {
    const env = { GATEWRIGHT_ACTOR: 'mallory' };
    const result = await playground.run(['lld', '1', '--auto', ...models()], { env });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('mallory has "none" permission on local/project');
    expect(result.stderr).not.toContain('Calling');
    await playground.run(['forge', 'permission', 'set', 'mallory', 'write']);
    const again = await playground.run(['lld', '--resume', '1-lld', '--auto', ...models()], { env });
    expect(again.code, again.all).toBe(0);
  });

  it('050 N3: Revise loops to N2 and the drafter is called again', async () => {
    const terminal = session(['lld', '1', ...two([approved])]);
    await terminal.answer('Your choice [G/R/S]', 'R');
    await terminal.see('What should change?');
    await terminal.answer('> ', 'Name the size limit');
    await terminal.answer('> ', '');
    await terminal.see('>>> Iteration 2 | Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    expect(await terminal.exit()).toBe(0);
    expect(playground.list(done).map((name) => name.slice(4))).toEqual([
      'brief.md',
      'draft.md',
      'feedback.txt',
      'draft.md',
      'verdict.md',
      'approved.json',
    ]);
    const [first = '', second = ''] = await readPrompts(playground, 'drafter');
    expect(second).toContain('Name the size limit');
    // Prompts only ever grow at their end.
    expect(second.startsWith(first)).toBe(true);
  });

  it('060 N3: a revision keeps the draft away from the reviewer', async () => {
    const terminal = session(['lld', '1', ...two([approved])]);
    await terminal.answer('Your choice [G/R/S]', 'R');
    await terminal.answer('> ', '');
    await terminal.see('Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'S');
    expect(await terminal.exit()).toBe(10);
    expect(await readPrompts(playground, 'reviewer')).toEqual([]);
  });

  it('070 N5: Revise makes a new draft', async () => {
    const terminal = session(['lld', '1', '--strict', ...two([approved, approved])]);
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.see('>>> Iteration 1 | Draft #1 | Verdict #1');
    await terminal.answer('Your choice [A/R/M]', 'R');
    await terminal.answer('> ', 'Shorter, please');
    await terminal.answer('> ', '');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'A');
    expect(await terminal.exit()).toBe(0);
    expect(playground.read(path)).toContain('# LLD-1: Second');
    expect(playground.read(path)).toContain('**Final status:** APPROVED by alice');
  });

  it('080 N5: the verdict that a person edits is the one that counts', async () => {
    const sanitise = playground.editor(
      `case "$2" in *verdict.md) sed -i 's/BLOCK: no size limit/CLEANED TEXT/' "$2";; esac`,
    );
    const terminal = session(['lld', '1', '--strict', ...two([revise, approved])], {
      GATEWRIGHT_EDITOR: sanitise,
    });
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Your choice [A/R/M]', 'R');
    await terminal.answer('> ', '');
    await terminal.see('Draft #2');
    await terminal.answer('Your choice [G/R/S]', 'S');
    await terminal.exit();
    const told = (await readPrompts(playground, 'drafter')).at(-1);
    expect(told).toContain('CLEANED TEXT');
    expect(told).not.toContain('no size limit');
  });

  it('090 N4: a design of files that do not exist is blocked, and no reviewer is paid', async () => {
    const wrong = designText(1).replace('`README.md` | Modify', '`REDAME.md` | Modify');
    const result = await playground.run([
      ...['lld', '1', '--auto', '--max-iterations', '1'],
      ...models([wrong, designText(1)], [approved]),
    ]);
    expect(result.code).toBe(11);
    expect(result.stderr).not.toContain('Calling Gemini');
    const verdict = playground.read(`${active}/003-verdict.md`);
    expect(verdict).toContain('Did you mean \\`README.md\\`?');
    expect(verdict).toContain('- [x] **REVISE**');
    const again = await playground.run(['lld', '--resume', '1-lld', '--auto', '--max-iterations', '5']);
    expect(again.code, again.all).toBe(0);
    expect((await readPrompts(playground, 'drafter')).at(-1)).toContain('REDAME.md');
    expect(playground.read(path)).toMatch(/\| 1 \| \S+ \| mechanical checks \| REVISE \| 1 \|/u);
  });

  it('090b N4: a reviewer that blocks is in the verdict file', async () => {
    const result = await playground.run(['lld', '1', '--auto', ...two([revise, approved])]);
    expect(result.code, result.all).toBe(0);
    expect(playground.read(`${done}/003-verdict.md`)).toContain('BLOCK: no size limit');
    expect(playground.read(`${done}/003-verdict.md`)).toContain('prompt: 0702c-lld-review');
  });

  it('150 a closed terminal loses nothing', async () => {
    const terminal = session(['lld', '1', ...models()]);
    await terminal.see('Your choice [G/R/S]');
    terminal.kill();
    await terminal.exit();
    const status = await playground.run(['status']);
    expect(status.stdout).toContain('interrupted: its process was cut off while it asked at the draft gate');
    expect((await playground.run(['explain', '1'])).stdout).toContain('lld: interrupted');
    const again = session(['lld', '--resume', '1-lld']);
    await again.answer('Your choice [G/R/S]', 'G');
    await again.answer('Enter to continue', '');
    await again.see('SUCCESS!');
    expect(await again.exit()).toBe(0);
    expect(again.output).not.toContain('Calling Claude');
  });

  it('160 designs of two issues side by side do not mix', async () => {
    await fileIssue(playground, { title: 'Another', body: 'Something else entirely, in enough words.' });
    const first = session(['lld', '1', ...designModels(playground, [designText(1)], [approved], 'one')]);
    const second = session(['lld', '2', ...designModels(playground, [designText(2)], [approved], 'two')]);
    await first.see('Your choice [G/R/S]');
    await second.see('Your choice [G/R/S]');
    second.type('G');
    first.type('G');
    await second.answer('Enter to continue', '');
    await first.answer('Enter to continue', '');
    expect([await first.exit(), await second.exit()]).toEqual([0, 0]);
    expect(playground.list('docs/lld/active')).toEqual(['LLD-1.md', 'LLD-2.md']);
    expect(playground.list('docs/lineage/done')).toEqual(['1-lld', '2-lld']);
    expect(playground.read('docs/lineage/done/2-lld/001-brief.md')).not.toContain(issueWords.title);
  });

  it('170 ten rounds keep the numbers in order, none skipped, none used twice', async () => {
    const rounds = 11;
    const drafts = Array.from({ length: rounds }, (_, index) => designText(1, { title: `Draft ${index}` }));
    const verdicts = [...Array(rounds - 1).fill(revise), approved];
    const result = await playground.run(['lld', '1', '--auto', ...models(drafts, verdicts)]);
    expect(result.code, result.all).toBe(0);
    const kinds = Array(rounds).fill(['draft.md', 'verdict.md']).flat();
    expect(playground.list(done)).toEqual(
      ['brief.md', ...kinds, 'approved.json'].map(
        (kind, index) => `${String(index + 1).padStart(3, '0')}-${kind}`,
      ),
    );
  });

  it('180 the lineage moves to done/, with the approval', async () => {
    const result = await playground.run(['lld', '1', '--auto', ...models()]);
    expect(result.code, result.all).toBe(0);
    expect(playground.list('docs/lineage/active')).toEqual([]);
    expect(JSON.parse(playground.read(`${done}/004-approved.json`))).toMatchObject({
      issue_number: 1,
      lineage_path: done,
      draft_count: 1,
    });
  });

  it('190 one commit holds exactly these files', async () => {
    playground.write('README.md', '# Changed by somebody\n');
    playground.write('staged.txt', 'staged\n');
    playground.git('add', 'staged.txt');
    playground.write('loose.txt', 'untracked\n');
    const before = Number(playground.git('rev-list', '--count', 'HEAD'));
    const result = await playground.run(['lld', '1', '--auto', ...models()]);
    expect(result.code, result.all).toBe(0);
    expect(Number(playground.git('rev-list', '--count', 'HEAD'))).toBe(before + 1);
    const names = playground.git('show', '--no-renames', '--name-status', '--format=', 'HEAD').split('\n');
    const files = ['001-brief.md', '002-draft.md', '003-verdict.md', '004-approved.json'];
    expect(names.sort()).toEqual([...files.map((name) => `A\t${done}/${name}`), `A\t${path}`].sort());
    expect(playground.git('status', '--porcelain')).toBe(
      ['M README.md', 'A  staged.txt', '?? loose.txt'].join('\n'),
    );
  });
});
