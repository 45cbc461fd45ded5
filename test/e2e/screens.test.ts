/** What a person looks at, on screens of 80 and of 100 columns: lines are broken between words, and no word is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftText, writeCassette } from '../support/cassettes.ts';
import { Playground } from '../support/playground.ts';
import { renderScreen } from '../support/render-screen.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const screens: readonly (readonly string[])[] = [
  ['status'],
  ['explain', brief],
  ['gates'],
  ['runs'],
  ['runs', 'show', 'export-csv'],
  ['ledger', 'show', 'export-csv'],
  ['ledger', 'verify'],
  ['agents'],
  ['agents', 'implementer'],
  ['labels'],
  ['doctor'],
  ['config', 'show'],
  ['init', '--dry-run'],
  ['issue', '--help'],
  ['replay', 'no-such-run'],
];

let playground: Playground;

beforeAll(async () => {
  playground = new Playground();
  const models = writeCassette(playground.folder, 'screens', { drafts: [draftText('First')], verdicts: [] });
  const { code, all } = await playground.run(['issue', '--brief', brief, ...models]);
  expect(code, all).toBe(10);
});

afterAll(() => playground.remove());

async function show(args: readonly string[], columns: number): Promise<string[]> {
  const session = new TerminalSession(playground, args, {}, columns);
  await session.exit();
  return renderScreen(session.output.replaceAll('\n', '\r\n')).split('\n');
}

/** A command to copy stays in one piece, and so does what has no blank in it. */
function mayBeWider(line: string): boolean {
  const words = line.trim().split(' ');
  return words.length === 1 || /^\s*(?:gatewright|git|gh|npm|npx|cd|export|claude) /u.test(line);
}

describe('a mark', () => {
  const marked = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const session = new TerminalSession(playground, ['status'], env, 80);
    await session.exit();
    return session.output;
  };

  it('has the colour of what it says on a screen, and none where none is wanted', async () => {
    const coloured = await marked({ NO_COLOR: '', TERM: 'xterm-256color' });
    expect(coloured).toContain('\u001B[33m●\u001B[39m');
    expect(await marked({ NO_COLOR: '1', TERM: 'xterm-256color' })).toContain(' ● ');
  });
});

describe('a screen', () => {
  it.each(screens.map((args) => [args.join(' '), args] as const))('of %s', async (_, args) => {
    const wide = await show(args, 1000);
    for (const columns of [80, 100]) {
      const lines = await show(args, columns);
      expect(lines.filter((line) => [...line].length > columns && !mayBeWider(line))).toEqual([]);
      expect(wordsOf(lines)).toEqual(wordsOf(wide));
    }
  });
});

/** In any order: what stands in two columns is broken in both. Times and free room change meanwhile. */
function wordsOf(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .replace(/\d[\d,.]*/gu, '0')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .toSorted();
}
