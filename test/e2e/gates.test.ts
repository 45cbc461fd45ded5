/** Gates answered from elsewhere: the first valid answer wins, and it counts only for what was seen. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { itLong } from '../support/it-long.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const draftFile = 'docs/lineage/active/export-csv/002-draft.md';

let playground: Playground;
let models: string[];

beforeEach(() => {
  playground = new Playground();
  models = writeCassette(playground.folder, 'gates', {
    drafts: [draftText('First'), draftText('Second')],
    verdicts: [approved, approved],
  });
});

afterEach(() => playground.remove());

async function waitAtGate(...options: string[]): Promise<string> {
  const result = await playground.run(['issue', '--brief', brief, ...options, ...models]);
  expect(result.code, result.all).toBe(10);
  const gates = await playground.json<{ id: string }[]>(['gates']);
  expect(gates).toHaveLength(1);
  return gates[0]?.id ?? '';
}

describe('a waiting run', () => {
  it('says what it waits for and how to answer', async () => {
    const result = await playground.run(['issue', '--brief', brief, ...models]);
    expect(result.code).toBe(10);
    const [gate] = await playground.json<{ id: string; kind: string; choices: { name: string }[] }[]>([
      'gates',
    ]);
    expect(result.stderr).toContain(`\nwaiting for a person at the draft gate (${gate?.id})\n`);
    expect(result.stderr).toContain(`Answer it with: gatewright gate answer ${gate?.id} --choice send\n`);
    expect(result.stderr).toContain(
      `or: gatewright gate answer ${gate?.id} --choice revise --feedback "TEXT"\n`,
    );
    expect(result.stderr).toMatch(/gatewright issue --resume 01[0-9A-Z]{24}/u);
    expect(gate?.choices.map((choice) => choice.name)).toEqual(['send', 'revise']);
    expect((await playground.run(['gates'])).stdout).toContain('choices: send, revise\n');
    const status = await playground.run(['status']);
    expect(status.stdout).toContain('Waiting for you (1)');
    expect(status.stdout).toContain(`draft gate ${gate?.id}`);
    expect(status.stdout).toContain(
      `answer: gatewright gate answer ${gate?.id} --choice send\n   or: gatewright gate answer ${gate?.id} --choice revise --feedback "TEXT"\n`,
    );
    const explained = await playground.run(['explain', brief]);
    expect(explained.stdout).toContain(`the draft gate ${gate?.id} has to be answered (send or revise)`);
    expect(explained.stdout).toContain('a person with write permission on local/project');
  });

  itLong('explains a verdict that does not approve with a command that is not refused', async () => {
    const cassette = writeCassette(playground.folder, 'revise', {
      drafts: [draftText('First'), draftText('Second')],
      verdicts: [revise, approved],
    });
    await playground.run(['issue', '--brief', brief, '--strict', ...cassette]);
    const [draft] = await playground.json<{ id: string }[]>(['gates']);
    await playground.run(['gate', 'answer', draft?.id ?? '', '--choice', 'send']);
    const [gate] = await playground.json<{ id: string; kind: string }[]>(['gates']);
    expect(gate?.kind).toBe('verdict');
    const { stdout } = await playground.run(['explain', brief]);
    expect(stdout).toContain(`has to be answered (approve or revise): the verdict says REVISE`);
    const command = /run: gatewright (gate answer .+)/u.exec(stdout)?.[1] ?? '';
    const answered = await playground.run(command.split(' '));
    expect(answered.all).toContain(`Recorded: revise at gate ${gate?.id}`);
  });

  itLong('offers in every list only answers that get on', async () => {
    const cassette = writeCassette(playground.folder, 'against', {
      drafts: [draftText('First')],
      verdicts: [revise],
    });
    await playground.run(['issue', '--brief', brief, '--strict', ...cassette]);
    const [draft] = await playground.json<{ id: string }[]>(['gates']);
    const waiting = await playground.run(['gate', 'answer', draft?.id ?? '', '--choice', 'send']);
    const status = await playground.run(['status']);
    for (const said of [waiting.stderr, status.stdout]) {
      expect(said).not.toMatch(/--choice approve$/mu);
      expect(said).toMatch(/--choice revise --feedback "TEXT"\n.*--choice approve --against-verdict\n/u);
    }
    const command = /gatewright (gate answer \S+ --choice approve --against-verdict)/u.exec(status.stdout);
    const approvedNow = await playground.run((command?.[1] ?? '').split(' '));
    expect(approvedNow.code, approvedNow.all).toBe(0);
  });

  it('goes on when its gate is answered from another terminal', async () => {
    const id = await waitAtGate();
    const result = await playground.run(['gate', 'answer', id, '--choice', 'send']);
    expect(result.code, result.all).toBe(0);
    expect(result.stdout).toContain('local://local/project/issues/1');
  });

  it('takes feedback with the answer and waits again', async () => {
    const id = await waitAtGate();
    const result = await playground.run([
      'gate',
      'answer',
      id,
      '--choice',
      'revise',
      '--feedback',
      'Say how large it may be',
    ]);
    expect(result.code, result.all).toBe(10);
    expect(playground.read('docs/lineage/active/export-csv/003-feedback.txt')).toBe(
      'Say how large it may be\n',
    );
    expect(playground.read('docs/lineage/active/export-csv/004-draft.md')).toContain('# Second');
    const [next] = await playground.json<{ id: string; iteration: number }[]>(['gates']);
    expect(next).toMatchObject({ iteration: 2 });
    expect(next?.id).not.toBe(id);
  });

  itLong('sends the edited draft on, not the one the model wrote', async () => {
    const id = await waitAtGate();
    playground.write(draftFile, draftText('Edited by a person'));
    await playground.run(['gate', 'answer', id, '--choice', 'send']);
    const [issue] = await playground.json<{ title: string }[]>(['forge', 'issue', 'list']);
    expect(issue?.title).toBe('Edited by a person');
  });

  it('refuses an answer to content that has changed', async () => {
    const id = await waitAtGate();
    const shown = sha256(playground.read(draftFile)).slice(0, 8);
    playground.write(draftFile, draftText('Edited meanwhile'));
    const refused = await playground.run(['gate', 'answer', id, '--choice', 'send', '--expect', shown]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('(gate-content-changed)');
    const now = sha256(playground.read(draftFile)).slice(0, 12);
    expect((await playground.run(['gate', 'answer', id, '--choice', 'send', '--expect', now])).code).toBe(0);
  });

  it('takes the first answer only', async () => {
    const id = await waitAtGate();
    const answers = await Promise.all(
      ['send', 'send', 'send', 'send'].map((choice) =>
        playground.run(['gate', 'answer', id, '--choice', choice, '--no-run']),
      ),
    );
    expect(answers.map((answer) => answer.code).sort()).toEqual([0, 1, 1, 1]);
    const late = await playground.run(['gate', 'answer', id, '--choice', 'revise']);
    expect(late.stderr).toContain('(gate-answered)');
    const resumed = await playground.run(['issue', '--resume', brief, ...models]);
    expect(resumed.code, resumed.all).toBe(0);
  });

  it('refuses choices it does not offer, unknown gates and people without the right', async () => {
    const id = await waitAtGate();
    const cases = [
      [['gate', 'answer', id, '--choice', 'approve'], 'gate-choice-invalid'],
      [['gate', 'answer', id, '--choice', 'save'], 'gate-choice-invalid'],
      [['gate', 'answer', 'GXXXXXX', '--choice', 'send'], 'gate-not-found'],
      [['gate', 'answer', id], 'usage'],
    ] as const;
    for (const [args, code] of cases) expect((await playground.run(args)).stderr).toContain(`(${code})`);
    const outsider = await playground.run(['gate', 'answer', id, '--choice', 'send'], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect(outsider.code).toBe(4);
    expect(outsider.stderr).toContain('(forge-forbidden)');
    expect(await playground.json<unknown[]>(['gates'])).toHaveLength(1);
  });

  itLong('is not lost when the draft file is removed', async () => {
    const id = await waitAtGate();
    const text = playground.read(draftFile);
    playground.git('clean', '--force', '--quiet', draftFile);
    const refused = await playground.run(['gate', 'answer', id, '--choice', 'send']);
    expect(refused.stderr).toContain('(gate-content-gone)');
    playground.write(draftFile, text);
    expect((await playground.run(['gate', 'answer', id, '--choice', 'send'])).code).toBe(0);
  });
});

describe('a terminal that waits', () => {
  it('goes on by itself when the gate is answered elsewhere', async () => {
    const terminal = new TerminalSession(playground, ['issue', '--brief', brief, ...models], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await terminal.see('Your choice [G/R/S]');
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    const answered = await playground.run(['gate', 'answer', gate?.id ?? '', '--choice', 'send']);
    expect(answered.code).toBe(0);
    expect(answered.stderr).toContain('The run continues in its process: alice has been working on it');
    await terminal.see('Answered in another process; continuing.');
    await terminal.answer('Enter to continue', '');
    await terminal.see('SUCCESS!');
    expect(await terminal.exit()).toBe(0);
  });

  it('notices that the draft was changed after it was shown, and asks again', async () => {
    const terminal = new TerminalSession(playground, ['issue', '--brief', brief, ...models], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await terminal.see('Your choice [G/R/S]');
    playground.write(draftFile, draftText('Changed behind your back'));
    terminal.type('G');
    await terminal.see('The draft was changed after it was shown to you.');
    await terminal.answer('Your choice [G/R/S]', 'G');
    await terminal.answer('Enter to continue', '');
    expect(await terminal.exit()).toBe(0);
  });

  it('treats Ctrl-C as saving for later', async () => {
    const terminal = new TerminalSession(playground, ['issue', '--brief', brief, ...models], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await terminal.see('Your choice [G/R/S]');
    terminal.press('\u0003');
    expect(await terminal.exit()).toBe(2);
    expect((await playground.run(['status'])).stdout).toContain('Waiting for you (1)');
  });
});

describe('the record of a gate', () => {
  it('tells a policy from a person', async () => {
    const looped = writeCassette(playground.folder, 'loop', {
      drafts: [draftText('A'), draftText('B')],
      verdicts: [revise, approved],
    });
    await playground.run(['issue', '--brief', brief, '--auto', ...looped]);
    const { ledger, views, close } = openRecords(playground);
    const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
    const answers = entries.flatMap((entry) =>
      entry.kind === 'gate-answered' ? [[entry.actor, entry.data.answer.choice]] : [],
    );
    expect(answers).toEqual([
      ['policy:auto', 'send'],
      ['policy:verdict', 'revise'],
      ['policy:auto', 'send'],
      ['policy:verdict', 'approve'],
    ]);
    close();
  });
});

describe('a title with characters that a screen must not get', () => {
  itLong('is kept as it is, escaped on the screen, and an earlier escaped one reads as before', async () => {
    const title = 'Export\u202Ereports\u200B as CSV';
    playground.write(brief, `# ${title}\n\n- a button\n`);
    await waitAtGate();
    const [gate] = await playground.json<{ title: string }[]>(['gates']);
    expect(gate?.title).toBe(title);
    const { stdout } = await playground.run(['gates']);
    expect(stdout).toContain('"Export\\u{202e}reports\\u{200b} as CSV"');
    expect((await playground.run(['status'])).stdout).not.toContain('\u202E');
    const [run] = await playground.json<{ request: { title: string } }[]>(['runs']);
    expect(run?.request.title).toBe(title);
    const { views, ledger, close } = openRecords(playground);
    const [open] = await views.listOpenGates();
    if (open === undefined) throw new Error('no gate');
    // As versions before this one kept it.
    const question = { ...open.question, id: 'GOLDONE', title: 'Export\\u{202e}reports' };
    const old = { subject: open.run.subject, run: open.run.id, actor: 'alice' };
    await ledger.append([{ ...old, kind: 'gate-asked', key: question.id, data: { question } }]);
    close();
    expect((await playground.run(['gates'])).stdout).toContain('"Export\\u{202e}reports"');
  });
});
