/** Whether the code or the files of a stranger come into a run that has the rights of the repository. */
import { everyPart, pathOf } from '../expressions/expression.ts';
import type { RuleName } from '../rule-table.ts';
import type { World } from '../workflow/condition.ts';
import { canRun } from '../workflow/project.ts';
import {
  actionName,
  expressionsBelow,
  type Job,
  type Step,
  templateOf,
  withValue,
} from '../workflow/workflow.ts';
import { entryOf, type Place, scalarsOf, valueAt, type YamlScalar } from '../yaml/yaml-tree.ts';
import { type Check, type CheckContext, scopeOf } from './check.ts';
import { canWrite } from './check-permissions.ts';
import { findHeadCommand, placeOfLine, scriptLines, taintedNames } from './check-shell.ts';

interface Found {
  readonly rule: RuleName;
  readonly at: Place;
  readonly detail: string;
  readonly around: Place;
}

function keyAt(step: Step, key: string): Place {
  return entryOf(step.node, key)?.at ?? step.node.at;
}

/** `ref` and `repository` may name a branch or commit of the base, and nothing else. */
function judgeRef(
  value: YamlScalar,
  step: Step,
  job: Job,
  world: World,
  context: CheckContext,
): Pick<Found, 'rule' | 'detail'> | null {
  if (/(?:^|\/)pull\//u.test(value.text)) return { rule: 'untrusted-checkout', detail: value.text };
  const scope = scopeOf(context, { job, step, world });
  const trusts = templateOf(value).embedded.map((one) => context.trust.ofEmbedded(one, scope));
  const head = trusts.map((one) => one.head ?? one.strangers).find((one) => one !== null);
  if (head !== undefined && head !== null) return { rule: 'untrusted-checkout', detail: head };
  const foreign = trusts.map((one) => one.foreign).find((one) => one !== null);
  return foreign === undefined || foreign === null ? null : { rule: 'unproven-checkout', detail: foreign };
}

function findCheckout(step: Step, job: Job, world: World, context: CheckContext): Found[] {
  if (!/\/checkout$/u.test(actionName(step.uses))) return [];
  return ['ref', 'repository'].flatMap((name) => {
    const value = withValue(step, name);
    const judged = value === null ? null : judgeRef(value, step, job, world, context);
    if (value === null || judged === null) return [];
    const { rule, detail } = judged;
    return [{ rule, at: value.at, detail: `${detail} in ${name}`, around: keyAt(step, 'uses') }];
  });
}

function findCommand(step: Step, job: Job, world: World, context: CheckContext): Found[] {
  if (step.run === null) return [];
  const scope = scopeOf(context, { job, step, world });
  const lines = scriptLines(step.run, context.trust, scope);
  const line = findHeadCommand(lines, taintedNames(lines, context.trust, scope, 'head'));
  if (line === null) return [];
  const around = keyAt(step, 'run');
  const at = placeOfLine(step.run, around, line);
  return [{ rule: 'untrusted-checkout', at, detail: 'a command in run', around }];
}

/** Actions that write to a cache; those that set a language up do when they are asked to, and Go does by itself. */
function usesCache(step: Step): boolean {
  const name = actionName(step.uses);
  if (['actions/cache', 'actions/cache/save', 'actions/cache/restore', 'swatinem/rust-cache'].includes(name))
    return true;
  const cache = withValue(step, 'cache')?.text.trim().toLowerCase() ?? '';
  if (name === 'actions/setup-go') return cache !== 'false';
  return /^actions\/setup-\w+$/u.test(name) && cache !== '' && cache !== 'false';
}

function reportConsequences(job: Job, world: World, context: CheckContext): void {
  const { workflow, report } = context;
  const used = [...expressionsBelow(job.node), ...expressionsBelow(valueAt(workflow.root, 'env'))];
  const secret = used.find(({ expression }) =>
    [...everyPart(expression)].some((part) => {
      const path = pathOf(part);
      return path?.[0] === 'secrets' && path[1] !== undefined && path[1] !== 'github_token';
    }),
  );
  if (secret !== undefined) report('fork-reachable-secret', secret.at, secret.source);
  // An action has the token of the job that uses it.
  if (workflow.kind === 'workflow' && canWrite(workflow, job)) {
    const own = entryOf(job.node, 'permissions') ?? entryOf(workflow.root, 'permissions');
    report('fork-reachable-write-token', own?.at ?? job.at, job.id);
  }
  for (const step of job.steps)
    if (usesCache(step) && canRun(workflow, job, step, world))
      report('cache-poisoning', step.uses?.at ?? job.at, step.uses?.text ?? '');
}

const workspaceFree = /^(?:\$\{\{\s*runner\.temp\s*\}\}|\/tmp\/|\$\{?RUNNER_TEMP\b|~\/)/u;

/** Artifacts of the run that caused this one. */
function findArtifact(step: Step): Found[] {
  const name = actionName(step.uses);
  const isOther = name === 'actions/download-artifact' && withValue(step, 'run-id') !== null;
  if (isOther || name === 'dawidd6/action-download-artifact') {
    const path = withValue(step, 'path')?.text ?? '';
    if (workspaceFree.test(path)) return [];
    const at = step.uses?.at ?? step.node.at;
    return [{ rule: 'untrusted-artifact', at, detail: name, around: keyAt(step, 'uses') }];
  }
  const command = /\bgh\s+run\s+download\b(.*)$/mu.exec(step.run?.text.replaceAll(/\\\n/gu, ' ') ?? '');
  if (command === null || step.run === null) return [];
  const folder = /(?:--dir|-D)[ =]["']?(\S+)/u.exec(command[1] ?? '')?.[1] ?? '';
  if (workspaceFree.test(folder)) return [];
  const around = keyAt(step, 'run');
  return [{ rule: 'untrusted-artifact', at: step.run.at, detail: 'gh run download', around }];
}

function checkJob(job: Job, world: World, context: CheckContext): void {
  const { workflow, report } = context;
  const steps = job.steps.filter((step) => canRun(workflow, job, step, world));
  const found = steps.flatMap((step) => [
    ...findCheckout(step, job, world, context),
    ...findCommand(step, job, world, context),
  ]);
  if (world.event === 'workflow_run') found.push(...steps.flatMap(findArtifact));
  for (const { rule, at, detail, around } of found) report(rule, at, detail, around);
  if (found.some(({ rule }) => rule === 'untrusted-checkout')) reportConsequences(job, world, context);
}

function onlyReleases({ workflow }: CheckContext): boolean {
  const push = valueAt(workflow.root, 'on', 'push');
  const isTagPush = entryOf(push, 'tags') !== null && entryOf(push, 'branches') === null;
  const names = workflow.events.map(({ name }) => name);
  return (
    names.length > 0 &&
    names.every(
      (name) => name === 'release' || name === 'workflow_dispatch' || (name === 'push' && isTagPush),
    ) &&
    names.some((name) => name !== 'workflow_dispatch')
  );
}

const strangersEvents = new Set(['pull_request', 'pull_request_target', 'issue_comment', 'workflow_run']);

function checkRunner(job: Job, { workflow, report }: CheckContext): void {
  const runsOn = valueAt(job.node, 'runs-on');
  const labels = runsOn?.kind === 'map' ? valueAt(runsOn, 'labels') : runsOn;
  const own = scalarsOf(labels).find(({ text }) => /\bself-hosted\b/iu.test(text));
  if (own !== undefined && workflow.events.some(({ name }) => strangersEvents.has(name)))
    report('self-hosted-runner', own.at, job.id);
}

export const checkForeignCode: Check = (context) => {
  const { workflow, worlds, report } = context;
  for (const job of workflow.jobs) {
    for (const world of worlds) if (canRun(workflow, job, null, world)) checkJob(job, world, context);
    checkRunner(job, context);
    if (onlyReleases(context))
      for (const step of job.steps)
        if (usesCache(step)) report('cache-in-release', step.uses?.at ?? job.at, step.uses?.text ?? '');
  }
};
