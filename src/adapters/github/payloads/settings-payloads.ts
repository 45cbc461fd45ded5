/** GitHub's answers about the settings of Actions, as far as they are read. */
import { z } from 'zod';

export const actionsPermissionsPayload = z.object({
  enabled: z.boolean(),
  allowed_actions: z.enum(['all', 'local_only', 'selected']).optional(),
});

export const workflowPermissionsPayload = z.object({
  default_workflow_permissions: z.enum(['read', 'write']),
  can_approve_pull_request_reviews: z.boolean(),
});

export const namedPayload = z.object({ name: z.string() });
export const workflowPayload = z.object({ path: z.string(), state: z.string() });
export const branchPayload = z.object({ protected: z.boolean() });
