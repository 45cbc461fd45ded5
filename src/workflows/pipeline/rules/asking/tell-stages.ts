/**
 * What each stage is told, in one place for asking it and for showing it beforehand. What stays the same in every attempt
 * stands first, so that providers keep it.
 */
import { fenceUntrusted } from '../../../../domain/text/fence-untrusted.ts';
import { describeBuild } from '../build/describe-build.ts';
import type { StateDocument } from '../document/state-document.ts';
import {
  describeAnalysis,
  describeDecisions,
  describeFeedback,
  describeIssue,
  describeLearnings,
} from './describe-state.ts';

/** @param learned one line for each learning */
export function tellAnalyst(document: StateDocument, learned: readonly string[]): string[] {
  return [
    'Analyse this issue for the writer who will work on it.',
    describeIssue(document),
    ...describeDecisions(document),
    ...describeLearnings(learned),
  ];
}

export function tellWriter(document: StateDocument, learned: readonly string[]): string[] {
  return [
    describeIssue(document),
    describeAnalysis(document),
    ...describeLearnings(learned),
    ...describeDecisions(document),
    ...describeFeedback(document),
  ];
}

/** A review that asks for the opposite of an earlier one would go round for ever. */
function describeEarlier({ writer: { previous_feedback: feedback } }: StateDocument): string[] {
  if (feedback === null || feedback === '') return [];
  return [`What was asked for before this attempt:\n${fenceUntrusted('FEEDBACK', feedback)}`];
}

export function tellReviewerFirst(document: StateDocument): string[] {
  return [describeIssue(document), describeAnalysis(document)];
}

/** The change itself follows. */
export function tellReviewer(document: StateDocument): string[] {
  const { attempt } = document.pipeline;
  return [
    ...describeDecisions(document),
    `What the writer says about attempt ${attempt}:\n${fenceUntrusted('SUMMARY', document.writer.summary ?? '')}`,
    ...describeEarlier(document),
    describeBuild(document),
  ];
}
