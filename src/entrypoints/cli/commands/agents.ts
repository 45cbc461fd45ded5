/** `agents`: who reacts to what. Reads the table and nothing else. */
import { type AgentName, agentNames } from '../../../domain/agent-names.ts';
import { agentTable } from '../../../domain/agent-table.ts';
import { cronOf } from '../../../domain/schedule.ts';
import { agentOverview, agentPage } from '../agent-view.ts';
import type { Handler } from '../command.ts';

function asJson(name: AgentName) {
  const { triggers, help, ...rest } = agentTable[name];
  return {
    name,
    ...rest,
    triggers: triggers.map((one) => ('schedule' in one ? { ...one, cron: cronOf(one.schedule) } : one)),
    help,
  };
}

export const showAgents: Handler = async (app, given) => {
  const name = agentNames.find((one) => one === given.args[0]);
  if (given.flag('json')) app.terminal.printJson(name === undefined ? agentNames.map(asJson) : asJson(name));
  else app.terminal.print(name === undefined ? agentOverview() : agentPage(name));
  return 0;
};
