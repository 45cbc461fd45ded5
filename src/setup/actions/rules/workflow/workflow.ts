/** A workflow file or an action as the rules see it: triggers, jobs and steps, each with where it stands. */
import { type Embedded, readTemplate, type Template } from '../expressions/read-template.ts';
import {
  entriesAt,
  entryOf,
  type Place,
  scalarAt,
  scalarsBelow,
  scalarsOf,
  valueAt,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../yaml/yaml-tree.ts';

export interface Step {
  readonly node: YamlMap;
  readonly id: string | null;
  readonly uses: YamlScalar | null;
  readonly run: YamlScalar | null;
  readonly condition: YamlScalar | null;
  readonly with: readonly YamlEntry[];
  readonly env: readonly YamlEntry[];
}

export interface Job {
  readonly id: string;
  readonly at: Place;
  readonly node: YamlMap;
  readonly steps: readonly Step[];
  /** The reusable workflow that it calls. */
  readonly uses: YamlScalar | null;
  readonly needs: readonly string[];
  readonly condition: YamlScalar | null;
}

interface Input {
  readonly name: string;
  readonly from: 'workflow_dispatch' | 'workflow_call' | 'action';
  readonly type: string;
}

export interface Workflow {
  readonly file: string;
  readonly kind: 'workflow' | 'action';
  readonly root: YamlMap;
  readonly events: readonly { readonly name: string; readonly at: Place }[];
  readonly jobs: readonly Job[];
  readonly inputs: readonly Input[];
}

function readStep(node: YamlNode): Step[] {
  if (node.kind !== 'map') return [];
  return [
    {
      node,
      id: scalarAt(node, 'id')?.text.toLowerCase() ?? null,
      uses: scalarAt(node, 'uses'),
      run: scalarAt(node, 'run'),
      condition: scalarAt(node, 'if'),
      with: entriesAt(node, 'with'),
      env: entriesAt(node, 'env'),
    },
  ];
}

function readSteps(node: YamlNode | null): Step[] {
  return node?.kind === 'list' ? node.items.flatMap(readStep) : [];
}

function readJob({ key, at, value }: YamlEntry): Job[] {
  if (value.kind !== 'map') return [];
  return [
    {
      id: key.toLowerCase(),
      at,
      node: value,
      steps: readSteps(valueAt(value, 'steps')),
      uses: scalarAt(value, 'uses'),
      needs: scalarsOf(valueAt(value, 'needs')).map(({ text }) => text.toLowerCase()),
      condition: scalarAt(value, 'if'),
    },
  ];
}

function readEvents(root: YamlMap): Workflow['events'] {
  const on = valueAt(root, 'on');
  if (on === null) return [];
  if (on.kind === 'map') return on.entries.map(({ key, at }) => ({ name: key, at }));
  return scalarsOf(on).map(({ text, at }) => ({ name: text, at }));
}

function readInputs(root: YamlMap): Input[] {
  const read = (from: Input['from'], entries: readonly YamlEntry[]): Input[] =>
    entries.map(({ key, value }) => ({
      name: key.toLowerCase(),
      from,
      type: scalarAt(value, 'type')?.text ?? 'string',
    }));
  return [
    ...read('workflow_dispatch', entriesAt(root, 'on', 'workflow_dispatch', 'inputs')),
    ...read('workflow_call', entriesAt(root, 'on', 'workflow_call', 'inputs')),
    ...read('action', entriesAt(root, 'inputs')),
  ];
}

/** Null when the file is neither a workflow nor an action. */
export function readWorkflow(file: string, root: YamlNode | null): Workflow | null {
  if (root?.kind !== 'map') return null;
  const runs = valueAt(root, 'runs');
  if (runs?.kind === 'map' && entryOf(root, 'jobs') === null) {
    const at = entryOf(root, 'runs')?.at ?? root.at;
    const job: Job = {
      ...{ id: 'runs', at, node: runs, steps: readSteps(valueAt(runs, 'steps')) },
      ...{ uses: null, needs: [], condition: null },
    };
    return { file, kind: 'action', root, events: [], jobs: [job], inputs: readInputs(root) };
  }
  if (entryOf(root, 'jobs') === null || entryOf(root, 'on') === null) return null;
  const jobs = entriesAt(root, 'jobs').flatMap(readJob);
  return { file, kind: 'workflow', root, events: readEvents(root), jobs, inputs: readInputs(root) };
}

export function expressionsBelow(node: YamlNode | null): readonly Embedded[] {
  return [...scalarsBelow(node)].flatMap(({ scalar }) => templateOf(scalar).embedded);
}

const templates = new WeakMap<YamlScalar, Template>();

/** The parts of a text; read once, since many rules look at the same ones. */
export function templateOf(scalar: YamlScalar): Template {
  const known = templates.get(scalar);
  if (known !== undefined) return known;
  const template = readTemplate(scalar);
  templates.set(scalar, template);
  return template;
}

/** `Owner/Repo/path@ref`, in its parts; the name in lower case. */
export function actionName(uses: YamlScalar | null): string {
  return (uses?.text ?? '').split('@')[0]?.trim().toLowerCase() ?? '';
}

export function withValue(step: Step, name: string): YamlScalar | null {
  const entry = step.with.find(({ key }) => key.toLowerCase() === name);
  return entry?.value.kind === 'scalar' ? entry.value : null;
}
