/** The key is made once, never replaced, and not missed because another process was quicker. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { keyFile, openDatabase, type SqliteDatabase } from './database.ts';
import { readSigningKey } from './signing-key.ts';

let folder = '';
let file = '';
let database: SqliteDatabase;
const key = 'a'.repeat(64);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-key-'));
  file = join(folder, 'gatewright.db');
  database = openDatabase(file);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function sign(): void {
  database
    .prepare(`INSERT INTO ledger_heads (subject, seq, hash, signature) VALUES ('s', 1, 'h', 'x')`)
    .run();
}

/** Between the look for the key and the look into the ledger, another process makes both. */
function withAnother(work: () => void): SqliteDatabase {
  return new Proxy(database, {
    get: (inner, name) => {
      if (name === 'prepare') work();
      const value = Reflect.get(inner, name) as unknown;
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}

describe('readSigningKey', () => {
  it('makes a key that only its owner can read, once', () => {
    const made = readSigningKey(file, database);
    expect(made).toMatch(/^[0-9a-f]{64}$/u);
    expect(statSync(keyFile(file)).mode & 0o077).toBe(0);
    expect(readSigningKey(file, database)).toBe(made);
  });

  it('takes the key of a process that was quicker, and has signed with it', () => {
    const racing = withAnother(() => {
      if (existsSync(keyFile(file))) return;
      writeFileSync(keyFile(file), key, { mode: 0o600 });
      sign();
    });
    expect(readSigningKey(file, racing)).toBe(key);
  });

  it('makes no new key for a ledger that was signed with one that is gone', () => {
    sign();
    expect(thrownCode(() => readSigningKey(file, database))).toBe('database-corrupt');
    expect(existsSync(keyFile(file))).toBe(false);
  });

  it('leaves a damaged key as it is', () => {
    writeFileSync(keyFile(file), 'half');
    expect(thrownCode(() => readSigningKey(file, database))).toBe('database-corrupt');
    expect(readFileSync(keyFile(file), 'utf8')).toBe('half');
  });
});
