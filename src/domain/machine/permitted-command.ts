/**
 * The shell commands that a coding agent may run. `npm test` allows exactly that; `npm run *` allows anything that begins
 * with `npm run `. The form is narrow on purpose: it is handed to agents that have a pattern language of their own.
 */
import { GatewrightError } from '../../errors.ts';

const word = /^[A-Za-z0-9_./:=@+-]+$/u;

function wordsOf(pattern: string): { readonly words: readonly string[]; readonly isOpen: boolean } {
  const parts = pattern.split(' ');
  const isOpen = parts.at(-1) === '*';
  return { words: isOpen ? parts.slice(0, -1) : parts, isOpen };
}

/**
 * Whether the command has no hidden meaning: no quotes, no variables, no second command, and a star only at the end.
 */
export function isCommandForm(pattern: string): boolean {
  const { words } = wordsOf(pattern);
  return words.length > 0 && words.every((one) => word.test(one));
}

export function checkPermittedCommands(patterns: readonly string[]): void {
  for (const pattern of patterns) {
    if (isCommandForm(pattern)) continue;
    throw new GatewrightError(
      'config-invalid',
      `"${pattern.slice(0, 100)}" cannot be a permitted command: words separated by single spaces, and " *" at the end at most.`,
    );
  }
}

/** Whether a command, given as its words, is one of those that are allowed. */
export function isPermittedCommand(patterns: readonly string[], command: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const { words, isOpen } = wordsOf(pattern);
    const fits = words.every((one, index) => command[index] === one);
    return fits && (isOpen || command.length === words.length);
  });
}
