/** What `.issueloop.config.json` means where it says nothing, and what its profile `brownfield` changes. */
import { labelNames } from '../../../../domain/forge/labels.ts';
import type { Json } from '../../../../domain/ledger/hash.ts';

type Fields = { readonly [key: string]: Json };

export const loopDefaults = {
  branchPrefix: 'ai/issue-',
  prdLocation: 'prd.json',
  archiveLocation: 'archive/',
  maxTaskAttempts: 3,
  maxDebugAttempts: 3,
  taskLogJsonVersion: 1,
  summaryEveryNTaskLogs: 5,
  wispDefaultTtlMinutes: 90,
  commitPrefixes: { task: 'feat', state: 'chore', debug: 'fix' },
  labels: {
    trigger: labelNames.loop,
    planning: labelNames.loopPlanning,
    approved: labelNames.loopApproved,
    inProgress: labelNames.loopInProgress,
    testing: labelNames.loopTesting,
    blocked: labelNames.loopBlocked,
    review: labelNames.loopReview,
    complete: labelNames.loopComplete,
  },
  commentPrefixes: {},
  review: {
    enabled: true,
    mode: 'task_and_final',
    context: {
      useCompactBundle: true,
      maxChangedFiles: 80,
      maxTaskLogs: 6,
      maxDiscoveryNotes: 4,
      maxReviewLogs: 3,
    },
    verification: { maxPollAttempts: 2, retrySleepSeconds: 1 },
    autoEnqueueSeverities: ['critical'],
    approvalRequiredSeverities: ['critical'],
    minConfidenceForAutoEnqueue: 0.75,
    maxFindingsPerReview: 5,
  },
  execution: {
    profile: 'greenfield',
    gateMode: 'warn',
    taskSizing: {
      enabled: true,
      maxDescriptionSentences: 3,
      maxAcceptanceCriteria: 10,
      maxVerifyCommands: 6,
      maxFiles: 12,
      hardFailOnOversized: true,
    },
    contextManifest: { enabled: true, algorithm: 'sha256', enforceHashMatch: false },
    eventEvidence: { required: true },
    verify: {
      commandTimeoutSeconds: 600,
      maxOutputLinesPerCommand: 80,
      fastGlobalVerifyCommands: [],
      fullGlobalVerifyCommands: [],
      fullRunEveryNPassedTasks: 5,
      runFullVerifyBeforeTestingCheckpoint: true,
      globalVerifyCommands: [],
      securityVerifyCommands: [],
      runSecurityVerifyOnEveryTask: false,
    },
    searchEvidence: { required: true, minQueries: 2 },
    browserVerification: {
      requiredForUiTasks: true,
      hardFailWhenUnavailable: true,
      allowedTools: ['playwright', 'dev-browser'],
    },
    placeholder: {
      enabled: true,
      patterns: [
        ...['TODO\\b', 'FIXME\\b', 'placeholder\\b', 'stub\\b'],
        ...['not implemented', 'mock implementation'],
      ],
      excludePathRegex: ['(^|/)test(s)?/', '\\.md$'],
      semanticChecks: {
        enabled: false,
        blockTrivialConstantReturns: true,
        blockAlwaysTrueFalseConditionals: true,
      },
    },
    replan: { autoGenerateOnStale: false, autoApplyIfSingleTask: true, maxGeneratedTasks: 6 },
    testIntent: { requiredWhenTestsChanged: true, enforce: false },
    stalePlan: { enabled: true, sameTaskRetryThreshold: 3, consecutiveRetryThreshold: 6 },
    context: { preferCompactedSummary: true, maxTaskLogs: 8, maxDiscoveryNotes: 6, maxReviewLogs: 4 },
  },
  memory: {
    autoSyncDocs: true,
    minConfidence: 0.8,
    docTargets: ['AGENTS.md', 'CLAUDE.md'],
    maxPatternsPerTask: 3,
    managedSectionMarker: 'issues-loop:auto-patterns',
  },
} as const satisfies Fields;

/** For code that has grown: smaller tasks, more looking before changing, an earlier stop. */
export const brownfieldOverlay: Fields = {
  execution: {
    taskSizing: { enabled: true },
    contextManifest: { enabled: true },
    verify: { fullRunEveryNPassedTasks: 3 },
    replan: { autoGenerateOnStale: true },
    placeholder: {
      semanticChecks: {
        enabled: true,
        blockTrivialConstantReturns: true,
        blockAlwaysTrueFalseConditionals: true,
      },
    },
    searchEvidence: { minQueries: 3 },
    stalePlan: { sameTaskRetryThreshold: 1, consecutiveRetryThreshold: 3 },
  },
};
