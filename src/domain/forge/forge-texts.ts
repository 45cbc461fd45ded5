/** What a title and a text on a forge may be. Checked before anything is sent, so that all forges refuse the same things. */
import { GatewrightError } from '../../errors.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';

/** GitHub's own limits, in characters. */
export const longestTitle = 256;
export const longestBody = 65_536;

/** Returns the title trimmed. */
export function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (
    trimmed === '' ||
    [...trimmed].length > longestTitle ||
    /[\r\n]/u.test(trimmed) ||
    hasUnsafeCharacters(trimmed)
  ) {
    throw new GatewrightError(
      'forge-rejected',
      `A title has to be 1 to ${longestTitle} visible characters on one line.`,
    );
  }
  return trimmed;
}

export function checkBody(body: string): string {
  if (body.length > longestBody) {
    throw new GatewrightError(
      'forge-rejected',
      `A text may have ${longestBody} characters; this one has ${body.length}.`,
    );
  }
  if (body.includes('\0')) throw new GatewrightError('forge-rejected', 'A text may not hold NUL characters.');
  return body;
}

export function checkComment(body: string): string {
  if (body.trim() === '') throw new GatewrightError('forge-rejected', 'A comment may not be empty.');
  return checkBody(body);
}

/** The name of a check or a status. */
export function checkCheckName(name: string): string {
  if (name.trim() === '' || name.length > 255 || /[\r\n]/u.test(name) || hasUnsafeCharacters(name)) {
    throw new GatewrightError(
      'forge-rejected',
      'A check needs a name of 1 to 255 visible characters on one line.',
    );
  }
  return name;
}

export function checkColour(colour: string): string {
  if (!/^[0-9a-f]{6}$/iu.test(colour)) {
    throw new GatewrightError('forge-rejected', 'A label colour has to be six hexadecimal digits.');
  }
  return colour.toLowerCase();
}
