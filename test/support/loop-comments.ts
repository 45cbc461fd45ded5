/** What agents, commands and strangers may write into the comments of the loop, and what no comment may become by it. */
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { expect } from 'vitest';
import { carriesMarker } from '../../src/domain/fleet/effect-marker.ts';
import { listClosingReferences } from '../../src/domain/forge/closing-references.ts';
import { longestBody } from '../../src/domain/forge/forge-texts.ts';
import { collectNodes, parseMarkdown, plainText } from '../../src/domain/text/markdown.ts';
import { escapeForTerminal, hasUnsafeCharacters } from '../../src/domain/text/untrusted-text.ts';
import type { UserStory } from '../../src/workflows/loop/rules/document/prd.ts';

const marker = `<!-- gatewright:effect ${'a'.repeat(24)}.${'b'.repeat(40)} -->`;
const event =
  '{"v":1,"type":"task_log","issue":9,"taskId":"US-009","taskUid":"tsk_aaaaaaaaaaaa","status":"pass","attempt":9,' +
  '"commit":"fffffff","verify":{"passed":[],"failed":[]},"discovered":[],"ts":"2026-01-01T00:00:00Z"}';

const fragments = [
  ...[
    '### Event JSON',
    '\n### Event JSON\n```json\n',
    `${event}\n`,
    '```',
    '````',
    '~~~',
    '\n```\n',
    '\n~~~json\n',
    '`',
  ],
  ...[
    '\n**Status:** ✅ Passed\n',
    '**Commit:** abcdef1',
    '\n## 📝 Task Log: US-009\n',
    '## 🪶 Wisp',
    '\n---\n',
    '\n===\n',
  ],
  ...[
    '\n### Verification Results\n',
    '✓ npm test',
    '\n- [x] done',
    '> quote\n',
    '\n    code',
    '| a | b |\n|---|---|\n',
  ],
  ...[
    '@alice',
    '@org/team',
    '#12',
    'closes #3',
    'Fixes https://github.com/o/r/issues/4',
    'GH-5',
    'o/r#6',
    'www.x.example',
  ],
  ...[
    marker,
    '<!--',
    '-->',
    '<details>',
    '<img src=x>',
    '</script>',
    '[a](http://x)',
    '![i](http://x)',
    '[a]: http://x',
  ],
  ...[
    '&#64;alice',
    '&lt;',
    '\\',
    '\\`',
    '"',
    "'",
    '{',
    '}',
    '\r',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\0',
    '\u2028',
    '\u202E',
  ],
  ...[
    '\u200B',
    '\uFEFF',
    '\uD800',
    '🎉',
    'ä',
    '**b**',
    '_e_',
    '<<<END',
    'x',
    'US-003',
    '<!-- issues-loop:auto-patterns:end -->',
  ],
];

/** Any string, made of what has meaning somewhere. */
export const hostileWords: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((all) => all.join('')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

/** Strings that are far too long, of the kinds that grow most when they are escaped. */
export const longWords: fc.Arbitrary<string> = fc
  .constantFrom('@a ', '#1', '\u{E0001}', '`', '& ', '\n```\n', 'word ', '<!--', '\0')
  .map((part) => part.repeat(40_000));

function shownOutsideCode(node: Nodes): string {
  if (node.type === 'code' || node.type === 'inlineCode') return ' ';
  if ('children' in node) return node.children.map(shownOutsideCode).join('');
  return plainText(node);
}

/**
 * That a comment has these headings and no other, and that its words do nothing.
 */
export function expectInert(body: string, headings: readonly string[]): void {
  expect(body.length).toBeLessThan(longestBody - 200);
  const root = parseMarkdown(body);
  expect(
    root.children.flatMap((node) =>
      node.type === 'heading' ? [`${'#'.repeat(node.depth)} ${plainText(node)}`] : [],
    ),
  ).toEqual(headings);
  expect(collectNodes([root], 'heading')).toHaveLength(headings.length);
  expectQuiet(body);
}

/** That a forge acts on no word of a text. */
export function expectQuiet(text: string): void {
  const root = parseMarkdown(text);
  for (const kind of ['html', 'link', 'image', 'definition', 'linkReference'] as const)
    expect(collectNodes([root], kind)).toEqual([]);
  expect(shownOutsideCode(root)).not.toMatch(/@[A-Za-z0-9]|#\d|\bGH-\d|:\/\/|\bwww\./iu);
  expect(listClosingReferences(text)).toEqual([]);
  expect(carriesMarker(text)).toBe(false);
  expect(hasUnsafeCharacters(text)).toBe(false);
}

const plainStory: UserStory = {
  id: 'US-001',
  uid: 'tsk_0123456789ab',
  priority: 1,
  title: 'Add one endpoint',
  description: 'Adds it.',
  files: ['src/a.ts'],
  dependsOn: [],
  discoveredFrom: null,
  discoverySource: null,
  acceptanceCriteria: ['npm test passes'],
  verifyCommands: ['npm test'],
  passes: false,
  attempts: 0,
  lastAttempt: null,
  requiresBrowserVerification: false,
};

export function storyOf(fields: Partial<UserStory> = {}): UserStory {
  return { ...plainStory, ...fields };
}

/** Commands are on one line, without what cannot be seen: prd.json holds no others. */
const anyCommand = hostileWords.map((text) => `x${escapeForTerminal(text).replace(/\s+/gu, ' ')}`);

export const anyStories: fc.Arbitrary<UserStory[]> = fc
  .array(
    fc.record({
      title: hostileWords,
      description: hostileWords,
      files: fc.array(hostileWords, { maxLength: 3 }),
      acceptanceCriteria: fc.array(hostileWords, { maxLength: 3 }),
      verifyCommands: fc.array(anyCommand, { maxLength: 3 }),
      passes: fc.boolean(),
      attempts: fc.nat(5),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) =>
    all.map((fields, index) =>
      storyOf({ ...fields, id: `US-00${index + 1}`, uid: `tsk_${String(index).padStart(12, '0')}` }),
    ),
  );

export const anyPrd = fc.record({
  userStories: anyStories,
  globalVerifyCommands: fc.array(anyCommand, { maxLength: 2 }),
  branchName: fc.constantFrom('ai/issue-42-x', 'main'),
  issueNumber: fc.constantFrom(null, 42),
  formula: fc.constantFrom('feature' as const, null),
});
