/** What was shown about a change, in Markdown for people. Text of the change in it is made inert. */
import { asCode } from '../../../../domain/text/comment-parts.ts';
import { quietMarkdown } from '../../../../domain/text/quiet-markdown.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import type { TestCounts } from './count-tests.ts';
import type { Proof } from './proof.ts';

const mostShown = 20;

const tests = (count: number): string => `${count} ${count === 1 ? 'test' : 'tests'}`;

function describeCounts({ runner, executed, skipped, isMinimum }: TestCounts, newCases: number): string {
  const ran = `${isMinimum ? 'At least ' : ''}${tests(executed)} ran`;
  const added = newCases === 0 ? '' : `, ${newCases} new`;
  const left = skipped === 0 ? '' : `, ${skipped} skipped`;
  return `${ran}${added}${left} (by the report of ${runner}).`;
}

/** What fails where the tests of the change are run without it. */
function describeWithout({ failed, errors, executed, isMinimum }: TestCounts): string {
  const broken = `${errors} ${errors === 1 ? 'test file' : 'test files'} cannot be run`;
  const among = isMinimum ? tests(failed) : `${failed} of ${tests(executed)}`;
  const bad = `${among} ${failed === 1 ? 'fails' : 'fail'}`;
  const said = failed === 0 ? broken : errors === 0 ? bad : `${bad} and ${broken}`;
  return `Without the change, its tests fail: ${said}.`;
}

const mostNamed = 5;

/** Tests that failed before the change: people should know of them, and the change is not blamed. */
function describeKnown(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => asCode(escapeForLine(name, 100)));
  const more = names.length <= mostNamed ? '' : ` and ${names.length - mostNamed} more`;
  return `${tests(names.length)} ${names.length === 1 ? 'fails' : 'fail'} without the change as well: ${shown.join(', ')}${more}.`;
}

/** One paragraph about the tests of a change whose check ended with this code. */
export function describeProof(proof: Proof, exitCode: number | null): string {
  const { counts, newCases, without, redGreen, reasons } = proof;
  const sentences = counts.runner === null ? [] : [describeCounts(counts, newCases)];
  if (redGreen === 'shown' && without !== null && without.runner !== null)
    sentences.push(describeWithout(without));
  if (proof.comparison?.kind === 'same') sentences.push(describeKnown(proof.comparison.names));
  // A check that fails says more about the change than what is missing beside it.
  if (exitCode === 0 && reasons.length > 0) sentences.push(`**Not shown:** ${reasons.join(' ')}`);
  return quietMarkdown(escapeForLine(sentences.join(' '), 2000), 2000);
}

/** The places where tests became weaker, as a list; empty when there are none. */
export function listWeakened({ weakened }: Pick<Proof, 'weakened'>): string[] {
  const shown = weakened
    .slice(0, mostShown)
    .map(
      ({ path, line, message }) =>
        `- ${asCode(`${path}:${line}`)} ${quietMarkdown(escapeForLine(message, 400), 400)}`,
    );
  return weakened.length <= mostShown ? shown : [...shown, `- and ${weakened.length - mostShown} more`];
}
