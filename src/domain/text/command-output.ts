/** The end of what a command printed, for people: without what looks like a secret, bounded, and unable to do anything. */
import { hideTokens } from '../changes/hide-tokens.ts';
import { escapeForTerminal } from './untrusted-text.ts';

/** Colour codes could split a secret so that the rules miss it, and this output shows no colours. */
const colours = /\u001B\[[\d;]*m/gu;

/** More is never looked at: the rules for secrets are many. */
const longestRead = 64 * 1024;

const longestBlock = 3000;
const linesOfBlock = 30;
/** On average, where more lines than usual are wanted. */
const charactersOfLine = 100;
const longestLine = 600;
const linesInLine = 8;

function readable(output: string): string {
  const text = output.slice(-longestRead).replace(colours, '').replace(/\r\n?/gu, '\n');
  return escapeForTerminal(hideTokens(text)).trimEnd();
}

/** The end of a text; a mark stands for what is left out before it. */
function endOf(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // The second half of a character whose first half is cut off goes with it.
  return `…${text.slice(1 - longest).replace(/^[\uDC00-\uDFFF]/u, '')}`;
}

/** For a message: on one line, with strokes between the lines; empty when nothing was printed. */
export function lastLines(output: string): string {
  const lines = readable(output)
    .split('\n')
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
  return endOf(lines.slice(-linesInLine).join(' / '), longestLine);
}

/** As a sentence behind one that says what failed. */
export function describeEnd(output: string): string {
  const said = lastLines(output);
  return said === '' ? 'It printed nothing.' : `It printed last: ${said}`;
}

/** For a screen: its last lines, with a mark for what is left out before them; none when nothing was printed. */
export function endLines(output: string, most = linesOfBlock): string[] {
  const all = readable(output);
  if (all.trim() === '') return [];
  const lines = all.split('\n');
  const kept = lines.slice(-most).join('\n');
  const end = endOf(kept, Math.min(longestRead, Math.max(longestBlock, most * charactersOfLine)));
  return (lines.length > most && end === kept ? `…\n${kept}` : end).split('\n');
}

/** For a comment: lines of Markdown with a block of code that it cannot get out of; none when nothing was printed. */
export function quoteOutput(output: string, most = linesOfBlock): string[] {
  const lines = endLines(output, most);
  if (lines.length === 0) return [];
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return ['', `${fence}text`, text, fence];
}
