/**
 * What a reviewer is shown of a pull request. Other authors wrote all of it, so it stands between marks as untrusted
 * text.
 */
import { listClosingReferences } from '../../domain/forge/closing-references.ts';
import { fenceUntrusted } from '../../domain/text/fence-untrusted.ts';
import { isGatewrightError } from '../../errors.ts';
import type { ForgeReader } from '../../ports/forge/forge-reader.ts';
import { selectForReview } from './rules/review-material.ts';

type Reader = Pick<ForgeReader, 'getPullRequest' | 'listFiles' | 'getIssue'>;

const longestText = 12_000;
const mostIssues = 3;

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}\n…`;
}

/** The issue that a pull request of ours is for, with the text that was implemented. */
export interface OrderedIssue {
  readonly number: number;
  readonly text: string | null;
}

async function readIssues(
  forge: Reader,
  repository: string,
  numbers: readonly number[],
  ordered: OrderedIssue | null,
): Promise<string[]> {
  const texts: string[] = [];
  for (const number of numbers.slice(0, mostIssues)) {
    // The text that was implemented is shown: the author may have edited the issue since, to influence the reviewer.
    if (number === ordered?.number && ordered.text !== null) {
      texts.push(cut(`#${number} ${ordered.text}`));
      continue;
    }
    try {
      const { title, body } = await forge.getIssue(repository, number);
      texts.push(cut(`#${number} ${title}\n\n${body}`));
    } catch (error) {
      // The text of a pull request can name an issue that does not exist.
      if (!isGatewrightError(error, 'forge-not-found')) throw error;
    }
  }
  return texts;
}

/** The pull request as it is now: facts that a review rests on, as JSON. */
export async function readPullFacts(
  forge: Reader,
  repository: string,
  number: number,
  ordered: OrderedIssue | null,
  archive: readonly string[],
) {
  const { state, head, base, title, body } = await forge.getPullRequest(repository, number);
  if (state !== 'open') return { state, head: head.sha };
  const { files, unseen } = selectForReview(await forge.listFiles(repository, number), archive);
  const named = [...(ordered === null ? [] : [ordered.number]), ...listClosingReferences(body)];
  const issues = await readIssues(forge, repository, [...new Set(named)], ordered);
  return { state, head: head.sha, base: base.branch, title, body: cut(body), issues, files, unseen };
}

type OpenPull = Extract<Awaited<ReturnType<typeof readPullFacts>>, { readonly state: 'open' }>;

export function renderQuestion(pull: OpenPull): string {
  const diff = pull.files.map((file) => {
    const from = file.previousPath === null ? '' : ` (was ${file.previousPath})`;
    const head = `=== ${file.path}${from}: ${file.change}, +${file.additions} -${file.deletions}`;
    return file.shown === '' ? `${head}\n(not shown)` : `${head}\n${file.shown}`;
  });
  return [
    fenceUntrusted('description', `${pull.title}\n\n${pull.body}`),
    ...pull.issues.map((issue) => fenceUntrusted('issue', issue)),
    fenceUntrusted('diff', diff.join('\n')),
  ].join('\n\n');
}
