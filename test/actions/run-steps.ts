/** The steps of a job or of a composite action, one after the other. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ActionResult, type ActionUse, builtinActions } from './builtin-actions.ts';
import { makeCommandFiles, type StepFiles } from './command-files.ts';
import { fillText, fillTexts, fillValue, holds, type Scope, type Status } from './evaluate-expression.ts';
import type { JobLog } from './job-log.ts';
import { type CompositeAction, readAction, type Step } from './read-workflow.ts';
import { runScript, type ScriptEnd } from './run-script.ts';

export type Conclusion = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface StepRecord {
  readonly name: string;
  readonly conclusion: Conclusion;
  readonly log: string;
  readonly summary: string;
}

/** What tests do to a step: another script in the place of its own, or the end of the machine before it or within it. */
export type StepHook = (place: {
  readonly workflow: string;
  readonly job: string;
  readonly step: string;
  readonly run: number;
}) => {
  readonly script?: string;
  readonly killAfter?: number;
} | null;

/** The machine on which a job runs, and what is known there. */
export interface JobSite {
  readonly workflow: string;
  readonly job: string;
  readonly runId: number;
  readonly workspace: string;
  readonly temp: string;
  /** What GitHub gives every step. */
  readonly base: Readonly<Record<string, string>>;
  /** What steps left in `GITHUB_ENV` and `GITHUB_PATH`. */
  readonly variables: Record<string, string>;
  readonly paths: string[];
  readonly log: JobLog;
  readonly minute: number;
  readonly stop: AbortController;
  /** Where actions of a name lie on this machine, for those that are not built in. */
  readonly findAction: (name: string) => string | null;
  readonly use: Omit<ActionUse, 'inputs' | 'environment' | 'workspace' | 'log' | 'addPath'>;
  readonly hook: StepHook | null;
  readonly posts: ((isSuccess: boolean) => void)[];
  count: number;
  deadline: number;
}

/** What the steps of one file see. */
export interface Frame {
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  readonly defaults: {
    readonly shell?: string | undefined;
    readonly 'working-directory'?: string | undefined;
  };
  readonly isComposite: boolean;
}

interface StepContext {
  readonly outputs: Readonly<Record<string, string>>;
  readonly outcome: Conclusion;
  readonly conclusion: Conclusion;
}

export interface StepsEnd {
  readonly conclusion: Conclusion;
  readonly steps: Readonly<Record<string, StepContext>>;
  readonly records: readonly StepRecord[];
}

const nothing: StepFiles = { outputs: {}, variables: {}, paths: [], summary: '' };

function hashFiles(workspace: string, patterns: readonly string[]): string {
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: workspace }))
    .map((one) => join(workspace, one))
    .filter((one) => statSync(one).isFile())
    .sort();
  if (files.length === 0) return '';
  const all = createHash('sha256');
  for (const file of files) all.update(createHash('sha256').update(readFileSync(file)).digest());
  return all.digest('hex');
}

class StepFailure extends Error {}

export class StepsRunner {
  readonly #site: JobSite;
  readonly #frame: Frame;
  readonly #steps: Record<string, StepContext> = {};
  readonly #records: StepRecord[] = [];
  #hasFailed = false;

  constructor(site: JobSite, frame: Frame) {
    this.#site = site;
    this.#frame = frame;
  }

  get #isCancelled(): boolean {
    return this.#site.stop.signal.aborted;
  }

  get #status(): Status {
    const isCancelled = this.#isCancelled;
    return { isSuccess: !this.#hasFailed && !isCancelled, isFailure: this.#hasFailed, isCancelled };
  }

  #scope(env: Readonly<Record<string, string>>): Scope {
    return {
      contexts: { ...this.#frame.contexts, env, steps: this.#steps },
      status: this.#status,
      hashFiles: (patterns) => hashFiles(this.#site.workspace, patterns),
    };
  }

  get scope(): Scope {
    return this.#scope({ ...this.#frame.env, ...this.#site.variables });
  }

  async run(steps: readonly Step[]): Promise<StepsEnd> {
    for (const step of steps) {
      if (this.#site.stop.signal.reason === 'killed') break;
      await this.#runStep(step);
    }
    const conclusion = this.#isCancelled ? 'cancelled' : this.#hasFailed ? 'failure' : 'success';
    return { conclusion, steps: this.#steps, records: this.#records };
  }

  async #runStep(step: Step): Promise<void> {
    const { log } = this.#site;
    const before = { ...this.#frame.env, ...this.#site.variables };
    const name = step.name ?? step.uses ?? step.run?.split('\n')[0] ?? '';
    const from = log.length;
    let files = nothing;
    let outcome: Conclusion = 'success';
    let isAllowed = false;
    try {
      const env = { ...before, ...fillTexts(step.env, this.#scope(before)) };
      const scope = this.#scope(env);
      if (!holds(step.if, scope)) outcome = 'skipped';
      else {
        isAllowed = fillValue(step['continue-on-error'] ?? false, scope) === true;
        const own = fillTexts(step.env, this.#scope(before));
        files =
          step.uses === undefined
            ? await this.#runScript(step, scope, own)
            : await this.#use(step, scope, env);
      }
    } catch (error) {
      log.add(`##[error]${(error as Error).message}`);
      outcome = this.#isCancelled ? 'cancelled' : 'failure';
      if (!(error instanceof StepFailure))
        log.annotations.push({
          ...{ level: 'error', message: log.hide((error as Error).message), properties: {} },
        });
    }
    const conclusion = outcome === 'failure' && isAllowed ? 'success' : outcome;
    if (conclusion === 'failure') this.#hasFailed = true;
    Object.assign(this.#site.variables, files.variables);
    this.#site.paths.unshift(...files.paths.toReversed());
    if (step.id !== undefined) {
      // Outputs of a step that fails count too.
      const outputs = { ...this.#steps[step.id]?.outputs, ...files.outputs };
      this.#steps[step.id] = { outputs, outcome, conclusion };
    }
    this.#records.push({ name, conclusion, log: log.since(from), summary: log.hide(files.summary) });
  }

  #environment(own: Readonly<Record<string, string>>): Record<string, string> {
    const { base, variables, paths } = this.#site;
    const PATH = [...paths, base.PATH ?? ''].join(':');
    return { ...this.#frame.env, ...variables, ...own, ...base, PATH };
  }

  #limit(step: Step, scope: Scope): number {
    const { minute, deadline } = this.#site;
    const own = step['timeout-minutes'];
    const left = deadline - Date.now();
    return own === undefined ? left : Math.min(left, Number(fillText(own, scope)) * minute);
  }

  async #runScript(step: Step, scope: Scope, own: Readonly<Record<string, string>>): Promise<StepFiles> {
    const { isComposite, defaults } = this.#frame;
    if (isComposite && step.shell === undefined)
      throw new Error('A step of a composite action names its shell.');
    const site = this.#site;
    site.count += 1;
    const id = `${site.count}`;
    const files = makeCommandFiles(join(site.temp, '_runner_file_commands'), id);
    const played = site.hook?.({
      ...{ workflow: site.workflow, job: site.job, step: step.id ?? step.name ?? '', run: site.runId },
    });
    const timer =
      played?.killAfter === undefined ? null : setTimeout(() => site.stop.abort('killed'), played.killAfter);
    const cwd = step['working-directory'] ?? defaults['working-directory'];
    let end: ScriptEnd;
    try {
      end = await runScript({
        text: played?.script ?? fillText(step.run, scope),
        shell: step.shell ?? defaults.shell,
        cwd: resolve(site.workspace, cwd === undefined ? '' : fillText(cwd, scope)),
        environment: { ...this.#environment(own), ...files.environment },
        scratch: join(site.temp, '_scripts'),
        id,
        milliseconds: this.#limit(step, scope),
        onLine: (line) => site.log.add(line),
        stop: site.stop.signal,
      });
    } finally {
      if (timer !== null) clearTimeout(timer);
    }
    const read = this.#read(step, files.read);
    if ('stopped' in end) {
      if (end.stopped !== 'timeout') throw new StepFailure('The operation was canceled.');
      if (Date.now() >= site.deadline) site.stop.abort('timeout');
      throw new StepFailure(`The action '${step.name ?? 'run'}' has timed out.`);
    }
    if (end.code !== 0) throw new StepFailure(`Process completed with exit code ${end.code}.`);
    return read;
  }

  /** Before it is known how the step ended. */
  #read(step: Step, read: () => StepFiles): StepFiles {
    const files = read();
    Object.assign(this.#site.variables, files.variables);
    if (step.id !== undefined)
      this.#steps[step.id] = { outputs: { ...files.outputs }, outcome: 'success', conclusion: 'success' };
    return files;
  }

  async #use(step: Step, scope: Scope, env: Readonly<Record<string, string>>): Promise<StepFiles> {
    const site = this.#site;
    const uses = step.uses ?? '';
    const given = fillTexts(step.with, scope);
    const [name = ''] = uses.split('@');
    const isLocal = uses.startsWith('./');
    const builtin = isLocal ? undefined : builtinActions[name];
    if (builtin === undefined) {
      const folder = isLocal ? resolve(site.workspace, uses) : site.findAction(name);
      if (folder === null) throw new Error(`The runner has no action ${name}.`);
      return this.#useComposite(step, folder, given, env);
    }
    const unknown = Object.keys(given).filter((one) => !(one in builtin.inputs));
    if (unknown.length > 0) throw new Error(`${name} has no input ${unknown.join(', ')} here.`);
    const added: string[] = [];
    const result: ActionResult = await builtin.run({
      ...site.use,
      inputs: { ...builtin.inputs, ...given },
      environment: this.#environment(env),
      workspace: site.workspace,
      log: (line) => site.log.add(line),
      addPath: (path) => added.push(path),
    });
    if (result.post !== undefined) site.posts.push(result.post);
    return { ...nothing, outputs: result.outputs, paths: added };
  }

  async #useComposite(
    step: Step,
    folder: string,
    given: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>>,
  ): Promise<StepFiles> {
    const file = ['action.yml', 'action.yaml'].map((one) => join(folder, one)).find((one) => existsSync(one));
    if (file === undefined) throw new Error(`Can't find 'action.yml' under '${folder}'.`);
    const action: CompositeAction = readAction(readFileSync(file, 'utf8'), file);
    const names = Object.keys(action.inputs);
    const unknown = Object.keys(given).filter((one) => !names.includes(one));
    if (unknown.length > 0)
      this.#site.log.add(
        `::warning::Unexpected input(s) '${unknown.join("', '")}', valid inputs are ['${names.join("', '")}']`,
      );
    const { secrets: _, needs: __, vars: ___, ...seen } = this.#frame.contexts;
    const github = { ...(seen.github as object), action_path: folder };
    const bare: Scope = { contexts: { ...seen, github, env }, status: null, hashFiles: null };
    const inputs = Object.fromEntries(
      Object.entries(action.inputs).map(([key, one]) => [
        key,
        given[key] ?? fillText(one?.default ?? '', bare),
      ]),
    );
    const inner = new StepsRunner(this.#site, {
      contexts: { ...seen, github, inputs },
      env: { ...env, GITHUB_ACTION_PATH: folder },
      defaults: {},
      isComposite: true,
    });
    const end = await inner.run(action.runs.steps);
    this.#records.push(...end.records);
    const outputs = Object.fromEntries(
      Object.entries(action.outputs).map(([key, { value }]) => [key, fillText(value, inner.scope)]),
    );
    if (step.id !== undefined)
      this.#steps[step.id] = { outputs, outcome: end.conclusion, conclusion: end.conclusion };
    if (end.conclusion !== 'success') throw new StepFailure(`${step.uses} ended with ${end.conclusion}.`);
    return { ...nothing, outputs };
  }
}
