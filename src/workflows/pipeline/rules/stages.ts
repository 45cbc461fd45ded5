/** The six stages of the pipeline, in their order. */
export const stageNames = ['triage', 'analyst', 'writer', 'build', 'reviewer', 'committer'] as const;

export type StageName = (typeof stageNames)[number];

export function isStageName(text: string): text is StageName {
  return stageNames.some((name) => name === text);
}

/** Whether one stage comes before another. */
export function isBefore(one: StageName, other: StageName): boolean {
  return stageNames.indexOf(one) < stageNames.indexOf(other);
}

/** The stages that questions can be put to: those in which a model answers. */
export const answeringStages = ['analyst', 'writer'] as const;

export type AnsweringStage = (typeof answeringStages)[number];
