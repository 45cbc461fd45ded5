/** The resolved settings of the agents as the rest of the program takes them. */
import { type AgentName, agentNames } from '../domain/fleet/agent-names.ts';
import {
  type FleetSettings,
  loopLabelSettings,
  proofDemands,
  strategySettings,
} from '../domain/fleet/fleet-settings.ts';
import type { Resolved } from './resolve-settings.ts';

export function buildFleet(settings: ReadonlyMap<string, Resolved>): FleetSettings {
  const text = (key: string): string | null => {
    const value = settings.get(`fleet.${key}`)?.value;
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const list = (key: string): readonly string[] | null => {
    const value = settings.get(`fleet.${key}`)?.value;
    if (!Array.isArray(value)) return null;
    return [...new Set(value.filter((one) => typeof one === 'string'))];
  };
  const verify = text('verify');
  const strategy = strategySettings.find((one) => one === text('strategy'));
  const on = new Set(list('agents') ?? agentNames);
  return {
    handle: text('handle') ?? 'claude',
    bots: list('bots') ?? [],
    verify: verify?.split(' ') ?? null,
    proof: proofDemands.find((one) => one === text('proof')) ?? 'warn',
    ...(strategy === undefined ? {} : { strategy }),
    loopLabels: loopLabelSettings.find((one) => one === text('loopLabels')) ?? 'on',
    setup: text('setup')?.split(' ') ?? null,
    setupHosts: list('setupHosts') ?? [],
    agentCommands: list('agentCommands') ?? (verify === null ? [] : [verify]),
    requiredChecks: list('requiredChecks') ?? [],
    testsAtOnce: Number(settings.get('limits.testsAtOnce')?.value ?? 1),
    template: text('template'),
    // In the order of the table, no matter which order a file has.
    agents: agentNames.filter((name: AgentName) => on.has(name)),
  };
}
