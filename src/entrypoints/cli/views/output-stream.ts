/**
 * The two streams that the program writes to. The program that reads them may end early (`| head`), and a file that they go
 * to may have no room: neither stops the work half done. What cannot be written is dropped, and the work goes on.
 */
import { breakCommands, breakFurtherCommands } from '../../../domain/text/break-commands.ts';
import { systemErrorCode } from '../../../errors.ts';

const lost = new WeakSet<NodeJS.WriteStream>();

let isJobLog = false;

/** Whether a runner of GitHub Actions reads along, which obeys commands in what it reads. */
export function expectRunner(isReading: boolean): void {
  isJobLog = isReading;
}

/** A reader that ended has read what it wanted. Results that got lost otherwise make the command fail at its end. */
function lose(stream: NodeJS.WriteStream, error: unknown): void {
  if (lost.has(stream)) return;
  lost.add(stream);
  if (stream !== process.stdout || systemErrorCode(error) === 'EPIPE') return;
  writeTo(2, `Error: The results could not be written (${systemErrorCode(error)}).\n`);
  process.once('exit', (code) => {
    if (code === 0) process.exitCode = 1;
  });
}

/** It is not opened before it is needed: this takes longer than `status`. */
function write(descriptor: 1 | 2, text: string): void {
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  if (stream.listenerCount('error') === 0) stream.on('error', (error) => lose(stream, error));
  if (!lost.has(stream)) stream.write(text);
}

/** Standard output (1) or standard error (2). Whole lines: a command may not come together from two texts. */
export function writeTo(descriptor: 1 | 2, text: string): void {
  write(descriptor, isJobLog ? breakCommands(text) : text);
}

/** One line for the runner of GitHub Actions, such as an annotation. */
export function writeCommand(line: string): void {
  write(1, `${breakFurtherCommands(line)}\n`);
}

/** Standard error, for what draws on it. */
export const errorStream = {
  get columns(): number | undefined {
    return process.stderr.columns;
  },
  write: (text: string): void => writeTo(2, text),
};
