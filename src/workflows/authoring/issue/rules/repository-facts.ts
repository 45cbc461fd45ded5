/** What is true of a repository while an issue is drafted: it keeps a drafter from inventing files, labels and numbers. */
import { z } from 'zod';
import { fenceUntrusted } from '../../../../domain/text/fence-untrusted.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { listTree } from '../../rules/list-tree.ts';

const factsSchema = z.object({
  files: z.array(z.string()),
  labels: z.array(z.string()),
  /** Open ones, newest first. */
  issues: z.array(z.object({ number: z.number().int(), title: z.string() })),
  readme: z.string(),
  /** Whether a list was cut or could not be read: then nothing can be said to be missing. */
  isPartial: z.boolean(),
});

export type RepositoryFacts = z.infer<typeof factsSchema>;

/** Null when the run has none, as runs of earlier versions. */
export function readFacts(text: string | null): RepositoryFacts | null {
  if (text === null) return null;
  try {
    return factsSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const mostLabels = 200;
const mostIssues = 100;

function listOrNone(lines: readonly string[]): string {
  return lines.join('\n') || '(none)';
}

/** The facts as a prompt shows them: data, between marks. */
export function renderFacts({ files, labels, issues, readme }: RepositoryFacts): string {
  const titles = issues
    .slice(0, mostIssues)
    .map(({ number, title }) => `#${number} ${escapeForLine(title, 120)}`);
  const parts: [string, string, string][] = [
    ['Its files', 'FILES', listTree(files) || '(none)'],
    ['Its labels', 'LABELS', listOrNone(labels.slice(0, mostLabels).map((name) => escapeForLine(name, 60)))],
    ['Its open issues', 'ISSUES', listOrNone(titles)],
    ['The beginning of its README', 'README', readme || '(none)'],
  ];
  return parts.map(([what, name, text]) => `${what}:\n\n${fenceUntrusted(name, text)}`).join('\n\n');
}
