/** An issue as the text that a design is made for. A design counts for this text and for no other. */
import { GatewrightError } from '../../errors.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';

/** Far above what forges take, so that only a forge that misbehaves is refused. */
const longestText = 256 * 1024;

interface IssueWords {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

/** Title and body in one text. Line ends are made alike, because editing on a web page changes them all. */
export function readIssueText(issue: IssueWords): string {
  const body = issue.body.replace(/\r\n?/gu, '\n').trim();
  if (body === '') {
    throw new GatewrightError('brief-empty', `Issue #${issue.number} has no text to make a design of.`, {
      hint: 'Say in the issue what is wanted, then try again.',
    });
  }
  if (issue.title.length + body.length > longestText) {
    throw new GatewrightError(
      'brief-unreadable',
      `Issue #${issue.number} has ${Math.round((issue.title.length + body.length) / 1024)} KiB of text; at most ${longestText / 1024} are read.`,
      { hint: 'Shorten the issue, or split it.' },
    );
  }
  return `# ${issue.title.replace(/\s+/gu, ' ').trim()}\n\n${body}\n`;
}

/** What Gatewright itself puts into issues, to find them again. Nothing can hide in it. */
const ownMark = /<!-- gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->/gu;

/** Comments, markup that is not shown, and references that are no links: the ways to write what a page leaves out. */
const hiddenMarkup =
  /<[!?]|<[^<>]{0,2000}\b(?:hidden|display\s{0,9}:\s{0,9}none)\b|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}(?:#|<>)/imu;

/** Whether the page of the issue hides some of its text from people. */
export function hidesText(text: string): boolean {
  const foreign = text.replace(ownMark, '');
  return hiddenMarkup.test(foreign) || hasUnsafeCharacters(foreign);
}
