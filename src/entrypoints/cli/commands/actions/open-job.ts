/** The job that a command is started in: its workflow run, its agents, and the events that it is for. */
import { z } from 'zod';
import { scheduleOf, schedulesOfCron } from '../../../../agents/schedules.ts';
import { readActionsRun } from '../../../../config/read-actions-run.ts';
import { identifyActionsEvent, identifyActionsSchedule } from '../../../../domain/fleet/actions-delivery.ts';
import { agentNames, workflowNames } from '../../../../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../../../../domain/fleet/event.ts';
import { lastDue } from '../../../../domain/fleet/schedule.ts';
import { isSameRepository } from '../../../../domain/ledger/subject.ts';
import type { Proposal } from '../../../../domain/proposals/proposal.ts';
import { GatewrightError } from '../../../../errors.ts';
import { makeScheduleEvent } from '../../../../fleet/due-schedules.ts';
import type { ActionsJob } from '../../../../fleet/proposals/run-job.ts';
import type { House } from '../../../../runs/house.ts';
import type { App } from '../../app.ts';
import type { Given } from '../../table/command.ts';
import { readPayload } from '../dispatch.ts';

const workers = [...agentNames, ...workflowNames, 'label-keeper'] as const;

function readAgents(given: Given): Proposal['agents'] {
  const names = (given.text('agents') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = workers.filter((name) => names.includes(name));
  const unknown = names.filter((name) => !workers.some((one) => one === name));
  if (known.length > 0 && unknown.length === 0) return known;
  throw new GatewrightError(
    'usage',
    unknown.length === 0
      ? 'Give --agents with the agents of this workflow.'
      : `No agent is called "${unknown[0]}".`,
    { hint: `They are: ${workers.join(', ')}` },
  );
}

export interface OpenJob extends Omit<ActionsJob, 'agents'> {
  readonly agents: Proposal['agents'];
  readonly events: readonly FleetEvent[];
  readonly outputFile: string | null;
  readonly summaryFile: string | null;
  readonly url: string;
}

const cronSchema = z.object({ schedule: z.string() });

/** What woke the workflow run, and the delivery that stands for it. */
async function readEvents(
  app: App,
  house: House,
  agents: Proposal['agents'],
  own: string,
): Promise<{ readonly delivery: string | null; readonly events: FleetEvent[] }> {
  const { eventName, eventFile, workflowRun } = readActionsRun(app.config.environment);
  // It was started for what is open.
  if (eventName === 'workflow_dispatch' || eventName === 'repository_dispatch')
    return { delivery: null, events: [] };
  const { text, payload } = readPayload(eventFile);
  if (eventName === 'schedule') {
    const { data } = cronSchema.safeParse(payload);
    const due = data === undefined ? [] : schedulesOfCron(data.schedule);
    const events = due
      .filter((name) => agents.includes(name) && house.fleet.agents.includes(name))
      .map((schedule) =>
        makeScheduleEvent(house, own, {
          schedule,
          delivery: identifyActionsSchedule(agents, workflowRun, schedule),
          at: lastDue(scheduleOf(schedule), house.clock.now()),
        }),
      );
    return { delivery: identifyActionsSchedule(agents, workflowRun, 'due'), events };
  }
  const delivery = identifyActionsEvent(agents, eventName, text);
  const event = await app.readDelivery(eventName, delivery, payload);
  if ('ignored' in event) return { delivery, events: [] };
  if (!isSameRepository(event.repository, house.repositoryName))
    throw new GatewrightError(
      'event-invalid',
      `This happened in ${event.repository}; this repository is ${house.repositoryName}.`,
    );
  return { delivery, events: [{ ...event, repository: house.repositoryName }] };
}

export async function openJob(app: App, given: Given, house: House, own: string): Promise<OpenJob> {
  const agents = readAgents(given);
  const run = readActionsRun(app.config.environment);
  const { delivery, events } = await readEvents(app, house, agents, own);
  const { workflowRun, attempt, base, workflowFile, outputFile, summaryFile, url } = run;
  const repository = house.repositoryName;
  return {
    ...{ agents, events, workflowFile, outputFile, summaryFile, url },
    place: { repository, workflowRun, attempt, base, agents, event: delivery },
  };
}
