/** How long the job may take that asks models: the workflow file limits it to that, and the job itself keeps within it. */

export const minutesToAsk = {
  /** Where coding agents work, an hour at most each. */
  coder: 180,
  model: 30,
} as const;
