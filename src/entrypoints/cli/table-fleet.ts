/** The commands of the fleet: those that let agents act, and those that show and prepare what they go by. */
import { agentNames } from '../../domain/agent-names.ts';
import { scheduleNames } from '../../domain/schedule.ts';
import type { Command, Option } from './command.ts';
import { agentModels, json, repo } from './table-options.ts';

export function fleetCommands(forge: Option): readonly Command[] {
  return [
    {
      name: 'dispatch',
      about: 'Let the agents act on one event, and on what comes of it',
      more: 'Takes what GitHub delivers, writes it down, asks whether whoever caused it may order anything, and runs the agents that it is for, with everything that they hand on to each other. The same delivery again does nothing. Without --event it goes on with what was cut off, and on the local forge with what happened there.',
      options: [
        { name: 'event', value: 'FILE', about: 'The payload as JSON; - reads standard input' },
        { name: 'name', value: 'EVENT', about: 'What GitHub calls it, such as issue_comment' },
        {
          name: 'schedule',
          value: 'NAME',
          about: 'Run an agent that works by the clock now, whenever it is due',
          oneOf: scheduleNames,
        },
        {
          name: 'delivery',
          value: 'ID',
          about:
            'Its id: the same one again does nothing (default: made of what the file holds; new with --schedule)',
        },
        { name: 'resume', value: 'RUN', about: 'Go on with a stopped run of an agent' },
        {
          name: 'dry-run',
          about: 'Show what would be done; change nothing (models are asked, and cost, all the same)',
        },
        ...agentModels,
        repo,
        forge,
        json,
      ],
      examples: [
        ['gatewright dispatch --event event.json --name issue_comment', 'one delivery'],
        ['gatewright dispatch --schedule daily-digest', 'now, not at its hour'],
        ['gatewright dispatch', 'whatever is open'],
      ],
      load: async () => (await import('./commands/dispatch.ts')).dispatch,
    },
    {
      name: 'watch',
      about: 'Keep a repository on the local forge alive: agents act on what happens there and on the clock',
      more: 'Runs until it is stopped. Coding agents that are at work then are stopped too; their runs are taken up by the next watch.',
      options: [
        { name: 'workers', value: 'N', about: 'How many work at once (default 2)' },
        ...agentModels,
        repo,
      ],
      examples: [['gatewright watch', 'here']],
      load: async () => (await import('./commands/watch.ts')).watch,
    },
    {
      name: 'agents',
      about: 'Who reacts to what: the ten agents, what wakes each, and how far it may go',
      more: 'With a name: its help page, with when it stops and how to hold it back.',
      args: [{ name: 'NAME', about: 'One of them', isOptional: true, oneOf: agentNames }],
      options: [...agentModels, { ...repo, value: 'PATH', about: 'Another repository: its folder' }, json],
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
