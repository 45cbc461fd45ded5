/** Fails for a source file that has grown too long to be read in one go. */
import { globSync, readFileSync } from 'node:fs';

const longest = 400;

const files = globSync('{src,test,scripts,bench,bin}/**/*.{ts,cjs}');
const tooLong = files
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > longest);
for (const { file, lines } of tooLong)
  process.stdout.write(`${file} has ${lines} lines; ${longest} at most.\n`);
process.exitCode = tooLong.length > 0 ? 1 : 0;
