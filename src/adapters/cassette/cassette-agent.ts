/** A coding agent that replays a cassette: it really changes the files and runs the commands, within the same limits. */
import type { z } from 'zod';
import { canonicalJson } from '../../domain/ledger/hash.ts';
import { checkPermittedCommands, isPermittedCommand } from '../../domain/machine/permitted-command.ts';
import { listMisfits } from '../../domain/models/describe-misfit.ts';
import { modelFamily } from '../../domain/models/model-family.ts';
import type { Cassette } from '../../domain/recordings/cassette.ts';
import type { CassetteStep, CassetteWork } from '../../domain/recordings/cassette-work.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  CodingAgent,
  CodingFailure,
  CodingOutcome,
  CodingReport,
  CodingTask,
  PermissionDenial,
} from '../../ports/coding-agent.ts';
import { leaveAsItIs, type Sandbox } from '../../ports/sandbox.ts';
import { pickVariables, runOwned } from '../system/owned-process.ts';
import { openCassette } from './cassette.ts';
import { findRecorded } from './match-request.ts';
import { readExisting, removeExisting, resolveChangeable, writeWhole } from './worktree-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What commands get to see: no token of anything. */
const allowed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** What of a task is hashed: what an agent would be told. */
export function taskText(task: CodingTask): string {
  const { role, instructions, task: text } = task;
  return canonicalJson({ role, instructions, task: text, mode: task.tools.mode });
}

interface Step {
  readonly tool: string | null;
  readonly target: string;
}

/** Named as the real agent names its tools, so that both can be shown and compared in one way. */
function describeStep(step: CassetteStep): Step {
  if ('write' in step) return { tool: 'Write', target: step.write };
  if ('edit' in step) return { tool: 'Edit', target: step.edit };
  if ('delete' in step) return { tool: 'Delete', target: step.delete };
  if ('run' in step) return { tool: 'Bash', target: step.run.join(' ') };
  return { tool: null, target: step.say };
}

class Replay {
  readonly denials: PermissionDenial[] = [];
  acted = 0;
  turns = 0;
  readonly #task: CodingTask;
  readonly #environment: Record<string, string>;
  readonly #deadline: number;
  readonly #refuse: (why: string) => never;
  readonly #sandbox: Sandbox | undefined;

  constructor(
    task: CodingTask,
    environment: Environment,
    sandbox: Sandbox | undefined,
    refuse: (why: string) => never,
  ) {
    this.#task = task;
    this.#sandbox = sandbox;
    this.#refuse = refuse;
    this.#deadline = performance.now() + task.limitMilliseconds;
    this.#environment = pickVariables(environment, allowed);
  }

  /** Does the steps, one turn each; what stops it is returned. */
  async perform(steps: readonly CassetteStep[]): Promise<CodingOutcome<never> | null> {
    for (const step of steps) {
      if (this.#task.signal?.aborted === true) return stopped('aborted');
      if (this.turns >= this.#task.turnLimit) return { kind: 'turns-exhausted' };
      this.turns += 1;
      const failure = await this.#perform(step);
      if (failure !== null) return stopped(failure);
    }
    if (this.turns >= this.#task.turnLimit) return { kind: 'turns-exhausted' };
    this.turns += 1;
    return null;
  }

  async #perform(step: CassetteStep): Promise<CodingFailure | null> {
    const { tool, target } = describeStep(step);
    const text = tool === null ? target.slice(0, 200) : null;
    this.#tell({ turns: this.turns, tool, target: tool === null ? null : target, text });
    if (tool === null) return null;
    const change = this.#prepare(step);
    if (change === null) {
      this.denials.push({ tool, target });
      return null;
    }
    const failure = await change();
    this.acted += 1;
    return failure;
  }

  #tell(progress: Parameters<NonNullable<CodingTask['onProgress']>>[0]): void {
    try {
      this.#task.onProgress?.(progress);
    } catch {
      // An error in the progress callback must not stop the replay.
    }
  }

  /** What a step would do; null when it is denied. */
  #prepare(step: CassetteStep): (() => Promise<CodingFailure | null>) | null {
    const { tools, folder } = this.#task;
    if (tools.mode === 'plan' || 'say' in step) return null;
    if ('run' in step) return isPermittedCommand(tools.commands, step.run) ? () => this.#run(step.run) : null;
    const path = 'write' in step ? step.write : 'edit' in step ? step.edit : step.delete;
    const full = resolveChangeable(folder, path);
    if (full === null) return null;
    return async () => {
      if ('write' in step) writeWhole(full, step.content);
      else if ('delete' in step) removeExisting(full);
      else this.#edit(full, step);
      return null;
    };
  }

  #edit(full: string, step: Extract<CassetteStep, { edit: string }>): void {
    const content = readExisting(full);
    if (content !== null && isEdited(content, step)) return;
    const parts = content?.split(step.replace) ?? [];
    if (content === null || parts.length !== 2)
      this.#refuse(`"${step.edit}" does not hold the text to replace exactly once.`);
    writeWhole(full, parts.join(step.with));
  }

  async #run([program = '', ...args]: readonly string[]): Promise<CodingFailure | null> {
    const left = this.#deadline - performance.now();
    if (left <= 0) return 'timeout';
    const { folder, readable = [] } = this.#task;
    const command = { program, args, folder, environment: this.#environment };
    const prepared =
      (await this.#sandbox?.prepare(command, { writable: [folder], readable, network: 'none' })) ??
      leaveAsItIs(command);
    const exit = await runOwned({
      ...prepared,
      input: '',
      limitMilliseconds: left,
      signal: this.#task.signal,
      onOutput: () => undefined,
    }).finally(() => prepared.close());
    // A failed command is a result for the agent to read; the replay goes on.
    return exit.kind === 'timeout' || exit.kind === 'aborted' ? exit.kind : null;
  }
}

/** Work that was cut off is done again in the folder as it was left, where an edit may have been made already. */
function isEdited(content: string, step: Extract<CassetteStep, { edit: string }>): boolean {
  if (step.with === '') return false;
  const around = content.split(step.with);
  return around.length === 2 && !around.join('').includes(step.replace);
}

function stopped(why: CodingFailure): CodingOutcome<never> {
  return { kind: 'failed', why, detail: why === 'aborted' ? 'it was told to stop' : 'not done in time' };
}

function readOutcome<T>(outcome: CassetteWork['outcome'], schema: z.ZodType<T> | null): CodingOutcome<T> {
  if ('turnsExhausted' in outcome) return { kind: 'turns-exhausted' };
  if ('quota' in outcome) return { kind: 'quota', until: outcome.quota.until };
  if ('refused' in outcome) return { kind: 'refused', by: 'model', detail: outcome.refused };
  if ('failed' in outcome) return { kind: 'failed', why: outcome.failed, detail: 'recorded' };
  if (schema === null) return { kind: 'finished', text: outcome.text, object: null };
  const parsed = schema.safeParse(outcome.object);
  return parsed.success
    ? { kind: 'finished', text: outcome.text, object: parsed.data }
    : {
        ...{ kind: 'failed', why: 'garbage', detail: 'the answer does not fit the schema' },
        problems: listMisfits(parsed.error),
      };
}

class CassetteAgent implements CodingAgent {
  readonly name: string;
  readonly family: string;
  readonly isFree = true;
  readonly title: string;
  readonly #path: string;
  readonly #cassette: Cassette;
  readonly #model: string;
  readonly #environment: Environment;
  readonly #sandbox: Sandbox | undefined;

  constructor(path: string, role: string, environment: Environment, sandbox: Sandbox | undefined) {
    this.#sandbox = sandbox;
    this.#path = path;
    const { cassette, recorded } = openCassette(path, role);
    this.#cassette = cassette;
    this.#model = recorded.name;
    this.#environment = environment;
    this.name = `cassette:${recorded.name}`;
    this.family = modelFamily(recorded.name);
    this.title = `${recorded.title} (recorded)`;
  }

  async readPrice(): Promise<null> {
    return null;
  }

  async checkReady(): Promise<null> {
    return null;
  }

  async work<T>(task: CodingTask, schema: z.ZodType<T> | null): Promise<CodingReport<T>> {
    if (task.tools.mode === 'implement') checkPermittedCommands(task.tools.commands);
    const began = performance.now();
    const refuse = (why: string): never => {
      throw new GatewrightError(
        'cassette-mismatch',
        `The cassette ${this.#path} cannot do ${task.role} call ${task.call}: ${why}`,
      );
    };
    const recorded = findRecorded(this.#cassette.work, {
      ...{ role: task.role, call: task.call },
      ...{ hashed: taskText(task), text: `${task.instructions}\n${task.task}` },
    });
    if ('mismatch' in recorded) return refuse(recorded.mismatch ?? 'it holds no such work.');
    const work = recorded.found;
    const replay = new Replay(task, this.#environment, this.#sandbox, refuse);
    const end = await replay.perform(work.steps);
    const outcome = end ?? readOutcome(work.outcome, schema);
    const isKept = outcome.kind === 'finished' && replay.denials.length > 0 && replay.acted === 0;
    const denied = replay.denials.map(({ tool, target }) => `${tool} ${target}`).join(', ');
    return {
      outcome: isKept ? { kind: 'refused', by: 'permissions', detail: denied.slice(0, 300) } : outcome,
      credential: 'none',
      // A replay is free, whatever the recording cost: budgets and sums count what is really spent.
      usage: { ...work.usage, costUsd: 0, turns: replay.turns },
      sessionId: `cassette-${task.role}-${task.call}`,
      reportedModel: this.#model,
      denials: replay.denials,
      milliseconds: Math.round(performance.now() - began),
      earlier: [],
    };
  }
}

export function makeCassetteAgent(
  path: string,
  role: string,
  environment: Environment,
  sandbox?: Sandbox,
): CodingAgent {
  return new CassetteAgent(path, role, environment, sandbox);
}
