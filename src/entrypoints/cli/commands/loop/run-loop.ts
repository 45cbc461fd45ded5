/** What the commands of the loop have in common: the house, the person, the answer they give, the report at the end. */
import type { ForgeKind } from '../../../../config/read-config.ts';
import { statusWithReason } from '../../../../domain/ledger/describe-entry.ts';
import type { LoopRun } from '../../../../domain/ledger/run.ts';
import { escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { House } from '../../../../runs/house.ts';
import { requirePerson } from '../../../../workflows/issue-runs/drive-issue-run.ts';
import type { DriveOutcome, IssueRequest } from '../../../../workflows/issue-runs/issue-run.ts';
import {
  findLoop,
  type LoopOptions,
  type LoopOutcome,
  resumeLoop,
  startLoop,
} from '../../../../workflows/loop/drive-loop.ts';
import { dropDebugging } from '../../../../workflows/loop/drop-debugging.ts';
import type { App } from '../../app.ts';
import { exitCodeOfStatus } from '../../exit-codes.ts';
import { listenForStop } from '../../listen-for-stop.ts';
import { personOf } from '../../person-of.ts';
import type { Given } from '../../table/command.ts';
import { cost } from '../../views/format.ts';
import { makeLoopDialogue, type PresetAnswer } from '../../views/loop-dialogue.ts';
import { type LoopView, makeLoopView } from '../../views/loop-view.ts';
import { answersTo, describeNext } from './describe-next.ts';

/** The house of the agents: comments, commits and labels are theirs. */
export function openLoopHouse(app: App, given: Given): Promise<House> {
  const forge = given.text('forge') as ForgeKind | null;
  return app.openHouse(given.text('repo'), { forge, name: null, asAgent: true });
}

/** With --json only warnings are kept; they are a part of what is printed at the end. */
export const collectWarnings = (app: App, warnings: string[]): LoopView => ({
  progress: (event) => {
    if (event.kind === 'warning') warnings.push(event.message);
  },
  say: (text) => app.terminal.say(text),
  close: () => app.terminal.endWait(),
});

/** What every command says at the end of a run on an issue: how it ended, what it cost, how it goes on. */
export async function reportRun(
  app: App,
  house: House,
  given: Given,
  outcome: DriveOutcome<IssueRequest>,
  {
    warnings,
    answers,
    more = [],
  }: { warnings: readonly string[]; answers: readonly string[]; more?: readonly string[] },
): Promise<number> {
  const { terminal } = app;
  const { run, status, reason, result, gate } = outcome;
  const { number } = run.request;
  const summary = await house.views.findRun(run.id);
  if (given.flag('json')) {
    const { costUsd = 0 } = summary ?? {};
    terminal.printJson({
      run: run.id,
      issue: number,
      status,
      reason,
      gate,
      answers,
      pullRequest: result,
      costUsd,
      warnings,
    });
    return exitCodeOfStatus(status);
  }
  terminal.say();
  terminal.say(
    terminal.style(
      status === 'done' ? 'green' : 'yellow',
      escapeForTerminal(statusWithReason(status, reason.message)),
    ),
  );
  if (summary !== null) terminal.say(`Cost: ${cost(summary)}`);
  for (const line of more) terminal.say(line);
  if (more.length === 0)
    for (const [index, answer] of answers.entries())
      terminal.say(`${index === 0 ? 'Continue with' : '           or'}: ${answer}`);
  if (gate === null && reason.resume !== '') terminal.say(`Continue with: ${reason.resume}`);
  return exitCodeOfStatus(status);
}

async function reportLoop(
  app: App,
  house: House,
  given: Given,
  outcome: LoopOutcome,
  warnings: readonly string[],
): Promise<number> {
  const { run, gate } = outcome;
  const { number } = run.request;
  const more: string[] = [];
  // Nothing was shown where no person was asked: the plan and the questions stand on the issue.
  if (gate?.kind === 'plan' || gate?.kind === 'scope') {
    const { url } = await house.forge.getIssue(house.repositoryName, number);
    const where = house.forge.kind === 'local' ? `gatewright forge issue view ${number}` : url;
    more.push(`Read ${gate.kind === 'plan' ? 'the plan' : 'the questions'}: ${where}`);
  }
  if (gate !== null) more.push(...(await describeNext(house, run, gate)));
  const answers = gate === null ? [] : answersTo(gate, number, house.commandSuffix);
  return reportRun(app, house, given, outcome, { warnings, answers, more });
}

interface Drive {
  readonly number: number;
  /** The answer that the command gives; null when it only goes on. */
  readonly preset: PresetAnswer | null;
  /** The answer is only for the case that the question comes. */
  readonly mayBeUnused?: boolean;
  /** Begins a loop where there is none. */
  readonly start?: { readonly isQuick: boolean };
}

/** Says what the loop waits for instead, when the answer of the command was not asked for. */
function refuseUnused(outcome: LoopOutcome, preset: PresetAnswer, answers: readonly string[]): never {
  const { gate, run, reason } = outcome;
  throw new GatewrightError(
    'usage',
    gate === null
      ? `The loop of #${run.request.number} has no ${preset.kind} gate open: ${reason.message}`
      : `The loop of #${run.request.number} is not at the ${preset.kind} gate but at the ${gate.kind} gate.`,
    answers.length === 0 ? {} : { hint: `Answer it with: ${answers.join('\nor: ')}` },
  );
}

/** Starts or resumes the loop of an issue with the answer of the command; resolves with the exit code. */
export async function driveLoopOf(app: App, given: Given, drive: Drive): Promise<number> {
  const house = await openLoopHouse(app, given);
  const found = await findLoop(house, drive.number);
  if (found === null && drive.start === undefined)
    throw new GatewrightError('run-not-found', `Issue #${drive.number} has no loop.`, {
      hint: `Begin with: gatewright loop plan ${drive.number}`,
    });
  return continueLoop(app, house, given, found, drive);
}

export async function continueLoop(
  app: App,
  house: House,
  given: Given,
  found: LoopRun | null,
  drive: Drive,
): Promise<number> {
  const own = await house.forge.whoAmI();
  const person = personOf(app, house, own);
  await requirePerson(house, person);
  // A run that was cut off first goes on with what it was told. The report of a test may be just that: a command that is
  // repeated after a kill must not report it twice.
  const isUnderWay = found !== null && (found.status === 'running' || found.reason?.code !== 'gate');
  const preset = isUnderWay && drive.preset?.kind === 'testing' ? null : drive.preset;
  const isWorking = drive.preset?.kind === 'testing' && drive.preset.choice === 'works';
  if (isUnderWay && isWorking)
    await dropDebugging(house, found, { person }, { own, progress: () => undefined });
  const dialogue = makeLoopDialogue(house.ledger, app.terminal, preset);
  const warnings: string[] = [];
  const view = given.flag('json') ? collectWarnings(app, warnings) : makeLoopView(app.terminal);
  const stop = listenForStop((text) => view.say(text));
  const options: LoopOptions = {
    ...{ own, person, dialogue, signal: stop.signal, progress: view.progress },
  };
  try {
    const outcome =
      found === null
        ? await startLoop(house, { number: drive.number, isQuick: drive.start?.isQuick ?? false }, options)
        : await resumeLoop(house, found, options);
    view.close();
    const owed = drive.mayBeUnused === true || isUnderWay || dialogue.isUsed() ? null : preset;
    if (owed !== null && outcome.status !== 'done')
      refuseUnused(
        outcome,
        owed,
        outcome.gate === null ? [] : answersTo(outcome.gate, drive.number, house.commandSuffix),
      );
    return await reportLoop(app, house, given, outcome, warnings);
  } finally {
    view.close();
    stop.close();
  }
}
