/** Forms of the agents' settings: what could start something, hide something or mean an option is refused. */
import { describe, expect, it } from 'vitest';
import {
  isCheckName,
  isHandle,
  isHostAndPort,
  isTemplateAddress,
  isTemplateSource,
  isVerifyCommand,
} from './fleet-settings.ts';

describe('a handle', () => {
  it.each(['claude', 'a', 'my-agent-2'])('may be %s', (text) => expect(isHandle(text)).toBe(true));
  it.each(['', '@claude', '-a', 'a-', 'a b', 'a.b', 'a'.repeat(40), 'ä', 'a\n'])('may not be %j', (text) =>
    expect(isHandle(text)).toBe(false),
  );
});

describe('a host that setting up may reach', () => {
  it.each(['packages.example.com:443', 'localhost:4873', 'a:1'])('may be %s', (text) =>
    expect(isHostAndPort(text)).toBe(true),
  );
  it.each([
    '',
    'example.com',
    'example.com:0',
    'example.com:70000',
    '*.example.com:443',
    'a..b:1',
    'A:1',
    '-a:1',
    'a:1,b:2',
    'https://a:1',
    'a:1/x',
  ])('may not be %j', (text) => expect(isHostAndPort(text)).toBe(false));
});

describe('the command that verifies', () => {
  it.each(['npm test', 'make', './scripts/check.sh --all', 'npm run test:unit -- a=b'])('may be %s', (text) =>
    expect(isVerifyCommand(text)).toBe(true),
  );
  it.each([
    '',
    ' npm',
    'npm  test',
    'npm test; rm x',
    'npm "a"',
    '$(x)',
    'npm run *',
    '*',
    '--version',
    'a\nb',
  ])('may not be %j', (text) => expect(isVerifyCommand(text)).toBe(false));
});

describe('the name of a check', () => {
  it.each(['build', 'build (ubuntu, 22)', 'ci/test: ü'])('may be %s', (text) =>
    expect(isCheckName(text)).toBe(true),
  );
  it.each(['', ' build', 'a\nb', 'bu\u200Bild', 'x'.repeat(256)])('may not be %j', (text) =>
    expect(isCheckName(text)).toBe(false),
  );
});

describe('a template', () => {
  it.each([
    ['../template', false],
    ['/srv/templates/a b', false],
    ['https://github.example/acme/template.git', true],
    ['ssh://git@github.example/acme/template.git', true],
    ['git@github.example:acme/template.git', true],
    ['file:///srv/templates/a.git', true],
    ['https://h.example/a/x@y', true],
  ])('may be %s', (text, isAddress) => {
    expect(isTemplateSource(text)).toBe(true);
    expect(isTemplateAddress(text)).toBe(isAddress);
  });
  it.each([
    '',
    ' ../x',
    '--upload-pack=sh',
    'ext::sh -c id',
    'http://h.example/x',
    'git://h.example/x',
    'HTTPS://h.example/x',
    'https://user:pa55@h.example/x',
    'https://token@h.example/x',
    'ssh://git:pa55@h.example/x',
    'ssh://-oProxyCommand=id/x',
    'git@-oProxyCommand:x',
    'a\nb',
    'a\u202Eb',
  ])('may not be %j', (text) => expect(isTemplateSource(text)).toBe(false));
});
