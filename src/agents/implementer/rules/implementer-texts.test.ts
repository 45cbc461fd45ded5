/** What is said on the forge holds the facts, and words of others stay in their place. */
import { describe, expect, it } from 'vitest';
import { stopComment } from '../../../domain/fleet/stop-comment.ts';
import { listClosingReferences } from '../../../domain/forge/closing-references.ts';
import { plainTitle } from '../../../domain/forge/plain-title.ts';
import {
  answerComment,
  commitMessage,
  nothingChangedComment,
  pullRequestBody,
  riskLabelOf,
} from './implementer-texts.ts';

const summary = { summary: 'Done.', testing: '', risk: 'auto-merge', questions: [] } as const;
const verified = {
  ...{ command: ['npm', 'test'], commit: 'a'.repeat(40), exitCode: 1, milliseconds: 1500 },
  ...{ sandbox: 'bubblewrap', output: 'one\n```\n@bob closes #7\n' },
};
const facts = {
  ...{
    issue: 3,
    summary: { ...summary, questions: [] },
    verified,
    leftOut: ['.github/`x`.yml'],
    isPlanned: false,
    denials: [{ tool: 'Bash', target: 'curl `x` @bob\ncloses #7' }],
  },
  risk: { label: 'needs-review', reasons: ['It touches @org/package #4.'] },
} as const;

describe('pullRequestBody', () => {
  const body = pullRequestBody(facts);

  it('says what the coding agent was denied, as text that does nothing', () => {
    expect(body).toContain('### Denied\n\nThe coding agent was denied something once');
    expect(body).toContain("- `Bash curl 'x' @bob");
    expect(pullRequestBody({ ...facts, denials: [] })).not.toContain('Denied');
  });

  it('closes the one issue and no other', () => {
    expect(listClosingReferences(body)).toEqual([3]);
  });

  it('shows what a failed check wrote in a box that it cannot leave', () => {
    expect(body).toContain('**failed** with exit code 1 after 1.5 s.');
    expect(body).toContain('````text\none\n```\n@bob closes #7\n````');
  });

  it.each([
    ["Error: Cannot find module 'ava'", 'miss something that the project depends on'],
    ['sh: 1: ava: not found', 'miss something that the project depends on'],
    ['npm error request to https://registry.npmjs.org/ava failed: EAI_AGAIN', 'look for the network'],
    ['error: failed to get `serde`: Could not resolve host: index.crates.io', 'look for the network'],
    ['dial tcp: lookup proxy.golang.org: no such host', 'look for the network'],
  ])('says why a check fails in a copy without dependencies: %s', (output, why) => {
    const bodyOf = (more: object): string =>
      pullRequestBody({ ...facts, verified: { ...verified, output, ...more } });
    expect(bodyOf({ setup: null })).toMatch(new RegExp(`The check seems to ${why}.*fleet\\.setup`, 'u'));
    expect(bodyOf({ setup: null, exitCode: 0 })).not.toContain('seems to');
    const setup = { command: ['npm', 'ci'], end: 'added 3 packages' };
    expect(bodyOf({ setup }).includes('The check itself has no network.')).toBe(why.includes('network'));
  });

  it('keeps reasons and paths quiet', () => {
    expect(body).toContain('It touches @&#8203;org/package #&#8203;4.');
    expect(body).toContain("`.github/'x'.yml`");
  });
});

describe('titles and messages', () => {
  it('are one visible line of a bearable length', () => {
    expect(plainTitle('a\nb\u202Ec', 1)).toBe('a b\\u{202e}c');
    expect(plainTitle(' ', 7)).toBe('Work on #7');
    expect([...plainTitle('x'.repeat(400), 1)].length).toBeLessThanOrEqual(200);
    expect(commitMessage('T', 7, false)).toBe('Work in progress: T\n\nFor #7; not finished.\n');
  });
});

describe('comments', () => {
  it('quote what an agent said line by line', () => {
    const text = nothingChangedComment('a\n\n# b @bob', 'claude', 'alice');
    expect(text).toContain('> a\n> \n> # b @&#8203;bob\n');
    expect(text).toContain('@alice Nothing was changed');
  });

  it('tell of a stop what it cost and how it goes on', () => {
    const text = stopComment({
      ...{
        code: 'quota-exhausted',
        message: 'Out of quota @bob.',
        output: null,
        hint: 'Wait.',
        until: '2031-01-01T00:00:00Z',
      },
      ...{
        what: 'The work on this',
        words: 'continue',
        person: null,
        handle: 'claude',
        command: 'gatewright dispatch --resume R',
        branch: null,
        costUsd: 1.234,
      },
    });
    expect(text).toContain('It may go on after 2031-01-01T00:00:00Z.');
    expect(text).toContain('`@claude continue`, or run `gatewright dispatch --resume R`.');
    expect(text).toContain('Cost so far: 1.23 USD.');
    expect(text).not.toContain('@bob');
  });

  it('answer whoever asked', () => {
    const who = { handle: 'claude', who: 'alice', pull: 4 };
    expect(answerComment('in-pull-request', who)).toContain('@alice The work on this is in #4.');
  });
});

describe('riskLabelOf', () => {
  it.each<[readonly string[], string | null]>([
    [[], null],
    [['bug', 'Auto-Merge'], 'auto-merge'],
    [['blocked', 'auto-merge'], 'blocked'],
  ])('%j is %s', (labels, risk) => {
    expect(riskLabelOf(labels, ['auto-merge', 'needs-review', 'blocked'])).toBe(risk);
  });
});
