/** A comment that is made to keep the parser busy says nothing, and takes no time; one with a long log in it is heard. */
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { fewOf } from '../../../test/support/property-runs.ts';
import { readDismissals } from '../../agents/implementer/rules/dismissal.ts';
import { listClosingReferences } from '../forge/closing-references.ts';
import { readPlanAnswer } from '../spoken/plan-approval.ts';
import { mentions } from '../spoken/spoken-text.ts';
import { fenceUntrusted } from './fence-untrusted.ts';
import { withoutTangles } from './limit-markdown.ts';
import { quietMarkdown } from './quiet-markdown.ts';

const length = 60_000;
const knots = [
  '*_',
  '***a***',
  '<!--',
  '[a](',
  '[a](<b',
  '*a_ ',
  '_*a',
  '<?',
  '<!A',
  '*\t_',
  '[',
  '![',
  '<a ',
  '~~',
];
/** Knots for the readers of comments alone. */
const spokenKnots = [
  ...[
    '~a~ ',
    '<del>',
    '<del>a</del> ',
    '</del>',
    '<del a="',
    '<a b=c ',
    '<!-- -->',
    '<!-- a\n\n',
    '<div>\n\n',
  ],
  ...[
    '@claude ',
    '@',
    '"@claude',
    '“',
    '$a ',
    '$$',
    'https://',
    '[^1]: ',
    '- [ ] a\n',
    'On a wrote:\n',
    'On a\n',
  ],
  ...[
    'From: a\n',
    '-- \n',
    'a\n--\n\n',
    '=\n',
    'approve. ',
    'ok\n',
    'please ',
    '👍',
    ':+1:',
    '&commat;',
    '\\@',
  ],
  ...['---\n', '\n', '. @claude dismiss 3f9a0c11d2 ', 'implement it if ', 'the plan should '],
];
const most = 3000;

describe('a text that is meant to keep us busy', () => {
  it.each(fewOf(knots, 3))('made of %j is read at once', (knot) => {
    const text = `dismiss ${knot.repeat(length / knot.length)} closes #1 @claude`;
    expect(processorMilliseconds(() => mentions(text, 'claude'))).toBeLessThan(most);
    expect(processorMilliseconds(() => readPlanAnswer(text, 'claude'))).toBeLessThan(most);
    expect(processorMilliseconds(() => readDismissals(`@claude ${text}`, 'claude'))).toBeLessThan(most);
    expect(processorMilliseconds(() => listClosingReferences(text))).toBeLessThan(most);
    expect(processorMilliseconds(() => quietMarkdown(text, length * 2))).toBeLessThan(most);
  });

  it.each(fewOf(spokenKnots, 3, 1))('made of %j is listened to at once', (knot) => {
    const text = `dismiss ${knot.repeat(length / knot.length)} @claude`;
    expect(processorMilliseconds(() => mentions(text, 'claude'))).toBeLessThan(most);
    expect(processorMilliseconds(() => readPlanAnswer(text, 'claude'))).toBeLessThan(most);
    expect(processorMilliseconds(() => readDismissals(text, 'claude'))).toBeLessThan(most);
  });

  it.each([' ', '\n', '\t', '\u00A0'])('made of %j is fenced at once', (space) => {
    expect(processorMilliseconds(() => fenceUntrusted('ISSUE', `${space.repeat(length)}x`))).toBeLessThan(
      most,
    );
  });
});

describe('a text with very many marks', () => {
  const log = Array.from({ length: 1000 }, (_, index) => `[${index}] <a_b> *x*`).join('\n');

  it('is still heard where it speaks', () => {
    expect(mentions(`@claude look at this:\n\n\`\`\`\n${log}\n\`\`\`\n\nPlease.`, 'claude')).toBe(true);
    expect(mentions(`${log}\n\n@claude look at this`, 'claude')).toBe(true);
  });

  it('orders nothing from inside its code', () => {
    expect(mentions(`\`\`\`\n${log}\n\n@claude go\n\`\`\`\n`, 'claude')).toBe(false);
    expect(mentions(`~~~ text\n${log}\n\n@claude go\n~~~\n`, 'claude')).toBe(false);
    expect(mentions(`> \`\`\`\n> ${log.replaceAll('\n', '\n> ')}\n>\n> @claude go\n`, 'claude')).toBe(false);
  });

  it('orders nothing from inside a comment whose beginning would be lost', () => {
    expect(mentions(`${log}\n<!--\n\n@claude go\n\n-->`, 'claude')).toBe(false);
  });

  it('orders nothing from what would look like something else without the tangle', () => {
    expect(mentions(`<details>\n${log}\n\n@claude go`, 'claude')).toBe(false);
    expect(mentions(`<?\n${log}\n\n@claude go`, 'claude')).toBe(false);
    expect(mentions(`- [ ] x\n  ${log.replaceAll('\n', '\n  ')}\n\n  @claude go`, 'claude')).toBe(false);
    expect(mentions(`- [ ] x\n  ${log.replaceAll('\n', '\n  ')}\n\n  a\n\n\t@claude go`, 'claude')).toBe(
      false,
    );
    expect(mentions(`${log}\n\n  x\n\ny\n\n@claude go`, 'claude')).toBe(true);
  });

  it('says nothing after very many lines that underline', () => {
    const under = 'a\n--\n'.repeat(301);
    expect(mentions(`@claude go\n\n${under}`, 'claude')).toBe(true);
    expect(withoutTangles(`${under}b`)).not.toContain('b');
    expect(withoutTangles(`${'a\n--\n'.repeat(300)}b`)).toContain('b');
  });

  it('is left as it is when it has no more than anybody writes', () => {
    const text = `${'*a* _b_ [c](d) <e>\n'.repeat(100)}\n@claude`;
    expect(withoutTangles(text)).toBe(text);
  });
});
