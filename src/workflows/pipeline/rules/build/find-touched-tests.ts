/**
 * Tests that were there before and that a writer changed although the analysis does not name them: the tests of others are
 * what its change is judged by. Tests may be added to without a word; what a person lets pass is not asked again.
 */
import type { ChangedPath } from '../../../../domain/changes/change-risk.ts';
import { judgePath } from '../../../../domain/changes/path-class.ts';
import type { TestRunner } from '../../../../domain/changes/test-runners.ts';
import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import type { StateDocument } from '../document/state-document.ts';

/** At most this many are named. */
const mostPaths = 10;

/** The sentence that puts them before a person; null when there are none. */
export function findTouchedTests(
  files: readonly ChangedPath[],
  { files: planned, test_requirement }: Pick<StateDocument['analysis'], 'files' | 'test_requirement'>,
  runners: readonly TestRunner[],
): string | null {
  const named = new Set([...planned.map(({ path }) => path), test_requirement?.location ?? '']);
  const touched = files
    .filter(({ change, deletions, isBinary }) => change !== 'added' && (deletions > 0 || isBinary))
    .map(({ path, previousPath }) => previousPath ?? path)
    .filter((path) => !named.has(path) && ['test', 'test-support'].includes(judgePath(path, runners).class));
  if (touched.length === 0) return null;
  const shown = touched.slice(0, mostPaths).map((path) => inertCode(path));
  const rest = touched.length - shown.length;
  return `It changes tests that were there before, and the analysis does not name them: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
