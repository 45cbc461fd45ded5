import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../errors.ts';
import { adviceOn, explainStop } from './explain-stop.ts';

const messageOf = (error: unknown): string =>
  explainStop(error, 'gatewright runs resume X')?.reason.message ?? '';

describe('the reason that the ledger keeps', () => {
  it('names what the error lists: the field of a cassette, the check that failed', () => {
    const error = new GatewrightError(
      'cassette-invalid',
      'The cassette a.json does not have the right form.',
      {
        details: ['work.0.steps.1.write: expected string', 'calls: expected array'],
      },
    );
    expect(messageOf(error)).toBe(
      'The cassette a.json does not have the right form. work.0.steps.1.write: expected string; calls: expected array.',
    );
  });

  it('parts what is listed from a message without an end', () => {
    const error = new GatewrightError('model-unusable-answer', 'Claude did not finish: no fit', {
      details: ['title: expected string'],
    });
    expect(messageOf(error)).toBe('Claude did not finish: no fit: title: expected string.');
  });

  it('does not say twice what the message says, and bounds the rest', () => {
    const details = ['a.txt', ...Array.from({ length: 9 }, (_, index) => `file-${index} ${'x'.repeat(900)}`)];
    const said = messageOf(
      new GatewrightError('work-refused', 'It cannot be taken over: a.txt', { details }),
    );
    expect(said.match(/a\.txt/gu)).toHaveLength(1);
    expect(said).toContain('It cannot be taken over: a.txt; file-0');
    expect(said).toContain('file-4');
    expect(said).not.toContain('file-5');
    expect(said).toMatch(/and 4 more\.$/u);
    expect(said.length).toBeLessThan(1200);
  });

  it('shows neither a token nor a control character of a detail', () => {
    const token = ['ghp', 'a1B2'.repeat(9)].join('_');
    const error = new GatewrightError('work-refused', 'No.', { details: [`x\u001B[31m\n${token}`] });
    expect(messageOf(error)).not.toContain(token);
    expect(messageOf(error)).not.toMatch(/[\u0000-\u001F]/u);
  });

  it('is the message alone where nothing is listed', () => {
    expect(messageOf(new GatewrightError('work-refused', 'No.'))).toBe('No.');
  });
});

describe('advice', () => {
  const stop = { message: 'It stopped.', resume: 'gatewright issue --resume R' };
  it.each([
    ['proxy-unreachable', { owner: 'time' }, /^Check the address/u],
    ['proxy-unreachable', { owner: 'person' }, /^Check the address/u],
    ['quota-exhausted', { owner: 'time', until: '2026-11-18T00:00:00.000Z' }, null],
    ['gate', { owner: 'person' }, null],
    ['cancelled', { owner: 'nobody' }, null],
  ] as const)('about %s %j', (code, more, expected) => {
    const { advice } = adviceOn({ ...stop, code, ...more }, 'R');
    if (expected === null) expect(advice).toBeUndefined();
    else expect(advice).toMatch(expected);
  });

  it('is that of the error where it says something of its own', () => {
    const hint = 'Check the address and the port; then resume RUN.';
    const refused = new GatewrightError('model-unavailable', 'The connection was refused.', { hint });
    const reason = explainStop(refused, 'gatewright issue --resume R')?.reason ?? null;
    expect(adviceOn(reason, 'R').advice).toBe('Check the address and the port; then resume R.');
  });

  it('of an error without one stays that of the catalogue, which may get better', () => {
    const plain = new GatewrightError('model-unavailable', 'No answer.');
    expect(explainStop(plain, '')?.reason).not.toHaveProperty('advice');
  });
});
