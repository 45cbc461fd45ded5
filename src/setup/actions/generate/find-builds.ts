/** The names of the workflows of a repository that build and test it: a merge waits for them, and failures are looked at. */

import { join } from 'node:path';
import { findWorkflowFiles, readWorkflowFile } from '../find-workflow-files.ts';
import { readYaml } from '../rules/yaml/read-yaml.ts';
import { scalarAt, valueAt } from '../rules/yaml/yaml-tree.ts';
import { readStamp } from './rules/stamp.ts';

const longestName = 200;
const most = 50;

/** What a workflow can be called on GitHub, which takes no expression there; with another name it does not run. */
function isName(name: string): boolean {
  const isWhole = name.isWellFormed() && !/\p{Cc}/u.test(name) && !name.includes('${{');
  return isWhole && name !== '' && name.length <= longestName;
}

/** Those that a push or a pull request starts, other than ours. */
export function findBuilds(root: string): string[] {
  const names = findWorkflowFiles(root)
    .filter((path) => path.startsWith('.github/workflows/'))
    .flatMap((path) => {
      const { text } = readWorkflowFile(join(root, path), path);
      if (readStamp(text) !== null) return [];
      const { root: top } = readYaml(text);
      const on = valueAt(top, 'on');
      const events =
        on?.kind === 'map'
          ? on.entries.map(({ key }) => key)
          : on?.kind === 'list'
            ? on.items.map((item) => (item.kind === 'scalar' ? item.text : ''))
            : [on?.text ?? ''];
      if (!events.includes('push') && !events.includes('pull_request')) return [];
      // A workflow without a name is called by its path.
      const name = scalarAt(top, 'name')?.text ?? path;
      return isName(name) ? [name] : [];
    });
  return [...new Set(names)].sort().slice(0, most);
}
