/** Whatever the program waits for is shown with how long, at a terminal and elsewhere; results stay clean. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GithubServer } from '../support/github-server.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const token = `ghp_${'canary0123456789abcdefghijklmnop'}`;

let playground: Playground;
let server: GithubServer;

beforeEach(async () => {
  playground = new Playground();
  playground.git('remote', 'add', 'origin', 'https://github.com/acme/project.git');
  server = await GithubServer.start();
  server.addUser('octo', token);
  server.state.addRepository('acme/project', { octo: 'write' });
});
afterEach(async () => {
  await server.close();
  playground.remove();
});

const env = () => ({ GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token, GATEWRIGHT_FORGE: 'github' });

async function makeIssue(): Promise<void> {
  const result = await playground.run(['issue', '--brief', brief, '--auto'], { env: env() });
  expect(result.code, result.all).toBe(0);
}

it('names of issues and pull requests are links, where the terminal knows them', async () => {
  await makeIssue();
  const link = '\u001B]8;;https://github.com/acme/project/issues/1\u001B\\';
  const shown = async (args: readonly string[], more = {}) => {
    const session = new TerminalSession(playground, args, { ...env(), FORCE_HYPERLINK: '1', ...more }, 80);
    await session.exit();
    return session.output;
  };
  expect(await shown(['explain', '1'])).toContain(`${link}acme/project#1\u001B]8;;`);
  expect(await shown(['explain', 'export-csv'])).toContain(`${link}https://github.com/acme/project/issues/1`);
  for (const none of [{ FORCE_HYPERLINK: '0' }, { FORCE_HYPERLINK: '', TERM: 'xterm' }])
    expect(await shown(['explain', '1'], none)).not.toContain('\u001B]8;;');
});

describe('GitHub that is slow', () => {
  it.each([
    ['the preflight of a run', ['issue', '--brief', brief, '--dry-run']],
    ['a label sync', ['labels', 'sync', '--dry-run']],
    ['init', ['init', '--dry-run', '--no-input']],
  ])('is waited for on the screen: %s', async (_, args) => {
    server.faults.push({ milliseconds: 1_700 });
    const session = new TerminalSession(playground, args, env(), 80);
    await session.see('waiting for 127.0.0.1');
    await session.see(' · 1 s');
    expect(await session.exit()).toBe(0);
    // The line is gone when the next one is written.
    expect(session.output).not.toMatch(/ · 1 s\n/u);
  });

  it('is waited for by explain, and JSON stays clean', async () => {
    await makeIssue();
    server.faults.push({ milliseconds: 1_700 });
    const session = new TerminalSession(playground, ['explain', '1'], env(), 80);
    await session.see('waiting for 127.0.0.1');
    expect(await session.exit()).toBe(0);
    server.faults.push({ milliseconds: 4_500 });
    const result = await playground.run(['explain', '1', '--json'], { env: env(), isAlone: true });
    expect(JSON.parse(result.stdout)).toMatchObject({ state: 'open' });
    expect(result.stderr).toMatch(/^… waiting for 127\.0\.0\.1:\d+: \d s so far$/mu);
  });
});

it('git that is slow is waited for', async () => {
  const real = join(playground.folder, 'git');
  writeFileSync(
    real,
    `#!/bin/sh\ncase "$*" in *rev-parse*) sleep 1.7;; esac\nPATH="\${PATH#*:}" exec git "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const path = `${playground.folder}:${playground.environment.PATH ?? process.env.PATH ?? ''}`;
  const session = new TerminalSession(playground, ['forge', 'issue', 'list'], { PATH: path }, 80);
  await session.see('waiting for git rev-parse · 1 s');
  expect(await session.exit()).toBe(0);
});
