/**
 * `agents`: which agent reacts to what. Reads the manifests, and from the settings which models they use; nothing else.
 */

import { manifestOf } from '../../../agents/agents.ts';
import type { Trigger } from '../../../agents/manifest.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { type AgentModels, specsOf } from '../../../domain/fleet/agent-models.ts';
import { type AgentName, agentNames } from '../../../domain/fleet/agent-names.ts';
import { cronOf } from '../../../domain/fleet/schedule.ts';
import type { Handler } from '../table/command.ts';
import { agentOverview, agentPage } from '../views/agent-view.ts';

function triggerAsJson(name: AgentName, trigger: Trigger) {
  if ('schedule' in trigger) return { schedule: name, cron: cronOf(trigger.schedule) };
  const { on, as, when } = trigger;
  return { on, as, when };
}

function asJson(name: AgentName, models: AgentModels) {
  const { purpose, triggers, model, turns, planTurns, may, help } = manifestOf(name);
  const asks = model === 'none' ? [] : planTurns === undefined ? [model] : (['planner', model] as const);
  return {
    ...{ name, purpose, model, turns },
    ...(planTurns === undefined ? {} : { planTurns }),
    may,
    asks: Object.fromEntries(asks.map((role) => [role, models[role]])),
    triggers: triggers.map((one) => triggerAsJson(name, one)),
    help,
  };
}

export const showAgents: Handler = async (app, given) => {
  const name = agentNames.find((one) => one === given.args[0]);
  const config = loadConfig(app.config, await app.findRoot(given.text('repo')));
  const models = specsOf(config.agentModels);
  if (given.flag('json'))
    app.terminal.printJson(
      name === undefined ? agentNames.map((one) => asJson(one, models)) : asJson(name, models),
    );
  else app.terminal.print(name === undefined ? agentOverview(models) : agentPage(name, models));
  return 0;
};
