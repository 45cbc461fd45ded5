/** A point that a person adds to a verdict they approve: its place and its form refuse it, whatever its words are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvedByHand, original } from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';

/** A point that says, in any words, that something has to change: its place and its form, not its words, refuse it. */
const gravities = [
  ...[
    'Must fix',
    'Critical',
    'Blockierend',
    'Bloquant',
    'P0',
    'Showstopper',
    'Major',
    '必须修复',
    'Security',
    '🔥',
  ],
  ...['Should be fixed', 'Suggestions', 'Notes', 'Verdict', 'None'],
];
const points: readonly ((gravity: string) => string)[] = [
  (gravity) => `**${gravity}**\n\n- no size limit`,
  (gravity) => `**${gravity}**: no size limit`,
  (gravity) => `- **${gravity}**: no size limit`,
  (gravity) => `- **${gravity}** (Requirements): no size limit\n  Fix: Name one.`,
  (gravity) => `1. ${gravity}: no size limit`,
  (gravity) => `### ${gravity}\n\nno size limit`,
  (gravity) => `${gravity}\n---\n\nno size limit`,
  (gravity) => `> **${gravity}** no size limit`,
  (gravity) => `* ${gravity}\n    * no size limit`,
  (gravity) => `${gravity}: no size limit`,
  (gravity) => `  ${gravity}: no size limit`,
];

describe('a ticked approval with something of their own above it', () => {
  const places = [
    '# Review',
    'Reviewer: ',
    '## Should be fixed',
    '- **Security**',
    '  Fix: ',
    '## Questions',
    '## Notes',
  ];

  it('is none, under whatever heading and wherever it stands above the notes', () => {
    const anyPoint = fc
      .tuple(
        fc.oneof(fc.constantFrom(...gravities), fc.stringMatching(/^[\p{L}]{1,12}$/u)),
        fc.constantFrom(...points),
        fc.constantFrom(...places),
        fc.boolean(),
      )
      .map(([gravity, point, place, isApart]) =>
        approvedByHand.replace(place, () => `${point(gravity)}\n${isApart ? '\n' : ''}${place}`),
      );
    fc.assert(
      fc.property(anyPoint, (text) => {
        fc.pre(text !== approvedByHand);
        const reading = readVerdict(text, original);
        expect(reading.decision).toBeNull();
        expect(reading.unclear).toMatch(/[Ll]ine \d+|struck|HTML|right under/u);
      }),
      { numRuns: 600 },
    );
    const headed = gravities
      .filter((gravity) => !['Should be fixed', 'Suggestions', 'Notes', 'Verdict'].includes(gravity))
      .flatMap((gravity) => [1, 2, 3].map((rank) => `${'#'.repeat(rank)} ${gravity}\n\n`));
    for (const heading of headed)
      for (const place of [...places, '## Verdict'])
        expect(
          readVerdict(approvedByHand.replace(place, `${heading}${place}`), original).decision,
        ).toBeNull();
  });

  it('says which line it is and what to do', () => {
    const { unclear } = readVerdict(
      approvedByHand.replace('## Should', '## Critical\n\n- no limit\n\n## Should'),
      original,
    );
    expect(unclear).toBe(
      'Approval is ticked, but line 7 is not as the verdict was rendered: "## Critical". Delete it, write it as a plain sentence under the heading "Notes" if it holds nothing back, or tick REVISE.',
    );
    const left = readVerdict(
      approvedByHand.replace('## Should', '## Blocking\n\n- too slow\n\n## Should'),
      original,
    );
    expect(left.unclear).toBe(
      'Approval is ticked, but something blocking is left: line 9, "- too slow". Delete it if it is settled, or tick REVISE.',
    );
    const noted = readVerdict(approvedByHand.replace('## Verdict', '- too slow\n\n## Verdict'), original);
    expect(noted.unclear).toContain(
      'under "Notes" is more than plain sentences: "- too slow". Write sentences',
    );
  });

  it('a finding moved under another heading is told, too', () => {
    const moved = approvedByHand.replace('## Should be fixed', '## Blocking');
    expect(readVerdict(moved, original).unclear).toContain('something blocking is left: line 9');
    const swapped = approvedByHand.replace(/(Reviewer: .*\n)\n(.*\n)/u, '$2\n$1');
    expect(readVerdict(swapped, original).unclear).toContain('is not as the verdict was rendered');
  });
});

describe('what the reviewer wrote and a person left there', () => {
  const says = (words: string): [string, string] => {
    const change = (text: string): string => text.replace('The columns are not named.', () => words);
    return [change(approvedByHand), change(original)];
  };
  it.each([
    ['This is a blocker.', 'blocker'],
    ['Must fix: name the columns.', 'must fix'],
    ['Required changes: name them.', 'required changes'],
    ['Do not merge it like this.', 'do not merge'],
    ['M&#117;st fix', 'must fix'],
    ['**Must** *fix*', 'must fix'],
  ])('%s: speaks against an approval', (words, found) => {
    const [text, rendered] = says(words);
    expect(readVerdict(text, rendered)).toEqual({
      decision: null,
      unclear: `Approval is ticked, but line 9 says "${found}". Delete it if it is settled, or tick REVISE.`,
    });
    expect(readVerdict(text.replace(/## Notes[^#]*/u, ''), rendered).unclear).toContain(`says "${found}"`);
  });
  it('does so in its category and in the summary, too', () => {
    const named = (text: string): string => text.replaceAll('**Security**', '**Blocker**');
    expect(readVerdict(named(approvedByHand), named(original)).unclear).toContain('line 9 says "blocker"');
    const summed = (text: string): string => text.replace('One thing has', 'One blocker has');
    expect(readVerdict(summed(approvedByHand), summed(original)).unclear).toContain('line 5 says "blocker"');
  });
  it('does so as the last thing before the boxes, and notes are told as notes', () => {
    const asked = (text: string): string => text.replace('Who pays for it?', 'Is it a blocker?');
    const bare = asked(approvedByHand).replace(/## Notes[^#]*/u, '');
    expect(readVerdict(bare, asked(original)).unclear).toContain('line 14 says "blocker"');
    const noted = approvedByHand.replace('## Verdict', 'A blocker.\n\n## Verdict');
    expect(readVerdict(noted, original).unclear).toContain(
      'line 20 under "Notes" may hold something back: "blocker"',
    );
  });
  it('does not where the reviewer approved, nor under our headings', () => {
    const [text, rendered] = says('This is a blocker.');
    const approved = (file: string): string =>
      file.replace('[x]', '[ ]').replace('[ ] **APPROVED**', '[x] **APPROVED**');
    expect(readVerdict(text, approved(rendered)).decision).toBe('APPROVED');
    const none = approvedByHand.replace('## Should', '## Blocking\n\nNone.\n\n## Should');
    expect(readVerdict(none, original).decision).toBe('APPROVED');
    expect(readVerdict(none.replace('## Blocking', '## Blocking  '), original).decision).toBe('APPROVED');
  });
});

describe('notes', () => {
  const noted = (words: string): string => approvedByHand.replace('## Verdict', `${words}\n\n## Verdict`);
  it('hold nothing back', () => {
    expect(readVerdict(noted('Good.'), original).decision).toBe('APPROVED');
    expect(readVerdict(noted('Good.\n\nNot yet.'), original).unclear).toBe(
      'Approval is ticked, but line 22 under "Notes" may hold something back: "not". An approval has no conditions: delete that, or tick REVISE.',
    );
  });
  it('may stand among our own words, which count once', () => {
    const among = (words: string): string => approvedByHand.replace('It decides', `${words} It decides`);
    expect(readVerdict(among('Good.'), original).decision).toBe('APPROVED');
    expect(readVerdict(among('Wait.'), original).unclear).toContain('"wait"');
    expect(readVerdict(noted('What a person writes here is kept with the verdict.'), original).decision).toBe(
      'APPROVED',
    );
    expect(readVerdict(among('It decides nothing.'), original).unclear).toContain('"nothing"');
  });
  it('have no titles of links', () => {
    expect(readVerdict(noted('See [this](https://example.com).'), original).decision).toBe('APPROVED');
    expect(readVerdict(noted('See [this](https://example.com "good").'), original).unclear).toContain(
      'more than plain sentences',
    );
  });
});
