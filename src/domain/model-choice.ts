/** Which models do what in a workflow. */

export const authoringRoles = ['drafter', 'reviewer'] as const;

/** The models of one workflow, each as `provider:model`. */
export type ModelChoice = Readonly<Record<(typeof authoringRoles)[number], string>>;
