/** An issue as the text that a design is made for. A design counts for this text and for no other. */
import { GatewrightError } from '../errors.ts';

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
      `Issue #${issue.number} has ${Math.round(body.length / 1024)} KiB of text; at most ${longestText / 1024} are read.`,
      { hint: 'Shorten the issue, or split it.' },
    );
  }
  return `# ${issue.title.replace(/\s+/gu, ' ').trim()}\n\n${body}\n`;
}

/** Whether the page of the issue hides some of its text from people: comments in HTML, or characters nobody sees. */
export function hidesText(text: string): boolean {
  return /<!--|<[^>]*\b(?:hidden|display\s*:\s*none)\b/iu.test(text) || hidden.test(text);
}

const hidden = /(?!\uFE0F)\p{Default_Ignorable_Code_Point}/u;
