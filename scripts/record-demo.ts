/** Plays the demo on a pseudo-terminal and keeps it as docs/demo.svg. Run it after the demo, or what it shows, has changed. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { type Piece, renderRecording } from './render-recording.ts';

const root = join(import.meta.dirname, '..');
const size = { columns: 92, rows: 26 };

const { NO_COLOR: _, ...environment } = process.env;
const pieces: Piece[] = [];
const begun = Date.now();
const terminal = spawn(process.execPath, [join(root, 'bin', 'gatewright.cjs'), 'demo'], {
  ...{ cwd: root, cols: size.columns, rows: size.rows },
  env: environment,
});
terminal.onData((text) => pieces.push({ at: Date.now() - begun, text }));
terminal.onExit(({ exitCode }) => {
  if (exitCode !== 0) throw new Error(`The demo ended with ${exitCode}.`);
  // The folder has another name each time, and stands elsewhere on each machine.
  const folder = new RegExp(`${tmpdir()}/gatewright-demo-\\w+`, 'gu');
  const shown = pieces.map(({ at, text }) => ({ at, text: text.replace(folder, '/tmp/demo') }));
  writeFileSync(
    join(root, 'docs', 'demo.svg'),
    renderRecording(shown, size, 'The demo: an idea becomes a filed issue, then merged code'),
  );
});
