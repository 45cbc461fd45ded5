/** What the examples for the linter of workflows are put together from: a workflow without a fault, with one part changed. */
import type { RuleName } from '../../src/setup/actions/rules/rule-table.ts';

export const sha = '0123456789abcdef0123456789abcdef01234567';
export const checkout = `actions/checkout@${sha} # v5.0.0`;

export interface WorkflowCase {
  readonly title: string;
  /** Every fault that has to be found, and no other. */
  readonly faults: readonly RuleName[];
  readonly files: Readonly<Record<string, string>>;
}

const indent = (text: string, by: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`))
    .join('\n');

export interface Parts {
  readonly on?: string;
  readonly top?: string;
  readonly runsOn?: string;
  readonly permissions?: string;
  /** Further keys of the job. */
  readonly job?: string;
  readonly steps?: string;
  /** Further jobs. */
  readonly jobs?: string;
}

/** A workflow that has no fault, except for the parts that are given. */
export function workflow(parts: Parts): string {
  const { on = 'push', top = 'permissions: {}', runsOn = 'ubuntu-latest', permissions = '{}' } = parts;
  return [
    on.includes('\n') || on.includes(':') ? `on:\n${indent(on, 2)}` : `on: ${on}`,
    top,
    'jobs:',
    ...(parts.jobs === undefined ? [] : [indent(parts.jobs, 2)]),
    '  work:',
    `    runs-on: ${runsOn}`,
    '    timeout-minutes: 5',
    `    permissions: ${permissions}`,
    ...(parts.job === undefined ? [] : [indent(parts.job, 4)]),
    '    steps:',
    indent(parts.steps ?? '- run: echo done', 6),
    '',
  ].join('\n');
}

/** A job of its own, beside `work`. */
export function otherJob(id: string, rest: string): string {
  return `${id}:\n  runs-on: ubuntu-latest\n  timeout-minutes: 5\n  permissions: {}\n${indent(rest, 2)}`;
}

export function one(
  title: string,
  faults: RuleName | readonly RuleName[],
  parts: Parts | string,
): WorkflowCase {
  const text = typeof parts === 'string' ? parts : workflow(parts);
  return { title, faults: [faults].flat(), files: { '.github/workflows/a.yml': text } };
}

export function several(
  title: string,
  faults: RuleName | readonly RuleName[],
  files: Readonly<Record<string, string>>,
): WorkflowCase {
  return { title, faults: [faults].flat(), files };
}
