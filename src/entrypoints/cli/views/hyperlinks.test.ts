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

  it('are the names of issues and pull requests whose address is known', () => {
    const links = new Hyperlinks();
    links.add(url);
    const named = `\u001B]8;;${url}\u001B\\acme/project#1\u001B]8;;\u001B\\`;
    expect(links.apply('see acme/project#1, please')).toBe(`see ${named}, please`);
    for (const other of ['acme/project#12', 'evil-acme/project#1', 'x/acme/project#1', '#1', 'acme/project'])
      expect(links.apply(`see ${other}`)).toBe(`see ${other}`);
    links.addNumber('https://github.com/acme/project/pull/7');
    expect(links.apply('fix #7 and #71')).toBe(
      'fix \u001B]8;;https://github.com/acme/project/pull/7\u001B\\#7\u001B]8;;\u001B\\ and #71',
    );
    links.addNumber('https://github.com/acme/project/actions');
    links.addNumber('local://local/project/issues/3');
    expect(links.apply('#3 /actions')).toBe('#3 /actions');
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
