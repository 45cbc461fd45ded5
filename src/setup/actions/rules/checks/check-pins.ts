/** Whether everything of others that runs is named by what it contains, not by a name that can be moved. */
import { templateOf } from '../workflow/workflow.ts';
import { entriesAt, scalarAt, type YamlNode, type YamlScalar } from '../yaml/yaml-tree.ts';
import type { Check, CheckContext } from './check.ts';

const pinned = /^[^@\s]+@[0-9a-f]{40}$/iu;
const pinnedImage = /@sha256:[0-9a-f]{64}$/iu;
/** So much of a comment is looked at. */
const longestComment = 200;
/** A version, a date, or the name of a branch that has no versions. */
const namesVersion = /(?:^|[^\w.])(?:[\w./-]*\bv?\d[\w.+-]*|main|master|stable|nightly|trunk|head)\b/iu;

function checkUses(uses: YamlScalar, { report }: CheckContext): void {
  const text = uses.text.trim();
  // Files of the same commit: "./" of the workspace, "$/" of the repository that the file is in.
  if (text.startsWith('./') || text.startsWith('$/')) return;
  if (text.startsWith('docker://')) {
    if (!pinnedImage.test(text)) report('unpinned-action', uses.at, text);
    return;
  }
  if (!pinned.test(text)) report('unpinned-action', uses.at, text);
  else if (!namesVersion.test(uses.comment.slice(0, longestComment)))
    report('pin-without-version', uses.at, text.split('@')[0]);
}

/** An image that is made by an expression is judged where its value stands. */
function checkImage(node: YamlNode | null, { report }: CheckContext): void {
  const image = node?.kind === 'scalar' ? node : scalarAt(node, 'image');
  if (image === null || image.text === '' || templateOf(image).embedded.length > 0) return;
  if (!pinnedImage.test(image.text)) report('unpinned-container', image.at, image.text);
}

export const checkPins: Check = (context) => {
  const { workflow } = context;
  for (const job of workflow.jobs) {
    if (job.uses !== null) checkUses(job.uses, context);
    for (const { uses } of job.steps) if (uses !== null) checkUses(uses, context);
    for (const { key, value } of job.node.entries) if (key === 'container') checkImage(value, context);
    for (const { value } of entriesAt(job.node, 'services')) checkImage(value, context);
  }
  const image = workflow.kind === 'action' ? scalarAt(workflow.root, 'runs', 'image') : null;
  if (image?.text.startsWith('docker://') === true) checkUses(image, context);
};
