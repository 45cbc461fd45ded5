/** Commands that share a process tell and leave the same as commands in processes of their own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecords } from '../support/open-records.ts';
import { Playground, type Result } from '../support/playground.ts';

let alone: Playground;
let shared: Playground;

beforeEach(() => {
  alone = new Playground();
  shared = new Playground();
});
afterEach(() => {
  alone.remove();
  shared.remove();
});

/** Without what is another one each time: folders, moments, numbers. */
const plain = (text: string, playground: Playground): string =>
  text
    .replaceAll(playground.folder, '')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/gu, 'RUN')
    .replace(/\b\d+ ?(?:m?s|ms)\b|\d\d:\d\d:\d\d(?:\.\d+Z)?/gu, 'TIME')
    .replace(/\b[0-9a-f]{7,64}\b/gu, 'HASH');

function shown(result: Result, playground: Playground): unknown {
  const { code, signal, stdout, stderr } = result;
  return { code, signal, stdout: plain(stdout, playground), stderr: plain(stderr, playground) };
}

describe('a process that runs many commands', () => {
  it('tells the same, writes to the same streams, and ends with the same codes', {
    timeout: 120_000,
  }, async () => {
    for (const words of [
      '--version',
      'status',
      'forge issue list --json',
      'issue --brief missing.md --auto',
      'no-such-command',
      'issue --brief ideas/active/export-csv.md --auto',
      'runs',
      'ledger verify',
      'forge issue view 1',
    ]) {
      const args = words.split(' ');
      const own = await alone.run(args, { isAlone: true });
      const together = await shared.run(args, { isAlone: false });
      expect(shown(together, shared), words).toEqual(shown(own, alone));
    }
    expect(shared.git('log', '--format=%s')).toBe(alone.git('log', '--format=%s'));
    const kinds = async (playground: Playground) => {
      const { ledger, close } = openRecords(playground);
      const entries = await ledger.readSubject('local/project:export-csv');
      close();
      return entries.map(({ kind }) => kind);
    };
    expect(await kinds(shared)).toEqual(await kinds(alone));
  });

  it('takes folder and environment of each command, and leaves nothing of the last one', async () => {
    const show = async (actor: string) => {
      const env = { GATEWRIGHT_ACTOR: actor };
      return (await shared.run(['config', 'show', '--json'], { env, isAlone: false })).stdout;
    };
    expect(await show('bob')).toContain('"bob"');
    expect(await show('carol')).not.toContain('"bob"');
    const outside = await shared.run(['issue', '--brief', 'x.md', '--auto'], {
      cwd: shared.home,
      isAlone: false,
    });
    expect(outside.stderr).toContain('(not-a-repository)');
  });

  it('does not make commands wait for one another', async () => {
    const words = ['forge', 'issue', 'create', '--title', 'One'];
    const results = await Promise.all([1, 2, 3].map(() => shared.run(words, { isAlone: false })));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await shared.json<unknown[]>(['forge', 'issue', 'list'])).toHaveLength(3);
  });
});
