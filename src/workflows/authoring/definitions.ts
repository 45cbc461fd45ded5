/** The authoring workflows there are, each a definition of the one graph. */
import type { AuthoringWorkflow } from '../../domain/ledger/run.ts';
import type { AuthoringDefinition } from './definition.ts';
import { issueDefinition } from './issue/issue-definition.ts';
import { lldDefinition } from './lld/lld-definition.ts';

export const definitions: Readonly<Record<AuthoringWorkflow, AuthoringDefinition>> = {
  issue: issueDefinition,
  lld: lldDefinition,
};
