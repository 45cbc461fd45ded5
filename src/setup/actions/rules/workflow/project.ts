/** All files that are judged together, with who calls whom: a called workflow runs with its caller's event and values. */
import { type Expression, everyPart } from '../expressions/expression.ts';
import type { YamlEntry, YamlScalar } from '../yaml/yaml-tree.ts';
import { conditionOf, isNever, type World } from './condition.ts';
import type { Job, Step, Workflow } from './workflow.ts';

/** Where a workflow or an action of the same repository is used. */
export interface Caller {
  readonly workflow: Workflow;
  readonly job: Job;
  /** Null for a reusable workflow, which a job calls. */
  readonly step: Step | null;
  readonly with: readonly YamlEntry[];
}

export interface Project {
  readonly workflows: readonly Workflow[];
  readonly callersOf: ReadonlyMap<Workflow, readonly Caller[]>;
  /** What `uses: ./…` or `uses: $/…` names, if it is among the files. */
  readonly findLocal: (uses: YamlScalar | null) => Workflow | null;
}

/** Events in which a stranger starts a run that has the secrets and the token of the repository. */
const privilegedEvents: readonly string[] = ['pull_request_target', 'workflow_run', 'issue_comment'];

export function makeProject(workflows: readonly Workflow[]): Project {
  const byPath = new Map(workflows.map((workflow) => [workflow.file.replaceAll('\\', '/'), workflow]));
  const findLocal = (uses: YamlScalar | null): Workflow | null => {
    const path = /^[.$]\/(.+?)\/?$/u.exec(uses?.text ?? '')?.[1];
    if (path === undefined) return null;
    return (
      [path, `${path}/action.yml`, `${path}/action.yaml`].map((one) => byPath.get(one)).find(Boolean) ?? null
    );
  };
  const callersOf = new Map<Workflow, Caller[]>();
  const add = (uses: YamlScalar | null, caller: Caller): void => {
    const target = findLocal(uses);
    if (target !== null && target !== caller.workflow)
      callersOf.set(target, [...(callersOf.get(target) ?? []), caller]);
  };
  for (const workflow of workflows)
    for (const job of workflow.jobs) {
      const given = job.node.entries.find(({ key }) => key === 'with')?.value;
      add(job.uses, { workflow, job, step: null, with: given?.kind === 'map' ? given.entries : [] });
      for (const step of job.steps) add(step.uses, { workflow, job, step, with: step.with });
    }
  return { workflows, callersOf, findLocal };
}

/** Skipped jobs take those along that need them, unless their condition asks for the result. */
const asksForResult = new Set(['always', 'failure', 'cancelled']);

function asks(condition: Expression | null): boolean {
  if (condition === null) return false;
  return [...everyPart(condition)].some((part) => part.kind === 'call' && asksForResult.has(part.name));
}

/** Whether each job can run at an event; jobs may need each other in many ways. */
const known = new WeakMap<Job, Map<string, boolean>>();

function canJobRun(workflow: Workflow, job: Job, world: World): boolean {
  const ofJob = known.get(job) ?? new Map<string, boolean>();
  known.set(job, ofJob);
  const before = ofJob.get(world.event);
  if (before !== undefined) return before;
  // Jobs that need each other in a circle; GitHub refuses them.
  ofJob.set(world.event, true);
  const condition = conditionOf(job.condition);
  const can =
    !(condition !== null && isNever(condition, world)) &&
    (asks(condition) ||
      job.needs.every((id) => {
        const needed = workflow.jobs.find((one) => one.id === id);
        return needed === undefined || canJobRun(workflow, needed, world);
      }));
  ofJob.set(world.event, can);
  return can;
}

/** Whether a job, or one step of it, can run in that world. */
export function canRun(workflow: Workflow, job: Job, step: Step | null, world: World): boolean {
  if (!canJobRun(workflow, job, world)) return false;
  const condition = conditionOf(step?.condition ?? null);
  return condition === null || !isNever(condition, world);
}

/** For each file the worlds in which a stranger starts it with the rights of the repository, directly or by a call. */
export function privilegedWorlds(project: Project): ReadonlyMap<Workflow, readonly World[]> {
  const events = new Map(
    project.workflows.map((workflow) => [
      workflow,
      new Set(workflow.events.map(({ name }) => name).filter((name) => privilegedEvents.includes(name))),
    ]),
  );
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [called, callers] of project.callersOf)
      for (const { workflow, job, step } of callers)
        for (const event of events.get(workflow) ?? []) {
          const own = events.get(called);
          if (own === undefined || own.has(event) || !canRun(workflow, job, step, { event })) continue;
          own.add(event);
          isChanged = true;
        }
  }
  return new Map([...events].map(([workflow, names]) => [workflow, [...names].map((event) => ({ event }))]));
}
