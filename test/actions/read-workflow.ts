/**
 * Reads a workflow file, or the file of a composite action. What the runner cannot do is an error here: a key that is
 * passed over in silence would let a test pass for the wrong reason.
 */
import { parseDocument } from 'yaml';
import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const values = z.record(z.string(), scalar);
const condition = z.union([z.string(), z.boolean()]).optional();
const minutes = z.union([z.number(), z.string()]).optional();
const access = z.enum(['read', 'write', 'none']);

export const scopes: readonly string[] = [
  ...['actions', 'artifact-metadata', 'attestations', 'checks', 'contents', 'deployments', 'discussions'],
  ...['id-token', 'issues', 'models', 'packages', 'pages', 'pull-requests', 'repository-projects'],
  ...['security-events', 'statuses'],
];

const permissions = z.union([
  z.enum(['read-all', 'write-all']),
  z.record(z.string(), access).refine((given) => Object.keys(given).every((one) => scopes.includes(one)), {
    message: 'names a permission that GitHub does not have',
  }),
]);

const concurrency = z.union([
  z.string().transform((group) => ({ group, 'cancel-in-progress': false, queue: 'single' })),
  z
    .strictObject({
      group: z.string(),
      'cancel-in-progress': z.union([z.boolean(), z.string()]).default(false),
      queue: z.enum(['single', 'max']).default('single'),
    })
    .refine((one) => one.queue === 'single' || one['cancel-in-progress'] === false, {
      message: 'a queue of more than one cannot be cancelled by what comes after',
    }),
]);

const defaults = z.strictObject({
  run: z.strictObject({ shell: z.string().optional(), 'working-directory': z.string().optional() }),
});

const step = z
  .strictObject({
    id: z.string().optional(),
    name: z.string().optional(),
    if: condition,
    uses: z.string().optional(),
    run: z.string().optional(),
    shell: z.string().optional(),
    with: values.optional(),
    env: values.optional(),
    'working-directory': z.string().optional(),
    'continue-on-error': z.union([z.boolean(), z.string()]).optional(),
    'timeout-minutes': minutes,
  })
  .refine((one) => (one.uses === undefined) !== (one.run === undefined), {
    message: 'a step has either uses or run',
  });

const job = z.strictObject({
  name: z.string().optional(),
  needs: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  if: condition,
  permissions: permissions.optional(),
  'runs-on': z.union([z.string(), z.array(z.string())]),
  concurrency: concurrency.optional(),
  outputs: values.optional(),
  env: values.optional(),
  defaults: defaults.optional(),
  'timeout-minutes': minutes,
  'continue-on-error': z.union([z.boolean(), z.string()]).optional(),
  steps: z.array(step).min(1),
});

const dispatchInput = z.strictObject({
  description: z.string().optional(),
  required: z.boolean().default(false),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  type: z.enum(['string', 'boolean', 'number', 'choice', 'environment']).default('string'),
  options: z.array(z.string()).optional(),
});

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const filters = z.strictObject({
  types: names.optional(),
  branches: names.optional(),
  'branches-ignore': names.optional(),
  workflows: names.optional(),
  inputs: z.record(z.string(), dispatchInput.nullable()).optional(),
});
const schedules = z.array(z.strictObject({ cron: z.string(), timezone: z.string().optional() }));

/** The events that the small GitHub makes; and `check_suite` and `status`, of which it makes none. */
const eventNames = [
  ...['issues', 'issue_comment', 'pull_request', 'pull_request_target', 'pull_request_review'],
  ...['workflow_run', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'check_suite', 'status'],
] as const;
const eventName = z.enum(eventNames);

const triggers = z.union([
  eventName.transform((one) => ({ [one]: null })),
  z.array(eventName).transform((all) => Object.fromEntries(all.map((one) => [one, null]))),
  z.partialRecord(eventName, z.union([filters, schedules, z.null()])),
]);

const workflow = z.strictObject({
  name: z.string().optional(),
  'run-name': z.string().optional(),
  on: triggers,
  permissions: permissions.optional(),
  env: values.optional(),
  defaults: defaults.optional(),
  concurrency: concurrency.optional(),
  jobs: z.record(z.string().regex(/^[A-Za-z_][\w-]*$/u), job),
});

const actionInput = z.strictObject({
  description: z.string().optional(),
  required: z.boolean().default(false),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  deprecationMessage: z.string().optional(),
});
const action = z.strictObject({
  name: z.string(),
  author: z.string().optional(),
  description: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }).optional(),
  inputs: z.record(z.string(), actionInput.nullable()).default({}),
  outputs: z
    .record(z.string(), z.strictObject({ description: z.string().optional(), value: z.string() }))
    .default({}),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(step) }),
});

export type Workflow = z.infer<typeof workflow>;
export type Job = z.infer<typeof job>;
export type Step = z.infer<typeof step>;
export type Permissions = z.infer<typeof permissions>;
export type DispatchInput = z.infer<typeof dispatchInput>;
export type Filters = z.infer<typeof filters>;
export type CompositeAction = z.infer<typeof action>;

function read<T>(schema: z.ZodType<T>, text: string, path: string): T {
  const document = parseDocument(text, { version: '1.2', uniqueKeys: true, merge: false });
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`${path} is no YAML: ${problem.message}`);
  const found = schema.safeParse(document.toJS());
  if (!found.success) throw new Error(`${path}: ${z.prettifyError(found.error)}`);
  return found.data;
}

function checkJobs(path: string, { jobs }: Workflow): void {
  for (const [id, { needs, steps }] of Object.entries(jobs)) {
    for (const one of needs) if (!(one in jobs)) throw new Error(`${path}: the job ${id} needs ${one}.`);
    const ids = steps.flatMap((one) => (one.id === undefined ? [] : [one.id]));
    if (new Set(ids).size < ids.length) throw new Error(`${path}: two steps of ${id} have one id.`);
  }
  const reached = new Set<string>();
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const [id, { needs }] of Object.entries(jobs))
      if (needs.every((one) => reached.has(one))) reached.add(id);
  }
  if (reached.size < Object.keys(jobs).length) throw new Error(`${path}: jobs need each other in a circle.`);
}

export function readWorkflow(text: string, path: string): Workflow {
  const found = read(workflow, text, path);
  checkJobs(path, found);
  return found;
}

export const readAction = (text: string, path: string): CompositeAction => read(action, text, path);
