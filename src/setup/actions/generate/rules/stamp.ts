/**
 * The first lines of a generated file: where it comes from, and a hash of the rest. A file whose hash fits is as it was
 * generated, so that a newer one may take its place; every other file was changed by a person.
 */
import { sha256 } from '../../../../domain/ledger/hash.ts';

const intro = '# Written by "gatewright init --actions". To change it, run that command with other options.';
const marked = /^# gatewright-file sha256:([0-9a-f]{64})$/u;

/** Line ends as git may have changed them on the way make no difference. */
export const withPlainLines = (text: string): string => text.replaceAll('\r\n', '\n');

export function stamp(body: string): string {
  return `${intro}\n# gatewright-file sha256:${sha256(body)}\n${body}`;
}

/** Null for a file that was not generated. */
export function readStamp(text: string): { readonly body: string; readonly isAsGenerated: boolean } | null {
  const lines = withPlainLines(text).split('\n');
  const [, hash] = marked.exec(lines[1] ?? '') ?? [];
  if (lines[0] !== intro || hash === undefined) return null;
  const body = lines.slice(2).join('\n');
  return { body, isAsGenerated: sha256(body) === hash };
}
