/** Which test runners a project has, by its base: a change cannot bring the runner that would run its test. */
import { runnerFiles } from '../../../domain/changes/configured-tests.ts';
import { findTestRunners, type TestRunner } from '../../../domain/changes/test-runners.ts';
import type { Trees } from '../../../ports/trees.ts';
import type { Workspaces } from '../../../ports/workspace.ts';

/** A change touches few folders; one that touches more asks a person anyway. */
const mostManifests = 20;

/** The folders that a path is in, the root first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)];
}

interface ProjectReader {
  /** The words of the command that the project is checked by; null when none is set. */
  readonly settings: { readonly verify: readonly string[] | null };
  readonly trees: Pick<Trees, 'listFiles'>;
  readonly workspaces: Pick<Workspaces, 'readFile'>;
}

export async function findProjectRunners(
  { settings, trees, workspaces }: ProjectReader,
  base: string,
  changed: readonly string[],
): Promise<readonly TestRunner[]> {
  const files = (await trees.listFiles(base)).map(({ path }) => path);
  const known = new Set(files);
  const wanted = [...new Set(changed.flatMap(foldersAbove))]
    .flatMap((folder) => runnerFiles.map((name) => `${folder}${name}`))
    .filter((path) => known.has(path))
    .slice(0, mostManifests);
  const manifests: { path: string; text: string }[] = [];
  for (const path of wanted) manifests.push({ path, text: (await workspaces.readFile(base, path)) ?? '' });
  const rootFiles = files.filter((path) => !path.includes('/'));
  return findTestRunners({ verify: settings.verify, rootFiles, manifests });
}
