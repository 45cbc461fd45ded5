/** Which model has which role in the fleet, and the default for each role. */

import { quoteForShell } from '../text/quote-for-shell.ts';

export const agentRoles = ['coder', 'planner', 'reviewer', 'writer'] as const;
export type AgentRole = (typeof agentRoles)[number];

/** Each as `provider:model`. */
export type AgentModels = Readonly<Record<AgentRole, string>>;

/** How one is spoken of, what it does, and by what it is chosen. */
interface RoleNames {
  readonly title: string;
  readonly about: string;
  readonly setting: string;
  readonly variable: string;
  readonly option: string;
}

function named(title: string, setting: string, option: string, about: string): RoleNames {
  const variable = `GATEWRIGHT_${option.toUpperCase().replaceAll('-', '_')}`;
  return { title, about, setting: `models.${setting}`, variable, option };
}

export const agentRoleNames: Readonly<Record<AgentRole, RoleNames>> = {
  coder: named('coder', 'coder', 'coder', 'who writes code'),
  planner: named('planner', 'planner', 'planner', 'who plans; a recorded coder plans itself'),
  reviewer: named('code reviewer', 'codeReviewer', 'code-reviewer', 'who reviews code'),
  writer: named('writer', 'writer', 'writer', 'who puts what agents found into words'),
};

/**
 * A stronger model plans than implements. These are the CLI's names for the newest model of a size, not names of models:
 * those are withdrawn one day. See docs/decisions/2026-11-15-models-of-the-fleet.md.
 */
export const usualAgentModels: AgentModels = {
  coder: 'claude:sonnet',
  planner: 'claude:opus',
  reviewer: 'claude:default',
  writer: 'claude:default',
};

/**
 * The default planner. If the coder is a recording, the same recording plans, so that a replay never calls a paid
 * model.
 */
export function usualPlanner(coder: string): string {
  return coder.startsWith('cassette:') ? coder : usualAgentModels.planner;
}

/** The model of a role, and whether a person chose it or it is the default. */
export interface AgentModelChoice {
  readonly spec: string;
  readonly isChosen: boolean;
}

export function specsOf(choices: Readonly<Record<AgentRole, AgentModelChoice>>): AgentModels {
  const { coder, planner, reviewer, writer } = choices;
  return { coder: coder.spec, planner: planner.spec, reviewer: reviewer.spec, writer: writer.spec };
}

/** Whether a model takes several turns to one answer; a provider's is called once, and so is a recording. */
export function takesTurns(spec: string): boolean {
  return spec.startsWith('claude:');
}

/** The options that name these models, each with a space before it. */
export function writeModelOptions(models: Readonly<Partial<AgentModels>>): string {
  return agentRoles
    .flatMap((role) => {
      const spec = models[role];
      return spec === undefined ? [] : [` --${agentRoleNames[role].option} ${quoteForShell(spec)}`];
    })
    .join('');
}
