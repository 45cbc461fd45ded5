/** A maintainer without any model: every stop says what is open, and every way that it names leads on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../support/playground.ts';

const messy = `# Parse the decimal comma

People type \`1,5h\`.

- \`ms('1,5h')\` gives 5400000
- not sure about \`1,500ms\`
- not now: the format side

Labels: bug
`;

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
  playground.write('notes.md', messy);
});

afterEach(() => playground.remove());

interface Gate {
  readonly id: string;
  readonly questions?: readonly string[];
  readonly because?: string;
}

async function gateNow(): Promise<Gate> {
  return (await playground.json<Gate[]>(['gates']))[0] ?? { id: '' };
}

const folder = 'docs/lineage/active/notes';

describe('an open question', () => {
  it('stops the run at the gate, also with --auto, and is listed; answered in the draft, the issue is filed', async () => {
    const stopped = await playground.run(['issue', '--brief', 'notes.md', '--auto']);
    expect(stopped.code, stopped.all).toBe(10);
    expect(stopped.stderr).toContain('The draft has an open question:\n  - not sure about 1,500ms\n');
    expect(stopped.stderr.split('not sure about 1,500ms'), 'said once').toHaveLength(2);
    expect(stopped.stderr).not.toContain('human_edit');
    expect((await gateNow()).questions).toEqual(['not sure about 1,500ms']);
    expect((await playground.run(['gates'])).stdout).toContain('open: not sure about 1,500ms');
    // Sent as it is, the draft would come back: no list offers that without the edit.
    const { stdout: status } = await playground.run(['status']);
    for (const said of [status, stopped.stderr])
      expect(said).toMatch(
        new RegExp(
          `--choice revise --feedback "TEXT"\\n *or, after you answered what is open in ${folder}/002-draft\\.md: .*--choice send\\n`,
          'u',
        ),
      );
    expect(status).not.toContain('   in: ');
    const elsewhere = (await playground.run(['status'], { cwd: playground.folder })).stdout;
    expect(elsewhere).toContain(`   in: ${playground.repository}\n`);
    const explained = (await playground.run(['explain', 'notes.md'])).stdout;
    expect(explained).toContain('the draft asks: not sure about 1,500ms');
    expect(explained).toContain(`Edit ${folder}/002-draft.md first`);
    expect(explained).toMatch(/run: gatewright issue --resume 01/u);
    const path = `${folder}/002-draft.md`;
    playground.write(path, playground.read(path).replace('- [ ] not sure', '- [x] not sure'));
    const filed = await playground.run(['issue', '--resume', 'notes.md', '--auto']);
    expect(filed.code, filed.all).toBe(0);
    const [issue] = await playground.json<{ body: string; labels: string[] }[]>(['forge', 'issue', 'list']);
    expect(issue?.labels).toEqual(['bug']);
    expect(issue?.body).toContain('## Out of Scope\n\n- not now: the format side\n');
  });
});

describe('[R]evise', () => {
  it('puts feedback into the draft; without any it says that nothing changed and what to do', async () => {
    expect((await playground.run(['issue', '--brief', 'notes.md'])).code).toBe(10);
    const first = await gateNow();
    const said = await playground.run([
      'gate',
      'answer',
      first.id,
      '--choice',
      'revise',
      '--feedback',
      'Out of scope: dates\nName the limit',
    ]);
    expect(said.code, said.all).toBe(10);
    const draft = playground.read(`${folder}/004-draft.md`);
    expect(draft).toContain('- not now: the format side\n\ndates');
    expect(draft).toContain('- [ ] Name the limit');
    expect(said.stderr).toContain('  2. Name the limit\n');
    const second = await gateNow();
    const nothing = await playground.run(['gate', 'answer', second.id, '--choice', 'revise']);
    expect(nothing.code, nothing.all).toBe(10);
    expect(nothing.stderr).toContain('because: the built-in outline returned the draft unchanged');
    expect(nothing.stderr).toContain(`Edit ${folder}/005-draft.md yourself, then send it.`);
  });
});

describe('an answer to an open question', () => {
  const answer = async (words: string, ...more: string[]) =>
    playground.run([
      ...['gate', 'answer', (await gateNow()).id, '--choice', 'revise', '--feedback', words],
      ...more,
    ]);

  it('at [R]evise ticks the question with the words of the person: it is not asked again', async () => {
    expect((await playground.run(['issue', '--brief', 'notes.md'])).code).toBe(10);
    const said = await answer('1,500ms is refused');
    expect(said.code, said.all).toBe(10);
    expect((await gateNow()).questions).toBeUndefined();
    expect(playground.read(`${folder}/004-draft.md`)).toContain(
      '- [x] not sure about `1,500ms`\n  Answer: 1,500ms is refused\n',
    );
    const filed = await playground.run(['gate', 'answer', (await gateNow()).id, '--choice', 'send']);
    expect(filed.code, filed.all).toBe(0);
  });

  it('in the brief counts after a revise too, before and after the run went on', async () => {
    playground.write('notes.md', `${messy}\nWhich separator?\n`);
    expect((await playground.run(['issue', '--brief', 'notes.md'])).code).toBe(10);
    expect((await gateNow()).questions).toEqual(['not sure about 1,500ms', 'Which separator?']);
    expect((await answer('Name the limit')).code).toBe(10);
    playground.write('notes.md', `${messy.replace('not sure about', 'refuse')}\nWhich separator?\n`);
    const resumed = await playground.run(['issue', '--resume', 'notes.md']);
    expect(resumed.stderr).toContain('The brief was changed: the draft is written again from N2.');
    expect((await gateNow()).questions).toEqual(['Which separator?', 'Name the limit']);
    // Answered with "revise", and not continued yet.
    expect((await answer('The limit is 10 MB', '--no-run')).code).toBe(0);
    playground.write('notes.md', messy.replace('not sure about', 'refuse'));
    const both = await playground.run(['issue', '--resume', 'notes.md']);
    expect(both.code, both.all).toBe(10);
    expect((await gateNow()).questions).toBeUndefined();
  });
});

describe('a draft that is edited after its review', () => {
  it('is reviewed again, and the person is told', async () => {
    playground.write('notes.md', messy.replace('- not sure about `1,500ms`\n', ''));
    expect((await playground.run(['issue', '--brief', 'notes.md', '--strict'])).code).toBe(10);
    await playground.run(['gate', 'answer', (await gateNow()).id, '--choice', 'send', '--no-run']);
    const waiting = await playground.run(['issue', '--resume', 'notes.md', '--strict']);
    expect(waiting.code, waiting.all).toBe(10);
    const path = `${folder}/002-draft.md`;
    playground.write(path, playground.read(path).replace('People type', 'Many people type'));
    const resumed = await playground.run(['issue', '--resume', 'notes.md', '--auto']);
    expect(resumed.code, resumed.all).toBe(0);
    expect(resumed.stderr).toContain(`${path} was changed after its review`);
  });
});

describe('a brief that is changed while its run waits', () => {
  it('is read again on --resume; the run goes on from N2 and keeps what a person edited', async () => {
    expect((await playground.run(['issue', '--brief', 'notes.md', '--auto'])).code).toBe(10);
    const old = (await gateNow()).id;
    const path = `${folder}/002-draft.md`;
    playground.write(path, playground.read(path).replace('People type', 'Clerks type'));
    playground.write('notes.md', messy.replace('not sure about `1,500ms`', '`1,500ms` is refused'));
    const resumed = await playground.run(['issue', '--resume', 'notes.md']);
    expect(resumed.code, resumed.all).toBe(10);
    expect(resumed.stderr).toContain('The brief was changed: the draft is written again from N2.');
    expect(playground.list(folder)).toEqual(['001-brief.md', '002-draft.md', '003-brief.md', '004-draft.md']);
    expect(playground.read(`${folder}/003-brief.md`)).toBe(playground.read('notes.md'));
    const draft = playground.read(`${folder}/004-draft.md`);
    expect(draft).toContain('- [ ] `1,500ms` is refused');
    expect(draft).toContain('Clerks type');
    expect(draft).toContain('## Open Questions\n\nNot stated in the brief.');
    const gate = await gateNow();
    expect(gate.id).not.toBe(old);
    expect(gate.questions).toBeUndefined();
    const outdated = await playground.run(['gate', 'answer', old, '--choice', 'send']);
    expect(outdated.stderr).toContain('is not open any more');
    // Nothing changed since: it is not written once more.
    const again = await playground.run(['issue', '--resume', 'notes.md']);
    expect(again.stderr).not.toContain('was changed');
    expect(playground.list(folder)).toHaveLength(4);
    const filed = await playground.run(['gate', 'answer', gate.id, '--choice', 'send']);
    expect(filed.code, filed.all).toBe(0);
    expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
  });

  it('does not overrule a gate that a person has answered', async () => {
    playground.write('notes.md', messy.replace('- not sure about `1,500ms`\n', ''));
    await playground.run(['issue', '--brief', 'notes.md']);
    await playground.run(['gate', 'answer', (await gateNow()).id, '--choice', 'send', '--no-run']);
    playground.write('notes.md', `${messy}- one more\n`);
    const resumed = await playground.run(['issue', '--resume', 'notes.md']);
    expect(resumed.code, resumed.all).toBe(0);
    expect(resumed.stderr).toContain('The brief was changed, but the draft is decided on');
  });
});

describe('a run that fails at its checks', () => {
  it('leaves nothing in the way: it can be begun again and resumed', async () => {
    await playground.run(['forge', 'label', 'list']);
    const mallory = { env: { GATEWRIGHT_ACTOR: 'mallory' } };
    const failed = await playground.run(['issue', '--brief', 'notes.md'], mallory);
    expect(failed.code).toBe(1);
    expect(playground.exists(folder)).toBe(false);
    const again = await playground.run(['issue', '--brief', 'notes.md'], mallory);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('(preflight-failed)');
    await playground.run(['forge', 'permission', 'set', 'mallory', 'write']);
    const resumed = await playground.run(['issue', '--resume', 'notes.md'], mallory);
    expect(resumed.code, resumed.all).toBe(10);
    expect(playground.list(folder)).toEqual(['001-brief.md', '002-draft.md']);
    const taken = await playground.run(['issue', '--brief', 'notes.md'], mallory);
    expect(taken.stderr).toContain('(slug-taken)');
    expect(taken.stderr).toMatch(/Continue with: gatewright issue --resume 01[0-9A-Z]{24}\n/u);
  });
});

describe('a design', () => {
  it('takes the files of the issue, and what is said at its gate; a question is answered in the draft', async () => {
    const body = '# T\n\n- `1,5h` is read\n\n## Files\n\n- `README.md`: say so\n- `new.ts`: new, reads it\n';
    await playground.run(['forge', 'issue', 'create', '--title', 'T', '--body', body]);
    const first = await playground.run(['lld', '1']);
    expect(first.code, first.all).toBe(10);
    const design = 'docs/lineage/active/1-lld';
    expect(playground.read(`${design}/002-draft.md`)).toContain(
      '| `README.md` | Modify | say so |\n| `new.ts` | Add | new, reads it |\n',
    );
    const { id } = await gateNow();
    const feedback = ['--choice', 'revise', '--feedback', 'Which unit is meant?'];
    const asked = await playground.run(['gate', 'answer', id, ...feedback]);
    expect(asked.code, asked.all).toBe(10);
    expect(playground.read(`${design}/004-draft.md`)).toContain('- [ ] Which unit is meant?');
    expect(asked.stderr).toContain(
      'Answer it in the draft (then tick or remove it), or as feedback to revise it.',
    );
  });
});
