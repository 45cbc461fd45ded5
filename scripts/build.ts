/**
 * Builds the program and its pages into `dist/`, or, for the tests, into another folder together with further entry
 * points; with the licences of everything that went in.
 */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildPages } from './build-pages.ts';
import { bundle, bundleQuick, programEntries } from './bundle.ts';
import { collectLicences } from './licences.ts';

const [target = join(import.meta.dirname, '..', 'dist'), ...more] = process.argv.slice(2);
const bundled = await bundle(
  { ...programEntries, ...Object.fromEntries(more.map((entry) => [basename(entry, '.ts'), entry])) },
  target,
);
await bundleQuick(target);
const ofPages = await buildPages(join(target, 'web'));
writeFileSync(join(target, 'THIRD-PARTY-LICENCES.txt'), collectLicences([...bundled, ...ofPages]));
