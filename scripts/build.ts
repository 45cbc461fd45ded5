/** Builds the program into `dist/`, or, for the tests, into another folder together with further entry points. */
import { basename, join } from 'node:path';
import { bundle, bundleQuick, programEntries } from './bundle.ts';

const [target = join(import.meta.dirname, '..', 'dist'), ...more] = process.argv.slice(2);
await bundle(
  { ...programEntries, ...Object.fromEntries(more.map((entry) => [basename(entry, '.ts'), entry])) },
  target,
);
await bundleQuick(target);
