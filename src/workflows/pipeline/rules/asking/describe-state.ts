/** What the stages are told of the state document. Words of others stand between marks. */
import { fenceUntrusted } from '../../../../domain/text/fence-untrusted.ts';
import type { StateDocument } from '../document/state-document.ts';

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:\n${list(items)}`];
}

export function describeIssue({ issue }: StateDocument): string {
  const { number, title, original_body, labels, type } = issue;
  const words = labels.length === 0 ? '' : `\n\nLabels: ${labels.join(', ')}`;
  return [
    `Issue #${number}, taken for ${type ?? 'work of a kind that is not known'}:`,
    fenceUntrusted('ISSUE', `${title}\n\n${original_body}${words}`),
  ].join('\n');
}

/** What people decided and stages answered so far. */
export function describeDecisions({ communication }: StateDocument): string[] {
  const answered = communication.questions
    .filter(({ answered }) => answered)
    .map(({ from, to, question, answer }) => `${from} asked ${to}: ${question}\n  Answer: ${answer ?? ''}`);
  const resolved = communication.escalations
    .filter(({ resolved }) => resolved)
    .map(({ reason, resolution }) => `${reason}\n  A maintainer says: ${resolution ?? 'proceed'}`);
  if (answered.length + resolved.length === 0) return [];
  return [
    `What was asked and decided so far:\n${fenceUntrusted('DECISIONS', list([...answered, ...resolved]))}`,
  ];
}

export function describeAnalysis({ analysis }: StateDocument): string {
  const { brief, files, patterns, test_requirement: test, must_do, must_not_do } = analysis;
  const text = [
    brief ?? '',
    ...section(
      'Files',
      files.map(({ path, action, purpose }) => `${path} (${action}): ${purpose}`),
    ),
    ...section('Patterns of this code', patterns),
    ...section('It must', must_do),
    ...section('It must not', must_not_do),
    test?.required === true
      ? `A ${test.type ?? ''} test is required${test.location === null ? '' : ` in ${test.location}`}: ${test.description ?? ''}`
      : 'No test is required.',
  ].join('\n\n');
  return `The analysis:\n${fenceUntrusted('ANALYSIS', text)}`;
}

/** What has to be different this time; empty for the first attempt. */
export function describeFeedback({ review, pipeline }: StateDocument): string[] {
  const { feedback_for_writer: feedback } = review;
  if (feedback === null || feedback === '') return [];
  return [
    `This is attempt ${pipeline.attempt}. What the last attempt left is in the folder. Why it was not accepted:\n${fenceUntrusted('FEEDBACK', feedback)}`,
  ];
}

export function describeLearnings(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [
    `What earlier work on this repository observed; it may be out of date:\n${fenceUntrusted('LEARNINGS', list(lines))}`,
  ];
}
