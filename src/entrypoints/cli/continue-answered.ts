/** Goes on with runs whose gate a person answered while no process held them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { type AuthoringRun, isAuthoringRun, matchRun, type RunSummary } from '../../domain/ledger/run.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { resumeAny } from '../../fleet/resume-any.ts';
import type { OpenGate } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import { standingOf } from '../../runs/explain-subject.ts';
import { noDialogue } from '../../runs/gates/resolve-gate.ts';
import type { House } from '../../runs/house.ts';
import type { RunOptions, RunOutcome } from '../../workflows/authoring/drive-run.ts';
import { resumeRun } from '../../workflows/authoring/start-run.ts';
import type { App } from './app.ts';
import { type FleetOptions, sessionOf, showTrouble } from './run-fleet.ts';

/** No person is asked: the next gate waits as this one did. */
export function continueAuthoring(
  { config }: Pick<App, 'config'>,
  house: House,
  run: AuthoringRun,
  progress: Progress,
): Promise<RunOutcome> {
  const options: RunOptions = {
    mode: {
      auto: config.autoMode,
      testMode: config.testMode && house.forge.kind === 'local',
      strict: false,
    },
    maxIterations: null,
    needsEditor: false,
    independenceWaiver: null,
    drafter: null,
    reviewer: null,
    dialogue: noDialogue,
    progress,
  };
  return resumeRun(house, run, options, () => undefined);
}

/** A run whose process ends each time is left to a person. */
const mostStarts = 5;

/**
 * Whether a run that was cut off was to go on from a person's answer and from nothing else: the process that asked was
 * gone, or one that was to go on for the answer was killed. A command that a person has answered in is left to them.
 */
function goesOnFromAnswer(entries: readonly LedgerEntry[]): boolean {
  const at = entries.findLastIndex(({ kind }) => kind === 'gate-asked' || kind === 'gate-answered');
  const answered = entries[at];
  if (answered?.kind !== 'gate-answered' || answered.data.answer.by !== 'person') return false;
  const later = entries.slice(at + 1);
  if (later.some(({ kind }) => kind === 'run-stopped')) return false;
  const starts = later.filter(({ kind }) => kind === 'run-resumed').length;
  return later.length === 0 || (starts > 0 && starts < mostStarts);
}

/** How often a run is looked at again that some process holds: it may be about to leave the gate that was answered. */
const mostLooks = 30;
const lookMilliseconds = 1_000;

export class AnsweredRuns {
  readonly #app: App;
  readonly #fleet: FleetOptions;
  /** The house of the person, as which authoring runs go on. */
  readonly #person: House;
  readonly #working = new Map<string, Promise<void>>();

  constructor(app: App, fleet: FleetOptions, person: House) {
    this.#app = app;
    this.#fleet = fleet;
    this.#person = person;
  }

  /** The ids of the runs that go on now. */
  get working(): readonly string[] {
    return [...this.#working.keys()];
  }

  /** Those that were answered while nothing ran here, and those that were cut off as they went on from an answer. */
  async goOnWithAll(): Promise<void> {
    const { views, repositoryName, repository } = this.#person;
    const filter = { repository: repositoryName, root: repository.root, doneSince: 'never' } as const;
    const gates = await views.listOpenGates();
    for (const run of await views.listRuns(filter))
      if (!run.isDismissed && (await this.#isAnswered(run, gates))) this.goOn(run.id);
  }

  /** The watch resumes runs of agents, loops and pipelines that were cut off. */
  async #isAnswered(run: RunSummary, gates: readonly OpenGate[]): Promise<boolean> {
    const standing = await standingOf(run, gates, this.#person.leases);
    if (standing !== 'interrupted') return standing === 'answered';
    return isAuthoringRun(run) && goesOnFromAnswer(await this.#person.ledger.readRun(run.id));
  }

  goOn(id: string): void {
    if (this.#fleet.signal.aborted || this.#working.has(id)) return;
    const work = this.#goOnWhileAnswered(id)
      .catch((error: unknown) => showTrouble(this.#fleet, error))
      .finally(() => this.#working.delete(id));
    this.#working.set(id, work);
  }

  /** Resolves when none goes on any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  async #goOnWhileAnswered(id: string): Promise<void> {
    const { views, leases } = this.#person;
    const { signal } = this.#fleet;
    for (let looks = 0; looks < mostLooks && !signal.aborted; looks += 1) {
      const run = await views.findRun(id);
      if (run === null || run.status === 'done') return;
      if ((await leases.holderOf(run.subject)) === null) {
        if (!(await this.#isAnswered(run, await views.listOpenGates()))) return;
        await this.#resume(run);
      } else await sleep(lookMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  }

  #resume(run: RunSummary): Promise<void> {
    const { house, view } = this.#fleet;
    const resume = async (): Promise<void> => {
      await resumeAny(house, run, sessionOf(this.#fleet), true);
    };
    return matchRun<Promise<void>>(run, {
      authoring: async (authoring) => {
        const title = escapeForLine(authoring.request.title, 80);
        view.say(`Going on with "${title}": its gate was answered.`);
        const { reason } = await continueAuthoring(this.#app, this.#person, authoring, () => undefined);
        view.say(`"${title}": ${escapeForLine(reason.message, 300)}`);
      },
      loop: resume,
      pipeline: resume,
      agent: async () => undefined,
    });
  }
}
