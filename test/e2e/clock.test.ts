/** A clock that goes back or jumps between two processes: a laptop that slept, a time server, a machine without a battery. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground, type Result } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';
const hour = 3_600_000;
const longest = 40_000;

let playground: Playground;
let models: string[];

beforeEach(() => {
  playground = new Playground();
  models = writeCassette(playground.folder, 'clock', {
    drafts: [draftText('First'), draftText('Second'), draftText('Third')],
    verdicts: [revise, revise, approved],
  });
});

afterEach(() => playground.remove());

/** Runs the program with a clock that is this many hours ahead; a program that goes round for ever is ended. */
async function runAt(hours: number, args: readonly string[]): Promise<Result> {
  const preload = join(playground.folder, `clock-${hours}.cjs`);
  writeFileSync(
    preload,
    `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + ${hours * hour});
    else super(...args);
  }
  static now() {
    return Real.now() + ${hours * hour};
  }
};
`,
  );
  let timer: NodeJS.Timeout | undefined;
  const result = await playground.run(args, {
    env: { NODE_OPTIONS: `--require=${preload}` },
    onStart: (kill) => {
      timer = setTimeout(kill, longest);
    },
  });
  clearTimeout(timer);
  return result;
}

async function openGate(): Promise<string> {
  const [gate] = await playground.json<{ id: string }[]>(['gates']);
  return gate?.id ?? '';
}

describe('a run over several processes', { timeout: 300_000 }, () => {
  it.each([
    ['goes back by hours each time', [0, -3, -7, -20, -50]],
    ['goes back once and stays there', [0, -9, -9, -9, -9]],
    ['jumps forth and back', [0, 30, -30, 5, -5]],
  ])('whose clock %s ends as it would have', async (_, clocks) => {
    const [first = 0, ...others] = clocks;
    const started = await runAt(first, ['issue', '--brief', brief, '--strict', ...models]);
    expect(started.code, started.all).toBe(10);
    // Strict: a person answers each of the gates, each time in another process.
    const choices = ['send', 'revise', 'send', 'revise', 'send', 'approve'];
    for (const [index, choice] of choices.entries()) {
      const clock = others[index % others.length] ?? 0;
      const answered = await runAt(clock, [
        'gate',
        'answer',
        await openGate(),
        '--choice',
        choice,
        '--no-run',
      ]);
      expect(answered.code, answered.all).toBe(0);
      const resumed = await runAt(clock, ['issue', '--resume', brief, ...models]);
      expect(resumed.code, resumed.all.slice(-3000)).toBe(choice === 'approve' ? 0 : 10);
    }
    const { ledger, views, close } = openRecords(playground);
    const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
    expect(entries.filter((entry) => entry.kind === 'gate-answered')).toHaveLength(choices.length);
    expect(entries.filter((entry) => entry.kind === 'verdict')).toHaveLength(3);
    expect((await ledger.verify()).problems).toEqual([]);
    close();
    expect(playground.list('docs/lineage/done/1-export-csv')).toHaveLength(8);
  });

  it('in auto mode goes on where it was when the clock went back', async () => {
    const started = await runAt(0, ['issue', '--brief', brief, ...models]);
    expect(started.code, started.all).toBe(10);
    const resumed = await runAt(-6, ['issue', '--resume', brief, '--auto', ...models]);
    expect(resumed.code, resumed.all.slice(-3000)).toBe(0);
  });
});
