/** Why an edited verdict decides nothing, in the sentence that the person is told: one case for each reason. */
import { describe, expect, it } from 'vitest';
import { approvedByHand, original } from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';

const ok = '- [x] **APPROVED**: ready to go on as it is';
const under = (above: string): string => `${above}\n\n## Verdict\n\n${ok}\n`;
const why = (text: string, rendered: string | null = null): string | null =>
  readVerdict(text, rendered).unclear;

describe('nothing is decided, and the person is told why', () => {
  it.each([
    ['no tick', '- [ ] **APPROVED**', 'No box of the verdict is ticked: tick exactly one, as [x].'],
    ['another box', '- [x] fine', 'No box of the verdict is ticked: tick exactly one, as [x].'],
    ['an item without a box', `${ok}\n- **REVISE**`, 'Among the boxes of the verdict stands something else.'],
    [
      'an item in the second list',
      `## Verdict\n\n${ok}\n\n* [ ] **REVISE**\n* x`,
      'Among the boxes of the verdict stands something else.',
    ],
    [
      'a box in the box',
      '- [x] **APPROVED**: [ ] ready to go on as it is',
      'The ticked box says more than its label. Leave it as: - [x] **APPROVED**: ready to go on as it is',
    ],
    [
      'more than None',
      under('## Blocking\n\nNone. But x'),
      'Approval is ticked, but something blocking is left: line 3, "None. But x". Delete it if it is settled, or tick REVISE.',
    ],
    [
      'None at the end',
      under('## Blocking\n\nxNone.'),
      'Approval is ticked, but something blocking is left: line 3, "xNone.". Delete it if it is settled, or tick REVISE.',
    ],
    [
      'an indented line',
      under('## Blocking\n\n  x  '),
      'Approval is ticked, but something blocking is left: line 3, "x". Delete it if it is settled, or tick REVISE.',
    ],
    ['no box', 'APPROVED', 'No box of the verdict is ticked: tick exactly one, as [x].'],
    ['two ticks', '- [x] **REVISE**\n- [x] **DISCUSS**', 'Both REVISE and DISCUSS are ticked: leave one.'],
    [
      'more than the label',
      '- [x] **APPROVED**: fine',
      'The ticked box says more than its label. Leave it as: - [x] **APPROVED**: ready to go on as it is',
    ],
    [
      'more in another box',
      `${ok}\n- [ ] **REVISE**: x`,
      'A box that is not ticked says more than its label.',
    ],
    ['a label twice', `${ok}\n- [ ] **APPROVED**`, 'A label stands there twice.'],
    [
      'a line too deep',
      under(`${'> '.repeat(120)}x`),
      'A line of the file nests lists and quotes too deep to be read.',
    ],
    ['HTML', under('<b>x</b>'), 'The file has HTML in it, which may hide or undo what it says.'],
    [
      'a definition',
      under('[a]: b'),
      'The file has a hidden definition in it, which may hide or undo what it says.',
    ],
    ['a table', under('| a |\n|---|'), 'The file has a table in it, which may hide or undo what it says.'],
    ['a picture', under('![a](b)'), 'The file has image in it, which may hide or undo what it says.'],
    ['an item among the boxes', `${ok}\n- x`, 'Among the boxes of the verdict stands something else.'],
    ['another heading', `## X\n\n${ok}`, 'The boxes do not stand right under the heading "Verdict".'],
    ['words after', `${ok}\n\nx`, 'Something is written after the boxes of the verdict.'],
    ['another list after', `${ok}\n\n* x`, 'Something is written after the boxes of the verdict.'],
    [
      'something blocking',
      under('## Blocking\n\nx'),
      'Approval is ticked, but something blocking is left: line 3, "x". Delete it if it is settled, or tick REVISE.',
    ],
    [
      'a line of their own',
      under('x'),
      'Approval is ticked, but line 1 is not as the verdict was rendered: "x". Delete it, write it as a plain sentence under the heading "Notes" if it holds nothing back, or tick REVISE.',
    ],
    [
      'a list in the notes',
      under('## Notes\n\nfine\n\n- x\n- y'),
      'Approval is ticked, but line 5 under "Notes" is more than plain sentences: "- x". Write sentences there without headings, lists, bold words or quotes, or tick REVISE.',
    ],
    ['a box in the notes', under('## Notes\n\nfine\n[ ] x'), 'Line 4 has another box. Delete it.'],
    ['a mark beside a revise', '- [x] **REVISE**\n\n[✓] fine', 'Beside REVISE, line 3 is marked too.'],
    [
      'HTML beside a revise',
      '- [x] **REVISE**\n\n<div>x</div>\n\ny',
      'The file has HTML in it, which may hide or undo what it says.',
    ],
  ])('%s', (_, text, said) => {
    expect(readVerdict(text)).toEqual({ decision: null, unclear: said });
    expect(readVerdict(text.replaceAll('\n', '\r\n'))).toEqual({ decision: null, unclear: said });
    expect(readVerdict(text.replaceAll('\n', '\r'))).toEqual({ decision: null, unclear: said });
  });
});

describe('something is decided', () => {
  it.each([
    [
      'a note with all that a sentence may hold',
      under('## Notes\n\nall `is` *as* [said](e)  \nabove'),
      'APPROVED',
    ],
    ['notes in several paragraphs', under('## Notes\n\na\n\nb'), 'APPROVED'],
    ['None under each heading', under('## Blocking\n\nNone\n\n## Suggestions\n\nNone.'), 'APPROVED'],
    ['blanks at the ends of lines', `## Verdict  \n\n${ok}  \n`, 'APPROVED'],
    ['a tab after the box', '- [x]\t**APPROVED**', 'APPROVED'],
    ['an empty box of a word beside a revise', '- [x] **REVISE**\n\n[ ] fine', 'REVISE'],
    ['a colon in the bold name', '- [x] **REVISE:** x', 'REVISE'],
    ['a revise after a colon', '- [x] **REVISE**: x', 'REVISE'],
    ['a revise after a hyphen', '- [x] **REVISE** - x', 'REVISE'],
    ['a revise after a dash', '- [x] **DISCUSS** — x', 'DISCUSS'],
    ['words after a revise', '- [x] **REVISE**\n\nx', 'REVISE'],
    ['blanks after the heading of the notes', under('## Notes  \n\na'), 'APPROVED'],
    ['a blank in the bold name', '- [x] **&#32;REVISE**', 'REVISE'],
    ['an empty item beside a revise', '- [x] **REVISE**\n-', 'REVISE'],
    ['two lists of boxes', '- [x] **REVISE**\n\n* [ ] **APPROVED**', 'REVISE'],
    ['two lists of boxes, approved', `## Verdict\n\n${ok}\n\n* [ ] **REVISE**`, 'APPROVED'],
  ])('%s', (_, text, decision) => expect(readVerdict(text)).toEqual({ decision, unclear: null }));

  it.each([
    ['words after the label', '- [x] **REVISE** x'],
    ['a heading as the box', '- [x] # **REVISE**'],
    ['not ticked as Markdown has it', '- [ x] **REVISE**'],
    ['a colon later', '- [x] **REVISE** a: b'],
    ['a colon in the name', '- [x] **RE:VISE**'],
    ['a label in small letters', '- [x] **revise**'],
    ['an emphasised label', '- [x] *REVISE*'],
    ['a word before it', '- [x] a **REVISE**'],
    ['a box behind a hidden definition', '- [a]: b\n  [x] **REVISE**'],
  ])('not by %s', (_, text) => expect(readVerdict(text).decision).toBeNull());
});

describe('a mark that was rendered', () => {
  const marked = (line: string): string => `${line}\n\n## Verdict\n\n- [x] **REVISE**\n`;
  it.each([
    ['is none of the person', marked('[✓] a'), marked('[✓] a'), null],
    ['is none, however often it was rendered', marked('[✓] a \n[✓] a '), marked('[✓] a \n[✓] a'), null],
    ['is one where it stands twice', marked('[✓] a'), marked('[✓] a \n[✓] a '), 2],
    ['is one where the boxes were not rendered', '[✓] a\n\nb\n\nc', marked('[✓] a'), 1],
  ])('%s', (_, rendered, text, line) =>
    expect(why(text, rendered)).toBe(line === null ? null : `Beside REVISE, line ${line} is marked too.`),
  );
});

describe('against the file as it was rendered', () => {
  it('"None." under what blocks is nothing that blocks', () =>
    expect(why(under('## Blocking\n\nNone.'), under('## Blocking\n\nNone.'))).toBeNull());
  const left =
    'Approval is ticked, but something blocking is left: Security (Requirements): There is no size limit.';
  it.each([
    ['as it stands', original.replace('[x]', '[ ]').replace('[ ] **A', '[x] **A')],
    ['under another heading', approvedByHand.replace('- **Sec', '- There is no size limit.\n- **Sec')],
    ['in other letters', approvedByHand.replace('It decides', 'there IS no, size limit! It decides')],
  ])('what blocks is found again %s', (_, text) => expect(why(text, original)).toContain(left));
  it('a short problem is found again with its category', () => {
    const rendered = original.replace('There is no size limit.', 'Size limit');
    const noted = (words: string): string => approvedByHand.replace('It decides', `${words} It decides`);
    expect(why(noted('Size limit.'), rendered)).toBeNull();
    expect(why(noted('Security (Requirements): Size limit.'), rendered)).toContain(
      'something blocking is left',
    );
  });
  it('what was rendered may be left out, in its order, and not be added to', () => {
    expect(why(approvedByHand, original)).toBeNull();
    expect(why(approvedByHand.replace('- Who pays for it?\n', ''), original)).toBeNull();
    expect(why(approvedByHand.replace('# Review 1\n', ''), original)).toBeNull();
    expect(why(approvedByHand.replaceAll('\n', '\r\n'), original.replaceAll('\n', '\r\n'))).toBeNull();
    const moved = approvedByHand
      .replace('One thing has to be approved by nobody but Legal.\n', '')
      .replace('- Who pays', 'One thing has to be approved by nobody but Legal.\n\n- Who pays');
    expect(why(moved, original)).toContain('is not as the verdict was rendered');
    const twice = approvedByHand.replace('- Who pays for it?', '- Who pays for it?\n- Who pays for it?');
    expect(why(twice, original)).toContain(
      'line 15 is not as the verdict was rendered: "- Who pays for it?"',
    );
    expect(why(approvedByHand, null)).toContain('line 1 is not as the verdict was rendered: "# Review 1"');
  });
  it('marks of the reviewer are not the person’s, and more of them are', () => {
    const rendered = original
      .replace('The columns are', '[✓] is no box; the columns are')
      .replace('- Who', '[x] Who');
    const revised = rendered;
    expect(readVerdict(revised, rendered).decision).toBe('REVISE');
    expect(why(revised, null)).toBe('Beside REVISE, line 19 is marked too.');
    expect(why(revised.replace('[x] Who', '[x] Who pays for it?\n[x] Who'), rendered)).toContain(
      'is marked too',
    );
  });
  it('quotes eighty characters of a line, and a hundred and twenty of a finding', () => {
    expect(why(under('x'.repeat(200)))).toContain(`"${'x'.repeat(80)}".`);
    const long = original.replace('There is no size limit.', 'y'.repeat(200));
    const head = `Security (Requirements): ${'y'.repeat(95)}`;
    expect(head).toHaveLength(120);
    expect(why(long.replace('[x]', '[ ]').replace('[ ] **A', '[x] **A'), long)).toContain(
      `left: ${head}. Delete`,
    );
  });

  it('a problem of twelve letters is found by itself, and one without letters nowhere', () => {
    const noted = (words: string): string => approvedByHand.replace('It decides', `${words} It decides`);
    const twelve = original.replace('There is no size limit.', 'No limit there.');
    expect(why(noted('No limit there.'), twelve)).toContain('something blocking is left');
    const bare = original.replace('**Security** (Requirements): There', '**Security**: There');
    expect(why(noted('There is no size limit.'), bare)).toContain('something blocking is left');
    const signs = original.replace('- **Security** (Requirements): There is no size limit.', '- …');
    expect(why(approvedByHand, signs)).toBeNull();
  });
  it('of what blocked, no line may stand elsewhere', () => {
    const rendered = original.replace('Name one.', 'Ask Legal.');
    const moved = approvedByHand.replace('  Fix: Name one.', '  Fix: Name one.\n  Fix: Ask Legal.');
    expect(why(approvedByHand, rendered)).toBeNull();
    expect(why(moved, rendered)).toContain('is not as the verdict was rendered: "Fix: Ask Legal."');
    const kept = approvedByHand.replace('## Should', '  Fix: Ask Legal.\n\n## Should');
    expect(why(kept, rendered)).toContain('is not as the verdict was rendered: "Fix: Ask Legal."');
  });
  it('what was rendered below may not stand above', () => {
    const hint = 'What a person writes here is kept with the verdict. It decides nothing.';
    expect(why(approvedByHand.replace('- Who pays', `${hint}\n\n- Who pays`), original)).toContain(
      'is not as the verdict was rendered: "What a person',
    );
    expect(why(under('x'), '# Review\n\n## Verdict\n\nx')).toContain('is not as the verdict was rendered');
    expect(why(under('x'), 'x\n\n## Verdict')).toBeNull();
  });
  it('a heading that was not rendered does not begin the order anew', () => {
    const again = approvedByHand.replace('- Who pays', '## Suggestions\n\n# Review 1\n\n- Who pays');
    expect(why(again, original)).toContain('is not as the verdict was rendered: "# Review 1"');
  });
  it('rules, quotes and code that were rendered may stay', () => {
    const shown = (text: string): string =>
      text.replace('One thing has to be approved by nobody but Legal.', '---\n\n> a\n\n```\nb\n```');
    expect(why(shown(approvedByHand), shown(original))).toBeNull();
  });
  it('marks are the reviewer’s also when they are indented otherwise, and boxes are the person’s', () => {
    const marked = original.replace('- Who pays', '[x] Who pays');
    expect(readVerdict(marked.replace('[x] Who', '  [x] Who'), marked).decision).toBe('REVISE');
    const indented = original.replace('  Fix: Name', '  [x] Name');
    expect(readVerdict(indented, indented).decision).toBe('REVISE');
    const line = '- [x] **REVISE**: the findings above have to be settled first';
    const copied = original.replace('It decides nothing.', `It decides nothing.\n\n    ${line}`);
    expect(why(copied, original)).toContain('is marked too');
  });
  it('ends of lines are the same, whatever program wrote them', () =>
    expect(why(approvedByHand, original.replaceAll('\n', '\r'))).toBeNull());
});

describe('a blocking finding that was moved into the notes', () => {
  const rendered = (finding: string): string =>
    `## Blocking\n\n- ${finding}\n\n## Verdict\n\n- [ ] **APPROVED**\n`;
  it.each([
    [
      'with an entity',
      '**Security** (Output): The page prints &lt;script&gt; from users unescaped.',
      'The page prints &lt;script&gt; from users unescaped.',
    ],
    [
      'with its accent apart',
      '**Cost** (Data): Le mot de passe est stocké en clair.',
      'Le mot de passe est stocke\u0301 en clair.',
    ],
    [
      'from a section with a colon',
      '**Security: auth** (Step 1: Login): The token is written to the log.',
      'The token is written to the log.',
    ],
    [
      'split by a link',
      '**Security** (Log): The token is written to the log.',
      'The [token](http://example.com) is written to the log.',
    ],
    [
      'with an entity for a letter',
      '**Security** (Log): The token is written to the log.',
      'The &#116;oken is written to the log.',
    ],
    [
      'in wide letters',
      '**Security** (Log): The token is written to the log.',
      'The \uFF54oken is written to the log.',
    ],
  ])('%s is still there', (_, finding, note) => {
    const text = under(`## Notes\n\n${note}`);
    expect(readVerdict(text, null).unclear).toBeNull();
    expect(readVerdict(text, rendered(finding)).unclear).toContain('blocking');
  });
});

describe('another mark in the notes', () => {
  it.each([
    'My decision: [x] REVISE',
    'a) [x] REVISE',
    '→ [x] REVISE',
    '\u200B[x] REVISE',
    'Fine, but [ x  ] REVISE',
    'So \\[x] REVISE',
    'So &#91;x&#93; REVISE',
    'So [✓] REVISE',
  ])('%s: decides nothing', (note) => {
    expect(readVerdict(under(`## Notes\n\n${note}`), null)).toMatchObject({ decision: null });
  });

  const said = 'Line 3 under "Notes" has something marked in a sentence, as [x]. Delete it.';
  it.each([
    'Good, [x] it is',
    'Good, [ x] it is',
    'Good, [x  ] it is',
    'Good, [ok] it is',
    'Good, [  v  ] it is',
    'Good, [✓] it is',
    'Good, \\[x] it is',
    'Good, &#91;x&#93; it is',
    'Good, ［x］ it is',
    'Good, [x\u200D\u200D] it is',
    'Good, *[x]* it is',
    'Good [x]',
  ])('%s: is told, and only beside an approval', (note) => {
    expect(why(under(`## Notes\n\n${note}`))).toBe(said);
    expect(readVerdict(`${note}\n\n- [x] **REVISE**`).decision).toBe('REVISE');
  });

  it('which the reviewer has set is none of the person', () => {
    const marked = (text: string): string =>
      text.replace('The columns are', 'The [x] and the [y] columns are');
    expect(why(marked(approvedByHand), marked(original))).toBeNull();
    const more = marked(approvedByHand).replace('## Verdict', 'Good [x]\n\n## Verdict');
    expect(why(more, marked(original))).toContain('has something marked in a sentence');
    const instead = more.replace(/- \*\*Security.*\n/u, '');
    expect(why(instead, marked(original))).toContain('has something marked in a sentence');
  });

  it.each([
    'Good [yes] it is',
    'Good [] it is',
    'Good [ ] it is',
    'Good `[x]` it is',
    'Good [x it is',
    'Good x] it is',
  ])('%s: is none', (note) => expect(why(under(`## Notes\n\n${note}`))).toBeNull());

  it.each(['As said in [the review](http://example.com).', 'The list `a[10]` grows.', 'Step (a) is done.'])(
    '%s: is a sentence',
    (note) => {
      expect(readVerdict(under(`## Notes\n\n${note}`), null).decision).toBe('APPROVED');
    },
  );
});
