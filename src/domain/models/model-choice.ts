/** Which models do what in a workflow. */

export const authoringRoles = ['drafter', 'reviewer'] as const;

/** What a model can be asked to be. A review of code is another matter than one of drafts, which has to be independent. */
export type ModelRole = (typeof authoringRoles)[number] | 'code reviewer' | 'writer';

/** The models of one workflow, each as `provider:model`. */
export type ModelChoice = Readonly<Record<(typeof authoringRoles)[number], string>>;
