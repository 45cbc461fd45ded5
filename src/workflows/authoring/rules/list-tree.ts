/** The names of the files of a repository, as a prompt shows them: bounded. */
import { countOf } from '../../../domain/text/count-of.ts';

const mostPaths = 1_500;

/** Every path, or every folder with the number of files in it when there are too many paths to read. */
export function listTree(paths: readonly string[]): string {
  if (paths.length <= mostPaths) return paths.join('\n');
  const folders = new Map<string, number>();
  for (const path of paths) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const lines = [...folders].sort().map(([folder, count]) => `${folder}/ (${count})`);
  const rest = lines.length - mostPaths;
  return [...lines.slice(0, mostPaths), ...(rest > 0 ? [`and ${countOf(rest, 'more folder')}`] : [])].join(
    '\n',
  );
}
