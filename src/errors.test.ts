/** The catalogue is what people read when something went wrong: every entry says what happened and what to do. */
import { describe, expect, it } from 'vitest';
import {
  type ErrorCode,
  errorCatalogue,
  GatewrightError,
  isGatewrightError,
  systemErrorCode,
  toGatewrightError,
} from './errors.ts';

const entries = Object.entries(errorCatalogue);

describe('errorCatalogue', () => {
  it.each(entries)('%s says what it means and what to do', (code, entry) => {
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/u);
    expect(['never', 'later', 'after-human']).toContain(entry.retry);
    for (const text of [entry.meaning, entry.hint]) {
      expect(text).toBe(text.trim());
      expect(text).toMatch(/^[A-Z]/u);
      expect(text).not.toMatch(/\s{2}|\n/u);
    }
    expect(entry.meaning).toMatch(/\.$/u);
    // A hint ends as a sentence, or with a command to copy, which a full stop would spoil.
    expect(entry.hint).toMatch(/\.$|: [^.]+$|gatewright [^.]+$|git init$/u);
  });

  it('says nothing twice', () => {
    expect(new Set(entries.map(([, entry]) => entry.meaning)).size).toBe(entries.length);
  });
});

describe('GatewrightError', () => {
  it('takes its hint and retry from the catalogue', () => {
    for (const [code, entry] of entries) {
      const error = new GatewrightError(code as ErrorCode, 'what happened');
      expect(error).toMatchObject({
        code,
        message: 'what happened',
        hint: entry.hint,
        retry: entry.retry,
        details: [],
        resumeWith: '',
      });
      expect(error.cause).toBeUndefined();
    }
  });

  it('takes what the thrower knows better', () => {
    const cause = new Error('below');
    const error = new GatewrightError('internal', 'm', {
      hint: 'h',
      cause,
      details: ['d'],
      resumeWith: '--x',
    });
    expect(error).toMatchObject({
      hint: 'h',
      cause,
      details: ['d'],
      resumeWith: '--x',
      name: 'GatewrightError',
    });
  });
});

describe('isGatewrightError', () => {
  const error = new GatewrightError('usage', 'm');

  it.each<[string, unknown, ErrorCode[], boolean]>([
    ['any of ours', error, [], true],
    ['this one', error, ['usage'], true],
    ['one of several', error, ['internal', 'usage'], true],
    ['another', error, ['internal'], false],
    ['not ours', new Error('m'), [], false],
    ['looks like ours', { code: 'usage', name: 'GatewrightError' }, [], false],
    ['nothing', null, [], false],
  ])('%s', (_, value, codes, expected) => {
    expect(isGatewrightError(value, ...codes)).toBe(expected);
  });
});

describe('systemErrorCode', () => {
  it.each<[string, unknown, string]>([
    ['a system error', Object.assign(new Error('m'), { code: 'ENOENT' }), 'ENOENT'],
    ['no code', new Error('m'), ''],
    ['a number', Object.assign(new Error('m'), { code: 5 }), ''],
    ['no error', { code: 'ENOENT' }, ''],
    ['nothing', undefined, ''],
  ])('%s', (_, error, code) => {
    expect(systemErrorCode(error)).toBe(code);
  });
});

describe('toGatewrightError', () => {
  it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE'])('knows %s as a full disk', (code) => {
    const cause = Object.assign(new Error('no'), { code, path: '/some/file' });
    expect(toGatewrightError(cause)).toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('/some/file'),
    });
    expect(toGatewrightError(new Error('outer', { cause }))).toMatchObject({ code: 'disk-full' });
  });

  it('leaves errors of ours as they are and calls everything else internal', () => {
    const ours = new GatewrightError('usage', 'x');
    expect(toGatewrightError(ours)).toBe(ours);
    expect(toGatewrightError(Object.assign(new Error('odd'), { code: 'EIO' }), 'Oh: ')).toMatchObject({
      code: 'internal',
      message: 'Oh: odd',
    });
    expect(toGatewrightError('text')).toMatchObject({ code: 'internal', message: 'text' });
    const loop = new Error('loop');
    loop.cause = loop;
    expect(toGatewrightError(loop)).toMatchObject({ code: 'internal' });
  });
});
