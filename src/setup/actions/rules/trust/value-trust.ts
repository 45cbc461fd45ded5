/**
 * How far a value can be trusted as text, and whether it can name a stranger's commit. Values are followed through
 * `env`, `matrix`, inputs, outputs of steps and of jobs, and calls between files.
 */
import { type Expression, pathOf } from '../expressions/expression.ts';
import type { Embedded } from '../expressions/read-template.ts';
import { isNever, type World } from '../workflow/condition.ts';
import type { Caller, Project } from '../workflow/project.ts';
import {
  actionName,
  type Job,
  type Step,
  templateOf,
  type Workflow,
  withValue,
} from '../workflow/workflow.ts';
import {
  entriesAt,
  scalarAt,
  scalarsBelow,
  valueAt,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from '../yaml/yaml-tree.ts';
import { constantOutput, readsHead, readsStrangersText, setOutputOf } from './script-output.ts';
import { isBasePath, isHeadPath, isSafeOutput, isStrangersPath, isTrustedPath } from './trusted-paths.ts';

/** Each with the value that it is said of; null where it does not hold. */
export interface Trust {
  /** A stranger writes it. */
  readonly strangers: string | null;
  /** It is not in the list of what is trusted. */
  readonly unlisted: string | null;
  /** It is not shown to name a commit of the base. */
  readonly foreign: string | null;
  /** It names a stranger's commit, branch or repository. */
  readonly head: string | null;
}

const harmless: Trust = { strangers: null, unlisted: null, foreign: null, head: null };

function join(trusts: readonly Trust[]): Trust {
  return trusts.reduce(
    (one, other) => ({
      strangers: one.strangers ?? other.strangers,
      unlisted: one.unlisted ?? other.unlisted,
      foreign: one.foreign ?? other.foreign,
      head: one.head ?? other.head,
    }),
    harmless,
  );
}

/** Where an expression stands. */
export interface Scope {
  readonly project: Project;
  readonly workflow: Workflow;
  readonly job: Job | null;
  readonly step: Step | null;
  /** What is known of the run; null: any run. */
  readonly world: World | null;
}

/** More than any real chain of outputs; a chain that goes in a circle ends here. */
const longestChain = 24;
/** Looks at values for one expression, and for a file: values that refer to each other in every way would take for ever. */
const mostLooks = 2_000;
const mostLooksOfFile = 100_000;

const numeric = new Set(['boolean', 'number', 'choice']);

const unlistedPath = (name: string): Trust => ({ ...harmless, unlisted: name, foreign: name });

/** What comes out of a step into which that went. */
function outputOf(name: string, { strangers, head }: Trust): Trust {
  const said = (from: string | null): string | null => (from === null ? null : `${name} (from ${from})`);
  return { strangers: said(strangers), unlisted: name, foreign: name, head: said(head) };
}

/** Results that contain no text of others: truth values, and hashes of files. */
const ownResults = new Set([
  ...['contains', 'startswith', 'endswith', 'success', 'failure', 'always', 'cancelled', 'hashfiles'],
]);

export class TrustReader {
  #looks = 0;
  #looksOfFile = 0;
  #depth = 0;
  readonly #ofSteps = new WeakMap<Job, Map<string, Trust>>();

  /** Of an expression with every value that it can come to. */
  ofExpression(expression: Expression, scope: Scope): Trust {
    if (this.#depth === 0) this.#looks = 0;
    this.#looks += 1;
    this.#looksOfFile += 1;
    const isTooLong = this.#looks > mostLooks || this.#looksOfFile > mostLooksOfFile;
    if (isTooLong || this.#depth > longestChain) return unlistedPath('a long chain of values');
    this.#depth += 1;
    try {
      return this.#ofExpression(expression, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #ofExpression(expression: Expression, scope: Scope): Trust {
    switch (expression.kind) {
      case 'literal':
      case 'not':
      case 'compare':
        return harmless;
      case 'context':
      case 'index':
        return this.#ofAccess(expression, scope);
      case 'call':
        return ownResults.has(expression.name) ? harmless : this.#ofCall(expression, scope);
      case 'and': {
        // An operand that is false is no text; so the last one counts, where the others can be true.
        const [last, ...others] = expression.operands.toReversed();
        const { world } = scope;
        if (world !== null && others.some((one) => isNever(one, world))) return harmless;
        return last === undefined ? harmless : this.ofExpression(last, scope);
      }
      case 'or':
        return join(expression.operands.map((one) => this.ofExpression(one, scope)));
    }
  }

  #ofCall({ name, args }: Extract<Expression, { kind: 'call' }>, scope: Scope): Trust {
    if (name !== 'case') return join(args.map((one) => this.ofExpression(one, scope)));
    const values = args.filter((_, index) => index % 2 === 1 || index === args.length - 1);
    return join(values.map((one) => this.ofExpression(one, scope)));
  }

  #ofAccess(expression: Expression, scope: Scope): Trust {
    const path = pathOf(expression);
    if (path === null)
      return expression.kind === 'index' ? this.ofExpression(expression.base, scope) : harmless;
    const resolved = this.#resolve(path, scope);
    if (resolved !== null) return resolved;
    const name = path.join('.');
    const isTrusted = isTrustedPath(path);
    return {
      strangers: !isTrusted && isStrangersPath(path) ? name : null,
      unlisted: isTrusted ? null : name,
      foreign: isBasePath(path) ? null : name,
      head: isHeadPath(path) ? name : null,
    };
  }

  /** Values that the files themselves define; null for what only the run knows. */
  #resolve(path: readonly string[], scope: Scope): Trust | null {
    const [context, first = '*', second = '*', third = '*'] = path;
    if (context === 'env') return this.#ofEnv(first, scope);
    if (context === 'matrix') return this.#ofMatrix(path.slice(1), scope);
    if (context === 'inputs') return this.#ofInput(first, scope);
    if (context === 'github' && first === 'event' && second === 'inputs') return this.#ofInput(third, scope);
    if (context === 'steps' && (second === 'outputs' || second === '*'))
      return this.#ofStep(first, third, scope);
    const isOfJob = context === 'needs' || context === 'jobs';
    return isOfJob && (second === 'outputs' || second === '*') ? this.#ofJob(first, third, scope) : null;
  }

  ofTemplate(scalar: YamlScalar, scope: Scope): Trust {
    return join(templateOf(scalar).embedded.map(({ expression }) => this.ofExpression(expression, scope)));
  }

  ofEmbedded({ expression }: Embedded, scope: Scope): Trust {
    return this.ofExpression(expression, scope);
  }

  #ofNode(node: YamlNode | null, scope: Scope): Trust {
    return join([...scalarsBelow(node)].map(({ scalar }) => this.ofTemplate(scalar, scope)));
  }

  /** Variables that are set where the expression stands, the nearest first. */
  variables(scope: Scope): readonly YamlEntry[] {
    return [
      ...(scope.step?.env ?? []),
      ...entriesAt(scope.job?.node ?? null, 'env'),
      ...entriesAt(scope.workflow.root, 'env'),
    ];
  }

  #ofEnv(name: string, scope: Scope): Trust {
    const entries = this.variables(scope);
    if (name === '*') return join(entries.map(({ value }) => this.#ofNode(value, scope)));
    const entry = entries.find(({ key }) => key.toLowerCase() === name);
    // One that is not set in the file is set by a step, through a file of the runner.
    return entry === undefined ? this.#ofWritten(name, scope) : this.#ofNode(entry.value, scope);
  }

  #ofWritten(name: string, scope: Scope): Trust {
    const writers = (scope.job?.steps ?? []).filter(({ run }) => run?.text.includes('GITHUB_ENV') === true);
    return join([unlistedPath(`env.${name}`), ...writers.map((step) => this.#ofScript(step, scope))]);
  }

  #ofMatrix(keys: readonly string[], scope: Scope): Trust {
    const matrix = valueAt(scope.job?.node ?? null, 'strategy', 'matrix');
    if (matrix === null) return harmless;
    if (matrix.kind !== 'map') return this.#ofNode(matrix, scope);
    const [name = '*'] = keys;
    const named = (node: YamlNode): YamlNode[] => {
      if (node.kind === 'list') return node.items.flatMap(named);
      // An expression may bring in any key.
      if (node.kind === 'scalar') return [node];
      return node.entries
        .filter(({ key }) => name === '*' || key.toLowerCase() === name)
        .map(({ value }) => value);
    };
    const include = valueAt(matrix, 'include');
    const nodes = [...named(matrix), ...(include === null ? [] : named(include))];
    return join(nodes.map((node) => this.#ofNode(node, scope)));
  }

  #ofCaller(caller: Caller, name: string, scope: Scope): Trust {
    const { workflow, job, step } = caller;
    const there: Scope = { ...scope, workflow, job, step };
    const given = caller.with.filter(({ key }) => name === '*' || key.toLowerCase() === name);
    return join(given.map(({ value }) => this.#ofNode(value, there)));
  }

  #ofInput(name: string, scope: Scope): Trust {
    const declared = scope.workflow.inputs.filter((input) => name === '*' || input.name === name);
    const texts = declared.filter(({ type }) => !numeric.has(type));
    if (declared.length > 0 && texts.length === 0) return harmless;
    const callers = scope.project.callersOf.get(scope.workflow) ?? [];
    const given = callers.map((caller) => this.#ofCaller(caller, name, scope));
    // Without a call that we see, any caller is possible; the action of a repository is there for others.
    const isOpen =
      declared.length === 0 ||
      callers.length === 0 ||
      texts.some(({ from }) => from === 'workflow_dispatch') ||
      (scope.workflow.kind === 'action' && !scope.workflow.file.includes('/'));
    return join([...given, ...(isOpen ? [unlistedPath(`inputs.${name}`)] : [])]);
  }

  /** Everything that a script is made of or can read by name. */
  #ofScript(step: Step, scope: Scope): Trust {
    const there: Scope = { ...scope, step };
    const text = step.run?.text ?? '';
    const used = this.variables(there).filter(({ key }) => text.includes(key));
    const trust = join([
      ...(step.run === null ? [] : [this.ofTemplate(step.run, there)]),
      ...used.map(({ value }) => this.#ofNode(value, there)),
    ]);
    const read = readsStrangersText(text);
    const head = readsHead(text) ? 'the head of a pull request' : null;
    return join([trust, { strangers: read, unlisted: read ?? head, foreign: read ?? head, head }]);
  }

  #ofStep(id: string, output: string, scope: Scope): Trust {
    if (scope.job === null) return unlistedPath(`steps.${id}.outputs.${output}`);
    const known = this.#ofSteps.get(scope.job) ?? new Map<string, Trust>();
    this.#ofSteps.set(scope.job, known);
    const key = [id, output, scope.world?.event ?? ''].join('\n');
    const trust = known.get(key) ?? this.#findStep(id, output, scope);
    known.set(key, trust);
    return trust;
  }

  #findStep(id: string, output: string, scope: Scope): Trust {
    const name = `steps.${id}.outputs.${output}`;
    const steps = (scope.job?.steps ?? []).filter((step) => id === '*' || step.id === id);
    if (steps.length === 0) return unlistedPath(name);
    return join(
      steps.map((step) => {
        if (step.run !== null) {
          const script = this.#ofScript(step, scope);
          // A text of several lines could write any output.
          if (script.strangers === null && constantOutput(step.run.text, output)) return harmless;
          return outputOf(name, script);
        }
        if (isSafeOutput(actionName(step.uses), output)) return { ...harmless, foreign: name };
        const given = join(step.with.map(({ value }) => this.#ofNode(value, { ...scope, step })));
        if (actionName(step.uses) !== 'actions/github-script') return outputOf(name, given);
        // Its script says what it gives each output.
        const said = setOutputOf(withValue(step, 'script')?.text ?? '', output);
        return { ...outputOf(name, given), head: said !== null && readsHead(said) ? name : null };
      }),
    );
  }

  #ofJob(id: string, output: string, scope: Scope): Trust {
    const jobs = scope.workflow.jobs.filter((job) => id === '*' || job.id === id);
    if (jobs.length === 0) return unlistedPath(`needs.${id}.outputs.${output}`);
    return join(jobs.map((job) => this.#ofOutputs(job, output, scope)));
  }

  #ofOutputs(job: Job, output: string, scope: Scope): Trust {
    const pick = (entries: readonly YamlEntry[]): readonly YamlEntry[] =>
      entries.filter(({ key }) => output === '*' || key.toLowerCase() === output);
    if (job.uses === null)
      return join(
        pick(entriesAt(job.node, 'outputs')).map(({ value }) =>
          this.#ofNode(value, { ...scope, job, step: null }),
        ),
      );
    const called = scope.project.findLocal(job.uses);
    if (called === null) return unlistedPath(`needs.${job.id}.outputs.${output}`);
    return join(
      pick(entriesAt(called.root, 'on', 'workflow_call', 'outputs')).flatMap(({ value }) => {
        const written = scalarAt(value, 'value');
        return written === null
          ? []
          : [this.ofTemplate(written, { ...scope, workflow: called, job: null, step: null })];
      }),
    );
  }
}
