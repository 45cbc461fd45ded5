/** What a person wants to know first: what waits for them, why a number does not move, the fleet, and what it costs. */
import { manifestOf } from '../../../../agents/agents.ts';
import { slotOf } from '../../../../agents/manifest.ts';
import { agentNames } from '../../../../domain/fleet/agent-names.ts';
import { describeSchedule, nextDue } from '../../../../domain/fleet/schedule.ts';
import { agentOf, type RunSummary } from '../../../../domain/ledger/run.ts';
import { isSameRepository } from '../../../../domain/ledger/subject.ts';
import { GatewrightError } from '../../../../errors.ts';
import { explainNumber } from '../../../../fleet/explain-number.ts';
import type { Cost } from '../../../../ports/ledger.ts';
import { describeWaiting } from '../../../../runs/describe-waiting.ts';
import { resumeText } from '../../../../runs/explain-subject.ts';
import { readStatus } from '../../../../runs/read-status.ts';
import type { ApiTools } from '../api-tools.ts';
import { renderGate } from '../render/render-gate.ts';
import { renderRun, renderRuns } from '../render/render-run.ts';
import {
  costsSchema,
  explanationSchema,
  type FleetAnswer,
  fleetSchema,
  type InboxAnswer,
  inboxSchema,
  numberParams,
  numberQuery,
} from '../schemas/overview.ts';
import { defineRoute, type Route } from './route.ts';

const day = 86_400_000;

async function readInbox(tools: ApiTools): Promise<InboxAnswer> {
  const { views, leases, closed, clock, repositoryName, fleet } = tools;
  const folder = fleet.repository.root;
  const status = await readStatus(
    // A folder that was moved away is found by commands in its new place; here it is this one.
    { views, leases, closed, folder, exists: () => true, onlyOf: repositoryName },
    clock.now(),
  );
  const { gates, asked, stopped, running, dismissed, today } = status;
  return {
    waiting: gates.map(renderGate),
    onForge: asked.map((one) => {
      const { subject, what, at: since } = one;
      return { subject, what, since, ...describeWaiting(one) };
    }),
    stopped: stopped.map(({ run, standing, why, isHeld }) => {
      const resume = isHeld ? '' : resumeText(run);
      return { run: renderRun(run, standing), why, isHeld, resume };
    }),
    running: running.map((run) => renderRun(run, 'running')),
    dismissed: dismissed.length,
    today: { ...today, hasUnpriced: today.hasUnpriced === true },
  };
}

async function describeAgent(
  tools: ApiTools,
  name: (typeof agentNames)[number],
  runs: readonly RunSummary[],
): Promise<FleetAnswer['agents'][number]> {
  const { fleet, clock, agentModels } = tools;
  const manifest = manifestOf(name);
  const { purpose, triggers, model, planTurns } = manifest;
  const slot = slotOf(manifest);
  const isOn = fleet.fleet.agents.includes(name);
  const asks = model === 'none' ? [] : planTurns === undefined ? [model] : (['planner', model] as const);
  const last = runs.filter(({ request }) => agentOf(request) === name);
  const [lastRun = null] = await renderRuns(tools, last, []);
  return {
    ...{ name, purpose, isOn, lastRun },
    asks: asks.map((role) => agentModels[role]),
    wakes: triggers.map((one) =>
      'schedule' in one ? describeSchedule(one.schedule) : `${one.on}: ${one.when}`,
    ),
    nextAt: slot === null || !isOn ? null : nextDue(slot, clock.now()).toISOString(),
  };
}

const renderCost = ({ usd, atMostUsd, hasUnpriced }: Cost) => ({
  usd,
  atMostUsd,
  hasUnpriced: hasUnpriced === true,
});

export const overviewRoutes: readonly Route[] = [
  defineRoute({
    path: '/api/inbox',
    name: 'showInbox',
    about: 'What waits for a person, what stopped, what runs, and what today came to.',
    answer: inboxSchema,
    handle: ({ tools }) => readInbox(tools),
  }),
  defineRoute({
    path: '/api/numbers/:number',
    name: 'explainNumber',
    about: 'Why an issue or a pull request is where it is, and what would move it.',
    params: numberParams,
    query: numberQuery,
    answer: explanationSchema,
    handle: async ({ tools: { fleet, repositoryName } }, { params: { number }, query: { repository } }) => {
      if (repository !== undefined && !isSameRepository(repository, repositoryName))
        throw new GatewrightError('subject-not-found', `This server does not serve ${repository}.`, {
          hint: `It serves ${repositoryName}.`,
        });
      const explained = await explainNumber(fleet, await fleet.forge.whoAmI(), number);
      const { conditions, lately, grounds, ...rest } = explained;
      const more = grounds === undefined ? {} : { grounds: [...grounds] };
      return { ...rest, conditions: [...conditions], lately: [...lately], ...more };
    },
  }),
  defineRoute({
    path: '/api/fleet',
    name: 'showFleet',
    about: 'The ten agents: what wakes each, its last run, and when its schedule is next.',
    answer: fleetSchema,
    handle: async ({ tools }) => {
      const runs = await tools.views.listLastRuns(tools.repositoryName);
      const agents = await Promise.all(agentNames.map((name) => describeAgent(tools, name, runs)));
      return { handle: tools.fleet.fleet.handle, agents };
    },
  }),
  defineRoute({
    path: '/api/costs',
    name: 'showCosts',
    about: 'What the work cost, and how much the budgets allow.',
    answer: costsSchema,
    handle: async ({ tools: { views, clock, repositoryName, fleet } }) => {
      const now = clock.now();
      const midnight = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
      const since = async (moment: string) => renderCost(await views.costSince(moment, repositoryName));
      const ago = (days: number): string => new Date(now.getTime() - days * day).toISOString();
      const { budget } = fleet;
      return {
        today: await since(midnight),
        week: await since(ago(7)),
        month: await since(ago(30)),
        budget: {
          dayUsd: budget.day.usd,
          spentTodayUsd: (await views.costSince(midnight)).usd,
          runUsd: budget.run.usd,
          issueUsd: budget.issue.usd,
        },
      };
    },
  }),
];
