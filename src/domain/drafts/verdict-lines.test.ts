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
      'Approval is ticked, but line 7 is not as the verdict was rendered: "## Critical". Delete it, write it as a plain sentence under the heading "Notes", where it decides nothing, or tick REVISE.',
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
