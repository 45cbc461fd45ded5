/** A person ended the pipeline: the document says so, and what was learned is kept. */
import type { PipelineContext } from '../pipeline-context.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { PipelineState } from '../state.ts';
import { keepLearnings } from './learn.ts';
import { keepDocument, readDocument, showDocument } from './read-document.ts';

export async function stopPipeline(
  context: PipelineContext,
  state: PipelineState,
): Promise<Partial<PipelineState>> {
  const document = await readDocument(context, state);
  const { status, attempt } = document.pipeline;
  const hasFailed = status === 'failed';
  const why = state.guidance === '' ? 'A person ended it.' : `A person ended it: ${state.guidance}`;
  const ended = applySection('orchestrator', document, {
    pipeline: {
      ...(hasFailed ? { status } : { status: 'blocked', blocked_reason: why }),
      next_command: null,
    },
    learnings: { outcome: hasFailed ? 'failed_max_retries' : 'escalated', attempts_used: attempt },
  });
  await keepLearnings(context, ended);
  const kept = await keepDocument(context, ended);
  // The file stays: it says how far it came.
  await showDocument(context, state, kept);
  return { document: kept, because: why, route: 'done' };
}
