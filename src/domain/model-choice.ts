/** Which models do what: the roles there are, and the workflows that can have models of their own. */

export const authoringWorkflows = ['issue', 'lld'] as const;

export type AuthoringWorkflow = (typeof authoringWorkflows)[number];

export const authoringRoles = ['drafter', 'reviewer'] as const;

/** The models of one workflow, each as `provider:model`. */
export type ModelChoice = Readonly<Record<(typeof authoringRoles)[number], string>>;
