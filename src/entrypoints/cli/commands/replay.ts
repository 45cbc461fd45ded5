/** `replay`: plays a recorded run again and compares, or forks it from a step. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AgentRun, type AuthoringRun, matchRun, type RunSummary } from '../../../domain/ledger/run.ts';
import { nameSteps } from '../../../domain/ledger/run-steps.ts';
import {
  parseCassette,
  type RecordedCassette,
  requireRecording,
} from '../../../domain/recordings/cassette.ts';
import { isTape } from '../../../domain/recordings/tape.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { RunViews } from '../../../ports/ledger.ts';
import { findRunOf } from '../../../runs/explain-subject.ts';
import type { House } from '../../../runs/house.ts';
import type { RunOutcome } from '../../../workflows/authoring/drive-run.ts';
import { readBrief } from '../../../workflows/authoring/issue/read-brief.ts';
import { exportCassette } from '../../../workflows/authoring/recordings/export-cassette.ts';
import { type FiledRun, findFiled } from '../../../workflows/authoring/recordings/find-filed.ts';
import { checkFork, type ForkInput, forkRun } from '../../../workflows/authoring/recordings/fork-run.ts';
import { type ReplayReport, replayRun } from '../../../workflows/authoring/recordings/replay-run.ts';
import type { App } from '../app.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { openHouseOf } from '../open-house.ts';
import { makeOptions } from '../run-authoring.ts';
import type { Given, Handler } from '../table/command.ts';
import { reportOutcome } from '../views/outcome-view.ts';
import { block } from '../views/progress-view.ts';
import { rule } from '../views/terminal.ts';
import { recordFromTapes } from './record.ts';
import { agentOptions, replayTaped } from './replay-tape.ts';

interface Source {
  readonly text: string;
  readonly cassette: RecordedCassette;
  /** The run of this ledger that it is; null for a file. */
  readonly run: AuthoringRun | null;
}

/** A run of an agent or a workflow. */
interface TapeSource {
  readonly tape: string;
  /** The agent's run of this ledger that it is. */
  readonly run: AgentRun | null;
}

async function findRecordedRun(views: RunViews, typed: string): Promise<RunSummary> {
  try {
    return await findRunOf(views, typed, process.cwd());
  } catch (error) {
    if (!isGatewrightError(error, 'subject-not-found')) throw error;
    throw new GatewrightError('subject-not-found', `"${typed}" is neither a file nor a known run.`, {
      hint: 'Check the path of the recording, or list the runs with: gatewright runs',
      cause: error,
    });
  }
}

/** What is typed is a file if there is one, else a run. */
async function readSource(app: App, typed: string): Promise<Source | TapeSource> {
  const file = resolve(typed);
  if (existsSync(file)) {
    const text = await app.cassettes.readText(file);
    if (isTape(text)) return { tape: text, run: null };
    return { text, cassette: requireRecording(parseCassette(text, file), file), run: null };
  }
  const records = await app.openRecords();
  return matchRun<Promise<Source | TapeSource>>(await findRecordedRun(records.views, typed), {
    agent: async (run) => ({ tape: await recordFromTapes(app, run), run }),
    authoring: async (run) => {
      const text = await exportCassette(records.ledger, run);
      return { text, cassette: requireRecording(parseCassette(text, run.id), run.id), run };
    },
    loop: async (run) => ({ tape: await recordFromTapes(app, run), run: null }),
    pipeline: async (run) => ({ tape: await recordFromTapes(app, run), run: null }),
  });
}

function showReport(app: App, report: ReplayReport): void {
  const { terminal } = app;
  const colours = { same: 'green', differs: 'red', missing: 'red', extra: 'red' } as const;
  for (const { path, state } of report.artefacts)
    terminal.print(`${terminal.style(colours[state], state.padEnd(8))} ${escapeForLine(path, 500)}`);
  const different = report.artefacts.filter(({ state }) => state !== 'same').length;
  if (report.artefacts.length === 0) terminal.say('The recorded run had made no file yet.');
  else if (different > 0) terminal.say(`Not the same: ${different} of ${report.artefacts.length}.`);
  else terminal.say(`All ${report.artefacts.length} are the same, byte for byte.`);
  if (report.stopped !== null)
    terminal.say(`The replay stopped before the end: ${escapeForTerminal(report.stopped)}`);
  if (report.changedPrompts.length > 0) {
    const calls = report.changedPrompts.map((call) => escapeForLine(call)).join(', ');
    terminal.say(
      `${terminal.style('yellow', 'Note:')} the prompt of a model would now differ from the recorded one (${calls}). The answers are still the recorded ones.`,
    );
  }
}

async function replay(app: App, given: Given, { cassette }: Source): Promise<number> {
  const forFork = [
    ...['draft', 'prompt', 'record', 'max-iterations', 'drafter', 'reviewer', 'waive-independence'].filter(
      (name) => given.text(name) !== null,
    ),
    ...['auto', 'strict', 'second-issue'].filter((name) => given.flag(name)),
  ];
  if (forFork[0] !== undefined)
    throw new GatewrightError('usage', `--${forFork[0]} is for a fork: give --from STEP too.`, {
      hint: 'See the steps with: gatewright runs show RUN',
    });
  const into = given.text('into');
  const scratch = await app.makeScratch(cassette.run, into === null ? null : resolve(into));
  const isKept = into !== null || given.flag('keep');
  try {
    const house = await app.openReplay(scratch, cassette.run);
    let report: ReplayReport;
    try {
      report = await replayRun(house, cassette, scratch.brief, () => undefined);
    } finally {
      house.close();
    }
    if (given.flag('json')) {
      app.terminal.printJson({
        run: cassette.run.id,
        ...report,
        folder: isKept ? scratch.folder : null,
      });
    } else {
      showReport(app, report);
      if (isKept) app.terminal.say(`Everything is in ${scratch.folder}`);
    }
    return report.isSame ? exitCodes.done.code : exitCodes.failed.code;
  } finally {
    if (!isKept) scratch.remove();
  }
}

async function readTextOption(given: Given, name: string): Promise<string | null> {
  const file = given.text(name);
  return file === null ? null : (await readBrief(resolve(file), name)).text;
}

/** Says that the fork would file a second issue, and asks the person at the terminal, if there is one. */
async function askForSecond({ terminal }: App, { run, number }: FiledRun, mayAsk: boolean): Promise<boolean> {
  const note = terminal.style('yellow', 'Note:');
  if (mayAsk) {
    terminal.say(`${note} The run ${run} has filed #${number}.`);
    return (await terminal.choose('File a second issue when this one is approved?', ['Y', 'N'])) === 'Y';
  }
  terminal.say(
    `${note} The run ${run} has filed #${number}. This fork stops before it files a second issue; with --second-issue it files one.`,
  );
  return false;
}

async function drive(
  app: App,
  house: House,
  given: Given,
  source: Source,
  input: Pick<ForkInput, 'brief' | 'models' | 'draft' | 'prompt' | 'from'>,
): Promise<number> {
  const { terminal } = app;
  const { workflow, id } = source.cassette.run;
  const made = makeOptions(app, house, given, workflow);
  const filed =
    made.maySecondIssue === true || workflow !== 'issue' ? null : await findFiled(house.views, id);
  const maySecondIssue =
    made.maySecondIssue === true ||
    (filed !== null && (await askForSecond(app, filed, terminal.isInteractive && !made.mode.auto)));
  const options = { ...made, maySecondIssue };
  const outcome: RunOutcome = await forkRun(
    house,
    {
      cassette: source.cassette,
      cassetteText: source.text,
      ...input,
      onStart: (run) => {
        const step = nameSteps(source.cassette.run.steps).find((one) => one.step === run.request.fork?.step);
        block(terminal, `Fork of ${source.cassette.run.id} from ${step?.name ?? input.from}`);
        terminal.say(`Slug: ${run.request.slug}\nRun: ${run.id}\n${rule}`);
      },
    },
    options,
  );
  await reportOutcome(app, house, given, outcome);
  return exitCodeOfStatus(outcome.status);
}

async function fork(app: App, given: Given, source: Source): Promise<number> {
  const { run, cassette } = source;
  const change = {
    from: given.text('from') ?? '',
    draft: await readTextOption(given, 'draft'),
    prompt: await readTextOption(given, 'prompt'),
  };
  // Before anything is made.
  checkFork({ cassette, ...change });
  if (run !== null) {
    if (given.text('into') !== null || given.flag('keep'))
      throw new GatewrightError('usage', 'A fork of a run is made in its own repository.', {
        hint: 'Record the run to a file and fork the file; --into DIR then names the folder.',
      });
    const house = await openHouseOf(app, run);
    const { brief, drafter, reviewer } = run.request;
    return drive(app, house, given, source, { ...change, brief, models: { drafter, reviewer } });
  }
  // What a file says was reviewed is not reviewed for us: its fork plays in a place of its own, on a forge of its own.
  const into = given.text('into');
  const scratch = await app.makeScratch(cassette.run, into === null ? null : resolve(into));
  app.terminal.say(`Repository: ${scratch.repository}\nDatabase:   ${scratch.database}`);
  const inside = app.withDatabase(scratch.database, { GATEWRIGHT_FORGE: 'local' });
  const house = await inside.openHouse(scratch.repository);
  return drive(inside, house, given, source, {
    ...change,
    brief: scratch.brief,
    models: house.modelsFor(cassette.run.workflow),
  });
}

export const replayOrFork: Handler = async (app, given) => {
  const typed = given.args[0] ?? '';
  const source = await readSource(app, typed);
  if ('tape' in source) return replayTaped(app, given, { text: source.tape, name: typed, run: source.run });
  const unfit = agentOptions.find((name) => given.text(name) !== null);
  if (unfit !== undefined)
    throw new GatewrightError('usage', `--${unfit} is for runs of agents; this is an issue or lld run.`, {
      hint: 'Its models are named with --drafter and --reviewer.',
    });
  return given.text('from') === null ? replay(app, given, source) : fork(app, given, source);
};
