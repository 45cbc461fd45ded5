/** One piece of what an agent is told: a line of ours, and the words of others between marks that they cannot close. */
import { fenceUntrusted } from '../../../../domain/text/fence-untrusted.ts';
import { escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';

export interface Piece {
  readonly kind: string;
  /** Which one of its kind, for the manifest. */
  readonly id: string;
  /** Our words before it. */
  readonly heading: string;
  /** The name in the marks. */
  readonly name: string;
  /** Made when there is room for it. */
  readonly text: () => string;
  /** The most of the whole that it may take. */
  readonly share: number;
  /** What is cut when it is too long: its end, or its middle where the end says what to do next. */
  readonly cut: 'end' | 'middle';
}

/** How many bytes a text has in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Half of a character that takes four bytes is two; a half that stands alone becomes a sign of three.
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowHalf(text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The longest beginning that has at most so many bytes and cuts no character. */
function headOf(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The longest end of a text, with the same limits. */
function tailOf(text: string, most: number): string {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const isPair = start > 1 && (text.codePointAt(start - 2) ?? 0) > 0xffff;
    const length = isPair ? 2 : 1;
    bytes += bytesOf(text.slice(start - length, start));
    if (bytes > most) break;
    start -= length;
  }
  return text.slice(start);
}

const mark = '\n[… cut here …]\n';
const markBytes = bytesOf(mark);

/** Less of a text than this says nothing. */
const shortest = 80;

function cutTo(text: string, most: number, cut: Piece['cut']): string {
  const room = most - markBytes;
  if (cut === 'end') return `${headOf(text, room)}${mark}`;
  const before = Math.floor(room * 0.6);
  return `${headOf(text, before)}${mark}${tailOf(text, room - before)}`;
}

export interface RenderedPiece {
  readonly text: string;
  readonly bytes: number;
  readonly isCut: boolean;
}

/** The piece in at most so many bytes, cut with a mark where it has more; null when what is left would say nothing. */
export function renderPiece(piece: Piece, most: number): RenderedPiece | null {
  const { heading, name, cut } = piece;
  const frame = bytesOf(heading) + 1 + bytesOf(fenceUntrusted(name, ''));
  const room = most - frame;
  if (room < shortest) return null;
  const text = piece.text();
  // Escaping makes a text longer, never shorter: what is certainly too much need not be escaped.
  const isSurelyLong = text.length > room;
  const part = !isSurelyLong ? text : cut === 'end' ? text.slice(0, room + 1) : text;
  const visible = escapeForTerminal(part).trimEnd();
  const isCut = isSurelyLong || bytesOf(visible) > room;
  const shown = (isCut ? cutTo(visible, room, cut) : visible).trimEnd();
  const whole = `${heading}\n${fenceUntrusted(name, shown)}`;
  return { text: whole, bytes: bytesOf(whole), isCut };
}
