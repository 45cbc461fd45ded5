/**
 * The form of issue-state.json, version 1.0: the fields of the pipeline's document, all of them required, and those that
 * its tools have added, all optional. What is not known yet is null. A field that is not known here is kept.
 */
import { z } from 'zod';
import { isBranchName } from '../../../../domain/forge/git-names.ts';
import { count, flag, line, list, number, object, said, text } from '../../../documents/field-forms.ts';
import { treePath } from './tree-path.ts';
import { makeChoice } from './undecided.ts';

/** Who works on the document; the orchestrator is the program itself. */
export const stages = [
  ...(['triage', 'analyst', 'writer', 'build', 'reviewer', 'committer'] as const),
  'orchestrator',
] as const;
export const issueTypes = ['BUG_FIX', 'NEW_FEATURE', 'REFACTOR_STYLE'] as const;
export const scopes = ['SMALL', 'MEDIUM', 'LARGE'] as const;
export const complexities = ['simple', 'moderate', 'complex'] as const;
export const triageDecisions = [
  ...(['PROCEED', 'PROCEED_WITH_CAUTION'] as const),
  ...(['NEEDS_CLARIFICATION', 'ESCALATE'] as const),
] as const;
export const pipelineStatuses = ['in_progress', 'completed', 'failed', 'blocked'] as const;
export const verdicts = ['APPROVED', 'REJECTED', 'NEEDS_INFO'] as const;
export const severities = ['critical', 'major', 'minor'] as const;
export const fileActions = ['create', 'modify', 'delete'] as const;
export const testTypes = ['regression', 'happy_path', 'none'] as const;
export const outcomes = ['success', 'failed_max_retries', 'blocked', 'escalated'] as const;

/** Longer than the body of an issue can be on GitHub. */
export const longestProse = 100_000;
export const longestTitle = 1000;
export const longestLabel = 200;
export const mostLabels = 200;
const longestUrl = 2000;

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, said(`has to be one of ${values.join(', ')}`));

const prose = text(longestProse);
const proses = list(prose, 1000);
const time = z.iso.datetime({ offset: true, ...said('has to be a time such as 2024-01-15T10:30:00Z') });
const url = line(longestUrl);
const stage = oneOf(stages);
const issueType = makeChoice(issueTypes);
const scope = makeChoice(scopes);
const positive = count.min(1, 'has to be at least 1');

const issue = object({
  number: positive,
  title: line(longestTitle),
  url,
  type: issueType.nullable(),
  original_body: prose,
  labels: list(text(longestLabel), mostLabels),
});

const pipeline = object({
  started_at: time,
  current_agent: stage.nullable(),
  attempt: count,
  max_attempts: positive,
  status: makeChoice(pipelineStatuses, ['error']),
  blocked_reason: prose.nullish(),
  failure_reason: prose.nullish(),
  /** What continues a pipeline that is blocked or failed. */
  next_command: text(1000).nullish(),
  completed_at: time.nullish(),
});

const triage = object({
  completed: flag,
  scope: scope.nullable(),
  complexity: makeChoice(complexities).nullable(),
  should_proceed: flag.nullable(),
  rejection_reason: prose.nullable(),
  concerns: proses.nullish(),
  questions: proses.nullish(),
  decision: makeChoice(triageDecisions).nullish(),
});

const analysis = object({
  completed: flag,
  files: list(object({ path: treePath, purpose: prose, action: oneOf(fileActions) }), 1000),
  patterns: proses,
  test_requirement: object({
    required: flag,
    type: oneOf(testTypes).nullable(),
    location: treePath.nullable(),
    description: prose.nullable(),
  }).nullable(),
  must_do: proses,
  must_not_do: proses,
  brief: prose.nullable(),
  issue_type: issueType.nullish(),
  scope: scope.nullish(),
});

const writer = object({
  completed: flag,
  attempt: count,
  changes: list(object({ file: treePath, description: prose }), 5000),
  test_written: flag,
  test_file: treePath.nullable(),
  summary: prose.nullable(),
  previous_feedback: prose.nullable(),
  /** How a person tries the change out, step by step. */
  try_it: proses.nullish(),
});

/** A check that the project does not have is null: it has neither passed nor failed. */
const passed = flag.nullable();

/** From the lowest number that a process can end with, signed, to the highest, unsigned. */
const exitCode = z
  .int(said('has to be a whole number'))
  .min(-(2 ** 31), 'is no exit code')
  .max(2 ** 32 - 1, 'is no exit code');

const build = object({
  completed: flag,
  tests_passed: passed,
  lint_passed: passed,
  type_check_passed: passed,
  /** Tests that fail without the change too, by name. */
  failing_before: proses.nullish(),
  errors: proses,
  commands_run: list(
    object({
      command: text(10_000),
      /** Null for a command that was ended from outside. */
      exit_code: exitCode.nullable(),
      output: prose,
      duration_ms: number.min(0, 'may not be negative').nullish(),
    }),
    200,
  ),
});

const review = object({
  completed: flag,
  verdict: makeChoice(verdicts).nullable(),
  findings: object({
    good: proses,
    issues: list(
      object({
        id: line(200).nullish(),
        /** Null for a finding about the change as a whole. */
        file: treePath.nullable(),
        line: positive.nullable(),
        issue: prose,
        severity: oneOf(severities),
      }),
      1000,
    ),
  }),
  feedback_for_writer: prose.nullable(),
});

const commit = object({
  completed: flag,
  hash: z
    .string(said('has to be a commit'))
    .regex(/^[0-9a-f]{4,64}$/u, 'has to be the hash of a commit')
    .nullable(),
  message: prose.nullable(),
  branch: z
    .string(said('has to be the name of a branch'))
    .refine(isBranchName, 'has to be a plain branch name, such as agent/issue-42'),
  pushed: flag,
  pr_created: flag,
  pr_url: url.nullable(),
  issue_closed: flag,
  test_instructions: object({
    command: text(10_000).nullish(),
    url: url.nullish(),
    steps: proses.nullish(),
  }).nullish(),
});

const communication = object({
  questions: list(
    object({
      from: stage,
      to: oneOf([...stages, 'human']),
      question: prose,
      answered: flag,
      answer: prose.nullable(),
    }),
    1000,
  ),
  escalations: list(
    object({
      agent: stage,
      reason: prose,
      requires_human: flag,
      resolved: flag,
      resolution: prose.nullish(),
    }),
    1000,
  ),
});

const learnings = object({
  session_id: line(200),
  observations: list(
    object({
      agent: stage,
      type: line(100),
      content: prose,
      /** Null for what is about the repository as a whole. */
      file: treePath.nullish(),
    }),
    1000,
  ),
  outcome: makeChoice(outcomes).nullable(),
  duration_minutes: number.min(0, 'may not be negative').nullish(),
  attempts_used: count.nullish(),
});

export const stateSchema = object({
  version: z
    .string(said('has to be a version such as "1.0"'))
    .regex(/^1\.\d{1,4}$/u, 'has to be a version such as "1.0"'),
  ...{ issue, pipeline, triage, analysis, writer, build, review, commit, communication, learnings },
}).meta({
  title: 'issue-state.json',
  description: 'The state of the pipeline that works on one issue, as gatewright solve reads and writes it',
});

/** For editors and other tools; written by `npm run docs`. */
export function makeStateJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(stateSchema, { target: 'draft-7', io: 'input' });
}
