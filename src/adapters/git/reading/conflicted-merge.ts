/**
 * What git says about a merge that it cannot finish: the tree with its conflict markers, and each conflict with what git
 * calls it. Reads the output of `git merge-tree --write-tree -z --messages`. Pure.
 */
import type { ConflictedMerge, MergeConflict } from '../../../ports/workspace.ts';

interface Stage {
  readonly mode: string;
  readonly path: string;
}

const stageForm = /^(?<mode>[0-7]{6}) [0-9a-f]{40,64} [123]\t(?<path>.+)$/su;
const plainModes: ReadonlySet<string> = new Set(['100644', '100755']);
const notice = 'CONFLICT (';

function readStages(fields: readonly string[]): Stage[] {
  return fields.map((field) => {
    const { mode, path } = stageForm.exec(field)?.groups ?? {};
    if (mode === undefined || path === undefined)
      throw new TypeError('git merge-tree printed an unknown form');
    return { mode, path };
  });
}

/** Notices with a number of paths, the paths, the kind and a sentence each; only those about conflicts are kept. */
function readNotices(
  fields: readonly string[],
): { readonly paths: readonly string[]; readonly kind: string }[] {
  const notices: { paths: readonly string[]; kind: string }[] = [];
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at]);
    if (!Number.isInteger(count) || count < 0 || at + count + 2 >= fields.length)
      throw new TypeError('git merge-tree printed an unknown form');
    const paths = fields.slice(at + 1, at + 1 + count);
    const kind = fields[at + 1 + count] ?? '';
    if (kind.startsWith(notice)) notices.push({ paths, kind: kind.slice(notice.length).replace(/\)$/u, '') });
    at += count + 3;
  }
  return notices;
}

export function readConflictedMerge(output: string): ConflictedMerge {
  const fields = output.split('\0');
  // The last field ends with a NUL too.
  if (fields.at(-1) === '') fields.pop();
  const [tree = '', ...rest] = fields;
  if (!/^[0-9a-f]{40,64}$/u.test(tree)) throw new TypeError('git merge-tree printed no tree');
  const gap = rest.indexOf('');
  const stages = readStages(gap === -1 ? rest : rest.slice(0, gap));
  const notices = gap === -1 ? [] : readNotices(rest.slice(gap + 1));
  const paths = new Set([...stages.map(({ path }) => path), ...notices.flatMap((one) => one.paths)]);
  const conflicts = [...paths].sort().map((path): MergeConflict => {
    const kinds = notices.filter((one) => one.paths.includes(path)).map(({ kind }) => kind);
    const modes = stages.filter((stage) => stage.path === path).map(({ mode }) => mode);
    return {
      path,
      kinds: [...new Set(kinds)],
      isFile: modes.length > 0 && modes.every((mode) => plainModes.has(mode)),
    };
  });
  return { tree, conflicts };
}
