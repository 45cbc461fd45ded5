/**
 * What the prompt says about the repository to a drafter that cannot read it: the names of its files, and some of them
 * whole.
 */
import { fenceUntrusted } from '../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../errors.ts';
import type { Repository } from '../../ports/repository.ts';
import { listTree } from './rules/list-tree.ts';

const largestFile = 64 * 1024;
const largestContext = 256 * 1024;

export async function describeRepository(
  repository: Pick<Repository, 'listFiles' | 'readText'>,
  files: readonly string[],
): Promise<string> {
  const paths = await repository.listFiles();
  const parts = [`The files there are:\n\n${fenceUntrusted('FILES', listTree(paths) || '(none)')}`];
  let size = 0;
  for (const file of files) {
    // Only what git has: a secret that is kept out of git stays out of prompts.
    if (!paths.includes(file)) {
      throw new GatewrightError('usage', `--context ${file} is not a file that git has here.`, {
        hint: 'Give its path from the root of the repository, as git ls-files shows it.',
      });
    }
    const text = (await repository.readText(file)) ?? '';
    size += text.length;
    if (text.length > largestFile || size > largestContext) {
      throw new GatewrightError(
        'usage',
        `--context takes files of ${largestFile / 1024} KiB, ${largestContext / 1024} KiB in all; ${file} is too much.`,
        { hint: 'Leave it out, or name the smaller files that matter.' },
      );
    }
    parts.push(`${file}:\n\n${fenceUntrusted('FILE', text)}`);
  }
  return parts.join('\n\n');
}
