/** How far the stages of a pipeline are, from its document, for a screen. */
import type { StateDocument } from './document/state-document.ts';
import { decidedOf } from './document/undecided.ts';
import { isBefore, isStageName, type StageName, stageNames } from './stages.ts';

interface StageRow {
  readonly id: StageName;
  /** What came of it, in a few words. Untrusted where a model said it. */
  readonly title: string;
  readonly passes: boolean;
  readonly attempts: number;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Whether its end lets the next stage begin. */
function hasPassed(
  stage: StageName,
  { triage, analysis, writer, build, review, commit }: StateDocument,
): boolean {
  const of: Readonly<Record<StageName, boolean>> = {
    triage: triage.completed,
    analyst: analysis.completed,
    writer: writer.completed,
    build: build.completed && build.errors.length === 0,
    reviewer: review.completed && review.verdict === 'APPROVED',
    committer: commit.completed,
  };
  return of[stage];
}

function describeBuild({ tests_passed, errors, failing_before }: StateDocument['build']): string {
  if (errors.length > 0) return count(errors.length, 'error');
  const known = failing_before ?? [];
  if (known.length > 0) return `${count(known.length, 'test')} failed before as well`;
  return tests_passed === true ? 'tests pass' : '';
}

function describeStage(stage: StageName, document: StateDocument): string {
  const { triage, analysis, writer, build, review, commit } = document;
  const of: Readonly<Record<StageName, string>> = {
    triage: [decidedOf(triage.scope), decidedOf(triage.complexity)]
      .filter((word) => word !== null)
      .join(', '),
    analyst: count(analysis.files.length, 'file'),
    writer: `${count(writer.changes.length, 'file')} changed`,
    build: describeBuild(build),
    reviewer: decidedOf(review.verdict) ?? '',
    committer: commit.pr_url ?? '',
  };
  return of[stage];
}

const repeated: readonly StageName[] = ['writer', 'build', 'reviewer'];

/**
 * @param isBegun whether the present stage begins now: what it and later ones said belongs to an earlier attempt
 */
export function listStages(document: StateDocument, isBegun: boolean): StageRow[] {
  const { current_agent: current, attempt } = document.pipeline;
  return stageNames.map((id) => {
    const isPresent = id === current;
    const isAhead = current !== null && isStageName(current) && isBefore(current, id);
    const isOver = !isAhead && !(isPresent && isBegun);
    const passes = isOver && hasPassed(id, document);
    // Attempts before this one failed; the present one is counted when it has ended.
    const attempts = repeated.includes(id) ? attempt - (isOver ? 0 : 1) : 0;
    return { id, title: isOver && current !== null ? describeStage(id, document) : '', passes, attempts };
  });
}
