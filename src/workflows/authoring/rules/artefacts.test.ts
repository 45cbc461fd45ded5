/** What a run has made, as far as the ledger knows: written, edited at gates, moved, removed. */
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../domain/ledger/effect.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import { foldArtefacts } from './artefacts.ts';

let number = 0;

function entry(kind: LedgerEntry['kind'], data: unknown, key?: string): LedgerEntry {
  return {
    subject: 's',
    run: 'r',
    actor: 'a',
    seq: 1,
    at: '',
    previous: '',
    hash: '',
    kind,
    key,
    data,
  } as LedgerEntry;
}

function done(effect: Effect): LedgerEntry[] {
  number += 1;
  return [
    entry('effect-intended', { effect, dryRun: false }, `k${number}`),
    entry('effect-receipted', { result: {}, found: false }, `k${number}`),
  ];
}

const write = (path: string, content: string) => done({ kind: 'write-file', path, content });
const move = (from: string, to: string) => done({ kind: 'move-path', from, to });

function answered(path: string, seen: string): LedgerEntry[] {
  number += 1;
  const id = `G${number}`;
  return [
    entry('gate-asked', { question: { id, artefacts: [{ name: 'draft', path, hash: 'h1' }] } }, id),
    entry('gate-answered', { gate: id, answer: { seen: { draft: seen } } }, id),
  ];
}

const contents = (entries: readonly LedgerEntry[]) =>
  foldArtefacts(entries).map(({ path, sha256 }) => `${path}=${sha256}`);

describe('foldArtefacts', () => {
  it('lists what was written, in that order, with its first place', () => {
    expect(foldArtefacts([...write('a/1', 'h1'), ...write('a/2', 'h2'), ...move('a', 'b')])).toEqual([
      { path: 'b/1', writtenAs: 'a/1', sha256: 'h1' },
      { path: 'b/2', writtenAs: 'a/2', sha256: 'h2' },
    ]);
  });

  it('counts what a person left in a file when they answered', () => {
    expect(contents([...write('a/1', 'h1'), ...answered('a/1', 'h9'), ...answered('a/1', 'h7')])).toEqual([
      'a/1=h7',
    ]);
  });

  it('counts an edit that was taken over', () => {
    const edit = done({ kind: 'edit-file', path: 'a/1', content: 'h3' });
    expect(contents([...write('a/1', 'h1'), ...edit])).toEqual(['a/1=h3']);
  });

  it('moves a file alone, and not its namesakes', () => {
    const entries = [...write('ab/1', 'h1'), ...write('a', 'h2'), ...move('a', 'c')];
    expect(contents(entries)).toEqual(['ab/1=h1', 'c=h2']);
  });

  it('forgets what was removed, and never knew what was only intended', () => {
    const intended = entry(
      'effect-intended',
      { effect: { kind: 'write-file', path: 'a/9', content: 'h' } },
      'never',
    );
    const removed = done({ kind: 'remove-folder', path: 'a' });
    expect(contents([...write('a/1', 'h1'), intended, ...removed, ...write('b/1', 'h2')])).toEqual([
      'b/1=h2',
    ]);
  });
});
