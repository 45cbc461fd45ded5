/** The scenarios of document 001 §10.1 about filing: labels, a forge that refuses, and what a person can do then. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
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

describe('document 001 §10.1, filing', () => {
  it('100 N6: a label that is missing is made', async () => {
    const models = cassette([draftText('Labels', { labels: '`enhancement`, `brand new`' })], [approved]);
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(result.code, result.all).toBe(0);
    const labels = await playground.json<{ name: string; colour: string }[]>(['forge', 'label', 'list']);
    expect(labels).toEqual([
      { name: 'brand new', colour: 'ededed', description: '' },
      { name: 'enhancement', colour: 'a2eeef', description: '' },
    ]);
  });

  describe('when the forge refuses', () => {
    const title = 'Reports as CSV';

    /** The forge stops taking issues from alice after the run has passed its preflight. */
    async function atFilingGate(): Promise<TerminalSession> {
      const terminal = session([
        'issue',
        '--brief',
        brief,
        ...cassette([draftText(title)], [approved, approved]),
      ]);
      await terminal.see('Your choice [G/R/S]');
      const { forge, close } = openRecords(playground);
      await forge.setPermission('local/project', 'root', 'admin');
      await forge.setPermission('local/project', 'alice', 'none');
      close();
      terminal.type('G');
      await terminal.answer('Enter to continue', '');
      await terminal.see('The issue was not filed:');
      return terminal;
    }

    async function mend(): Promise<void> {
      await playground.run(['forge', 'permission', 'set', 'alice', 'admin'], {
        env: { GATEWRIGHT_ACTOR: 'root' },
      });
    }

    it('110 N6: Retry, Edit and Abort are offered and nothing is lost', async () => {
      const terminal = await atFilingGate();
      await terminal.see('[R]etry');
      await terminal.see('[E]dit');
      await terminal.see('[A]bort');
      await terminal.answer('Your choice [R/E/A]', 'A');
      await terminal.exit();
      expect(playground.list(active)).toEqual(['001-brief.md', '002-draft.md', '003-verdict.md']);
    });

    it('120 N6: Retry tries again', async () => {
      const terminal = await atFilingGate();
      await terminal.answer('Your choice [R/E/A]', 'R');
      await terminal.see('The issue was not filed:');
      await mend();
      await terminal.answer('Your choice [R/E/A]', 'R');
      await terminal.see('SUCCESS!');
      expect(await terminal.exit()).toBe(0);
      expect((await playground.json<unknown[]>(['forge', 'issue', 'list'])).length).toBe(1);
    });

    it('130 N6: Edit goes back to N5, opens the editor again, and an edited draft is reviewed again', async () => {
      const terminal = await atFilingGate();
      await mend();
      const log = `${editor}.log`;
      const opened = () => playground.git('-C', playground.folder, 'hash-object', log);
      const before = opened();
      playground.write(`${active}/002-draft.md`, draftText('A better title'));
      await terminal.answer('Your choice [R/E/A]', 'E');
      await terminal.see('Executing: N5_human_edit_verdict');
      await terminal.see('>>> Opening: docs/lineage/active/export-csv/002-draft.md');
      await terminal.answer('Your choice [A/R/M]', 'A');
      await terminal.see('Executing: N4_review');
      await terminal.answer('Enter to continue', '');
      await terminal.see('SUCCESS!');
      expect(await terminal.exit()).toBe(0);
      expect(opened()).not.toBe(before);
      const { forge, close } = openRecords(playground);
      expect((await forge.getIssue('local/project', 1)).title).toBe('A better title');
      close();
    });

    it('140 N6: Abort exits with an error and the files stay in active/', async () => {
      const terminal = await atFilingGate();
      await terminal.answer('Your choice [R/E/A]', 'A');
      expect(await terminal.exit()).toBe(1);
      expect(terminal.output).toMatch(/gatewright issue --resume 01[0-9A-Z]{24}/u);
      expect(playground.exists(`${active}/002-draft.md`)).toBe(true);
      await mend();
      const again = session(['issue', '--resume', brief]);
      await again.answer('Your choice [R/E/A]', 'R');
      await again.see('SUCCESS!');
      expect(await again.exit()).toBe(0);
    });
  });
});
