/** What is kept of a loop in the repository when it ends: its prd.json, a summary, and the comments of the issue. */
import { hideTokens } from '../../../../domain/changes/hide-tokens.ts';
import { withoutMarkers } from '../../../../domain/fleet/effect-marker.ts';
import { countOf } from '../../../../domain/text/count-of.ts';
import { blockOf, codeOf, cutText, lineOf, listOf } from '../../../issue-runs/rules/comment-words.ts';
import type { Prd } from '../document/prd.ts';
import { loopBranchOf } from '../planning/branch-name.ts';

/** A folder with more is looked at by no person. */
const longestArchive = 1_000_000;
const longestComment = 65_536;

/** `archive/2026-02-10-issue-42-short-slug/`. */
export function archiveFolderOf(location: string, day: string, number: number, title: string): string {
  return `${location.replace(/\/*$/u, '/')}${day}-${loopBranchOf('issue-', number, title)}/`;
}

export interface ArchivedComment {
  readonly author: string;
  readonly createdAt: string;
  readonly body: string;
}

function commentOf({ author, createdAt, body }: ArchivedComment, index: number): string {
  const text = hideTokens(cutText(withoutMarkers(body), longestComment));
  // As code: words of strangers become a part of the repository, and are neither headings nor links nor orders there.
  return [
    `## ${index + 1}. ${lineOf(author, 60)}, ${lineOf(createdAt, 40)}`,
    '',
    ...blockOf(text, 'markdown'),
  ].join('\n');
}

/** The oldest first; when there are too many the last ones are missing, and it says so. */
export function writeArchiveComments(comments: readonly ArchivedComment[]): string {
  const parts = [
    '# Comments of the issue, as they were written',
    ...(comments.length === 0 ? ['There is none.'] : []),
  ];
  let length = 0;
  for (const [index, comment] of comments.entries()) {
    const part = commentOf(comment, index);
    length += part.length;
    if (length > longestArchive) {
      parts.push(`${comments.length - index} more comments are not kept here.`);
      break;
    }
    parts.push(part);
  }
  return `${parts.join('\n\n')}\n`;
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** For the text of the pull request: which of its files are no part of the work. */
export function describeArchive(files: readonly { readonly path: string; readonly text: string }[]): string {
  const lines = files.reduce((sum, { text }) => sum + countLines(text), 0);
  return [
    '### Archive',
    '',
    `These files only keep how it came about (${countOf(lines, 'line')}). Gatewright wrote them; they are no part of the work.`,
    '',
    ...listOf(files.map(({ path }) => codeOf(path, 300))),
    '',
  ].join('\n');
}

/** @param report the final report, as it was written on the issue */
export function writeArchiveSummary({
  issue,
  prd,
  report,
}: {
  readonly issue: { readonly number: number; readonly title: string };
  readonly prd: Pick<Prd, 'userStories' | 'branchName'>;
  readonly report: string;
}): string {
  const tasks = prd.userStories.flatMap(({ id, title, acceptanceCriteria, passes }) => [
    `### ${id}: ${lineOf(title, 150) || 'Untitled'}`,
    '',
    passes ? 'Passed. It was done when:' : 'Not passed. It would have been done when:',
    '',
    ...listOf(
      acceptanceCriteria.map((one) => lineOf(one, 300)),
      100,
    ),
    '',
  ]);
  return [
    `# Issue ${issue.number}: ${lineOf(issue.title, 200) || 'Untitled'}`,
    ...['', `The work was done on the branch ${codeOf(prd.branchName)}.`],
    ...['', withoutMarkers(report).trim()],
    ...['', '## The tasks', '', ...tasks],
  ].join('\n');
}
