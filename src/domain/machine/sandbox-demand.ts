/** Whether work may be done where no sandbox can be had; from the loosest to the strictest. */
export const sandboxDemands = ['prefer', 'require'] as const;

export type SandboxDemand = (typeof sandboxDemands)[number];
