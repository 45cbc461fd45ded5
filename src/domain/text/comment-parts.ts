/** Small parts of comments that we write. */
import { escapeForLine } from './untrusted-text.ts';

/** Text of others inside backticks. */
export function asCode(text: string): string {
  const plain = escapeForLine(text, 300).replaceAll('`', "'");
  return `\`${plain === '' ? ' ' : plain}\``;
}

/** Notifies a person by name; empty when the login is not known. */
export function callPerson(login: string | null): string {
  return login === null ? '' : `@${login} `;
}
