/** What a pipeline says on its issue when a person has to decide, and how they answer. */
import { lineOf, listOf, proseOf } from '../../../issue-runs/rules/comment-words.ts';
import type { StageName } from '../stages.ts';

interface Asked {
  readonly handle: string;
  readonly number: number;
}

export function describeEscalationAnswers(handle: string): string[] {
  return [
    `- \`@${handle} proceed: …\` has it go on; what you write is told to the stages.`,
    `- \`@${handle} stop: …\` ends the pipeline.`,
  ];
}

export function describeFailureAnswers(handle: string): string[] {
  return [
    `- \`@${handle} retry: …\` has it try again, with as many attempts; the writer is told what you write.`,
    `- \`@${handle} stop: …\` ends the pipeline.`,
  ];
}

export function writeEscalation({
  stage,
  reasons,
  handle,
  number,
}: Asked & { readonly stage: StageName; readonly reasons: readonly string[] }): string {
  return [
    '## A person has to decide',
    '',
    `The ${stage} stage of the pipeline waits:`,
    '',
    ...listOf(reasons.map((reason) => lineOf(reason, 500))),
    '',
    ...describeEscalationAnswers(handle),
    `- At a terminal: \`gatewright solve ${number} --proceed "…"\` or \`--stop "…"\`.`,
    '',
  ].join('\n');
}

export function writeFailure({
  why,
  proposal,
  feedback,
  attempt,
  handle,
  number,
}: Asked & {
  readonly why: string;
  readonly proposal: string;
  readonly feedback: string;
  readonly attempt: number;
}): string {
  return [
    `## Stopped after attempt ${attempt}`,
    '',
    lineOf(why, 1000),
    '',
    ...(feedback === '' ? [] : ['What was left to do:', '', proseOf(feedback, 6000), '']),
    lineOf(proposal, 500),
    '',
    ...describeFailureAnswers(handle),
    `- At a terminal: \`gatewright solve ${number} --retry "…"\` or \`--stop "…"\`.`,
    '',
  ].join('\n');
}
