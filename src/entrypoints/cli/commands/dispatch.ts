/** `dispatch`: handles one delivery, or all open events, by runs of agents; or resumes a stopped run of an agent. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { scheduleOf, schedulesOfCron } from '../../../agents/schedules.ts';
import { writeModelOptions } from '../../../domain/fleet/agent-models.ts';
import { scheduleNames } from '../../../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../../../domain/fleet/event.ts';
import { lastDue, slotDelivery } from '../../../domain/fleet/schedule.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { makeRunId } from '../../../domain/ledger/ids.ts';
import { type AgentRun, isAgentRun, resumeCommandOf } from '../../../domain/ledger/run.ts';
import { isSameRepository } from '../../../domain/ledger/subject.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { makeScheduleEvent } from '../../../fleet/due-schedules.ts';
import { type EventOutcome, handleEvent, handleFeed, handleOpenEvents } from '../../../fleet/handle-event.ts';
import { readEventOfRun } from '../../../fleet/read-event.ts';
import { receiveDeliveries } from '../../../fleet/receive-event.ts';
import { recogniseRepository } from '../../../fleet/recognise-repository.ts';
import { refuseOrder } from '../../../fleet/resume-ordered.ts';
import { type FleetSession, resumeAgentRun } from '../../../fleet/run-agent.ts';
import { describeEnd } from '../../../runs/end-run.ts';
import { findRunsById } from '../../../runs/find-run.ts';
import type { House } from '../../../runs/house.ts';
import type { App } from '../app.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { listenForStop } from '../listen-for-stop.ts';
import { openHouseOf } from '../open-house.ts';
import type { Given, Handler } from '../table/command.ts';
import { type FleetView, makeFleetView } from '../views/fleet-view.ts';
import { listIntended } from '../views/list-intended.ts';

/** GitHub's own limit for a delivery. */
const largestPayload = 25 * 1024 * 1024;

export function readPayload(file: string): { text: string; payload: unknown } {
  const refuse = (why: string, cause?: unknown): never => {
    throw new GatewrightError('event-invalid', `${file === '-' ? 'What was piped in' : file} ${why}.`, {
      cause,
      hint: 'Give the JSON that GitHub delivers, such as the file that $GITHUB_EVENT_PATH names in a workflow.',
    });
  };
  let text = '';
  try {
    if (file !== '-' && statSync(file).size > largestPayload) refuse('is larger than any delivery');
    text = readFileSync(file === '-' ? 0 : resolve(file), 'utf8');
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    refuse('cannot be read', error);
  }
  try {
    return { text, payload: JSON.parse(text) };
  } catch (error) {
    return refuse('is not JSON', error);
  }
}

/** What GitHub sends when the time of a workflow has come. */
const scheduleSchema = z.object({
  schedule: z.string(),
  repository: z.object({ full_name: z.string() }).optional(),
});

function checkRepository(house: House, name: string | undefined): void {
  if (name === undefined || isSameRepository(name, house.repositoryName)) return;
  throw new GatewrightError(
    'event-invalid',
    `This happened in ${name}; this repository is ${house.repositoryName}.`,
    { hint: 'Run it in the right repository, or name that with --repo.' },
  );
}

/** A line of cron, as the slots of the agents whose time it is. A watch that sees the same slot makes the same of it. */
function readCron(app: App, house: House, given: Given, own: string, payload: unknown): FleetEvent[] {
  const { data } = scheduleSchema.safeParse(payload);
  if (data === undefined)
    throw new GatewrightError('event-invalid', 'This is not what GitHub sends for "schedule".');
  checkRepository(house, data.repository?.full_name);
  const named = schedulesOfCron(data.schedule);
  const due = named.filter((name) => house.fleet.agents.includes(name));
  if (due.length === 0)
    app.terminal.say(
      named.length === 0
        ? `No agent has a schedule at "${escapeForLine(data.schedule, 60)}". See the schedules with: gatewright agents`
        : `${named.join(', ')}: switched off here.`,
    );
  const now = house.clock.now();
  const typed = given.text('delivery');
  return due.map((schedule) => {
    const at = lastDue(scheduleOf(schedule), now);
    const delivery =
      typed === null ? slotDelivery(house.repositoryName, schedule, at) : `${typed}/${schedule}`;
    return makeScheduleEvent(house, own, { schedule, delivery, at });
  });
}

/** The events in a file; none when no agent reacts to them. */
async function readGivenEvents(app: App, house: House, given: Given, own: string): Promise<FleetEvent[]> {
  const name = given.text('name') ?? '';
  if (name === '')
    throw new GatewrightError('usage', 'Give --name with the name of the event on GitHub.', {
      hint: 'For example: --name issue_comment. In a workflow it is $GITHUB_EVENT_NAME.',
    });
  const { text, payload } = readPayload(given.text('event') ?? '');
  if (name === 'schedule') return readCron(app, house, given, own, payload);
  // Without an id of its own, a delivery is what it says: the same file again is the same delivery.
  const delivery = given.text('delivery') ?? `file/${sha256(`${name}\n${text}`)}`;
  const event = await app.readDelivery(name, delivery, payload);
  if ('ignored' in event) {
    app.terminal.say(`No agent reacts to ${escapeForLine(event.ignored)}.`);
    return [];
  }
  checkRepository(house, event.repository);
  return [{ ...event, repository: house.repositoryName }];
}

/** A schedule that is due now because the command says so; null when the command names none. */
function readGivenSchedule(house: House, given: Given, own: string): FleetEvent | null {
  const schedule = scheduleNames.find((name) => name === given.text('schedule'));
  if (schedule === undefined) return null;
  if (given.text('event') !== null)
    throw new GatewrightError('usage', 'Give one of --event and --schedule.', {
      hint: 'Run the command twice to deliver both.',
    });
  if (!house.fleet.agents.includes(schedule))
    throw new GatewrightError('usage', `The agent ${schedule} is switched off here.`, {
      hint: 'Add it to fleet.agents (or GATEWRIGHT_AGENTS); `gatewright config show` shows where that is set.',
    });
  const { clock } = house;
  const at = clock.now();
  const delivery = given.text('delivery') ?? `manual/${makeRunId(at, clock.randomBytes(10))}`;
  return makeScheduleEvent(house, own, { schedule, delivery, at });
}

async function findAgentRun(house: House, typed: string): Promise<AgentRun> {
  const [run, another] = await findRunsById(house.views, typed);
  if (run === undefined || another !== undefined)
    throw new GatewrightError(
      'run-not-found',
      `"${typed}" is ${run === undefined ? 'no run' : 'the beginning of several runs'}.`,
    );
  if (!isAgentRun(run))
    throw new GatewrightError('usage', `The run ${run.id} is no agent's.`, {
      hint: `Continue it with: ${resumeCommandOf(run.request, run.id)}`,
    });
  if (run.status === 'done')
    throw new GatewrightError('run-finished', describeEnd(run), {
      hint: `See what it did with: gatewright runs show ${run.id}`,
    });
  return run;
}

/** A workflow that asks a person has done all that it could. */
function worst(all: readonly EventOutcome[]): number {
  const ended = all.flatMap(({ outcomes, workflow }) => [
    ...outcomes,
    ...(workflow === null || workflow.reason.code === 'gate' ? [] : [workflow]),
  ]);
  return Math.max(0, ...ended.map(({ status }) => exitCodeOfStatus(status)));
}

function toJson({ event, isSettled, outcomes, workflow, refused }: EventOutcome): object {
  return {
    delivery: event.delivery,
    event: event.kind,
    settled: isSettled,
    refused,
    runs: outcomes.map(({ run, status, reason, result }) => ({
      run: run.id,
      agent: run.request.agent,
      subject: run.subject,
      status,
      reason,
      result,
    })),
    workflow:
      workflow === null
        ? null
        : {
            ...{ run: workflow.run.id, workflow: workflow.run.request.workflow },
            ...{ subject: workflow.run.subject, status: workflow.status },
            ...{ reason: workflow.reason, result: workflow.result },
          },
  };
}

async function showIntended(app: App, house: House, { outcomes }: EventOutcome): Promise<void> {
  for (const { run } of outcomes)
    for (const line of await listIntended(house, run.id)) app.terminal.say(`  would ${line}`);
}

/** A dry run can show one event only: the events that would follow from it do not exist. */
function checkDryRun(given: Given): void {
  if (!given.flag('dry-run')) return;
  if (given.text('resume') === null && (given.text('event') ?? given.text('schedule')) !== null) return;
  throw new GatewrightError('usage', '--dry-run goes with --event or --schedule.', {
    hint: 'Name the one event to look at. `gatewright explain NUMBER` says why something waits, and changes nothing.',
  });
}

/** An option without effect is a mistake: without an event, the command would handle all open events. */
function checkTogether(given: Given): void {
  const refuse = (message: string): never => {
    throw new GatewrightError('usage', message, {
      hint: 'See its arguments and options with: gatewright dispatch --help',
    });
  };
  const has = (name: string): boolean => given.text(name) !== null;
  if (has('resume') && (has('event') || has('schedule')))
    refuse('Give one of --event, --schedule and --resume.');
  if (has('name') && !has('event')) refuse('--name goes with --event.');
  if (has('delivery') && !has('event') && !has('schedule'))
    refuse('--delivery goes with --event or --schedule.');
}

/** A run that is named is resumed in its own repository, wherever the person is: another one has none of its commits. */
async function openOwnHouse(app: App, given: Given): Promise<House> {
  const [typed, repo] = [given.text('resume'), given.text('repo')];
  const openHere = () => app.openHouse(repo, { forge: null, name: null, asAgent: true });
  if (typed === null || repo !== null) return openHere();
  const [run, another] = await findRunsById((await app.openRecords()).views, typed);
  if (run === undefined || another !== undefined || !isAgentRun(run)) return openHere();
  const { root, repository } = run.request;
  const here = await app.findRoot(null).catch(() => null);
  if (here === root) return openHere();
  // Another clone, or the folder at another place.
  const house = here === null ? null : await openHere();
  if (house !== null && isSameRepository(house.repositoryName, repository)) return house;
  app.terminal.say(`This run works in ${escapeForLine(root, 1000)}`);
  return openHouseOf(app, run, true);
}

/** Resumes one stopped run, and handles the events that follow from it. */
async function goOn(house: House, typed: string, session: FleetSession): Promise<number> {
  const run = await findAgentRun(house, typed);
  const { root, repository } = run.request;
  if (root !== house.repository.root && !isSameRepository(repository, house.repositoryName))
    throw new GatewrightError(
      'usage',
      `The run ${run.id} belongs to ${repository}; this repository is ${house.repositoryName}.`,
      { hint: 'Leave out --repo: a run is resumed in its own repository.' },
    );
  const event = await readEventOfRun(house, run);
  if (event === null)
    throw new GatewrightError('run-not-found', `The event that started the run ${run.id} is not known.`);
  const refusal = await refuseOrder(house, run, event);
  if (refusal !== null)
    throw new GatewrightError('forge-forbidden', `The run ${run.id} is not resumed: ${refusal.detail}.`, {
      hint: `A person with write permission gives the order again, with a comment that mentions @${house.fleet.handle}.`,
    });
  const outcome = await resumeAgentRun(house, run, event, session);
  await handleOpenEvents(house, session, () => undefined);
  return exitCodeOfStatus(outcome.status);
}

async function dispatchGiven(
  app: App,
  given: Given,
  house: House,
  view: FleetView,
  session: FleetSession,
): Promise<number> {
  const typed = given.text('resume');
  if (typed !== null) return goOn(house, typed, session);
  const scheduled = readGivenSchedule(house, given, session.own);
  const isGiven = given.text('event') !== null || scheduled !== null;
  const events =
    given.text('event') === null
      ? [scheduled].filter((one) => one !== null)
      : await readGivenEvents(app, house, given, session.own);
  if (isGiven && events.length === 0) return 0;
  const all: EventOutcome[] = [];
  const note = (outcome: EventOutcome): void => {
    all.push(outcome);
    view.showEvent(outcome);
  };
  if (given.flag('dry-run')) {
    for (const event of events) {
      const outcome = await handleEvent(house, event, { ...session, dryRun: true });
      note(outcome);
      await showIntended(app, house, outcome);
    }
  } else {
    for (const event of events)
      if ((await receiveDeliveries(house, [event])).includes(false))
        app.terminal.say('This delivery was received before; nothing is done twice.');
    if (isGiven) await handleOpenEvents(house, session, note);
    else await handleFeed(house, session, note);
  }
  if (given.flag('json')) app.terminal.printJson(all.map(toJson));
  else if (session.signal?.aborted === true)
    app.terminal.say(
      `Stopped. Continue with: gatewright dispatch${writeModelOptions(house.namedModels)}${house.commandSuffix}`,
    );
  else if (
    all.every(
      ({ outcomes, workflow, refused }) => outcomes.length + refused.length === 0 && workflow === null,
    )
  )
    app.terminal.say(all.length === 0 ? 'Nothing is open.' : 'No agent had to act.');
  return worst(all);
}

export const dispatch: Handler = async (app, given) => {
  checkTogether(given);
  checkDryRun(given);
  const house = await openOwnHouse(app, given);
  const own = await house.forge.whoAmI();
  // The local forge has no names that others could take.
  if (house.eventFeed === null) await recogniseRepository(house);
  const view = makeFleetView(app.terminal, given.flag('json'));
  const stop = listenForStop(view.say);
  try {
    let hasLost = false;
    const onLost: FleetSession['onLost'] = (run) => {
      hasLost = true;
      view.session.onLost?.(run);
    };
    const session = { ...view.session, own, signal: stop.signal, onLost };
    const code = await dispatchGiven(app, given, house, view, session);
    if (stop.signal.aborted) return exitCodes.misused.code;
    return hasLost ? Math.max(code, exitCodes.failed.code) : code;
  } finally {
    stop.close();
    view.close();
  }
};
