/** Small parts of comments that we write. */
import { escapeForLine } from './untrusted-text.ts';

/** Text of others inside backticks. */
export function asCode(text: string): string {
  const plain = escapeForLine(text, 300).replaceAll('`', "'");
  return `\`${plain === '' ? ' ' : plain}\``;
}

/** Tells a person by name; nothing where it is not known whom. */
export function callPerson(login: string | null): string {
  return login === null ? '' : `@${login} `;
}
