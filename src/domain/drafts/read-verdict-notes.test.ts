/** Notes beside a ticked approval, in a whole file: words that take it back, and notes that are none of that. */
import { describe, expect, it } from 'vitest';
import { approvedByHand, original } from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';

const withNote = (note: string): string => {
  const lines = approvedByHand.split('\n');
  const at = lines.indexOf('## Notes') + 1;
  return [...lines.slice(0, at), '', note, '', ...lines.slice(at)].join('\n');
};
const read = (note: string) => readVerdict(withNote(note), original);

describe('beside a ticked approval', () => {
  it.each([
    ...[
      'Vetoed',
      'Vetoed by Legal.',
      'Rejecting this.',
      'Objecting to step 2',
      'Declining',
      'Awaiting Legal',
    ],
    ...[
      'Then add tests.',
      'And add tests.',
      'Also add tests.',
      'Now rename it.',
      'So remove the second part.',
    ],
    ...['Thumbs down', 'Ticked by accident', 'Ticked by mistake.', 'Scrap it', 'Start over', 'Review again'],
    ...[
      'Tomorrow',
      'Later',
      'Skip step 2',
      'Leave out step 2',
      'All of it, minus step 2',
      'Bob to confirm',
      'Under protest',
    ],
    ...['[x](https://example.org) REVISE', 'It is ~5 good~.'],
  ])('%j asks', (note) => expect(read(note).decision).toBeNull());

  it.each([
    ...['[PR](https://x.y/1) covers it.', '[#12](https://x.y/12) covers it.', 'See [PR](https://x.y/1).'],
    ...[
      '~5 minutes is fine, ~10 too.',
      'Fine.',
      'Discussed with Legal, all agreed.',
      'The revised draft is good.',
    ],
    ...['Typo fixed in the title.'],
  ])('%j is a note', (note) => expect(read(note)).toEqual({ decision: 'APPROVED', unclear: null }));
});
