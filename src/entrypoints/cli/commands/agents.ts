/** `agents`: who reacts to what. Reads the table, and from the settings who would be asked; nothing else. */
import { loadConfig } from '../../../config/load-config.ts';
import { type AgentModels, specsOf } from '../../../domain/agent-models.ts';
import { type AgentName, agentNames } from '../../../domain/agent-names.ts';
import { agentTable } from '../../../domain/agent-table.ts';
import { cronOf } from '../../../domain/schedule.ts';
import { agentOverview, agentPage } from '../agent-view.ts';
import type { Handler } from '../command.ts';

function asJson(name: AgentName, models: AgentModels) {
  const { triggers, help, ...rest } = agentTable[name];
  const asks =
    rest.model === 'none'
      ? []
      : rest.planTurns === undefined
        ? [rest.model]
        : (['planner', rest.model] as const);
  return {
    name,
    ...rest,
    asks: Object.fromEntries(asks.map((role) => [role, models[role]])),
    triggers: triggers.map((one) => ('schedule' in one ? { ...one, cron: cronOf(one.schedule) } : one)),
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
