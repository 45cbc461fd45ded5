/** The managed section: what is outside of it stays, byte for byte, and no pattern gets out of its line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectQuiet, hostileWords } from '../../../../../test/support/loop-comments.ts';
import { updatePatternSection } from './pattern-section.ts';

const start = '<!-- issues-loop:auto-patterns:start -->';
const end = '<!-- issues-loop:auto-patterns:end -->';
const pattern = { statement: 'Errors become 401.', scope: 'auth', files: ['src/auth.ts'], confidence: 0.9 };
const line = '- Errors become 401. (auth, `src/auth.ts`)';

function textOf(result: ReturnType<typeof updatePatternSection>): string {
  if ('problem' in result) throw new Error(result.problem);
  return result.text;
}

describe('updatePatternSection', () => {
  it('adds the section at the end of a document without one', () => {
    const section = `${start}\n## Learned patterns\n\n${line}\n${end}\n`;
    expect(updatePatternSection('', [pattern])).toEqual({ text: section });
    expect(updatePatternSection('# Rules\n', [pattern])).toEqual({ text: `# Rules\n\n${section}` });
    expect(updatePatternSection('# Rules', [pattern])).toEqual({ text: `# Rules\n\n${section}` });
    expect(updatePatternSection('# Rules\r\n', [pattern])).toEqual({
      text: `# Rules\r\n\r\n${section.replaceAll('\n', '\r\n')}`,
    });
  });

  it('adds to what is there, each pattern once', () => {
    const before = `a\n${start}\n## Learned patterns\n\n- Old one.\n${end}\nb`;
    const once = textOf(updatePatternSection(before, [pattern, pattern]));
    expect(once).toBe(`a\n${start}\n## Learned patterns\n\n- Old one.\n${line}\n${end}\nb`);
    expect(updatePatternSection(once, [pattern])).toEqual({ text: once });
    expect(updatePatternSection(once, [])).toEqual({ text: once });
  });

  it('takes only those that are certain enough, and not too many', () => {
    const limits = { minConfidence: 0.8, most: 1 };
    const doubtful = { ...pattern, statement: 'Maybe.', confidence: 0.5 };
    const text = textOf(
      updatePatternSection(
        '',
        [doubtful, { statement: 'No figure.' }, pattern, { ...pattern, statement: 'Third.' }],
        limits,
      ),
    );
    expect(text).toContain('401');
    expect(text).not.toMatch(/Maybe|No figure|Third/u);
    expect(updatePatternSection('x', [doubtful], limits)).toEqual({ text: 'x' });
  });

  it('uses the marks of the configuration', () => {
    expect(textOf(updatePatternSection('', [pattern], { marker: 'our-notes' }))).toContain(
      '<!-- our-notes:start -->\n',
    );
    for (const marker of ['', 'a b', '--', 'a-->b', 'x\ny', 'é'])
      expect(updatePatternSection('', [pattern], { marker })).toHaveProperty('problem');
  });

  it.each([
    ['only a start', `a\n${start}\nb`],
    ['only an end', `a\n${end}\nb`],
    ['two starts', `${start}\n${start}\n${end}\n`],
    ['two sections', `${start}\n${end}\n${start}\n${end}\n`],
    ['the end first', `${end}\n${start}\n`],
    ['a mark in a line', `see ${start}\n${end}\n`],
    ['an indented mark', `  ${start}\n${end}\n`],
    ['marks in code', `\`\`\`\n${start}\n${end}\n\`\`\`\n`],
    ['an end in code', `${start}\n~~~\n${end}\n~~~\n`],
    ['an open block of code at its end', 'a\n```\nb\n'],
    ['too long a text', 'x'.repeat(1_000_001)],
  ])('does not change a document with %s', (_, text) =>
    expect(updatePatternSection(text, [pattern])).toHaveProperty('problem'),
  );

  it('leaves every byte outside alone, and stays readable, for any document and any words', () => {
    const document = fc.array(
      fc.oneof(
        fc.constantFrom('# a', '', '```', '~~~', 'text', '- item', '\r', '\uFEFF', '\0', '<!-- x -->'),
        hostileWords.filter((text) => !text.includes('auto-patterns')),
      ),
      { maxLength: 6 },
    );
    const patterns = fc.array(
      fc.record({
        statement: hostileWords,
        scope: hostileWords,
        files: fc.array(hostileWords, { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(document, document, patterns, fc.boolean(), (before, after, some, isThere) => {
        const head = before.length === 0 ? '' : `${before.join('\n')}\n`;
        const tail = isThere ? `\n${after.join('\n')}` : /\r\n/u.test(head) ? '\r\n' : '\n';
        const text = isThere ? `${head}${start}\n${end}${tail}` : head;
        const result = updatePatternSection(text, some);
        // By what is before them the marks may stand in code.
        if ('problem' in result) expect(head).toMatch(/```|~~~/u);
        else if (result.text !== text) expectChanged(result.text, { head, tail, some });
      }),
      { numRuns: 300 },
    );
  });
});

function expectChanged(
  changed: string,
  { head, tail, some }: { head: string; tail: string; some: Parameters<typeof updatePatternSection>[1] },
): void {
  expect(changed.startsWith(head)).toBe(true);
  expect(changed.endsWith(`${end}${tail}`)).toBe(true);
  expect(changed.split(start)).toHaveLength(2);
  expect(changed.split(end)).toHaveLength(2);
  const inside = changed.slice(changed.indexOf(start) + start.length, changed.indexOf(end));
  const lines = inside.split(/\r?\n/u).filter((one) => one !== '' && one !== '## Learned patterns');
  expect(lines.length).toBeLessThanOrEqual(some.length);
  for (const one of lines) {
    expect(one).toMatch(/^- /u);
    expectQuiet(one);
  }
  expect(updatePatternSection(changed, some)).toEqual({ text: changed });
}
