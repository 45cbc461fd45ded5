/** Programs that git starts for a repository see no secret; git still commits as the person. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../../../test/support/playground.ts';
import { secretVariables } from '../../domain/machine/secret-variables.ts';
import { makeGitEnvironment } from './git-environment.ts';
import { runGit } from './run-git.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});
afterEach(() => playground.remove());

const secrets = Object.fromEntries(
  [
    ...secretVariables,
    'AWS_SECRET_ACCESS_KEY',
    'NPM_TOKEN',
    'GIT_ASKPASS_TOKEN',
    'GITHUB_APP_PRIVATE_KEY',
  ].map((name) => [name, `canary-${name}`]),
);

describe('the environment of git', () => {
  it('a filter of the repository finds no secret in it', async () => {
    const seen = join(playground.folder, 'seen');
    const filter = join(playground.folder, 'filter.sh');
    writeFileSync(filter, `#!/bin/sh\nenv >> '${seen}'\ncat\n`);
    chmodSync(filter, 0o755);
    playground.git('config', 'filter.nosy.clean', filter);
    playground.write('.gitattributes', '*.md filter=nosy\n');
    playground.write('ideas/active/new.md', '# New\n');
    const environment = {
      ...playground.environment,
      ...secrets,
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.https://github.com/.extraheader',
      GIT_CONFIG_VALUE_0: 'AUTHORIZATION: basic canary',
      GIT_CONFIG_KEY_1: 'user.name',
      GIT_CONFIG_VALUE_1: 'From The Environment',
    };
    await runGit(playground.repository, environment, ['add', '--all']);
    await runGit(playground.repository, environment, ['commit', '--quiet', '--message', 'Filtered']);
    const found = readFileSync(seen, 'utf8');
    expect(found).toContain('PATH=');
    expect(found).not.toContain('canary');
    expect(playground.git('log', '-1', '--format=%an %ae')).toBe('From The Environment test@example.invalid');
  });

  it('keeps who commits, how to sign and how to reach a server; drops what points at another repository', () => {
    const kept = {
      HOME: '/h',
      GIT_AUTHOR_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'c@x',
      GIT_SSH_COMMAND: 'ssh -i key',
      SSH_AUTH_SOCK: '/s',
      GNUPGHOME: '/g',
      https_proxy: 'http://proxy',
      LC_TIME: 'C',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const dropped = { GIT_DIR: '/x', GIT_WORK_TREE: '/x', GIT_INDEX_FILE: '/x', GIT_TRACE: '/etc/x' };
    expect(makeGitEnvironment({ ...kept, ...dropped, ...secrets, GIT_CONFIG_COUNT: 'many' })).toEqual({
      ...kept,
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_PAGER: 'cat',
    });
  });
});
