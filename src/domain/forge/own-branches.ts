/** Names of branches that agents of ours make begin like this. */
export const ownBranches = 'gatewright/';
