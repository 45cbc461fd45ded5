import { describe, expect, it } from 'vitest';
import { Hyperlinks } from './hyperlinks.ts';

const url = 'https://github.com/acme/project/issues/1';
const link = (one: string) => `\u001B]8;;${one}\u001B\\${one}\u001B]8;;\u001B\\`;

describe('links', () => {
  it('are the addresses that were added, each whole', () => {
    const links = new Hyperlinks();
    expect(links.add(url)).toBe(url);
    links.add(`${url}2`);
    expect(links.apply(`Issue: ${url} and ${url}2.`)).toBe(`Issue: ${link(url)} and ${link(`${url}2`)}.`);
    expect(links.apply('https://github.com/other')).toBe('https://github.com/other');
    expect(links.apply(`${url}/evil`)).toBe(`${url}/evil`);
  });

  it.each([
    'file:///etc/passwd',
    'https://me:secret@github.com/x',
    'https://x.example/\u001B]8;;https://evil.example',
    'https://x.example/a b',
    'javascript:alert(1)',
    `https://x.example/${'a'.repeat(3000)}`,
    '',
  ])('are not made of %j', (bad) => {
    const links = new Hyperlinks();
    expect(links.add(bad)).toBe(bad);
    expect(links.apply(`see ${bad}`)).toBe(`see ${bad}`);
  });
});
