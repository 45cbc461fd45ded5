/** What the token of each job may do, how long a job may run, and where the token stays. */
import { actionName, type Job, type Workflow, withValue } from '../workflow/workflow.ts';
import { entryOf, scalarAt, valueAt, type YamlEntry } from '../yaml/yaml-tree.ts';
import type { Check, CheckContext } from './check.ts';

/** Whether the token of a job can change something, or may, since the file does not say. */
export function canWrite(workflow: Workflow, job: Job): boolean {
  const node = valueAt(job.node, 'permissions') ?? valueAt(workflow.root, 'permissions');
  if (node === null) return true;
  if (node.kind === 'scalar') return node.text.trim() !== 'read-all' && node.text.trim() !== '';
  return node.kind === 'map' && node.entries.some(grantsWrite);
}

function grantsWrite({ value }: YamlEntry): boolean {
  return value.kind === 'scalar' && value.text.trim() === 'write';
}

function checkAll(entry: YamlEntry | null, { report }: CheckContext): void {
  if (entry?.value.kind !== 'scalar') return;
  const text = entry.value.text.trim();
  if (text === 'write-all') report('permissions-write-all', entry.value.at);
  if (text === 'read-all') report('permissions-read-all', entry.value.at);
}

function checkTop(context: CheckContext): void {
  const { workflow, report } = context;
  const top = entryOf(workflow.root, 'permissions');
  checkAll(top, context);
  if (top === null) {
    // Where each job says what it needs, no token has the default.
    if (workflow.jobs.some(({ node }) => entryOf(node, 'permissions') === null))
      report('permissions-missing', workflow.root.at);
  } else if (top.value.kind === 'map')
    for (const entry of top.value.entries)
      if (grantsWrite(entry)) report('permissions-write-at-top', entry.at, entry.key);
}

function isEmpty(entry: YamlEntry | null): boolean {
  return entry?.value.kind === 'map' && entry.value.entries.length === 0;
}

function checkJob(job: Job, context: CheckContext): void {
  const { workflow, report } = context;
  const own = entryOf(job.node, 'permissions');
  checkAll(own, context);
  if (own === null && !isEmpty(entryOf(workflow.root, 'permissions')))
    report('job-permissions-missing', job.at, job.id);
  // A called workflow has timeouts of its own, and GitHub takes none from its caller.
  if (job.uses === null && entryOf(job.node, 'timeout-minutes') === null)
    report('timeout-missing', job.at, job.id);
}

export const checkPermissions: Check = (context) => {
  const { workflow, report } = context;
  if (workflow.kind === 'workflow') {
    checkTop(context);
    for (const job of workflow.jobs) checkJob(job, context);
  }
  for (const { steps, node } of workflow.jobs) {
    const secrets = scalarAt(node, 'secrets');
    if (secrets?.text === 'inherit') report('secrets-inherit', secrets.at);
    for (const step of steps)
      if (actionName(step.uses) === 'actions/checkout' && step.uses !== null) {
        const persists = withValue(step, 'persist-credentials')?.text.trim().toLowerCase() ?? 'true';
        if (persists !== 'false') report('credentials-persisted', step.uses.at);
      }
  }
};
