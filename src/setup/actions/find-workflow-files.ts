/** Finds and reads the workflow files and actions of a repository. Links are not followed out of their folders. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from './rules/lint-workflows.ts';
import { largestFile } from './rules/yaml/read-yaml.ts';

const yamlName = /\.ya?ml$/iu;
const actionNames = ['action.yml', 'action.yaml'];
/** Folders of actions below `.github/actions`; deeper ones are not looked for. */
const deepest = 4;

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function listFolder(path: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(path, { withFileTypes: true })
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function* actionsBelow(root: string, folder: string, depth: number): Generator<string> {
  for (const name of actionNames)
    if (isFile(join(root, folder, name))) yield folder === '' ? name : `${folder}/${name}`;
  if (depth === 0) return;
  for (const { name, isFolder } of listFolder(join(root, folder)))
    if (isFolder) yield* actionsBelow(root, `${folder}/${name}`, depth - 1);
}

/** Paths from the root: `.github/workflows/*.yml`, `action.yml` and the actions below `.github/actions`. */
export function findWorkflowFiles(root: string): string[] {
  const workflows = listFolder(join(root, '.github/workflows'))
    .filter(({ name }) => yamlName.test(name))
    .map(({ name }) => `.github/workflows/${name}`)
    .filter((path) => isFile(join(root, path)));
  return [...workflows, ...actionsBelow(root, '', 0), ...actionsBelow(root, '.github/actions', deepest)];
}

/** A file that is too large is not read whole: so much of it that the linter says that it is. */
export function readWorkflowFile(file: string, path: string): WorkflowFile {
  const size = lstatSync(file).size;
  if (size > largestFile * 4) return { path, text: ' '.repeat(largestFile + 1) };
  return { path, text: readFileSync(file, 'utf8') };
}
