/** Reads a brief and refuses, before anything is changed, what cannot be one. */
import { open } from 'node:fs/promises';
import { cutTitle } from '../../../domain/text/cut-title.ts';
import { GatewrightError, systemErrorCode } from '../../../errors.ts';

const largestBrief = 256 * 1024;

export interface Brief {
  readonly text: string;
  /** Its first heading, or its first line. */
  readonly title: string;
}

async function readBytes(file: string, what: string): Promise<Buffer> {
  try {
    const handle = await open(file, 'r');
    try {
      const status = await handle.stat();
      if (!status.isFile()) throw new GatewrightError('brief-not-found', `${file} is not a file.`);
      if (status.size > largestBrief) {
        throw new GatewrightError(
          'brief-unreadable',
          `${file} has ${Math.round(status.size / 1024)} KiB; a ${what} may have ${largestBrief / 1024}.`,
        );
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof GatewrightError) throw cause;
    const code = systemErrorCode(cause);
    const why =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? 'does not exist'
        : code === 'EACCES'
          ? 'may not be read by you'
          : `cannot be read (${code})`;
    throw new GatewrightError('brief-not-found', `The ${what} ${file} ${why}.`, {
      cause,
      ...(what === 'brief' ? {} : { hint: 'Check the path.' }),
    });
  }
}

export function titleOf(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/u.test(line))?.replace(/^#+\s+/u, '');
  const first = heading ?? lines.find((line) => line !== '');
  return first === undefined ? null : cutTitle(first);
}

/** `what` is how the text is called where it is not a brief. */
export async function readBrief(file: string, what = 'brief'): Promise<Brief> {
  const bytes = await readBytes(file, what);
  if (bytes.includes(0)) {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw new GatewrightError(
      'brief-unreadable',
      `${file} ${isUtf16 ? 'is UTF-16 text' : 'is not a text file'}.`,
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new GatewrightError('brief-unreadable', `${file} is not valid UTF-8.`, { cause });
  }
  const title = titleOf(text);
  if (title === null) throw new GatewrightError('brief-empty', `The ${what} ${file} is empty.`);
  return { text, title };
}
