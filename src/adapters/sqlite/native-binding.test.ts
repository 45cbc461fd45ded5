/** What we choose without a report is what the library would choose with one. */
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { nativeBinding } from './native-binding.ts';

const load = createRequire(import.meta.url);

it('names the file that the library would load, and opens databases with it', () => {
  const { getPrebuildPath } = load(load.resolve('better-sqlite3').replace(/index\.js$/u, 'binding.js')) as {
    getPrebuildPath: () => string | null;
  };
  const { nativeBinding: file } = nativeBinding();
  if (file !== undefined) expect(file).toBe(getPrebuildPath());
  const database = openDatabase(':memory:');
  expect(database.prepare('SELECT 1 + 1').pluck().get()).toBe(2);
  database.close();
});
