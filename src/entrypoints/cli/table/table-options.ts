/** Options that many commands have, said the same way everywhere. */
import { agentRoleNames, agentRoles, usualAgentModels } from '../../../domain/fleet/agent-models.ts';
import type { Option } from './command.ts';

export const json: Option = { name: 'json', about: 'Print the result as JSON' };
export const repo: Option = {
  name: 'repo',
  value: 'PATH|OWNER/NAME',
  about: 'Another repository: its folder, or its name on the forge',
};

export const limit: Option = {
  name: 'limit',
  short: 'L',
  value: 'N',
  about: 'List at most so many (default 30)',
};

/** Which model has which role in the fleet. */
export const agentModels: readonly Option[] = agentRoles.map((role) => {
  const { option, about } = agentRoleNames[role];
  return {
    name: option,
    value: 'PROVIDER:MODEL',
    about: `${about.replace(/^./u, (first) => first.toUpperCase())} (default: as configured, else ${usualAgentModels[role]})`,
  };
});
