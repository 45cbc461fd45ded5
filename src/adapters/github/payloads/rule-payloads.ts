/** What GitHub answers about the rules of a branch, as far as we read it. */
import { z } from 'zod';

/** One rule of a ruleset that holds for a branch. Kinds may be added at any time. */
export const branchRulePayload = z.object({
  type: z.string(),
  ruleset_id: z.int().optional(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

export const pullRequestRule = z.object({
  required_approving_review_count: z.int().default(0),
  require_code_owner_review: z.boolean().default(false),
  required_review_thread_resolution: z.boolean().default(false),
  allowed_merge_methods: z.array(z.string()).optional(),
});

export const statusChecksRule = z.object({
  strict_required_status_checks_policy: z.boolean().default(false),
  required_status_checks: z
    .array(z.object({ context: z.string(), integration_id: z.int().nullish() }))
    .default([]),
});

export const rulesetPayload = z.object({ current_user_can_bypass: z.string().optional() });

/** The part of a branch's protection that everybody with read access sees. */
export const protectedBranchPayload = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({
          enforcement_level: z.string().optional(),
          contexts: z.array(z.string()).default([]),
          checks: z.array(z.object({ context: z.string(), app_id: z.int().nullish() })).optional(),
        })
        .optional(),
    })
    .optional(),
});

export const mergeStatePayload = z.object({
  repository: z
    .object({
      pullRequest: z
        .object({
          reviewDecision: z.string().nullish(),
          isMergeQueueEnabled: z.boolean(),
          isInMergeQueue: z.boolean(),
          timelineItems: z
            .object({
              nodes: z.array(
                z.object({ reason: z.string().nullish(), createdAt: z.iso.datetime().nullish() }).nullable(),
              ),
            })
            .optional(),
          baseRef: z
            .object({
              refUpdateRule: z
                .object({
                  requiredApprovingReviewCount: z.int().nullish(),
                  requiresCodeOwnerReviews: z.boolean(),
                  requiresConversationResolution: z.boolean(),
                  requiresLinearHistory: z.boolean(),
                  requiresSignatures: z.boolean(),
                })
                .nullish(),
            })
            .nullish(),
          reviewThreads: z.object({ nodes: z.array(z.object({ isResolved: z.boolean() }).nullable()) }),
        })
        .nullish(),
    })
    .nullish(),
});

export const mergeStateQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewDecision
      isMergeQueueEnabled
      isInMergeQueue
      timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) {
        nodes { ... on RemovedFromMergeQueueEvent { reason createdAt } }
      }
      baseRef {
        refUpdateRule {
          requiredApprovingReviewCount
          requiresCodeOwnerReviews
          requiresConversationResolution
          requiresLinearHistory
          requiresSignatures
        }
      }
      reviewThreads(first: 100) { nodes { isResolved } }
    }
  }
}`;
