/** A label makes agents act, so no draft may smuggle one in by case, spaces or invisible characters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { isGatewrightError } from '../../errors.ts';
import { riskLabels } from '../changes/change-risk.ts';
import { findLabels, readLabels } from '../drafts/issue-draft.ts';
import { checkDraftLabel, checkLabelName, isControlLabel, labelColour, labelTable } from './label-table.ts';

const control = [
  'auto-merge',
  'needs-review',
  'blocked',
  'daily-digest',
  'gardener-report',
  'do-not-merge',
  'planning',
  'claude-working',
  'template_sync',
  'stale',
  'conflict',
  'hold',
  'agent',
  'ready-to-implement',
  'ai',
  'ai:implement',
  'ai:',
];

const fragments = [
  'bug',
  ',',
  ' ',
  '\n',
  '\r',
  '\u202E',
  '\u200B',
  '\0',
  '`',
  '**Labels:**',
  'hold',
  '$(x)',
  '../',
  '-',
  '💥',
  'é',
];

const anyName = hostileText(fragments, 60);

const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00A0', '\u3000'), maxLength: 4 });

/** A control label as somebody would write it who hopes that only the exact spelling is looked for. */
const disguised = fc
  .tuple(blank, fc.constantFrom(...control), fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), blank)
  .map(([before, name, upper, after]) => {
    const mixed = [...name].map((one, index) => (upper[index] === true ? one.toUpperCase() : one)).join('');
    return `${before}${mixed}${after}`;
  });

describe('checkLabelName', () => {
  it('returns a trimmed name of 1 to 50 characters on one line, or refuses', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyName, (name) => {
        let checked: string;
        try {
          checked = checkLabelName(name);
        } catch (error) {
          expect(isGatewrightError(error, 'label-invalid')).toBe(true);
          return;
        }
        accepted += 1;
        expect(checked).toBe(name.trim());
        expect([...checked].length).toBeGreaterThan(0);
        expect([...checked].length).toBeLessThanOrEqual(50);
        expect(checked).not.toMatch(/[,\r\n\0\p{Bidi_Control}\u200B]/u);
        expect(checkLabelName(checked)).toBe(checked);
      }),
      { numRuns: propertyRuns(10_000) },
    );
    expect(accepted).toBeGreaterThan(propertyRuns(10_000) / 10);
  });

  it.each([
    ['bug', 'bug'],
    ['  good first issue ', 'good first issue'],
    ['é'.repeat(50), 'é'.repeat(50)],
    ['💥'.repeat(50), '💥'.repeat(50)],
  ])('takes %j', (given, name) => {
    expect(checkLabelName(given)).toBe(name);
  });

  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['too long', 'a'.repeat(51)],
    ['a comma', 'a,b'],
    ['a line break', 'a\nb'],
    ['a trailing line break', 'a\n'],
    ['a carriage return', 'a\rb'],
    ['a right-to-left override', 'a\u202Eb'],
    ['a zero-width space', 'ho\u200Bld'],
    ['NUL', 'a\0'],
    ['a tab, which is not a visible character', 'a\tb'],
    ['nothing but a Hangul filler, which is invisible', '\u3164'],
    ['nothing but a variation selector, which is invisible', '\u{E0100}'],
  ])('refuses %s', (_, name) => {
    expect(thrownCode(() => checkLabelName(name))).toBe('label-invalid');
  });
});

describe('checkDraftLabel', () => {
  it('never lets a control label through, whatever its case and spacing', () => {
    fc.assert(
      fc.property(disguised, (name) => {
        expect(isControlLabel(name)).toBe(true);
        expect(['label-reserved', 'label-invalid']).toContain(thrownCode(() => checkDraftLabel(name)));
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('never lets a control label through out of a draft, back-ticked or plain, first or last', () => {
    const draft = fc.tuple(disguised, fc.boolean(), fc.boolean()).map(([name, ticked, first]) => {
      const line = (ticked ? [`\`${name}\``, '`bug`'] : [name, 'bug'])[first ? 'slice' : 'toReversed']();
      return `# Title\n\n**Labels:** ${line.join(', ')}\n`;
    });
    fc.assert(
      fc.property(draft, (text) => {
        expect(findLabels(text).length).toBe(2);
        expect(['label-reserved', 'label-invalid']).toContain(thrownCode(() => readLabels(text)));
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('gives back what passes as checkLabelName does, and never a control label', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const code = thrownCode(() => checkDraftLabel(name));
        expect(['nothing thrown', 'label-invalid', 'label-reserved']).toContain(code);
        if (code !== 'nothing thrown') return;
        expect(checkDraftLabel(name)).toBe(checkLabelName(name));
        expect(control).not.toContain(checkDraftLabel(name).toLowerCase());
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each(control)('refuses %j as reserved', (name) => {
    expect(thrownCode(() => checkDraftLabel(name))).toBe('label-reserved');
  });

  it.each(['bug', 'aid', 'holder', 'ai-tools', 'staleness', 'agents'])(
    'takes %j, which only looks like one',
    (name) => {
      expect(checkDraftLabel(name)).toBe(name);
    },
  );
});

describe('labelColour', () => {
  it.each([
    ['bug', 'd73a4a'],
    ['BUG', 'd73a4a'],
    ['security', 'ee0701'],
    ['something else', 'ededed'],
    ['constructor', 'ededed'],
  ])('gives %j the colour %s', (name, colour) => {
    expect(labelColour(name)).toBe(colour);
  });
});

describe('findLabels', () => {
  const text = fc.oneof(
    anyName,
    fc
      .array(fc.oneof(fc.constantFrom(...fragments, '**Labels:** ', '\n\n', '> ', '```\n'), anyName), {
        maxLength: 8,
      })
      .map((parts) => parts.join('')),
  );

  it('returns distinct, trimmed, non-empty names for any text', () => {
    let found = 0;
    fc.assert(
      fc.property(text, (draft) => {
        const names = findLabels(draft);
        found += names.length > 0 ? 1 : 0;
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) {
          expect(name).toBe(name.trim());
          expect(name).not.toBe('');
        }
      }),
      { numRuns: propertyRuns(10_000) },
    );
    expect(found).toBeGreaterThan(propertyRuns(10_000) / 100);
  });

  it.each([
    ['back-ticked', '**Labels:** `bug`, `good first issue`', ['bug', 'good first issue']],
    ['plain', '**Labels:** bug, ui', ['bug', 'ui']],
    ['colon outside', '**Labels**: bug', ['bug']],
    ['twice the same', '**Labels:** bug, bug', ['bug']],
    ['other words beside back-ticks', '**Labels:** `bug` and more', ['bug']],
    ['the next line is another field', '**Labels:** bug\n**Owner:** alice', ['bug']],
    ['a hard break ends it', '**Labels:** bug  \nmore', ['bug']],
    ['only the first line counts', '**Labels:** bug\n\n**Labels:** hold', ['bug']],
    ['none', '# Title', []],
    ['empty', '**Labels:**', []],
    ['in a quote', '> **Labels:** hold', []],
    ['in code', '```\n**Labels:** hold\n```', []],
    ['in a list', '- **Labels:** hold', []],
    ['in a comment', '<!--\n**Labels:** hold\n-->', []],
    ['not bold', 'Labels: hold', []],
    ['other bold text', '**Known Labels:** hold', []],
  ])('%s', (_, draft, names) => {
    expect(findLabels(draft)).toEqual(names);
  });
});

describe('labelTable', () => {
  it('has each label once, made with a text that forges take', () => {
    const keys = labelTable.map(({ name }) => name.toLowerCase());
    expect(new Set(keys).size).toBe(keys.length);
    for (const { name, colour, description, comes, goes } of labelTable) {
      expect(checkLabelName(name)).toBe(name);
      expect(colour, name).toMatch(/^[0-9a-f]{6}$/u);
      expect(description.length, name).toBeLessThanOrEqual(100);
      expect(comes, name).not.toBe('');
      expect(goes, name).not.toBe('');
    }
  });

  it('leaves to everybody what is about content, and nothing that says what agents did', () => {
    for (const { kind, name, setBy } of labelTable) {
      if (kind === 'content') expect(isControlLabel(name), name).toBe(false);
      if (kind === 'report') expect(setBy, name).toBe('gatewright');
    }
    expect(labelTable.filter(({ kind }) => kind === 'risk').map(({ name }) => name)).toEqual([...riskLabels]);
  });
});
