import { describe, expect, it } from 'vitest';
import { escapeForTerminal } from '../../domain/text/untrusted-text.ts';
import { plainText, safeAddress } from './plain-text.ts';

describe('a text of another author', () => {
  it.each([
    'plain\ttext\r\nof two lines',
    '\u001b[31mred\u001b[0m',
    'a\u202Egnp.exe',
    'zero\u200Bwidth\u{E0041}\uFEFF',
    'bell\u0007\u0000\u009b31m',
    'a heart \u2764\uFE0F',
  ])('is shown as the command line shows it: %j', (text) => {
    expect(plainText(text)).toBe(escapeForTerminal(text));
  });
});

describe('an address in a text', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://127.0.0.1/x',
    '//evil.example/',
    '/api/session/end',
    'local://local/reports/issues/1',
    'http://',
    '',
  ])('leads nowhere: %j', (url) => {
    expect(safeAddress(url)).toBeNull();
  });

  it.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['HTTP://example.com', 'http://example.com/'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
  ])('may lead to the web and to e-mail: %s', (url, address) => {
    expect(safeAddress(url)).toBe(address);
  });
});
