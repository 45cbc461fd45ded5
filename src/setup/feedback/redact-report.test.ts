import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { redactData, redactText } from './redact-report.ts';

describe('redactData', () => {
  it('keeps codes and numbers and leaves texts out', () => {
    const data = {
      ...{ role: 'drafter', model: 'google:gemini-2.5-pro', answer: 'a'.repeat(64), prompt: 'b'.repeat(64) },
      usage: { inputTokens: 10, costUsd: 0.1, note: 'secret' },
      reason: { code: 'model-refused', message: 'The brief of Acme said no', resume: 'gatewright …' },
      request: { title: 'Secret plan', brief: '/home/alice/x.md', workflow: 'issue', dryRun: false },
    };
    expect(redactData(data)).toEqual({
      ...{ role: 'drafter', model: 'google:gemini-2.5-pro' },
      usage: { inputTokens: 10, costUsd: 0.1 },
      reason: { code: 'model-refused' },
      request: { workflow: 'issue', dryRun: false },
    });
  });

  it('has no sentence in it, whatever the entry holds', () => {
    const canary = 'my secret words';
    const value = fc.oneof(fc.constant(canary), fc.integer(), fc.boolean(), fc.constant(`x ${canary}`));
    const names = fc.constantFrom(
      'role',
      'why',
      'message',
      'reason',
      'usage',
      'effect',
      'step',
      'title',
      'body',
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(value, fc.dictionary(names, tie('node')), fc.array(tie('node'), { maxLength: 3 })),
    }));
    fc.assert(
      fc.property(tree.node, (data) => {
        expect(JSON.stringify(redactData(data))).not.toContain(canary);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

describe('redactText', () => {
  const known = {
    replacements: [
      ['/home/alice', '~'],
      ['/home/alice/work/acme', 'REPOSITORY'],
      ['acme/project', 'OWNER/NAME'],
      ['alice', 'PERSON'],
    ] as const,
  };

  it.each([
    ['commits can be made in /home/alice/work/acme', 'commits can be made in REPOSITORY'],
    ['alice may write to acme/project (admin)', 'PERSON may write to OWNER/NAME (admin)'],
    ['/home/alice/.config/x is private', '~/.config/x is private'],
    ['see /tmp/build/log and "/root/x"', 'see PATH and "PATH"'],
    ['mail bob@example.com', 'mail MAIL'],
    [`the token ${'ab12'.repeat(10)} is odd`, 'the token TOKEN is odd'],
  ])('%s', (text, expected) => expect(redactText(text, known)).toBe(expected));
});
