/** What a person chose for GitHub Actions mode, by options or before; and what follows from it. */
import { agentManifests, manifestOf } from '../../../../agents/agents.ts';
import type { Config } from '../../../../config/load-config.ts';
import { type AgentName, agentNames } from '../../../../domain/fleet/agent-names.ts';
import { nearestWords } from '../../../../domain/text/nearest-word.ts';
import { GatewrightError } from '../../../../errors.ts';
import { findBuilds } from '../../../../setup/actions/generate/find-builds.ts';
import { planActionsFiles, readPlainFile } from '../../../../setup/actions/generate/plan-files.ts';
import { parseChoice } from '../../../../setup/actions/generate/rules/parse-choice.ts';
import {
  type ActionsOptions,
  actionFile,
  readChoice,
  wantedFiles,
  workflowPathOf,
} from '../../../../setup/actions/generate/rules/wanted-files.ts';
import type { ActionsNeeds } from '../../../../setup/checkup/actions-checks.ts';
import type { App } from '../../app.ts';
import { wantedLabels } from '../../wanted-labels.ts';

const listOf = (text: string | null): string[] | null =>
  text === null
    ? null
    : text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');

function readAgents(names: readonly string[]): AgentName[] {
  for (const name of names)
    if (!agentNames.some((one) => one === name)) {
      const [near] = nearestWords(name, agentNames, 3);
      throw new GatewrightError('usage', `There is no agent "${name}".`, {
        hint: near === undefined ? `The agents are ${agentNames.join(', ')}.` : `Did you mean ${near}?`,
      });
    }
  return agentNames.filter((name) => names.includes(name));
}

/** As options of the command line; null: as chosen before. */
interface AskedOptions {
  readonly agents: string | null;
  readonly runner: string | null;
  readonly source: string | null;
}

interface Place {
  readonly app: App;
  readonly config: Config;
  readonly root: string;
}

export function chooseActionsOptions(asked: AskedOptions, { app, config, root }: Place): ActionsOptions {
  const found = readPlainFile(root, actionFile);
  const before = found === null || 'unfit' in found ? null : parseChoice(readChoice(found.text));
  const named = listOf(asked.agents);
  const choice = parseChoice({
    agents: named === null ? (before?.agents ?? agentNames) : readAgents(named),
    runner: listOf(asked.runner) ?? before?.runner ?? ['ubuntu-latest'],
    source: asked.source ?? before?.source ?? undefined,
  });
  if (choice === null)
    throw new GatewrightError('usage', 'These options name no agents, no machines or no folder.', {
      hint: 'Labels of machines hold letters, digits and - _ . only; at least one agent and one label is needed.',
    });
  return {
    ...choice,
    handle: config.fleet.handle,
    builds: findBuilds(root),
    labelKeeper: manifestOf('label-keeper'),
    version: app.version,
  };
}

/** What `doctor --actions` compares the repository with. */
export function actionsNeeds(place: Place): ActionsNeeds {
  const { config, root } = place;
  const options = chooseActionsOptions({ agents: null, runner: null, source: null }, place);
  const chosen = agentManifests.filter(({ name }) => options.agents.includes(name));
  return {
    files: planActionsFiles(root, wantedFiles(agentManifests, options)),
    workflows: chosen.map(({ name }) => workflowPathOf(name)),
    labels: wantedLabels(config).map(({ name }) => name),
    asksModels: chosen.some(({ model }) => model !== 'none'),
    opensPullRequests: chosen.some(({ may }) => may['create-pull-request'] !== undefined),
  };
}
