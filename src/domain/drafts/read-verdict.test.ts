/** A person's edited verdict approves only in one closed form: not by a word in a sentence, a quote, a comment or a struck line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import {
  approvedByHand,
  clean,
  header,
  original,
  withSuggestion,
} from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';
import { type Decision, renderVerdict } from './verdict.ts';

const approvedBox = '- [x] **APPROVED**: ready to go on as it is';

describe('readVerdict', () => {
  it('an approval by hand is one, and so is what was rendered', () => {
    expect(readVerdict(approvedByHand, original)).toEqual({ decision: 'APPROVED', unclear: null });
    expect(readVerdict(original, original).decision).toBe('REVISE');
    for (const verdict of [clean, withSuggestion]) {
      const text = renderVerdict(verdict, header);
      expect(readVerdict(text, text).decision).toBe('APPROVED');
    }
  });

  it.each<[string, string, Decision | null]>([
    ['one box', '- [x] **APPROVED**', 'APPROVED'],
    ['one box with our words', approvedBox, 'APPROVED'],
    ['one of three', '- [ ] **APPROVED**\n- [x] **REVISE**\n- [ ] **DISCUSS**', 'REVISE'],
    ['a capital X', '- [X] **APPROVED**', 'APPROVED'],
    ['another bullet', '* [x] **APPROVED**', 'APPROVED'],
    ['numbered', '1. [x] **APPROVED**', 'APPROVED'],
    ['indented by three', '   - [x] **APPROVED**', 'APPROVED'],
    ['underscores', '- [x] __APPROVED__', 'APPROVED'],
    ['another order', '- [ ] **REVISE**\n- [x] **APPROVED**', 'APPROVED'],
    ['under its heading', `## Verdict\n\n${approvedBox}\n`, 'APPROVED'],
    ['revise, with what is to be done', '- [x] **REVISE**: name the limit', 'REVISE'],
    ['discuss, with why', '- [x] **DISCUSS** – who pays?', 'DISCUSS'],
    ['empty', '', null],
    ['no box', 'This is **APPROVED**.', null],
    ['no tick', '- [ ] **APPROVED**', null],
    ['other words', '- [x] **APPROVED**: fine', null],
    ['colon in the bold name', '- [x] **APPROVED:** fine', null],
    ['an explanation after a dash', '- [x] **APPROVED** – fine', null],
    ['a condition', '- [x] **APPROVED**: but only after the limit is named', null],
    ['our words and more', `${approvedBox}, but not today`, null],
    ['two ticked', '- [x] **APPROVED**\n- [x] **REVISE**', null],
    ['the same twice', '- [x] **APPROVED**\n- [x] **APPROVED**', null],
    ['the same twice, once empty', '- [x] **APPROVED**\n- [ ] **APPROVED**', null],
    ['two ticked in two lists', '- [x] **APPROVED**\n\n## More\n\n- [x] **DISCUSS**', null],
    ['a mark with a space beside it', '- [x] **APPROVED**\n- [x ] **REVISE**', null],
    ['a check mark beside it', '- [x] **APPROVED**\n- [✓] **REVISE**', null],
    ['a check mark in the next list', '- [x] **APPROVED**\n\n* [v] **REVISE**', null],
    ['a mark beside a revise', '- [x] **REVISE**\n- [✓] **APPROVED**', null],
    ['a dash beside it', '- [x] **APPROVED**\n- [-] **REVISE**', null],
    ['a star beside it', '- [x] **APPROVED**\n- [*] **REVISE**', null],
    ['a round box beside it', '- [x] **APPROVED**\n- (x) **REVISE**', null],
    ['an emoji beside it', '- [x] **APPROVED**\n- ✅ **REVISE**', null],
    ['in a code fence', '```\n- [x] **APPROVED**\n```', null],
    ['in indented code', '    - [x] **APPROVED**', null],
    ['in a quote', '> - [x] **APPROVED**', null],
    ['in a nested list', '- a\n  - [x] **APPROVED**', null],
    ['in a table', '| a |\n|---|\n| - [x] **APPROVED** |', null],
    ['in a comment', '<!--\n- [x] **APPROVED**\n-->', null],
    ['in details', '<details>\n\n- [x] **APPROVED**\n\n</details>', null],
    ['in del', '<del>\n\n- [x] **APPROVED**\n\n</del>', null],
    ['in inline del', '- [x] <del>**APPROVED**</del>', null],
    ['NOT APPROVED', '- [x] **NOT APPROVED**', null],
    ['NOT before the bold name', '- [x] NOT **APPROVED**', null],
    ['an item that says not', '- [x] **APPROVED**\n- NOT, see below', null],
    ['a nested item that says not', '- [x] **APPROVED**\n  - NOT, see below', null],
    ['on the next line: not yet', '- [x] **APPROVED**\n  not yet', null],
    ['a sentence after it', `${approvedBox}\n\nNot yet, though.`, null],
    ['a sentence before it', `Only an example:\n\n${approvedBox}`, null],
    ['under another heading', `## Not the verdict\n\n${approvedBox}`, null],
    ['under a heading that is struck out', `## ~~Verdict~~\n\n${approvedBox}`, null],
    ['something blocking above', `## Blocking\n\n- no limit\n\n## Verdict\n\n${approvedBox}`, null],
    ['blocking, said to be none', `## Blocking\n\nNone.\n\n## Verdict\n\n${approvedBox}`, 'APPROVED'],
    ['a heading of their own', `## Non-blocking\n\n- a typo\n\n## Verdict\n\n${approvedBox}`, null],
    ['our headings with nothing under them', `## Suggestions\n\n## Verdict\n\n${approvedBox}`, 'APPROVED'],
    ['two words under Blocking', `## Blocking\n\nNone.\nNone.\n\n## Verdict\n\n${approvedBox}`, null],
    ['a note', `## Notes\n\nQuick enough.\n\n## Verdict\n\n${approvedBox}`, 'APPROVED'],
    ['a point under Notes', `## Notes\n\n- no limit\n\n## Verdict\n\n${approvedBox}`, null],
    ['a bold word under Notes', `## Notes\n\n**Must fix** it\n\n## Verdict\n\n${approvedBox}`, null],
    ['a bold word in an emphasis', `## Notes\n\n*all **is** good*\n\n## Verdict\n\n${approvedBox}`, null],
    ['a bold word in a link', `## Notes\n\n[all **is** good](x)\n\n## Verdict\n\n${approvedBox}`, null],
    ['nothing but a bold word in a link', `## Notes\n\n[**good**](x)\n\n## Verdict\n\n${approvedBox}`, null],
    [
      'words in a link and in an emphasis',
      `## Notes\n\nAll in [this part](x) is *good*\n\n## Verdict\n\n${approvedBox}`,
      'APPROVED',
    ],
    ['a heading after Notes', `## Notes\n\n## Critical\n\n## Verdict\n\n${approvedBox}`, null],
    ['a rendered heading after Notes', `## Notes\n\n## Suggestions\n\n## Verdict\n\n${approvedBox}`, null],
    ['Notes after the boxes', `## Verdict\n\n${approvedBox}\n\n## Notes\n\nfine`, null],
    ['a sentence under Suggestions', `## Suggestions\n\nno limit\n\n## Verdict\n\n${approvedBox}`, null],
    ['the heading of the boxes in another rank', `# Verdict\n\n${approvedBox}`, null],
    ['a line too deep to parse', `${'> '.repeat(120)}no\n\n## Verdict\n\n${approvedBox}`, null],
    ['a line too deep after it', `${approvedBox}\n\n${'> '.repeat(120)}no`, null],
    ['lower case', '- [x] **approved**', null],
    ['not bold', '- [x] APPROVED', null],
    ['only emphasised', '- [x] *APPROVED*', null],
    ['struck out as a whole', '- [x] ~~**APPROVED**~~', null],
    ['struck out inside the bold', '- [x] **~~APPROVED~~**', null],
    ['another sign in the box', '- [v] **APPROVED**', null],
    ['no space in the box', '- [] **APPROVED**', null],
    ['a look-alike letter', '- [x] **АPPROVED**', null],
    ['a direction mark', '- [x] **APPROVED**\u202E', null],
    ['a hidden definition', `[//]: # (not approved)\n\n## Verdict\n\n${approvedBox}`, null],
    ['an open task', `- [ ] ask Legal\n\n## Verdict\n\n${approvedBox}`, null],
    ['a ticked revise nested in it', '- [x] **APPROVED**\n  - [x] **REVISE**', null],
  ])('%s', (_, text, decision) => {
    expect(readVerdict(text).decision).toBe(decision);
  });

  it.each([
    ['quotes', '>'],
    ['numbered lists', '1. '],
  ])('does not fail on %s nested thousands deep', (_, mark) => {
    expect(readVerdict(mark.repeat(10_000 / mark.length)).decision).toBeNull();
    expect(readVerdict(`${mark.repeat(10_000 / mark.length)}\n\n${approvedBox}`).decision).not.toBe('REVISE');
  });

  it.skipIf(process.env.GATEWRIGHT_MUTATE_TESTS !== undefined)(
    'never throws, always says why, and decides nothing without a ticked box and a bold name',
    () => {
      const anyText = hostileText(
        [
          approvedBox,
          '- [x] **REVISE**',
          '- [ ] **DISCUSS**',
          '[x] **APPROVED**',
          '**APPROVED**',
          'NOT ',
          '- ',
          '1. ',
          '> ',
          '\n',
          '\n\n',
          '\r',
          '    ',
          '\t',
          '```\n',
          '<!--',
          '-->',
          '<details>',
          '# ',
          '## Verdict\n\n',
          '===',
          '|',
          '\\',
          '`',
          '~~',
          '&#91;x&#93; ',
          '\u202E',
          '\0',
          '[a]: b',
        ],
        80,
      );
      const seen = new Map<Decision | null, number>();
      fc.assert(
        fc.property(anyText, (text) => {
          const { decision, unclear } = readVerdict(text, original);
          seen.set(decision, (seen.get(decision) ?? 0) + 1);
          if (decision === null) expect(unclear).toMatch(/\.$|is$/u);
          else expect(text).toMatch(/\[[xX]\]\s+(?:\*\*|__)/u);
        }),
        { numRuns: propertyRuns(10_000) },
      );
      expect(seen.get('APPROVED') ?? 0).toBeGreaterThan(propertyRuns(10_000) / 1000);
    },
  );
});
