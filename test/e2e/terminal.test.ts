/** Small things of the terminal in the built program: waits, links, the editor of git, a brief from standard input. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../support/playground.ts';
import { renderScreen } from '../support/render-screen.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});
afterEach(() => playground.remove());

const brief = 'ideas/active/export-csv.md';
const keys = { ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'b' };
const models = ['--drafter', 'anthropic:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];

describe('waiting for a model', () => {
  it('is shown with what and how long, and gone afterwards', async () => {
    const server = await new ScriptedProvider().start();
    server.script = () => 'silence';
    const session = new TerminalSession(
      playground,
      ['issue', '--brief', brief, '--auto', ...models],
      { ...server.environment, ...keys, GATEWRIGHT_MODEL_SECONDS: '3' },
      80,
    );
    await session.see('waiting for Claude to generate draft · 1 s');
    await session.see('gave no answer within 3 seconds');
    expect(await session.exit()).toBe(11);
    expect(session.output).toMatch(/ · 2 s\r\u001B\[2KError: /u);
    await server.stop();
  });

  it('that is not reached: where it was asked, and why', async () => {
    const server = await new ScriptedProvider().start();
    const env = { ...keys, ...server.environment };
    await server.stop();
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models], { env });
    expect(result.code, result.all).toBe(11);
    expect(result.stderr).toMatch(
      /could not be reached at http:\/\/127\.0\.0\.1:\d+\S*: the connection was refused/u,
    );
    // No other process takes it up: it is for the person who began it, with what can be done.
    const { stdout } = await playground.run(['status']);
    expect(stdout).toContain('who: you, in a while · continue: gatewright issue --resume');
    expect(stdout).toMatch(/^ {3}fix: /mu);
  });
});

describe('Ctrl-C', () => {
  it('at a question: what follows begins on a line of its own, and says how to go on', async () => {
    const session = new TerminalSession(
      playground,
      ['issue', '--brief', brief],
      { GATEWRIGHT_EDITOR: 'true' },
      80,
    );
    await session.see('Your choice [G/R/S]: ');
    session.type('\u0003');
    await session.see('Continue with: gatewright issue --resume ');
    expect(await session.exit()).toBe(2);
    const shown = renderScreen(session.output.replaceAll('\n', '\r\n'));
    expect(shown).toMatch(/^Your choice \[G\/R\/S\]: *\nStopped by you\.$/mu);
  });

  it('while a model works: says so on a line of its own, and how to resume the run', async () => {
    const server = await new ScriptedProvider().start();
    server.script = () => 'silence';
    const session = new TerminalSession(
      playground,
      ['issue', '--brief', brief, '--auto', ...models],
      { ...server.environment, ...keys },
      80,
    );
    await session.see('waiting for Claude to generate draft · 1 s');
    session.type('\u0003');
    await session.see('Continue with: gatewright issue --resume ');
    await session.exit();
    const shown = renderScreen(session.output.replaceAll('\n', '\r\n'));
    expect(shown).toMatch(/^Stopped by you; nothing is lost\.$/mu);
    await server.stop();
  });

  it('by a signal that no key sends: says which', async () => {
    const server = await new ScriptedProvider().start();
    server.script = () => 'silence';
    const session = new TerminalSession(
      playground,
      ['issue', '--brief', brief, '--auto', ...models],
      { ...server.environment, ...keys },
      80,
    );
    await session.see('waiting for Claude to generate draft · 1 s');
    session.kill('SIGTERM');
    await session.see('Continue with: gatewright issue --resume ');
    await session.exit();
    const shown = renderScreen(session.output.replaceAll('\n', '\r\n'));
    expect(shown).toMatch(/^Stopped by the signal SIGTERM; nothing is lost\.$/mu);
    await server.stop();
  });

  it('while agents watch: the line fits 80 columns', async () => {
    const session = new TerminalSession(playground, ['watch'], {}, 80);
    await session.see('Ctrl-C stops');
    session.type('\u0003');
    await session.see('Stopping. Runs are saved');
    expect(await session.exit()).toBe(0);
    for (const line of session.output.split('\n').filter((one) => /^\d\d:\d\d:\d\d/u.test(one)))
      expect(line.length).toBeLessThanOrEqual(80);
    expect(session.output).not.toMatch(/\n(?!\d\d:\d\d|\^C| {9})\S/u);
  });
});

describe('a brief on standard input', () => {
  const input = '# Import from CSV\n\nPeople want to bring their numbers.\n\n- a button\n';

  it('becomes an idea, and its run can be resumed', async () => {
    const result = await playground.run(['issue', '--brief', '-', '--no-input'], { input });
    expect(result.code, result.all).toBe(10);
    expect(playground.read('ideas/active/import-from-csv.md')).toBe(input);
    expect(result.stderr).toContain('Brief saved to: ideas/active/import-from-csv.md');
    const resumed = await playground.run([
      'issue',
      '--resume',
      'ideas/active/import-from-csv.md',
      '--no-input',
    ]);
    expect(resumed.code, resumed.all).toBe(10);
  });

  it('is refused where there is none, where another one has its name, and in a dry run', async () => {
    const empty = await playground.run(['issue', '--brief', '-'], { input: ' \n' });
    expect(empty.stderr).toContain('(brief-empty)');
    playground.write('ideas/active/import-from-csv.md', '# Another\n');
    const taken = await playground.run(['issue', '--brief', '-'], { input });
    expect(taken.stderr).toContain('exists with another text');
    const dry = await playground.run(['issue', '--brief', '-', '--dry-run'], { input });
    expect(dry.code).toBe(2);
  });
});

describe('what git knows', () => {
  it('the editor of its settings is used where no variable names one', async () => {
    const editor = playground.editor('exit 0');
    playground.git('config', 'core.editor', editor);
    const { stdout } = await playground.run(['doctor'], { isAlone: true });
    expect(stdout).toMatch(new RegExp(`ok +editor +${editor}`, 'u'));
  });

  it('a head on no branch is warned of, before anything is begun and by doctor', async () => {
    playground.git('checkout', '--quiet', '--detach');
    const run = await playground.run(['issue', '--brief', brief, '--no-input']);
    expect(run.stderr).toContain('No branch is checked out (detached HEAD)');
    const doctor = await playground.run(['doctor']);
    expect(doctor.stdout).toMatch(/warning +git +no branch is checked out/u);
  });
});

describe('feedback', () => {
  it('has versions, checks and the entries of the last run, and none of their texts, names or keys', async () => {
    const canary = 'sk-canary-0123456789';
    const user = join(playground.home, '.config/gatewright/config.json');
    mkdirSync(dirname(user), { recursive: true });
    writeFileSync(user, '{}', { mode: 0o600 });
    await playground.run(['issue', '--brief', brief, '--auto'], { env: { GEMINI_API_KEY: canary } });
    const result = await playground.run(['feedback'], {
      env: { GEMINI_API_KEY: canary, HOME: playground.home },
    });
    expect(result.code, result.all).toBe(0);
    const json = result.stdout.replace(/^```json\n/u, '').replace(/```\n$/u, '');
    const report = JSON.parse(json) as {
      node: string;
      doctor: { name: string; state: string }[];
      run: { status: string; entries: { kind: string }[] };
    };
    expect(report.node).toBe(process.versions.node);
    expect(report.doctor.map(({ name }) => name)).toContain('git');
    expect(report.run.status).toBe('done');
    expect(report.run.entries.map(({ kind }) => kind)).toContain('model-answered');
    for (const secret of [
      canary,
      playground.folder,
      'alice',
      'Export reports',
      'local/project',
      'test@example',
    ])
      expect(result.stdout, secret).not.toContain(secret);
    expect(result.stderr).toContain('Nothing was sent');
  });

  it('takes the last run of the repository in which it is called', async () => {
    await playground.run(['issue', '--brief', brief, '--auto']);
    const other = join(playground.folder, 'other');
    mkdirSync(other);
    playground.git('init', '--quiet', other);
    const runIn = async (...more: string[]): Promise<unknown> => {
      const result = await playground.run(['feedback', '--json', ...more]);
      expect(result.code, result.all).toBe(0);
      return (JSON.parse(result.stdout) as { run: unknown }).run;
    };
    expect(await runIn('--repo', other)).toBeNull();
    expect(await runIn()).toMatchObject({ status: 'done' });
  });

  it('prints nothing that this machine, its people or its repositories are called', async () => {
    const secrets = {
      EDITOR: '/opt/acme-x/ed --token hunter2pw',
      GATEWRIGHT_DATABASE_URL: join(playground.folder, 'acme-clients', 'x.db'),
      GATEWRIGHT_ACTOR: 'root',
      GATEWRIGHT_ACMEPROJECT: 'x',
    };
    const bin = join(playground.folder, 'acme-bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "1.2.3 (of acme)"\n', { mode: 0o755 });
    playground.write('gatewright.config.json', '{"acmeKey": "hunter2pw", "forge": {"kind": "acme"}}');
    playground.git('remote', 'add', 'origin', 'https://github.com/acme-corp/rocket.git');
    const env = { ...secrets, PATH: `${bin}:${playground.environment.PATH ?? ''}` };
    const result = await playground.run(['feedback'], { env });
    expect(result.code, result.all).toBe(0);
    expect(result.all).not.toMatch(/acme|hunter2pw|rocket|PERSON|\/(?:root|opt|srv|tmp|home|usr)\b/iu);
    expect(result.all).not.toContain(playground.folder);
    const { doctor } = JSON.parse(result.stdout.replace(/^```json\n|```\n$/gu, '')) as {
      doctor: { name: string; state: string; version?: string; settings?: string[] }[];
    };
    expect(doctor).toContainEqual({ name: 'claude', state: 'ok', version: '1.2.3' });
    expect(doctor).toContainEqual(
      expect.objectContaining({ name: 'configuration', state: 'problem', settings: ['forge.kind'] }),
    );
    expect(doctor.find(({ name }) => name === 'git')?.version).toMatch(/^\d+\.\d+/u);
  });
});
