/** A draft of the words that are there: of a brief or an issue, and of what was said about an earlier draft. */
import type { ModelRequest } from '../../ports/model.ts';
import { outlineDesign } from './design-outline.ts';
import { outlineIssue } from './issue-outline.ts';
import { addFeedback, addQuestions, followBrief } from './revise-outline.ts';

export function outlineDraft(request: Pick<ModelRequest, 'material'>): string {
  const material = request.material ?? {};
  const { workflow, brief = '', title = 'Untitled', issue = '', files = '', draft, feedback = '' } = material;
  const outline = (text: string): string =>
    workflow === 'lld' ? outlineDesign(text, issue, files.split('\n')) : outlineIssue(text, title);
  if (draft === undefined) return outline(brief);
  // Rules cannot weigh the remarks of a review: the draft stays what it was until a person edits it or says more.
  const { previousBrief } = material;
  const followed =
    previousBrief === undefined || workflow === 'lld'
      ? draft
      : followBrief(previousBrief, brief, draft, title);
  if (feedback.trim() === '') return followed;
  return workflow === 'lld' ? addQuestions(followed, feedback) : addFeedback(followed, feedback);
}
