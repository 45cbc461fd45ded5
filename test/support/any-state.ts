/** Random valid state documents, with fields of a newer version on every level. */
import fc from 'fast-check';
import type { StateDocument } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import {
  complexities,
  fileActions,
  issueTypes,
  outcomes,
  pipelineStatuses,
  scopes,
  severities,
  stages,
  testTypes,
  triageDecisions,
  verdicts,
} from '../../src/workflows/pipeline/rules/document/state-schema.ts';

const prose = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 20 }));
const line = fc.string({ maxLength: 20 }).map((text) => `a${text}`);
const path = fc
  .array(fc.constantFrom('src', 'a', 'b.ts', 'ü', 'x y', '.github', 'test_c.py'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join('/'));
const count = fc.nat(1000);
const positive = count.map((one) => one + 1);
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const url = fc.constantFrom('https://github.com/owner/repo/issues/42', 'http://localhost:3000/x');
const stage = fc.constantFrom(...stages);
const oneOf = <Value extends string>(values: readonly Value[]) => fc.constantFrom(...values);
const many = <Value>(item: fc.Arbitrary<Value>) => fc.array(item, { maxLength: 3 });
const maybe = <Value>(item: fc.Arbitrary<Value>) => fc.option(item);
const flag = fc.boolean();

/** `__proto__` is no field of any version. */
export const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

type Shape = Record<string, fc.Arbitrary<unknown>>;

/** An object with the fields, some of the optional ones, and now and then one that is not known. */
function object<const Required extends Shape, const Optional extends Shape = Record<never, never>>(
  required: Required,
  optional: Optional = {} as Optional,
) {
  const shape = { ...required, ...optional, newer_field: anyJson };
  return fc.record(shape, { requiredKeys: Object.keys(required) as never[] });
}

const state = object({
  version: fc.constantFrom('1.0', '1.1', '1.27'),
  issue: object({
    number: positive,
    title: line,
    url,
    type: maybe(oneOf(issueTypes)),
    original_body: prose,
    labels: many(line),
  }),
  pipeline: object(
    {
      started_at: time,
      current_agent: maybe(stage),
      attempt: count,
      max_attempts: positive,
      status: oneOf([...pipelineStatuses, 'error']),
    },
    { blocked_reason: maybe(prose), failure_reason: maybe(prose), completed_at: maybe(time) },
  ),
  triage: object(
    {
      completed: flag,
      scope: maybe(oneOf(scopes)),
      complexity: maybe(oneOf(complexities)),
      should_proceed: maybe(flag),
      rejection_reason: maybe(prose),
    },
    { concerns: many(prose), questions: many(prose), decision: maybe(oneOf(triageDecisions)) },
  ),
  analysis: object(
    {
      completed: flag,
      files: many(object({ path, purpose: prose, action: oneOf(fileActions) })),
      patterns: many(prose),
      test_requirement: maybe(
        object({
          required: flag,
          type: maybe(oneOf(testTypes)),
          location: maybe(path),
          description: maybe(prose),
        }),
      ),
      must_do: many(prose),
      must_not_do: many(prose),
      brief: maybe(prose),
    },
    { issue_type: maybe(oneOf(issueTypes)), scope: maybe(oneOf(scopes)) },
  ),
  writer: object(
    {
      completed: flag,
      attempt: count,
      changes: many(object({ file: path, description: prose })),
      test_written: flag,
      test_file: maybe(path),
      summary: maybe(prose),
      previous_feedback: maybe(prose),
    },
    { try_it: maybe(many(prose)) },
  ),
  build: object(
    {
      completed: flag,
      tests_passed: maybe(flag),
      lint_passed: maybe(flag),
      type_check_passed: maybe(flag),
      errors: many(prose),
      commands_run: many(
        object(
          { command: prose, exit_code: maybe(fc.integer({ min: -255, max: 255 })), output: prose },
          { duration_ms: fc.nat() },
        ),
      ),
    },
    { failing_before: maybe(many(prose)) },
  ),
  review: object({
    completed: flag,
    verdict: maybe(oneOf(verdicts)),
    findings: object({
      good: many(prose),
      issues: many(
        object(
          { file: maybe(path), line: maybe(positive), issue: prose, severity: oneOf(severities) },
          { id: line },
        ),
      ),
    }),
    feedback_for_writer: maybe(prose),
  }),
  commit: object(
    {
      completed: flag,
      hash: maybe(oneOf(['abc123', '0123456789abcdef0123456789abcdef01234567'])),
      message: maybe(prose),
      branch: oneOf(['agent/issue-42', 'agent/issue-7']),
      pushed: flag,
      pr_created: flag,
      pr_url: maybe(url),
      issue_closed: flag,
    },
    { test_instructions: maybe(object({}, { command: prose, url, steps: many(prose) })) },
  ),
  communication: object({
    questions: many(
      object({
        from: stage,
        to: oneOf([...stages, 'human']),
        question: prose,
        answered: flag,
        answer: maybe(prose),
      }),
    ),
    escalations: many(
      object(
        { agent: stage, reason: prose, requires_human: flag, resolved: flag },
        { resolution: maybe(prose) },
      ),
    ),
  }),
  learnings: object(
    {
      session_id: line,
      observations: many(object({ agent: stage, type: line, content: prose }, { file: maybe(path) })),
      outcome: maybe(oneOf(outcomes)),
    },
    { duration_minutes: fc.nat(), attempts_used: count },
  ),
});

// A record of fast-check has no prototype and may hold -0; what is read from a file has one and has not.
export const anyState: fc.Arbitrary<StateDocument> = state.map(
  (value) => JSON.parse(JSON.stringify(value)) as StateDocument,
);
