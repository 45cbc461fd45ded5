/** Judges workflow files together: every fault with its place, why it is one and how to correct it. */
import { type Allowance, readAllowances } from './allowances.ts';
import type { Check } from './checks/check.ts';
import { checkExpressions } from './checks/check-expressions.ts';
import { checkForeignCode } from './checks/check-foreign-code.ts';
import { checkPermissions } from './checks/check-permissions.ts';
import { checkPins } from './checks/check-pins.ts';
import { checkScripts } from './checks/check-scripts.ts';
import { type RuleName, rules, type Severity } from './rule-table.ts';
import { TrustReader } from './trust/value-trust.ts';
import { makeProject, privilegedWorlds } from './workflow/project.ts';
import { readWorkflow, type Workflow } from './workflow/workflow.ts';
import { readYaml } from './yaml/read-yaml.ts';
import type { Place } from './yaml/yaml-tree.ts';

export interface WorkflowFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export interface LintFinding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: RuleName;
  readonly severity: Severity;
  /** What it is about, in a few words; may be empty. Text of the file. */
  readonly detail: string;
  readonly why: string;
  readonly fix: string;
}

export interface LintResult {
  readonly findings: readonly LintFinding[];
  /** What a comment allows, each with the reason that it gives. */
  readonly allowed: readonly (LintFinding & { readonly reason: string })[];
}

const checks: readonly Check[] = [
  checkExpressions,
  checkForeignCode,
  checkScripts,
  checkPermissions,
  checkPins,
];
const longestDetail = 160;

interface Raw {
  readonly rule: RuleName;
  readonly at: Place;
  readonly detail: string;
  readonly around: Place | null;
}

interface Read {
  readonly file: string;
  readonly workflow: Workflow | null;
  readonly raw: Raw[];
  readonly allowances: readonly Allowance[];
}

function readFile({ path, text }: WorkflowFile): Read {
  const { root, problems, comments } = readYaml(text);
  const { valid, problems: unclear } = readAllowances(comments);
  // What is left of a file that cannot be read is not judged: GitHub does not run it.
  const isBroken = problems.some(({ fault }) => fault === 'yaml-invalid');
  const workflow = isBroken ? null : readWorkflow(path, root);
  const raw: Raw[] = [
    ...problems.map(({ fault, detail, at }): Raw => ({ rule: fault, at, detail, around: null })),
    ...unclear.map(({ at, detail }): Raw => ({ rule: 'allow-invalid', at, detail, around: null })),
  ];
  if (workflow === null && raw.length === 0)
    raw.push({ rule: 'not-a-workflow', at: { line: 1, column: 1 }, detail: '', around: null });
  return { file: path, workflow, raw, allowances: valid };
}

function toFinding(file: string, { rule, at, detail }: Raw): LintFinding {
  const { severity, why, fix } = rules[rule];
  const short = detail.length > longestDetail ? `${detail.slice(0, longestDetail)}…` : detail;
  return { file, ...at, rule, severity, detail: short.replaceAll(/\s+/gu, ' '), why, fix };
}

/** A fault that several worlds or callers show is told once. */
function withoutRepeats(raw: readonly Raw[]): Raw[] {
  const seen = new Set<string>();
  return raw.filter(({ rule, at }) => {
    const key = `${rule}:${at.line}:${at.column}`;
    return !seen.has(key) && seen.add(key);
  });
}

function settle({ file, raw, allowances }: Read): LintResult {
  const findings: LintFinding[] = [];
  const allowed: (LintFinding & { reason: string })[] = [];
  const used = new Set<Allowance>();
  for (const one of withoutRepeats(raw)) {
    const lines = [one.at.line, ...(one.around === null ? [] : [one.around.line])];
    const allowance = allowances.find(
      (each) => each.rules.includes(one.rule) && each.lines.some((line) => lines.includes(line)),
    );
    if (allowance === undefined) findings.push(toFinding(file, one));
    else {
      used.add(allowance);
      allowed.push({ ...toFinding(file, one), reason: allowance.reason });
    }
  }
  for (const allowance of allowances)
    if (!used.has(allowance))
      findings.push(
        toFinding(file, {
          ...{ rule: 'allow-unused', at: allowance.at, around: null },
          detail: allowance.rules.join(', '),
        }),
      );
  const byPlace = (one: LintFinding, other: LintFinding): number =>
    one.line - other.line || one.column - other.column || one.rule.localeCompare(other.rule);
  return { findings: findings.toSorted(byPlace), allowed: allowed.toSorted(byPlace) };
}

export function lintWorkflows(files: readonly WorkflowFile[]): LintResult {
  const read = files.map(readFile);
  const project = makeProject(read.flatMap(({ workflow }) => (workflow === null ? [] : [workflow])));
  const worldsOf = privilegedWorlds(project);
  for (const { workflow, raw } of read) {
    if (workflow === null) continue;
    const worlds = worldsOf.get(workflow) ?? [];
    const trust = new TrustReader();
    for (const check of checks)
      check({
        ...{ project, workflow, worlds },
        trust,
        report: (rule, at, detail = '', around = undefined) =>
          raw.push({ rule, at, detail, around: around ?? null }),
      });
  }
  const settled = read.map(settle);
  return {
    findings: settled.flatMap(({ findings }) => findings),
    allowed: settled.flatMap(({ allowed }) => allowed),
  };
}
