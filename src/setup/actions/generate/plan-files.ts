/** Compares the files that are wanted with those that are there. Changes nothing. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { largestFile } from '../rules/yaml/read-yaml.ts';
import { planSection } from './rules/section.ts';
import { readStamp, withPlainLines } from './rules/stamp.ts';
import type { WantedActionsFile } from './rules/wanted-files.ts';

/**
 * `changes`: it is as it was generated, so a newer one may take its place. `edited`: a person changed it, or made it; it
 * is only replaced where a person says so. `unfit`: it cannot be changed by us at all.
 */
type FileState = 'new' | 'there' | 'changes' | 'edited' | 'unfit';

export interface PlannedActionsFile {
  readonly path: string;
  readonly state: FileState;
  readonly existing: string | null;
  readonly content: string;
  /** Why it is unfit; empty otherwise. */
  readonly why: string;
}

/** Null where there is nothing; a reason where it is no file of this folder that can be read. */
export function readPlainFile(
  root: string,
  path: string,
): { readonly text: string } | { readonly unfit: string } | null {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const found = lstatSync(join(root, ...parts.slice(0, depth)), { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isSymbolicLink()) return { unfit: `${parts.slice(0, depth).join('/')} is a link` };
    if (depth < parts.length && !found.isDirectory())
      return { unfit: `${parts.slice(0, depth).join('/')} is no folder` };
    if (depth === parts.length && !found.isFile()) return { unfit: 'it is no file' };
    if (depth === parts.length && found.size > largestFile) return { unfit: 'it is too large' };
  }
  try {
    // Read in any other way, and written again, the letters of a person would be others.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: text.decode(readFileSync(join(root, path))) };
  } catch (error) {
    if (error instanceof TypeError) return { unfit: 'it is no text in UTF-8' };
    throw error;
  }
}

function planFile(root: string, wanted: WantedActionsFile): PlannedActionsFile | null {
  const { path, content } = wanted;
  const found = readPlainFile(root, path);
  if (found !== null && 'unfit' in found) {
    if (wanted.kind === 'section' && wanted.isOptional) return null;
    return { path, state: 'unfit', existing: null, content, why: found.unfit };
  }
  const existing = found?.text ?? null;
  const planned = (state: FileState, text = content, why = ''): PlannedActionsFile => ({
    ...{ path, state, existing, content: text, why },
  });
  if (wanted.kind === 'section') {
    if (existing === null && wanted.isOptional) return null;
    const plan = planSection(existing, content, wanted.form);
    if (plan.state === 'there') return planned('there');
    if (plan.state === 'unclear')
      return planned(
        'unfit',
        content,
        'the lines that begin and end our part do not stand once each, in this order',
      );
    return planned(existing === null ? 'new' : plan.state, plan.text);
  }
  if (existing === null) return planned('new');
  if (withPlainLines(existing) === content) return planned('there');
  return planned(readStamp(existing)?.isAsGenerated === true ? 'changes' : 'edited');
}

export function planActionsFiles(root: string, wanted: readonly WantedActionsFile[]): PlannedActionsFile[] {
  return wanted.flatMap((file) => planFile(root, file) ?? []);
}
