/** The form of `.issueloop.config.json` once the defaults are filled in, with a limit for every number and text. */
import { z } from 'zod';
import { isPlainPath } from '../../../../domain/changes/plain-path.ts';
import { isBranchName } from '../../../../domain/forge/git-names.ts';
import { checkLabelName, isControlLabel } from '../../../../domain/forge/label-table.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import { isGatewrightError } from '../../../../errors.ts';
import { commandForm } from '../document/prd-schema.ts';
import { compilePattern } from './linear-pattern.ts';

const flag = z.boolean('has to be true or false');
const share = z.number('has to be a number').min(0, 'may not be negative').max(1, 'may be 1 at most');
const count = (least: number, most: number): z.ZodInt =>
  z
    .int('has to be a whole number')
    .min(least, `has to be ${least} or more`)
    .max(most, `may be ${most} at most`);
const word = (longest: number): z.ZodString =>
  z.string('has to be text').max(longest, `may have ${longest} characters`);
const list = <Item extends z.ZodType>(item: Item, most = 50): z.ZodArray<Item> =>
  z.array(item, 'has to be a list').max(most, `may have ${most} entries`);
const object = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> =>
  z.object(shape, 'has to be an object');

const commands = list(commandForm);
const severities = list(word(40));

const isFolder = (path: string): boolean => isPlainPath(path.replace(/\/$/u, ''));
const isInGit = (path: string): boolean => /^\.git(?:\/|$)/iu.test(path);
const path = (rule: (path: string) => boolean, message: string): z.ZodString =>
  word(200).refine((one) => rule(one) && !isInGit(one), message);

const loopLabels: readonly string[] = Object.entries(labelNames)
  .filter(([key]) => key.startsWith('loop'))
  .map(([, name]) => name);

/** A label of the loop may not be one that steers something else: setting it would start that. */
function isUsableLabel(name: string): boolean {
  try {
    return checkLabelName(name) === name && (loopLabels.includes(name) || !isControlLabel(name));
  } catch (error) {
    if (isGatewrightError(error)) return false;
    throw error;
  }
}

const label = z
  .string('has to be the name of a label')
  .refine(isUsableLabel, 'has to be a label of 1 to 50 visible characters that steers nothing else');

const pattern = (isFolded: boolean) =>
  z.string('has to be a pattern').transform((source, context) => {
    const made = compilePattern(source, isFolded);
    if ('pattern' in made) return made.pattern;
    context.addIssue(made.problem);
    return z.NEVER;
  });

const prefix = z
  .string('has to be text')
  .max(100, 'may have 100 characters')
  .regex(/^#{1,6} \S[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$/u, 'has to be a heading such as "## Plan"');

export const commentPrefixKeys = [
  ...(['plan', 'approved', 'taskLog', 'codeReview', 'reviewApproval', 'discovery', 'patterns'] as const),
  ...(['testingCheckpoint', 'debugSession', 'debugFixed', 'debugBlocked', 'finalReport'] as const),
  ...(['compactedSummary', 'wisp', 'browserVerification', 'replanCheckpoint'] as const),
] as const;

const commitPrefix = z
  .string('has to be text')
  .regex(/^[a-z][a-z0-9-]{0,19}$/u, 'has to be a word such as feat');

const execution = object({
  profile: z.enum(['greenfield', 'brownfield'], 'has to be greenfield or brownfield'),
  gateMode: z.enum(['warn', 'enforce'], 'has to be warn or enforce'),
  taskSizing: object({
    enabled: flag,
    maxDescriptionSentences: count(1, 100),
    maxAcceptanceCriteria: count(1, 100),
    maxVerifyCommands: count(1, 50),
    maxFiles: count(1, 200),
    hardFailOnOversized: flag,
  }),
  contextManifest: object({
    enabled: flag,
    algorithm: z.literal('sha256', 'has to be sha256'),
    enforceHashMatch: flag,
  }),
  eventEvidence: object({ required: flag }),
  verify: object({
    commandTimeoutSeconds: count(1, 7200),
    maxOutputLinesPerCommand: count(1, 10_000),
    fastGlobalVerifyCommands: commands,
    fullGlobalVerifyCommands: commands,
    fullRunEveryNPassedTasks: count(1, 1000),
    runFullVerifyBeforeTestingCheckpoint: flag,
    globalVerifyCommands: commands,
    securityVerifyCommands: commands,
    runSecurityVerifyOnEveryTask: flag,
  }),
  searchEvidence: object({ required: flag, minQueries: count(0, 50) }),
  browserVerification: object({
    requiredForUiTasks: flag,
    hardFailWhenUnavailable: flag,
    allowedTools: list(word(60)),
  }),
  placeholder: object({
    enabled: flag,
    patterns: list(pattern(true), 100),
    excludePathRegex: list(pattern(false), 100),
    semanticChecks: object({
      enabled: flag,
      blockTrivialConstantReturns: flag,
      blockAlwaysTrueFalseConditionals: flag,
    }),
  }),
  replan: object({ autoGenerateOnStale: flag, autoApplyIfSingleTask: flag, maxGeneratedTasks: count(1, 50) }),
  testIntent: object({ requiredWhenTestsChanged: flag, enforce: flag }),
  stalePlan: object({
    enabled: flag,
    sameTaskRetryThreshold: count(1, 100),
    consecutiveRetryThreshold: count(1, 100),
  }),
  context: object({
    preferCompactedSummary: flag,
    maxTaskLogs: count(0, 1000),
    maxDiscoveryNotes: count(0, 1000),
    maxReviewLogs: count(0, 1000),
  }),
});

export const loopConfigSchema = object({
  branchPrefix: z
    .string('has to be text')
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,29}$/u, {
      error: 'has to be up to 30 letters, digits, ".", "_", "/" or "-"',
      abort: true,
    })
    .refine((one) => isBranchName(`${one}1`), 'has to be the beginning of a branch name'),
  prdLocation: path(
    (one) => isPlainPath(one) && one.endsWith('.json'),
    'has to be the path of a .json file in the repository',
  ),
  archiveLocation: path(isFolder, 'has to be the path of a folder in the repository'),
  maxTaskAttempts: count(1, 20),
  maxDebugAttempts: count(1, 20),
  taskLogJsonVersion: z.literal(1, 'has to be 1'),
  summaryEveryNTaskLogs: count(1, 1000),
  wispDefaultTtlMinutes: count(1, 525_600),
  commitPrefixes: object({ task: commitPrefix, state: commitPrefix, debug: commitPrefix }),
  labels: object({
    trigger: label,
    planning: label,
    approved: label,
    inProgress: label,
    testing: label,
    blocked: label,
    review: label,
    complete: label,
  }),
  /** Only those that the file names; the comments have their own defaults. */
  commentPrefixes: z.partialRecord(z.enum(commentPrefixKeys), prefix, 'has to be an object'),
  review: object({
    enabled: flag,
    mode: word(40),
    context: object({
      useCompactBundle: flag,
      maxChangedFiles: count(0, 10_000),
      maxTaskLogs: count(0, 1000),
      maxDiscoveryNotes: count(0, 1000),
      maxReviewLogs: count(0, 1000),
    }),
    verification: object({ maxPollAttempts: count(0, 100), retrySleepSeconds: count(0, 600) }),
    autoEnqueueSeverities: severities,
    approvalRequiredSeverities: severities,
    minConfidenceForAutoEnqueue: share,
    maxFindingsPerReview: count(0, 100),
  }),
  execution,
  memory: object({
    autoSyncDocs: flag,
    minConfidence: share,
    docTargets: list(
      path((one) => isPlainPath(one) && /\.md$/iu.test(one), 'has to be the path of a Markdown file'),
      20,
    ),
    maxPatternsPerTask: count(0, 50),
    managedSectionMarker: z
      .string('has to be text')
      .regex(
        /^[a-z0-9]+(?:[:_-][a-z0-9]+)*$/u,
        'has to be words of a-z and 0-9 with ":", "_" or "-" between them',
      )
      .max(60, 'may have 60 characters'),
  }),
});
