/** Expressions that cannot be read, conditions that are not what they seem, and secrets that are used all at once. */
import { type Expression, everyPart, pathOf } from '../expressions/expression.ts';
import { readExpression } from '../expressions/read-expression.ts';
import { conditionOf } from '../workflow/condition.ts';
import { canRun } from '../workflow/project.ts';
import { type Job, type Step, templateOf } from '../workflow/workflow.ts';
import {
  entryOf,
  scalarAt,
  scalarsBelow,
  valueAt,
  type YamlNode,
  type YamlScalar,
} from '../yaml/yaml-tree.ts';
import { type Check, type CheckContext, scopeOf } from './check.ts';

function namesBot(expression: Expression): boolean {
  return expression.kind === 'literal' && /\[bot\]$/u.test(String(expression.value));
}

function isActor(expression: Expression): boolean {
  return ['github.actor', 'github.triggering_actor'].includes(pathOf(expression)?.join('.') ?? '');
}

function checkCondition(scalar: YamlScalar, job: Job | null, step: Step | null, context: CheckContext): void {
  const { report, workflow, worlds, trust } = context;
  const { parts, embedded, problems } = templateOf(scalar);
  if (embedded.length > 0 && parts.length > 1) {
    report('condition-always-true', scalar.at);
    return;
  }
  const expression = conditionOf(scalar);
  if (expression === null) {
    const problem = readExpression(scalar.text);
    if (embedded.length === 0 && problems.length === 0 && scalar.isText && typeof problem === 'string')
      report('expression-invalid', scalar.at, problem);
    return;
  }
  const isPrivileged = worlds.some((world) => job !== null && canRun(workflow, job, step, world));
  const scope = scopeOf(context, { job, step });
  for (const part of everyPart(expression)) {
    if (part.kind === 'compare' && isPrivileged) {
      const sides = [part.left, part.right];
      if (part.operator === '==' && sides.some(isActor) && sides.some(namesBot))
        report('spoofable-bot-check', scalar.at);
    }
    const [text, value] = part.kind === 'call' && part.name === 'contains' ? part.args : [];
    if (text?.kind !== 'literal' || typeof text.value !== 'string' || value === undefined) continue;
    const { unlisted } = trust.ofExpression(value, scope);
    if (unlisted !== null) report('contains-in-text', scalar.at, unlisted);
  }
}

function checkSecrets(node: YamlNode, { report }: CheckContext): void {
  for (const { scalar } of scalarsBelow(node))
    for (const { expression, at, source } of templateOf(scalar).embedded) {
      const parts = [...everyPart(expression)];
      const named = new Set(parts.flatMap((part) => (part.kind === 'index' ? [part.base] : [])));
      const isWhole = parts.some(
        (part) => part.kind === 'context' && part.name === 'secrets' && !named.has(part),
      );
      const isAny = parts.some((part) => pathOf(part)?.join('.') === 'secrets.*');
      if (isWhole || isAny) report('all-secrets', at, source);
    }
}

function checkPassword(node: YamlNode | null, { report }: CheckContext): void {
  const password = scalarAt(node, 'credentials', 'password');
  if (password !== null && password.text !== '' && templateOf(password).embedded.length === 0)
    report('hardcoded-password', password.at);
}

export const checkExpressions: Check = (context) => {
  const { workflow, report } = context;
  for (const { scalar } of scalarsBelow(workflow.root))
    for (const { at, detail } of templateOf(scalar).problems) report('expression-invalid', at, detail);
  for (const job of workflow.jobs) {
    if (job.condition !== null) checkCondition(job.condition, job, null, context);
    for (const step of job.steps)
      if (step.condition !== null) checkCondition(step.condition, job, step, context);
    checkPassword(valueAt(job.node, 'container'), context);
    const services = entryOf(job.node, 'services')?.value;
    if (services?.kind === 'map') for (const { value } of services.entries) checkPassword(value, context);
  }
  checkSecrets(workflow.root, context);
};
