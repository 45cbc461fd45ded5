/** Which workflows an event starts: `on` with its filters, and the inputs of a dispatch. */
import type { DispatchInput, Filters, Workflow } from './read-workflow.ts';

export interface WorkflowEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What GitHub takes where `types` says nothing; null for every type. */
const defaultTypes: Readonly<Record<string, readonly string[] | null>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
  pull_request_target: ['opened', 'synchronize', 'reopened'],
};

/** Patterns of branches as GitHub has them: `*` stays within a part of the name, `**` does not. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*|\*|\?|\+|\[[^\]]*\]|\\.)/u).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?' || part === '+' || /^\[.*\]$/u.test(part)) return part;
    return part.replace(/^\\/u, '').replace(/[.\\^$*+?()[\]{}|]/gu, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}

/** The last pattern that fits decides; one that begins with `!` takes out again. */
export function matchesBranch(patterns: readonly string[], branch: string): boolean {
  return patterns.reduce((is, pattern) => {
    const isOut = pattern.startsWith('!');
    return toExpression(isOut ? pattern.slice(1) : pattern).test(branch) ? !isOut : is;
  }, false);
}

type Nested = { readonly [key: string]: Nested | undefined } & { readonly ref?: string };

function branchOf({ name, payload }: WorkflowEvent): string | null {
  const { pull_request: pull, workflow_run: run } = payload as Nested;
  if (name === 'pull_request' || name === 'pull_request_target') return String(pull?.base?.ref);
  return name === 'workflow_run' ? String(run?.head_branch) : null;
}

export function startsFor({ on }: Workflow, event: WorkflowEvent): boolean {
  const { name, payload } = event;
  const rule = on[name as keyof typeof on];
  if (rule === undefined) return false;
  if (name === 'schedule') return Array.isArray(rule) && rule.some(({ cron }) => cron === payload.schedule);
  const filters: Filters = rule === null || Array.isArray(rule) ? {} : rule;
  const types = filters.types ?? defaultTypes[name] ?? null;
  if (types !== null && !types.includes(String(payload.action))) return false;
  const { workflows } = filters;
  if (name === 'workflow_run') {
    const finished = (payload as Nested).workflow_run?.name;
    if (workflows === undefined) throw new Error('on.workflow_run names no workflows.');
    if (!workflows.includes(String(finished))) return false;
  } else if (workflows !== undefined) throw new Error(`on.${name} has no workflows.`);
  const branch = branchOf(event);
  const [wanted, unwanted] = [filters.branches, filters['branches-ignore']];
  if (branch === null) {
    if (wanted !== undefined || unwanted !== undefined) throw new Error(`on.${name} has no branches.`);
    return true;
  }
  if (wanted !== undefined && unwanted !== undefined)
    throw new Error(`on.${name} has branches and branches-ignore.`);
  if (unwanted !== undefined) return !matchesBranch(unwanted, branch);
  return wanted === undefined || matchesBranch(wanted, branch);
}

/** GitHub's words where a dispatch is refused. */
class DispatchRefusal extends Error {}

function readInput(name: string, rule: DispatchInput, given: unknown): unknown {
  const value = given ?? rule.default;
  if (value === undefined || value === '') {
    if (rule.required) throw new DispatchRefusal(`Required input '${name}' not provided`);
    return { boolean: false, number: '' as unknown }[rule.type as string] ?? '';
  }
  const text = String(value);
  if (rule.type === 'boolean') {
    if (text !== 'true' && text !== 'false')
      throw new DispatchRefusal(`Provided value '${text}' for input '${name}' is not a boolean`);
    return text === 'true';
  }
  if (rule.type === 'number') {
    if (!Number.isFinite(Number(text)))
      throw new DispatchRefusal(`Provided value '${text}' for input '${name}' is not a number`);
    return Number(text);
  }
  if (rule.type === 'choice' && rule.options?.includes(text) !== true)
    throw new DispatchRefusal(
      `Provided value '${text}' for input '${name}' not in the list of allowed values`,
    );
  return text;
}

/** The context `inputs` of a dispatched run, or a refusal. */
export function readInputs(
  { on }: Workflow,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const rule = on.workflow_dispatch;
  if (rule === undefined) throw new DispatchRefusal("Workflow does not have 'workflow_dispatch' trigger");
  const rules = (rule === null || Array.isArray(rule) ? undefined : rule.inputs) ?? {};
  const unknown = Object.keys(given).filter((name) => !(name in rules));
  if (unknown.length > 0) throw new DispatchRefusal(`Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  const empty: DispatchInput = { required: false, type: 'string' };
  return Object.fromEntries(
    Object.entries(rules).map(([name, one]) => [name, readInput(name, one ?? empty, given[name])]),
  );
}
