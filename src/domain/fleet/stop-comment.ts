/** What agents and workflows write where they stopped: why, what helps, and how to go on. */
import { type ErrorCode, GatewrightError, toGatewrightError } from '../../errors.ts';
import { quoteOutput } from '../text/command-output.ts';
import { asCode, callPerson } from '../text/comment-parts.ts';
import { quietMarkdown } from '../text/quiet-markdown.ts';
import { escapeForLine } from '../text/untrusted-text.ts';

/** The error as it may be published: the message of an unexpected error may contain secrets, so it is replaced. */
export function toKnown(error: unknown): GatewrightError {
  const known = toGatewrightError(error);
  return known.code === 'internal'
    ? new GatewrightError('internal', 'Something unexpected happened.', { cause: error })
    : known;
}

/** Stops that a person or another process caused, or that were told in other words. */
const quietStops: readonly ErrorCode[] = [
  ...(['cancelled', 'lease-lost', 'lease-held', 'effect-held-back', 'waits-for-model'] as const),
  ...(['held', 'order-outdated', 'nothing-changed', 'conflict-by-hand'] as const),
];

/** Whether a person has to hear of a stop. One that passes with time needs no person. */
export function needsPerson({ code, until, retry }: GatewrightError): boolean {
  return !quietStops.includes(code) && until === null && retry !== 'later';
}

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
