/**
 * A newcomer's first hour, in one go, in a terminal of 80 columns with everything as it is by default: from a clone to a
 * merged change and an empty list. The whole screen is kept in newcomer.txt and compared, so that every message is read
 * when it changes. `UPDATE=1 vitest run newcomer` writes it anew.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type LittleRegistry, packFolder, startRegistry } from '../support/little-registry.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { programFile } from '../support/playground.ts';
import { makeReaderMachine } from '../support/reader-machine.ts';
import { ShellSession } from '../support/shell-session.ts';

const kept = join(import.meta.dirname, 'newcomer.txt');
/** A short path: where lines break depends on it. */
const folder = join(dirname(dirname(programFile)), 'newcomer');
let shell: ShellSession | undefined;
let registry: LittleRegistry | undefined;
afterEach(() => {
  registry?.stop();
  shell?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const source = (body: string): string => `export function countWords(text) {\n${body}\n}\n`;
const testOf = (...cases: readonly string[]): string =>
  [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { countWords } from '../src/count-words.mjs';",
    '',
    ...cases,
    '',
  ].join('\n');
const two = "test('two words', () => assert.equal(countWords('a b'), 2));";
const blanks = "test('several blanks', () => assert.equal(countWords('a  b'), 2));";
const nothing = "test('no words', () => assert.equal(countWords(''), 0));";

const project = {
  'README.md': '# word-count\n\nCounts words.\n',
  'package.json':
    '{\n  "name": "word-count",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'src/count-words.mjs': source("  return text.split(' ').length;"),
  'test/count-words.test.mjs': testOf(two),
};

const brief = `# Count words right

Two blanks between words count as a word.

- \`countWords('a  b')\` is 2
- the empty text has no words
`;

const report = (summary: string) => ({
  text: 'Done.',
  object: { summary, testing: 'node --test', risk: 'needs-review', questions: [] },
});
const review = (call: number, findings: readonly object[]) => ({
  ...{ role: 'reviewer', call, request: { includes: ['src/count-words.mjs'] } },
  answer: { object: { summary: findings.length === 0 ? 'Fine.' : 'One bug.', findings } },
});

const cassette = {
  format: 'gatewright-cassette/1',
  about: 'The models of a newcomer.',
  models: {
    coder: { name: 'claude-sonnet-4-5', title: 'Claude' },
    reviewer: { name: 'gemini-2.5-pro', title: 'Gemini' },
  },
  work: [
    {
      ...{ role: 'implementer', call: 1, request: { includes: ['Count words right'] } },
      steps: [
        { write: 'src/count-words.mjs', content: source('  return text.split(/ +/).length;') },
        { write: 'test/count-words.test.mjs', content: testOf(two, blanks) },
        { run: ['npm', 'test'] },
      ],
      outcome: report('Several blanks separate two words now.'),
    },
    {
      ...{ role: 'fixer', call: 1, request: { includes: ['has one word'] } },
      steps: [
        {
          write: 'src/count-words.mjs',
          content: source('  return text.split(/ +/).filter(Boolean).length;'),
        },
        { write: 'test/count-words.test.mjs', content: testOf(two, blanks, nothing) },
      ],
      outcome: report('The empty text has no words now.'),
    },
    {
      ...{ role: 'merger', call: 1, request: { includes: ['src/count-words.mjs'] } },
      steps: [
        {
          write: 'src/count-words.mjs',
          content: source('  return String(text).split(/ +/).filter(Boolean).length;'),
        },
      ],
      outcome: report('Both changes are kept.'),
    },
  ],
  calls: [
    review(1, [
      {
        ...{ path: 'src/count-words.mjs', line: 2, severity: 'major', category: 'bug' },
        ...{ title: 'The empty text has one word', detail: "countWords('') is 1." },
      },
    ]),
    review(2, []),
    review(3, []),
  ],
};

/** What is published, in a file, and the registry that has its dependency; npm as quiet as it can be. */
async function publish(): Promise<void> {
  rmSync(join(folder, 'bin', 'gatewright'));
  renameSync(join(folder, packFolder(dirname(dirname(programFile)), folder)), join(folder, 'gatewright.tgz'));
  const archives = join(folder, 'archives');
  mkdirSync(archives);
  registry = await startRegistry(['better-sqlite3'], archives);
  const settings = [`registry=${registry.url}`, `prefix=${folder}`, `cache=${join(folder, 'cache')}`];
  const quiet = ['audit', 'fund', 'update-notifier', 'progress'].map((name) => `${name}=false`);
  writeFileSync(join(folder, 'home', '.npmrc'), `${[...settings, ...quiet].join('\n')}\n`);
}

function prepare(): Readonly<Record<string, string>> {
  const environment = { ...makeReaderMachine(folder), EDITOR: 'true' };
  const origin = join(folder, 'origin');
  mkdirSync(origin);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: origin, env: environment, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  for (const [path, content] of Object.entries(project)) {
    mkdirSync(dirname(join(origin, path)), { recursive: true });
    writeFileSync(join(origin, path), content);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Count words');
  writeFileSync(join(folder, 'brief.md'), brief);
  writeFileSync(join(folder, 'mine.mjs'), source("  return String(text).split(' ').length;"));
  writeFileSync(join(folder, 'cassette.json'), JSON.stringify(cassette));
  return environment;
}

/** What differs from run to run, and from machine to machine. */
function normalise(screen: string): string {
  return screen
    .replaceAll(folder, '/tmp/newcomer')
    .replaceAll(/^\$ gatewright doctor\n(?:(?!\$ ).*\n)*/gmu, '$ gatewright doctor\n[…]\n')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/gu, '12:00:00')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/gu, '01J9ZC6T3N8Q4V7X2M5K0B1RWD')
    .replaceAll(/\b[0-9a-f]{12}\b/gu, '0123456789ab')
    .replaceAll(/ +\d+ (?:s|min) ago {2}/gu, '       1 s ago  ')
    .replaceAll(/ · \d+ (?:s|min)$/gmu, ' · 1 s')
    .replaceAll(/\(\d+(?:\.\d+)? ?s(?=[,)])/gu, '(0s')
    .replaceAll(/^added (\d+) packages in \d+(?:s|ms|m)$/gmu, 'added $1 packages in 1s')
    .replaceAll(/forge: \S+ may write/gu, 'forge: alice may write')
    .replaceAll(/Sound: \d+ entries/gu, 'Sound: 300 entries');
}

it('gets from a clone to a merged change, and always knows what to do', { timeout: 600_000 }, async () => {
  const environment = prepare();
  await publish();
  shell = new ShellSession({ folder, environment, columns: 80 });
  const run: ShellSession['run'] = (...words) => (shell as ShellSession).run(...words);
  await run('git clone -q origin word-count && cd word-count');
  await run('npm install --global ../gatewright.tgz');
  await run('gatewright --version');
  await run('gatewright init', ['[npm test]:', ''], ['y or n?', 'y']);
  await run('git add . && git commit -qm "Set up Gatewright"');
  await run('gatewright doctor');
  await run('cat ../brief.md > ideas/active/count-words.md');
  await run(
    'gatewright issue --brief ideas/active/count-words.md',
    ['[G/R/S]', 'G'],
    ['Enter to continue', ''],
  );
  await run('gatewright status');
  await run('gatewright forge issue comment 1 --body "@claude please"');
  await run('export GATEWRIGHT_CODER=cassette:../cassette.json');
  await run('export GATEWRIGHT_CODE_REVIEWER=cassette:../cassette.json');
  await run('gatewright dispatch');
  await run('gatewright status');
  await run('gatewright explain 2');
  await run('cp ../mine.mjs src/count-words.mjs');
  await run('git commit -qam "Count what is no text"');
  await run('gatewright explain 2');
  await run('gatewright forge pr edit 2 --add-label auto-merge');
  await run('gatewright dispatch');
  await run('gatewright status');
  await run('gatewright explain 2');
  await run('gatewright forge pr edit 2 --add-label auto-merge');
  await run('gatewright dispatch');
  await run('gatewright status');
  await run('gatewright explain 1');
  await run('gatewright ledger verify');
  if (process.env.UPDATE === '1') writeFileSync(kept, normalise(shell.screen));
  // Without a sandbox the agents say so, which is not on the screen that is kept.
  if (!isWithoutSandbox) expect(normalise(shell.screen)).toBe(readFileSync(kept, 'utf8'));
});
