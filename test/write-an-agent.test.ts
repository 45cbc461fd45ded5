/**
 * Follows docs/write-an-agent.md literally: writes its files into a copy of the sources, applies its changes, runs its
 * commands, and looks at what the new agent did.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Code } from 'mdast';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMarkdown } from '../src/domain/text/markdown.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/write-an-agent.md'), 'utf8');
const blocks = parseMarkdown(page).children.filter((node): node is Code => node.type === 'code');
const of = (lang: string): Code[] => blocks.filter((block) => block.lang === lang);
const commands = of('sh').map(({ value }) => value);

/** What the program and its tests are made of. */
const parts = [
  ...['bin', 'demo', 'docs', 'prompts', 'scripts', 'src', 'templates', 'test', 'bench'],
  ...['package.json', 'tsconfig.json', 'vitest.config.ts', '.dependency-cruiser.cjs'],
];

let folder: string;
let copy: string;

function environment(): Record<string, string> {
  return {
    PATH: [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GATEWRIGHT_ACTOR: 'alice',
    GIT_AUTHOR_NAME: 'Alice',
    GIT_AUTHOR_EMAIL: 'alice@example.invalid',
    GIT_COMMITTER_NAME: 'Alice',
    GIT_COMMITTER_EMAIL: 'alice@example.invalid',
  };
}

/** Its output, or an error that holds it. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { cwd: copy, env: environment(), maxBuffer: 50_000_000 };
  const running = promisify(execFile)(program, [...args], options);
  running.child.stdin?.end();
  const failed = (error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  };
  return (await running.catch(failed)).stdout;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gw-write-an-agent-'));
  copy = join(folder, 'gatewright');
  for (const name of ['home', 'tmp', 'gatewright']) mkdirSync(join(folder, name));
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('docs/write-an-agent.md', () => {
  it('has files, changes and commands', () => {
    expect(of('ts').map(({ meta }) => meta?.replace(/^src\/agents\/greeter\//u, ''))).toEqual([
      'manifest.ts',
      'rules/choose-greeting.ts',
      'rules/choose-greeting.test.ts',
      'greeter.ts',
      'greeter.test.ts',
    ]);
    expect([of('diff').length, commands.length]).toEqual([2, 2]);
  });

  it('makes an agent that compiles, stands within the walls, passes its tests and greets once', async () => {
    for (const { meta, value } of of('ts')) {
      const file = join(copy, meta ?? '');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${value}\n`);
    }
    for (const { value } of of('diff')) {
      const file = join(folder, 'page.diff');
      writeFileSync(file, `${value}\n`);
      await run('git', ['apply', '--recount', '--verbose', file]);
    }
    const [checks = '', trial = ''] = commands;
    const checked = await run('bash', ['-euc', checks]);
    expect(checked).toMatch(/Tests\s+7 passed/u);
    const shown = await run('bash', ['-euc', trial]);
    expect(shown).toContain('Welcomes people on the first issue or pull request that they open.');
    const issue = JSON.parse(shown.slice(shown.lastIndexOf('\n{') + 1)) as {
      readonly comments: readonly { readonly author: string; readonly body: string }[];
    };
    expect(issue.comments.map(({ author }) => author)).toEqual(['gatewright[bot]']);
    expect(issue.comments[0]?.body).toContain('Welcome, @tim, and thank you for your first issue here!');
  }, 900_000);
});
