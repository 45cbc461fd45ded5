/** A verdict approves only when exactly one ticked box says so: not by a word in a sentence, a quote or a comment. */
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../test/support/hostile-text.ts';
import { parseMarkdown } from './markdown.ts';
import {
  type Decision,
  decisions,
  effectiveDecision,
  isClean,
  parseVerdictMarkdown,
  renderVerdict,
  type Verdict,
  verdictSchema,
} from './verdict.ts';

const fragments = [
  '- [x] **APPROVED**',
  '- [X] __APPROVED__: yes',
  '- [x] **REVISE**',
  '- [ ] **DISCUSS**',
  '[x] **APPROVED**',
  '**APPROVED**',
  'APPROVED',
  'NOT ',
  '- ',
  '1. ',
  '+ ',
  '> ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '    ',
  '\t',
  '```\n',
  '~~~\n',
  '<!--',
  '-->',
  '<details>',
  '# ',
  '===',
  '---',
  '|',
  '\\',
  '`',
  '&#91;x&#93; ',
  '\u202E',
  '\0',
  '$(x)',
  '../',
  '[^1]: ',
  '[a]: b',
];

const anyText = hostileText(fragments, 80);

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 3 }).map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const filled = line.map((text) => text || 'x');

const anyVerdict: fc.Arbitrary<Verdict> = fc.record({
  decision: fc.constantFrom(...decisions),
  summary: filled,
  findings: fc.array(
    fc.record({
      tier: fc.constantFrom('blocking', 'high', 'suggestion'),
      category: filled.map((text) => text.slice(0, 60)),
      section: line.map((text) => text.slice(0, 120)),
      problem: filled,
      fix: line,
    }),
    { maxLength: 2 },
  ),
  questions: fc.array(filled, { maxLength: 1 }),
});

function walk(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node);
  if ('children' in node) for (const child of node.children) walk(child, visit);
}

describe('parseVerdictMarkdown', () => {
  it('never throws, and decides nothing without a ticked box and a bold name', () => {
    const seen = new Map<Decision | null, number>();
    fc.assert(
      fc.property(anyText, (text) => {
        const decision = parseVerdictMarkdown(text);
        seen.set(decision, (seen.get(decision) ?? 0) + 1);
        if (decision === null) return;
        expect(decisions).toContain(decision);
        expect(text).toMatch(/\[[xX]\]\s+(?:\*\*|__)/u);
      }),
      { numRuns: 10_000 },
    );
    expect(seen.get('APPROVED') ?? 0).toBeGreaterThan(50);
  });

  it.each([
    ['quotes', '>'],
    ['numbered lists', '1. '],
  ])('does not fail on %s nested thousands deep', (_, mark) => {
    expect(parseVerdictMarkdown(mark.repeat(10_000 / mark.length))).toBeNull();
  });

  it('counts ticked boxes in lists of the document itself, and nothing else', () => {
    const box = fc
      .tuple(
        fc.constantFrom(...decisions),
        fc.boolean(),
        fc.constantFrom('x', 'X'),
        fc.constantFrom('-', '*', '+', '1.', '7)', ' -', '   -'),
        fc.constantFrom('', ': why', ' - why', ' — why', ': **NOT** so'),
      )
      .map(([name, isTicked, tick, bullet, more]) => ({
        text: `${bullet} [${isTicked ? tick : ' '}] **${name}**${more}`,
        counts: isTicked ? [name] : [],
      }));
    const decoy = fc
      .constantFrom(
        '> - [x] **APPROVED**',
        '```\n- [x] **APPROVED**\n```',
        '~~~md\n- [x] **REVISE**\n~~~',
        '<!--\n- [x] **APPROVED**\n-->',
        '<!-- - [x] **APPROVED** -->',
        '    - [x] **APPROVED**',
        '- plain\n  - [ ] **APPROVED**',
        'text [x] **APPROVED**',
        'APPROVED',
        '- APPROVED',
        '- **APPROVED**',
        '- \\[x] **APPROVED**',
        '| a |\n|---|\n| - [x] **APPROVED** |',
        '# - [x] **APPROVED**',
      )
      .map((text) => ({ text, counts: [] as Decision[] }));
    fc.assert(
      fc.property(fc.array(fc.oneof(box, decoy), { maxLength: 5 }), (blocks) => {
        const ticked = blocks.flatMap((block) => block.counts);
        const expected = ticked.length === 1 ? ticked[0] : null;
        // A paragraph between the blocks keeps an indented one from becoming part of the list before it.
        expect(parseVerdictMarkdown(blocks.map((block) => block.text).join('\n\ntext\n\n'))).toBe(expected);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each<[string, string, Decision | null]>([
    ['one box', '- [x] **APPROVED**', 'APPROVED'],
    ['one of three', '- [ ] **APPROVED**\n- [x] **REVISE**\n- [ ] **DISCUSS**', 'REVISE'],
    ['a capital X', '- [X] **DISCUSS**', 'DISCUSS'],
    ['colon in the bold name', '- [x] **APPROVED:** fine', 'APPROVED'],
    ['an explanation after a dash', '- [x] **APPROVED** – fine', 'APPROVED'],
    ['another bullet', '* [x] **APPROVED**', 'APPROVED'],
    ['numbered', '1. [x] **APPROVED**', 'APPROVED'],
    ['indented by three', '   - [x] **APPROVED**', 'APPROVED'],
    ['underscores', '- [x] __APPROVED__', 'APPROVED'],
    ['empty', '', null],
    ['no box', 'This is **APPROVED**.', null],
    ['no tick', '- [ ] **APPROVED**', null],
    ['two ticked', '- [x] **APPROVED**\n- [x] **REVISE**', null],
    ['the same twice', '- [x] **APPROVED**\n- [x] **APPROVED**', null],
    ['two ticked in two lists', '- [x] **APPROVED**\n\n## More\n\n- [x] **DISCUSS**', null],
    ['in a code fence', '```\n- [x] **APPROVED**\n```', null],
    ['in indented code', '    - [x] **APPROVED**', null],
    ['in a quote', '> - [x] **APPROVED**', null],
    ['in a nested list', '- a\n  - [x] **APPROVED**', null],
    ['in a comment', '<!--\n- [x] **APPROVED**\n-->', null],
    ['NOT APPROVED', '- [x] **NOT APPROVED**', null],
    ['NOT before the bold name', '- [x] NOT **APPROVED**', null],
    ['APPROVED with changes', '- [x] **APPROVED** with changes', null],
    ['APPROVED with changes, all bold', '- [x] **APPROVED with changes**', null],
    ['on the next line: not yet', '- [x] **APPROVED**\n  not yet', null],
    ['lower case', '- [x] **approved**', null],
    ['not bold', '- [x] APPROVED', null],
    ['only emphasised', '- [x] *APPROVED*', null],
    ['struck out as a whole', '- [x] ~~**APPROVED**~~', null],
    ['struck out inside the bold', '- [x] **~~APPROVED~~**', null],
    ['another sign in the box', '- [v] **APPROVED**', null],
    ['no space in the box', '- [] **APPROVED**', null],
    ['a look-alike letter', '- [x] **АPPROVED**', null],
    [
      'ticked beside a revise that is explained oddly',
      '- [x] **APPROVED**: ok\n- [x] **REVISE** see below',
      null,
    ],
    ['ticked beside a ticked box that is not bold', '- [x] **APPROVED**: ok\n- [x] REVISE', null],
    ['ticked with a ticked revise nested in it', '- [x] **APPROVED**\n  - [x] **REVISE**', null],
  ])('%s', (_, text, decision) => {
    expect(parseVerdictMarkdown(text)).toBe(decision);
  });
});

describe('renderVerdict', () => {
  it('reads back as the effective decision, whatever the reviewer wrote and is called', () => {
    fc.assert(
      fc.property(anyVerdict, line, line, (verdict, reviewer, prompt) => {
        const text = renderVerdict(verdict, { reviewer, prompt, review: 1 });
        expect(parseVerdictMarkdown(text)).toBe(effectiveDecision(verdict));
      }),
      { numRuns: 10_000 },
    );
  });

  it('has our three boxes and our own headings only, whatever a finding says', () => {
    fc.assert(
      fc.property(filled, line, (problem, fix) => {
        const finding = {
          tier: 'high',
          category: problem.slice(0, 60),
          section: fix.slice(0, 120),
          problem,
          fix,
        } as const;
        const verdict: Verdict = {
          decision: 'REVISE',
          summary: 's',
          findings: [finding],
          questions: [problem],
        };
        const counts = { listItem: 0, heading: 0 };
        walk(parseMarkdown(renderVerdict(verdict, { reviewer: 'r', prompt: 'p', review: 1 })), (node) => {
          if (node.type === 'heading') counts.heading += 1;
          if (node.type === 'listItem' && typeof node.checked === 'boolean') counts.listItem += 1;
        });
        expect(counts).toEqual({ listItem: 3, heading: 4 });
      }),
      { numRuns: 10_000 },
    );
  });

  it('shows everything that was found', () => {
    const text = renderVerdict(
      {
        decision: 'REVISE',
        summary: 'Nearly.',
        findings: [
          { tier: 'suggestion', category: 'Quality', section: '', problem: 'Wordy', fix: '' },
          {
            tier: 'blocking',
            category: 'Security',
            section: 'Requirements',
            problem: 'No limit',
            fix: 'Name one',
          },
        ],
        questions: ['Who pays?'],
      },
      { reviewer: 'Gemini', prompt: '0701c', review: 3 },
    );
    expect(text).toBe(`# Review 3

Reviewer: Gemini · prompt: 0701c

Nearly.

## Blocking

- **Security** (Requirements): No limit
  Fix: Name one

## Suggestions

- **Quality**: Wordy

## Questions for a person

- Who pays?

## Verdict

- [ ] **APPROVED**: ready to go on as it is
- [x] **REVISE**: the findings above have to be settled first
- [ ] **DISCUSS**: a person has to decide something first
`);
  });
});

describe('effectiveDecision', () => {
  const finding = (tier: 'blocking' | 'high' | 'suggestion') => ({
    tier,
    category: 'Quality',
    section: '',
    problem: 'p',
    fix: '',
  });

  it.each<[Decision, readonly ('blocking' | 'high' | 'suggestion')[], Decision, boolean]>([
    ['APPROVED', [], 'APPROVED', true],
    ['APPROVED', ['high', 'suggestion'], 'APPROVED', true],
    ['APPROVED', ['suggestion', 'blocking'], 'REVISE', false],
    ['REVISE', [], 'REVISE', false],
    ['REVISE', ['blocking'], 'REVISE', false],
    ['DISCUSS', [], 'DISCUSS', false],
    ['DISCUSS', ['blocking'], 'DISCUSS', false],
  ])('%s with findings %j comes to %s', (decision, tiers, effective, clean) => {
    const verdict: Verdict = { decision, summary: 's', findings: tiers.map(finding), questions: [] };
    expect(effectiveDecision(verdict)).toBe(effective);
    expect(isClean(verdict)).toBe(clean);
  });
});

describe('verdictSchema', () => {
  const good = { decision: 'APPROVED', summary: 's', findings: [], questions: [] };

  it.each([
    ['good', good, true],
    ['another decision', { ...good, decision: 'approved' }, false],
    ['no summary', { ...good, summary: '' }, false],
    ['no findings', { decision: 'APPROVED', summary: 's', questions: [] }, false],
    [
      'an unknown tier',
      { ...good, findings: [{ tier: 'minor', category: 'Q', section: '', problem: 'p', fix: '' }] },
      false,
    ],
    ['a text', 'APPROVED', false],
  ])('%s', (_, value, isValid) => {
    expect(verdictSchema.safeParse(value).success).toBe(isValid);
  });
});
