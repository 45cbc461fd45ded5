import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { describeModelName, redactData, redactFinding } from './redact-report.ts';

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

  it('keeps a word only where it is one of ours: a login, a reason of one word and an owner are not', () => {
    expect(
      redactData({
        by: 'alice',
        why: 'acme',
        owner: 'acme',
        kind: 'acme-sandbox',
        node: 'Nacme',
        role: 'acme',
      }),
    ).toEqual({});
    expect(redactData({ by: 'auto', why: 'conflict', owner: 'person', kind: 'create-comment' })).toEqual({
      ...{ by: 'auto', why: 'conflict', owner: 'person', kind: 'create-comment' },
    });
    expect(redactData({ choice: 'constructor', status: '__proto__', code: 'toString' })).toEqual({});
  });

  it('holds nothing but words of ours and numbers, whatever the entry holds', () => {
    const canary = fc.constantFrom('acme', 'alice', 'hunter2pw', '/srv/acme/x.db', 'acme:acme-7b', 'x acme');
    const value = fc.oneof(canary, fc.integer(), fc.boolean());
    const names = fc.constantFrom(
      ...['role', 'why', 'message', 'reason', 'usage', 'effect', 'step', 'title', 'body', 'by', 'owner'],
      ...['model', 'reportedModel', 'kind', 'node', 'agent', 'choice', 'answer', 'request', 'acme'],
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(value, fc.dictionary(names, tie('node')), fc.array(tie('node'), { maxLength: 3 })),
    }));
    fc.assert(
      fc.property(tree.node, (data) => {
        expect(JSON.stringify(redactData(data))).not.toMatch(/acme|alice|hunter2pw|srv/u);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

describe('describeModelName', () => {
  it.each([
    'google:gemini-2.5-pro',
    'claude:opus',
    'anthropic:claude-sonnet-4-5',
    'openai:gpt-5-mini',
    'builtin:outline',
  ])('keeps the public name %s', (name) => expect(describeModelName(name)).toBe(name));

  it.each([
    ['openai:acme-finetune-gpt-4', 'openai:other'],
    ['acme:gemini-2.5-pro', 'other'],
    ['cassette:/srv/acme/x.json', 'cassette:other'],
    ['openai:ft:gpt-4o:acme::abc', 'openai:other'],
    ['claude:gemini/../alice', 'claude:other'],
    ['', 'other'],
  ])('names no model of a customer: %s', (name, expected) => expect(describeModelName(name)).toBe(expected));
});

describe('redactFinding', () => {
  const finding = {
    name: 'git',
    state: 'ok',
    fix: '',
    detail: 'commits can be made in /home/alice/acme',
  } as const;
  const own = ['forge.kind', 'GATEWRIGHT_EDITOR', 'fleet.tools'];

  it('has the check, its state and its facts, and never its sentence', () => {
    expect(redactFinding({ ...finding, facts: { version: '2.39.5', schema: 3 } }, own)).toEqual({
      ...{ name: 'git', state: 'ok', version: '2.39.5', schema: 3 },
    });
  });

  it('names the settings of ours that a finding is about, and no others', () => {
    const detail = '/srv/acme/gatewright.json:3: "acme.key" is unknown, "forge.kind" cannot be "hunter2pw"';
    expect(redactFinding({ ...finding, state: 'problem', detail }, own)).toEqual({
      ...{ name: 'git', state: 'problem', settings: ['forge.kind'] },
    });
  });

  it('leaves out a fact whose value does not have the form of its kind', () => {
    const facts = {
      ...{ version: '2.39.5 /opt/acme', sandbox: 'acme', permission: 'alice', schema: Number.NaN },
      ...{ code: 'acme', model: 'acme:x', editor: '/opt/acme-x/ed' },
    };
    expect(redactFinding({ ...finding, facts }, own)).toEqual({
      ...{ name: 'git', state: 'ok', model: 'other', editor: 'other' },
    });
  });
});
