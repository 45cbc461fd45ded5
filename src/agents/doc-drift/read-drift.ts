/** What of a tree documentation is compared with, and what it gets wrong there. */

import type { AgentContext } from '../agent.ts';
import { type DriftItem, findDrift } from './rules/doc-drift.ts';
import { isDocumentation, readScripts, readTargets } from './rules/doc-drift-repair.ts';

/** People do not read more documents or longer ones, so doc-drift does not check more. */
const mostDocuments = 500;
const longestDocument = 1024 * 1024;

export async function readDrift(
  { trees, workspaces }: Pick<AgentContext, 'trees' | 'workspaces'>,
  treeish: string,
): Promise<DriftItem[]> {
  const files = await trees.listFiles(treeish);
  const read = (path: string): Promise<string | null> => workspaces.readFile(treeish, path);
  const readable = files.filter(({ kind }) => kind === 'file' || kind === 'program').map(({ path }) => path);
  const documents: { path: string; text: string }[] = [];
  for (const path of readable.filter(isDocumentation).slice(0, mostDocuments)) {
    const text = await read(path);
    if (text !== null && text.length <= longestDocument) documents.push({ path, text });
  }
  const packages = readable.filter((path) => /(?:^|\/)package\.json$/u.test(path)).slice(0, mostDocuments);
  const scripts: string[] = [];
  // A page may mean any package of the repository: what none of them has is wrong.
  for (const path of packages) scripts.push(...readScripts((await read(path)) ?? ''));
  const makefile = readable.find((path) => /^(?:GNUmakefile|[Mm]akefile)$/u.test(path));
  return findDrift({
    documents,
    files: files.map(({ path }) => path),
    scripts: packages.length === 0 ? null : scripts,
    targets: makefile === undefined ? null : readTargets((await read(makefile)) ?? ''),
  });
}
