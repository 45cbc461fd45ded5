/** What one task found out about the code and later ones should know. */

import {
  codeOf,
  fitComment,
  lineOf,
  listOf,
  proseOf,
  utcDay,
} from '../../../issue-runs/rules/comment-words.ts';
import { readCommentSections } from './comment-sections.ts';
import { type CommentPrefixes, commentPrefixes, kindOfComment } from './prefixes.ts';
import { taskIdPattern } from './task-log.ts';

export interface DiscoveryNoteInput {
  readonly taskId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly pattern: string;
  readonly files: readonly string[];
  /** Which tasks it matters for. */
  readonly impacts: string;
}

export interface DiscoveryNote {
  /** Empty when the note names none. */
  readonly taskId: string;
  /** A day or more; empty when the note names none. */
  readonly at: string;
  /** As Markdown, as the others. */
  readonly pattern: string;
  readonly files: readonly string[];
  readonly impacts: string;
}

export function writeDiscoveryNote(
  note: DiscoveryNoteInput,
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const { taskId, at, pattern, files, impacts } = note;
  return fitComment((scale) =>
    [
      ...[prefixes.discovery, ''],
      ...(taskIdPattern.test(taskId) ? [`**Task:** ${taskId}`] : []),
      `**Timestamp:** ${utcDay(at)}`,
      ...['', '### Pattern Discovered', proseOf(pattern, Math.ceil(4000 * scale)) || 'None.'],
      ...(files.length === 0
        ? []
        : [
            '',
            '### Files for Reference',
            ...listOf(
              files.map((file) => codeOf(file, 300)),
              50 * scale,
            ),
          ]),
      ...(impacts.trim() === '' ? [] : ['', '### Impacts Tasks', lineOf(impacts, 500)]),
      '',
    ].join('\n'),
  );
}

export function readDiscoveryNote(
  body: string,
  prefixes: CommentPrefixes = commentPrefixes,
): DiscoveryNote | null {
  if (kindOfComment(body, prefixes) !== 'discovery') return null;
  const [head, ...sections] = readCommentSections(body);
  const textOf = (wanted: string): string[] =>
    sections.flatMap(({ title, lines, code }) =>
      title === wanted ? [...lines, ...code.map(({ text }) => text)] : [],
    );
  const patterns = sections.filter(({ title }) => title === 'Pattern Discovered');
  if (head === undefined || patterns.length !== 1) return null;
  const fieldOf = (form: RegExp): string => head.lines.flatMap((line) => form.exec(line)?.[1] ?? [])[0] ?? '';
  return {
    taskId: fieldOf(/^\*\*Task:\*\* (US-\d{3,6})\s*$/u),
    at: fieldOf(/^\*\*Timestamp:\*\* (\d{4}-\d\d-\d\d[\dT:. Z]{0,20}(?:UTC)?)\s*$/u).trim(),
    pattern: textOf('Pattern Discovered').join('\n').trim(),
    files: textOf('Files for Reference').flatMap((line) => /^- (`+) ?(.+?) ?\1(?!`)/u.exec(line)?.[2] ?? []),
    impacts: textOf('Impacts Tasks').join('\n').trim(),
  };
}
