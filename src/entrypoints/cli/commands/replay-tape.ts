/** `replay` of a run of an agent or a workflow: from its tapes, in no repository and with no model. */
import { resolve } from 'node:path';
import { agentRoleNames, agentRoles } from '../../../domain/fleet/agent-models.ts';
import type { AgentRun } from '../../../domain/ledger/run.ts';
import { parseTape, type SessionsTape, type Tape } from '../../../domain/recordings/tape.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { replaySession, replayTape, type TapeReport } from '../../../fleet/tapes/replay-tape.ts';
import type { Prompts } from '../../../ports/prompts.ts';
import { readBrief } from '../../../workflows/authoring/issue/read-brief.ts';
import { workflowManifests } from '../../../workflows/workflows.ts';
import type { App } from '../app.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../table/command.ts';
import { forkAgent } from './fork-agent.ts';

const longestLine = 300;

/** The models of agents. */
export const agentOptions: readonly string[] = agentRoles.map((role) => agentRoleNames[role].option);

type Shown = Pick<TapeReport, 'compared' | 'changedPrompts' | 'ended'>;

function showReport({ terminal }: App, { compared, changedPrompts, ended }: Shown): void {
  const colours = { same: 'green', differs: 'red', missing: 'red', extra: 'red' } as const;
  for (const { name, state } of compared)
    terminal.print(`${terminal.style(colours[state], state.padEnd(8))} ${escapeForLine(name, longestLine)}`);
  const told = (text: string): string => escapeForLine(text, 1000);
  if (ended.before === null) terminal.say('The recorded run was cut off, so its end is not known.');
  else terminal.say(`Recorded end: ${told(ended.before)}`);
  terminal.say(`End now:      ${told(ended.now)}`);
  if (changedPrompts.length > 0)
    terminal.say(
      `${terminal.style('yellow', 'Note:')} the prompt of a model would now differ from the recorded one (${changedPrompts.map((one) => told(one)).join(', ')}). The answers are still the recorded ones.`,
    );
}

async function replayAgentRun(app: App, given: Given, tape: Tape, prompts: Prompts): Promise<boolean> {
  const report = await replayTape(tape, prompts);
  const { run, agent, subject, version } = tape.head;
  if (given.flag('json')) app.terminal.printJson({ run, agent, subject, version, ...report });
  else {
    app.terminal.say(escapeForLine(`${agent} for ${subject}, recorded with version ${version}`, longestLine));
    showReport(app, report);
    app.terminal.say(report.isSame ? 'The agent would do the same.' : 'The agent would not do the same.');
  }
  return report.isSame;
}

async function replayWorkflowRun(
  app: App,
  given: Given,
  { run, sessions }: SessionsTape,
  prompts: Prompts,
): Promise<boolean> {
  const { terminal } = app;
  const isJson = given.flag('json');
  const reports: (TapeReport & { readonly from: string | null; readonly version: string })[] = [];
  for (const [index, session] of sessions.entries()) {
    const { workflow, subject, version, place } = session.head;
    const report = { from: place?.node ?? null, version, ...(await replaySession(session, prompts)) };
    reports.push(report);
    if (isJson) continue;
    const from = report.from === null ? 'its start' : `"${report.from}"`;
    const title = `${workflow} for ${subject}, session ${index + 1} of ${sessions.length}, from ${from}, recorded with version ${version}`;
    terminal.say(escapeForLine(title, longestLine));
    showReport(app, report);
  }
  const isSame = reports.every((report) => report.isSame);
  if (isJson) {
    const [{ workflow, subject } = { workflow: null, subject: null }] = sessions.map(({ head }) => head);
    terminal.printJson({ run, workflow, subject, sessions: reports, isSame });
  } else terminal.say(isSame ? 'The run would do the same.' : 'The run would not do the same.');
  return isSame;
}

/** A second run beside the first would write to the same issue and the same branch. */
function refuseFork(given: Given, { sessions }: SessionsTape): void {
  const workflow = sessions[0]?.head.workflow;
  if (given.text('from') === null || workflow === undefined) return;
  const { insteadOfFork } = workflowManifests.find(({ name }) => name === workflow) ?? {};
  throw new GatewrightError(
    'fork-refused',
    `A ${workflow} cannot be forked: it writes to its issue and its branch, and there is only one of each.`,
    insteadOfFork === undefined ? {} : { hint: insteadOfFork },
  );
}

const ofAuthoring = [
  'into',
  'draft',
  'record',
  'max-iterations',
  'drafter',
  'reviewer',
  'waive-independence',
];

/** What only a fork has, and what only a run that makes files has. */
function refuseUnfit(given: Given, name: string, whose: string): void {
  const unfit = [
    ...ofAuthoring.filter((option) => given.text(option) !== null),
    ...['keep', 'auto', 'strict', 'second-issue'].filter((option) => given.flag(option)),
  ];
  const forFork = ['prompt', ...agentOptions].find((option) => given.text(option) !== null);
  if (forFork !== undefined && given.text('from') === null)
    throw new GatewrightError('usage', `--${forFork} is for a fork: give --from STEP too.`, {
      hint: 'A step of an agent is a question to a model, such as --from reviewer#1.',
    });
  if (unfit[0] === undefined) return;
  throw new GatewrightError('usage', `--${unfit[0]} is for issue and lld runs; this is a run of ${whose}.`, {
    hint: `Replay it as it was, with: gatewright replay ${name}`,
  });
}

/** The fork needs the repository, and the ledger that has what the run was told. */
async function fork(app: App, given: Given, tape: Tape, run: AgentRun | null): Promise<number> {
  if (run === null)
    throw new GatewrightError(
      'fork-refused',
      'A run of an agent is forked where it ran, and not from a file.',
      {
        hint: `In its repository: gatewright replay ${tape.head.run} --from STEP`,
      },
    );
  const file = given.text('prompt');
  const prompt = file === null ? null : (await readBrief(resolve(file), 'prompt')).text;
  return forkAgent(app, given, { run, tape, from: given.text('from') ?? '', prompt });
}

/** `run`: the run of this ledger that it is; null for a file. */
export async function replayTaped(
  app: App,
  given: Given,
  { text, name, run }: { readonly text: string; readonly name: string; readonly run: AgentRun | null },
): Promise<number> {
  const tape = parseTape(text, name);
  if ('sessions' in tape) refuseFork(given, tape);
  refuseUnfit(given, name, 'sessions' in tape ? 'a workflow' : 'an agent');
  if (!('sessions' in tape) && given.text('from') !== null) return fork(app, given, tape, run);
  const { prompts } = await app.openTapes();
  const isSame =
    'sessions' in tape
      ? await replayWorkflowRun(app, given, tape, prompts)
      : await replayAgentRun(app, given, tape, prompts);
  return isSame ? exitCodes.done.code : exitCodes.failed.code;
}
