/** Hints that expire and notes that stay, written and read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectInert, hostileWords } from '../../../../../test/support/loop-comments.ts';
import { readDiscoveryNote, writeDiscoveryNote } from './discovery-note.ts';
import { isLive, makeWispId, readWisp, writeWisp } from './wisp.ts';

const input = {
  issue: 42,
  taskUid: 'tsk_a1b2c3d4e5f6',
  note: 'The server is down.',
  expiresAt: '2026-02-10T20:00:00Z',
};
const wisp = {
  v: 1,
  type: 'wisp',
  id: makeWispId(42, input.taskUid, input.note),
  taskUid: input.taskUid,
  note: input.note,
  expiresAt: input.expiresAt,
  promoted: false,
};

describe('a wisp', () => {
  it('has the form of the document', () => {
    const text = writeWisp(input);
    expect(text).toBe(`## 🪶 Wisp\n\n\`\`\`json\n${JSON.stringify(wisp)}\n\`\`\`\n`);
    expect(readWisp(text)).toEqual(wisp);
    expect(wisp.id).toMatch(/^wsp_[0-9a-f]{12}$/u);
  });

  it('has the same id when it is promoted, and another for other words, tasks and issues', () => {
    expect(readWisp(writeWisp({ ...input, promoted: true }))).toEqual({ ...wisp, promoted: true });
    const ids = [
      input,
      { ...input, note: 'x' },
      { ...input, issue: 7 },
      { ...input, taskUid: 'tsk_000000000000' },
    ];
    expect(new Set(ids.map((one) => readWisp(writeWisp(one))?.id)).size).toBe(4);
  });

  const json = (value: unknown): string => `## 🪶 Wisp\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`;
  it.each([
    ['no JSON', '## 🪶 Wisp\n\nhello'],
    ['broken JSON', '## 🪶 Wisp\n```json\n{\n```'],
    ['two blocks', json(wisp) + json(wisp).slice(10)],
    ['JSON under another heading', `## 🪶 Wisp\n\n### Example\n${json(wisp).slice(10)}`],
    ['another type', json({ ...wisp, type: 'task_log' })],
    ['another version', json({ ...wisp, v: 2 })],
    ['an id that is none', json({ ...wisp, id: 'wsp_\n## x' })],
    ['no heading', json(wisp).slice(10)],
    ['a quote', json(wisp).replaceAll(/^/gmu, '> ')],
  ])('is not read from %s', (_, body) => expect(readWisp(body)).toBeNull());

  const now = new Date('2026-02-10T19:00:00Z');
  it.each<[unknown, boolean]>([
    ['2026-02-10T20:00:00Z', true],
    ['2026-02-10T19:00:00.001Z', true],
    ['2026-02-10T21:30:00+02:00', true],
    ['2026-02-10T19:00:00Z', false],
    ['2026-02-10T20:30:00+02:00', false],
    ['2026-02-10', false],
    ['2999', false],
    ['2999-13-45T00:00:00Z', false],
    ['2026-02-10T20:00:00', false],
    ['tomorrow', false],
    ['', false],
    [null, false],
    [undefined, false],
    [9_999_999_999_999, false],
    [{}, false],
  ])('that expires at %j: live is %s', (expiresAt, live) => {
    const read = readWisp(json({ ...wisp, expiresAt }));
    expect(read).not.toBeNull();
    expect(read !== null && isLive(read, now)).toBe(live);
    expect(read !== null && isLive({ ...read, promoted: true }, now)).toBe(false);
  });

  it('of unclear promotion is not live', () => {
    const read = readWisp(json({ ...wisp, promoted: 'no' }));
    expect(read?.promoted).toBe(true);
  });

  it('is read as it was written, whatever it says, and does nothing', () => {
    fc.assert(
      fc.property(hostileWords, (note) => {
        const text = writeWisp({ ...input, note });
        expect(readWisp(text)?.note).toBe(note);
        expect(readWisp(text.replaceAll('\n', '\r\n'))?.note).toBe(note);
        expectInert(text, ['## 🪶 Wisp']);
      }),
      { numRuns: 150 },
    );
    expect(readWisp(writeWisp({ ...input, note: '😀'.repeat(5000) }))?.note).toBe('😀'.repeat(500));
  });
});

describe('a discovery note', () => {
  const note = {
    taskId: 'US-003',
    at: '2024-01-15T10:00:00Z',
    pattern: 'Errors of JWT become 401.',
    files: ['src/middleware/auth.ts'],
    impacts: 'US-004, US-005 should follow this pattern',
  };

  it('has the form of the document', () => {
    const text = writeDiscoveryNote(note);
    expect(text).toBe(
      [
        ...['## 🔍 Discovery Note', '', '**Task:** US-003', '**Timestamp:** 2024-01-15'],
        ...['', '### Pattern Discovered', 'Errors of JWT become 401.'],
        ...['', '### Files for Reference', '- `src/middleware/auth.ts`'],
        ...['', '### Impacts Tasks', 'US-004, US-005 should follow this pattern', ''],
      ].join('\n'),
    );
    expect(readDiscoveryNote(text)).toEqual({ ...note, at: '2024-01-15' });
  });

  it("reads the document's example", () => {
    const text = [
      ...[
        '## 🔍 Discovery Note',
        '',
        '**Task:** US-003',
        '**Timestamp:** 2024-01-15',
        '',
        '### Pattern Discovered',
      ],
      ...['This codebase handles JWT errors by:', '- `TokenExpiredError` → 401 "Token expired"', ''],
      ...[
        '### Files for Reference',
        '- `src/middleware/auth.ts` lines 15-30',
        '',
        '### Impacts Tasks',
        'US-004',
      ],
    ].join('\n');
    expect(readDiscoveryNote(text)).toEqual({
      ...{ taskId: 'US-003', at: '2024-01-15', files: ['src/middleware/auth.ts'], impacts: 'US-004' },
      pattern: 'This codebase handles JWT errors by:\n- `TokenExpiredError` → 401 "Token expired"',
    });
  });

  it.each([
    ['another kind', '## 🪶 Wisp\n\n### Pattern Discovered\nx'],
    ['no pattern', '## 🔍 Discovery Note\n\n**Task:** US-003'],
    ['two patterns', '## 🔍 Discovery Note\n### Pattern Discovered\na\n### Pattern Discovered\nb'],
    ['a pattern in code', '## 🔍 Discovery Note\n```\n### Pattern Discovered\nb\n```'],
  ])('is not read from %s', (_, body) => expect(readDiscoveryNote(body)).toBeNull());

  it('says the same about its task for any words, and does nothing', () => {
    fc.assert(
      fc.property(hostileWords, fc.array(hostileWords, { maxLength: 2 }), (text, files) => {
        const body = writeDiscoveryNote({ ...note, pattern: text, files, impacts: text });
        const read = readDiscoveryNote(body);
        expect(read).toMatchObject({ taskId: 'US-003', at: '2024-01-15' });
        expectInert(body, [
          ...['## 🔍 Discovery Note', '### Pattern Discovered'],
          ...(files.length > 0 ? ['### Files for Reference'] : []),
          ...(text.trim() === '' ? [] : ['### Impacts Tasks']),
        ]);
      }),
      { numRuns: 120 },
    );
  });
});
