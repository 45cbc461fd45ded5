/** What agents write where they stopped: why, what helps, and how to go on. */
import { quoteOutput } from '../../../domain/text/command-output.ts';
import { asCode, callPerson } from '../../../domain/text/comment-parts.ts';
import { quietMarkdown } from '../../../domain/text/quiet-markdown.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

export function stopComment(facts: {
  /** What has stopped. */
  readonly what: string;
  readonly code: string;
  readonly message: string;
  /** What the command printed that failed; null when none did. */
  readonly output: string | null;
  readonly hint: string;
  readonly until: string | null;
  readonly person: string | null;
  readonly handle: string;
  /** What to say to have it go on; null when nothing that is said does. */
  readonly words: string | null;
  /** What takes the run up again on the machine that it ran on. */
  readonly command: string;
  readonly branch: string | null;
  readonly costUsd: number;
  /** A model without a known price took part. */
  readonly isUnpriced?: true | undefined;
}): string {
  const words = (text: string): string => quietMarkdown(escapeForLine(text, 800), 800);
  return [
    `${callPerson(facts.person)}${facts.what} has stopped: ${words(facts.message)}`,
    ...quoteOutput(facts.output ?? ''),
    '',
    ...(facts.until === null ? [] : [`- It may go on after ${facts.until}.`]),
    `- ${words(facts.hint)}`,
    ...(facts.branch === null ? [] : [`- What is done so far is on the branch ${asCode(facts.branch)}.`]),
    facts.words === null
      ? `- To go on, run \`${facts.command}\`.`
      : `- To go on, comment \`@${facts.handle} ${facts.words}\`, or run \`${facts.command}\`.`,
    `- Reason: \`${facts.code}\`. Cost so far: ${facts.isUnpriced === true ? 'price unknown' : `${facts.costUsd.toFixed(2)} USD`}.`,
    '',
  ].join('\n');
}
