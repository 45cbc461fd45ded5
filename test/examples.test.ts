/**
 * The worked examples of the documentation, typed block by block into an empty folder, with the settings that a reader has.
 * What a block prints is in the `text` block below it. `UPDATE=1 vitest run examples` writes those anew.
 */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { approved, draftText } from './support/cassettes.ts';
import { isWithoutSandbox } from './support/needs-sandbox.ts';
import { makeReaderMachine } from './support/reader-machine.ts';
import { answerWith, ScriptedProvider } from './support/scripted-provider.ts';

const pages = join(import.meta.dirname, '..', 'docs', 'examples');
const names = readdirSync(pages).filter((name) => name !== 'README.md');

let folder: string;
let provider: ScriptedProvider;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-example-')));
  provider = await new ScriptedProvider().start();
  provider.script = (seen) =>
    answerWith(seen, seen.provider === 'google' ? approved : draftText('The empty text has no words'));
});
afterEach(async () => {
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

const codingAgent = {
  format: 'gatewright-cassette/1',
  about: 'The models of the example with agents.',
  models: {
    coder: { name: 'claude-sonnet-4-5', title: 'Claude' },
    reviewer: { name: 'gemini-2.5-pro', title: 'Gemini' },
  },
  work: [
    {
      ...{ role: 'implementer', call: 1, request: { includes: ['The empty text has a word'] } },
      steps: [
        {
          edit: 'src/count.mjs',
          replace: "text.split(' ').length",
          with: "text.split(' ').filter(Boolean).length",
        },
        {
          edit: 'test/count.test.mjs',
          replace: "assert.equal(count('a b'), 2));\n",
          with: "assert.equal(count('a b'), 2));\ntest('no words', () => assert.equal(count(''), 0));\n",
        },
        { run: ['npm', 'test'] },
      ],
      outcome: {
        text: 'Done.',
        object: {
          summary: 'The empty text has no words now.',
          testing: 'npm test',
          risk: 'needs-review',
          questions: [],
        },
      },
    },
  ],
  calls: [
    {
      ...{ role: 'reviewer', call: 1, request: { includes: ['src/count.mjs'] } },
      answer: { object: { summary: 'Fine.', findings: [] } },
    },
  ],
};

/** What a page needs that a reader has: a machine, and the models that its text speaks of. */
function environmentOf(page: string): Readonly<Record<string, string>> {
  const cassette = join(folder, 'cassette.json');
  writeFileSync(cassette, JSON.stringify(codingAgent));
  const models: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'with-keys.md': { ...provider.environment, ANTHROPIC_API_KEY: 'a-key', GEMINI_API_KEY: 'another-key' },
    'agents.md': {
      GATEWRIGHT_CODER: `cassette:${cassette}`,
      GATEWRIGHT_CODE_REVIEWER: `cassette:${cassette}`,
    },
  };
  return { ...makeReaderMachine(folder), ...models[page] };
}

/** What differs from run to run, and from machine to machine. */
function normalise(text: string): string {
  return text
    .replaceAll(folder, '/tmp/example')
    .replaceAll(/\d{4}-\d\d-\d\dT?\s?\d\d:\d\d(?::\d\d(?:\.\d+)?Z?)?/gu, '2026-01-01 12:00')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/gu, '12:00:00')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}(?=-|\b)/gu, '01J9ZC6T3N8Q4V7X2M5K0B1RWD')
    .replaceAll(/\b(?=\d*[a-f])[0-9a-f]{7,12}\b/gu, (hash) => '0123456789ab'.slice(0, hash.length))
    .replaceAll(/\b\d{7,12}\b/gu, (hash) => '0123456789ab'.slice(0, hash.length))
    .replaceAll(/\bG[0-9A-HJKMNP-TV-Z]{6}\b/gu, 'G7K2M4P')
    .replaceAll(/open · \S+ ·/gu, 'open · alice ·')
    .replaceAll(/(?<=, | · )\d+ (?:s|min)$/gmu, '1 s')
    .replaceAll(/ done {4}\d+ (?:s|min) /gu, ' done    1 s ')
    .replaceAll(/done for \d+ (?:s|min)/gu, 'done for 1 s')
    .replaceAll(/ +\d+ (?:s|min) ago/gu, '  1 s ago')
    .replaceAll(/\(\d+(?:\.\d+)? ?s(?=[,)])/gu, '(0s')
    .replaceAll(/\S+ may write to/gu, 'alice may write to')
    .replaceAll(/Sound: \d+ entries/gu, 'Sound: 100 entries')
    .replaceAll(/ok: \d+\./gu, 'ok: 20.')
    .trimEnd();
}

/** A block of commands, and the block with what it prints, if there is one. */
const example = /^```sh\n(?<commands>[\s\S]*?)^```\n(?:\n```text\n(?<output>[\s\S]*?)^```\n)?/gmu;
const mark = '@@@ end of block';

it.each(names)('%s: every command does what the page shows', { timeout: 240_000 }, async (name) => {
  const file = join(pages, name);
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(example)].map(({ groups = {} }) => groups);
  const script = blocks.map(({ commands }) => `${commands}\necho '${mark}'`).join('\n');
  const place = join(folder, 'reader');
  mkdirSync(place);
  const env = environmentOf(name);
  const running = promisify(execFile)('bash', ['-euc', `exec 2>&1\n${script}`], { cwd: place, env });
  running.child.stdin?.end();
  const { stdout } = await running.catch((error: { stdout?: string }) => {
    throw new Error(`${name} stopped: ${error.stdout ?? String(error)}`);
  });
  const printed = stdout.split(`${mark}\n`).slice(0, blocks.length).map(normalise);
  if (process.env.UPDATE === '1') {
    let index = -1;
    const updated = text.replaceAll(example, (_, commands: string) => {
      index += 1;
      const output = printed[index] ?? '';
      return `\`\`\`sh\n${commands}\`\`\`\n${output === '' ? '' : `\n\`\`\`text\n${output}\n\`\`\`\n`}`;
    });
    writeFileSync(file, updated);
    return;
  }
  // Without a sandbox the agents say so, which is not on the page.
  if (isWithoutSandbox) return;
  expect(printed).toEqual(blocks.map(({ output = '' }) => output.trimEnd()));
});
