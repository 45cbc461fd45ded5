/** The commands that show and prepare what the agents go by. */
import { agentNames } from '../../domain/agent-names.ts';
import type { Command, Option } from './command.ts';
import { json, repo } from './table-options.ts';

export function fleetCommands(forge: Option): readonly Command[] {
  return [
    {
      name: 'agents',
      about: 'Who reacts to what: the ten agents, what wakes each, and how far it may go',
      more: 'With a name: its help page, with when it stops and how to hold it back.',
      args: [{ name: 'NAME', about: 'One of them', isOptional: true, oneOf: agentNames }],
      options: [json],
      examples: [
        ['gatewright agents', 'all of them'],
        ['gatewright agents implementer', 'everything about one'],
      ],
      load: async () => (await import('./commands/agents.ts')).showAgents,
    },
    {
      name: 'labels',
      about: 'The labels that Gatewright knows: who may set each, and who reads it',
      options: [json],
      load: async () => (await import('./commands/labels.ts')).listLabelTable,
    },
    {
      name: 'labels list',
      about: 'The same as: gatewright labels',
      options: [json],
      load: async () => (await import('./commands/labels.ts')).listLabelTable,
    },
    {
      name: 'labels sync',
      about: 'Make the labels that are missing on the forge',
      more: 'Makes ours and those of the configuration. A label that is there in another colour or with another description is reported and left as it is: people may have chosen it so.',
      options: [{ name: 'dry-run', about: 'Show what would be made; change nothing' }, repo, forge, json],
      examples: [
        ['gatewright labels sync --dry-run', 'look first'],
        ['gatewright labels sync', 'make what is missing'],
      ],
      load: async () => (await import('./commands/labels.ts')).syncLabels,
    },
  ];
}
