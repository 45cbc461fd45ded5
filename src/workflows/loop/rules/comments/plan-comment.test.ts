/** The plan for people: all commands stand in it as they are, and no word of a model does anything. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPrd, expectInert, hostileWords, storyOf } from '../../../../../test/support/loop-comments.ts';
import { collectNodes, parseMarkdown } from '../../../../domain/text/markdown.ts';
import { writePlanApproved, writePlanComment } from './plan-comment.ts';
import { kindOfComment } from './prefixes.ts';

const proposal = {
  summary: 'Adds tokens.',
  approach: 'First the schema, then the routes.',
  risks: ['Old sessions end.'],
  networkHosts: [],
};
const prd = {
  branchName: 'ai/issue-42-tokens',
  issueNumber: 42,
  formula: 'feature' as const,
  globalVerifyCommands: ['npm run lint'],
  userStories: [
    storyOf({ id: 'US-001', title: 'Add the table', verifyCommands: ['npm test -- "a  b"'] }),
    storyOf({
      id: 'US-002',
      title: 'Add the route',
      dependsOn: ['US-001'],
      verifyCommands: ['npm test', 'npm run lint'],
    }),
  ],
};

describe('writePlanComment', () => {
  const text = writePlanComment({ proposal, prd, handle: 'gatewright', remarks: ['US-001: too big'] });

  it('shows the tasks, their criteria and how to approve', () => {
    expect(kindOfComment(text)).toBe('plan');
    expect(text).toContain('| US-002 | Add the route | US-001 | 1 |');
    expect(text).toContain('### US-001: Add the table\n');
    expect(text).toContain('It is done when:\n- npm test passes\n');
    expect(text).toContain('Verified by:\n```sh\nnpm test\nnpm run lint\n```');
    expect(text).toContain('`@gatewright approve`');
    expect(text).toContain('### Remarks of the checks\n\n- US-001: too big\n');
    expect(text).toContain('The commands have no network.');
  });

  it('names the hosts, the open questions and the hash', () => {
    const more = writePlanComment({
      proposal: { ...proposal, networkHosts: ['registry.example'] },
      ...{ prd, handle: 'gatewright', questions: [{ text: 'Which database?' }], hash: 'a'.repeat(64) },
    });
    expect(more).toContain('no other:\n\n```\nregistry.example\n```');
    expect(more).toContain('### Open questions\n\n- Which database?');
    expect(more).toContain('a'.repeat(64));
  });

  it('has every command as it is, however long the rest is', () => {
    const command = fc
      .array(
        fc.constantFrom(
          'npm test',
          ' ',
          '  ',
          '```',
          '`',
          '"',
          '|',
          '&&',
          '$(x)',
          "'",
          '#1',
          '@a',
          '~~~',
          '\\',
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      )
      .map((parts) => `x${parts.join('')}y`);
    const commands = fc.array(command, { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ verifyCommands: commands, description: hostileWords }), { maxLength: 30 }),
        commands,
        fc.nat(2),
        (stories, globalVerifyCommands, size) => {
          const long = { approach: 'word & '.repeat(10_000 * size), summary: '@a'.repeat(20_000 * size) };
          const userStories = stories.map((story) =>
            storyOf({ ...story, description: story.description.repeat(1 + 20 * size) }),
          );
          const body = writePlanComment({
            proposal: { ...proposal, ...long },
            prd: { ...prd, userStories, globalVerifyCommands },
            handle: 'gatewright',
          });
          const shown = new Set(
            collectNodes([parseMarkdown(body)], 'code').flatMap(({ value }) => value.split('\n')),
          );
          const wanted = [
            ...stories.flatMap(({ verifyCommands }) => verifyCommands),
            ...globalVerifyCommands,
          ];
          for (const one of wanted) expect(shown).toContain(one);
          expect(body.length).toBeLessThan(61_000);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('refuses a plan whose commands fit into no comment', () => {
    const verifyCommands = Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(1900)}`);
    const userStories = [storyOf({ verifyCommands })];
    expect(() => writePlanComment({ proposal, prd: { ...prd, userStories }, handle: 'g' })).toThrow(
      'do not fit',
    );
  });
});

describe('for any words of the planner', () => {
  it('a plan and its approval do nothing else', () => {
    fc.assert(
      fc.property(anyPrd, hostileWords, fc.array(hostileWords, { maxLength: 3 }), (any, words, list) => {
        const body = writePlanComment({
          proposal: {
            summary: words,
            approach: words,
            risks: list,
            networkHosts: list.map((one) => one.slice(0, 50)),
          },
          ...{
            prd: { ...any, userStories: any.userStories.map((story) => ({ ...story, title: 'T' })) },
            handle: 'gatewright',
          },
          remarks: list,
          questions: list.map((text) => ({ text })),
        });
        const open = any.userStories.filter(({ passes }) => !passes);
        const some = list.length > 0;
        expectInert(body, [
          ...['## 📋 Implementation Plan', '### Approach', ...(some ? ['### Risks'] : []), '### Tasks'],
          ...open.map(({ id }) => `### ${id}: T`),
          ...[
            '### Commands',
            '### Network',
            ...(some ? ['### Remarks of the checks', '### Open questions'] : []),
          ],
          '### How to approve',
        ]);
        expectInert(writePlanApproved({ by: words, branch: words, prd: any }), ['## ✅ Plan Approved']);
      }),
      { numRuns: 80 },
    );
  });
});

it('an approval says what comes next', () => {
  const text = writePlanApproved({ by: 'alice', branch: 'ai/issue-42-tokens', prd, hash: 'f'.repeat(64) });
  expect(kindOfComment(text)).toBe('approved');
  expect(text).toContain('**Approved by:** `alice`');
  expect(text).toContain('**Commands:** 3, with the hash');
  expect(text).toContain('- US-002: Add the route\n');
  expect(text).toContain('`gatewright loop implement start --issue 42`');
});
