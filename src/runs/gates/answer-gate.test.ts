/** An answer counts once, and only for the content that whoever gave it had seen. Real ledger, real files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import { readTextFile } from '../../adapters/git/safe-files.ts';
import { openDatabase, type SqliteDatabase } from '../../adapters/sqlite/database.ts';
import { SqliteLedger } from '../../adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import { readArtefacts, recordAnswer } from './answer-gate.ts';

let folder = '';
let database: SqliteDatabase;
let ledger: SqliteLedger;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-answer-'));
  database = openDatabase(join(folder, 'gatewright.db'));
  ledger = new SqliteLedger(database, systemClock, 'key');
  writeFileSync(join(folder, 'draft.md'), 'the draft');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const question: GateQuestion = {
  id: 'GABCDE',
  kind: 'draft',
  title: 't',
  iteration: 1,
  drafts: 1,
  verdicts: 0,
  artefacts: [{ name: 'draft', path: 'draft.md', hash: sha256('the draft') }],
  choices: [
    { name: 'send', key: 'G', label: '[G]o' },
    { name: 'revise', key: 'R', label: '[R]evise', takesFeedback: true },
  ],
};

const repository = { readText: (path: string) => readTextFile(folder, path) };
const input = {
  runId: 'R1',
  subject: 'o/r:s',
  question,
  choice: 'send',
  by: 'person',
  actor: 'alice',
  shown: null,
  isDryRun: false,
} as const;

describe('recordAnswer', () => {
  it.each([
    ['send', 'send'],
    ['g', 'send'],
    [' R ', 'revise'],
  ])('takes %j as %s and keeps what was seen', async (choice, name) => {
    const answer = await recordAnswer(ledger, repository, { ...input, choice });
    expect(answer).toEqual({ choice: name, seen: { draft: sha256('the draft') }, by: 'person' });
    expect(await ledger.getText(sha256('the draft'))).toBe('the draft');
    expect(await ledger.find('gate-answered', question.id)).toMatchObject({
      actor: 'alice',
      run: 'R1',
      data: { gate: 'GABCDE', answer },
    });
  });

  it('takes what the file holds now, not what was first asked about', async () => {
    writeFileSync(join(folder, 'draft.md'), 'edited');
    expect((await recordAnswer(ledger, repository, input)).seen).toEqual({ draft: sha256('edited') });
  });

  it('refuses an answer about content that has changed since it was shown, and writes nothing', async () => {
    writeFileSync(join(folder, 'draft.md'), 'edited');
    const shown = { draft: sha256('the draft') };
    const changes = [{ artefact: 'draft', shown: sha256('the draft'), now: sha256('edited') }];
    await expect(recordAnswer(ledger, repository, { ...input, shown })).rejects.toMatchObject({
      code: 'gate-content-changed',
      facts: { changes },
    });
    expect(await ledger.readRun('R1')).toEqual([]);
    await recordAnswer(ledger, repository, { ...input, shown: { draft: sha256('edited') } });
  });

  it('lets the first answer count, and names who gave it', async () => {
    await recordAnswer(ledger, repository, { ...input, actor: 'bob', choice: 'revise' });
    await expect(recordAnswer(ledger, repository, input)).rejects.toMatchObject({
      code: 'gate-answered',
      message: expect.stringContaining('bob: revise'),
      facts: { by: 'bob', choice: 'revise', at: expect.stringMatching(/^20.+Z$/u) },
    });
    expect((await ledger.readRun('R1')).length).toBe(1);
  });

  it('takes exactly one of many answers at once', async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, () => rejectedCode(recordAnswer(ledger, repository, input))),
    );
    expect(codes.sort()).toEqual([...Array(9).fill('gate-answered'), 'nothing thrown']);
  });

  it.each(['approve', '', 'constructor', 'send it'])('refuses the choice %j', async (choice) => {
    expect(await rejectedCode(recordAnswer(ledger, repository, { ...input, choice }))).toBe(
      'gate-choice-invalid',
    );
    expect(await ledger.readRun('R1')).toEqual([]);
  });

  it('refuses when the file is gone', async () => {
    rmSync(join(folder, 'draft.md'));
    expect(await rejectedCode(recordAnswer(ledger, repository, input))).toBe('gate-content-gone');
    expect(await ledger.readRun('R1')).toEqual([]);
  });

  it.each(['auto', 'test-mode', 'verdict'] as const)(
    'records the policy %s as the one who answered',
    async (by) => {
      await recordAnswer(ledger, repository, { ...input, by });
      expect(await ledger.find('gate-answered', question.id)).toMatchObject({
        actor: `policy:${by}`,
        data: { answer: { by } },
      });
    },
  );

  it.each([
    [' name the limit \n', { feedback: 'name the limit' }],
    ['  ', {}],
  ])('keeps feedback %j as %j', async (feedback, kept) => {
    const {
      choice: _,
      seen: __,
      by: ___,
      ...rest
    } = await recordAnswer(ledger, repository, { ...input, choice: 'revise', feedback });
    expect(rest).toEqual(kept);
  });
});

describe('readArtefacts', () => {
  it('reads files, and in a dry run the texts that would have been written', async () => {
    expect(await readArtefacts(question, repository, ledger, false)).toEqual({ draft: 'the draft' });
    const planned = {
      ...question,
      artefacts: [{ name: 'draft', path: 'not-written.md', hash: await ledger.putText('planned') }],
    };
    expect(await readArtefacts(planned, repository, ledger, true)).toEqual({ draft: 'planned' });
  });
});
