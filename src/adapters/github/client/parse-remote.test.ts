import { describe, expect, it } from 'vitest';
import { parseRemote } from './parse-remote.ts';

describe('the address of a remote', () => {
  it.each([
    'https://github.com/acme/project.git',
    'https://github.com/acme/project',
    'https://github.com/acme/project/',
    'https://GitHub.com/acme/project.git',
    'https://www.github.com/acme/project',
    'https://user:secret@github.com/acme/project.git',
    'https://token@github.com/acme/project.git',
    'git@github.com:acme/project.git',
    'github.com:acme/project',
    'ssh://git@github.com/acme/project.git',
    'ssh://git@ssh.github.com:443/acme/project.git',
    'git://github.com/acme/project.git',
    'git+ssh://git@github.com/acme/project.git',
    ' https://github.com/acme/project.git\n',
  ])('names host and repository and nothing else: %s', (address) => {
    expect(parseRemote(address)).toEqual({ host: 'github.com', name: 'acme/project' });
  });

  it.each([
    ['https://github.example.org/acme/project.git', 'github.example.org', 'acme/project'],
    ['git@work:acme/my.project.js.git', 'work', 'acme/my.project.js'],
    ['https://github.com.evil.example/acme/project', 'github.com.evil.example', 'acme/project'],
    ['https://github.com@evil.example/acme/project', 'evil.example', 'acme/project'],
  ])('%s is on %s', (address, host, name) => {
    expect(parseRemote(address)).toEqual({ host, name });
  });

  it.each([
    '',
    '/srv/git/project.git',
    '../project.git',
    'file:///srv/git/acme/project.git',
    'https://github.com/acme',
    'https://github.com/acme/project/tree/main',
    'https://github.com/acme/..',
    'https://github.com/acme/pro%20ject',
    'git@github.com:../../project.git',
    'git@github.com:-acme/project',
    'ext::sh -c id',
    'javascript:alert(1)/x',
    'C:\\projects\\acme',
  ])('is none: %s', (address) => {
    expect(parseRemote(address)).toBeNull();
  });
});
