/**
 * Which built file of the database library is loaded. Left to itself the library has Node write a report about the whole
 * process to learn which C library there is: two or three milliseconds in every command.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where musl is, also beside another C library: the library has to find out by itself. */
const muslLoaders = ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'];

let known: string | null | undefined;

function findBinding(): string | null {
  if (process.platform !== 'linux' || muslLoaders.some((file) => existsSync(file))) return null;
  const library = createRequire(import.meta.url).resolve('better-sqlite3');
  const file = join(dirname(library), '..', 'prebuilds', `linux-${process.arch}.node`);
  return existsSync(file) ? file : null;
}

/** To be spread into the options of a database. */
export function nativeBinding(): { readonly nativeBinding?: string } {
  known ??= findBinding();
  return known === null ? {} : { nativeBinding: known };
}
