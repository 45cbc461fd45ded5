/** The commands of the fleet: those that let agents act, and those that show and prepare what they go by. */
import { agentNames, scheduleNames } from '../../domain/agent-names.ts';
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
      about: 'Keep a repository alive: agents act on what happens there and on the clock',
      more: 'Runs until it is stopped. What is at work then is put aside, and taken up by the next one. On GitHub it sees to schedules and to runs that wait; what happens there comes with `serve` or `dispatch`.',
      options: [
        { name: 'workers', value: 'N', about: 'How many work at once (default 2)' },
        ...agentModels,
        repo,
      ],
      examples: [['gatewright watch', 'here']],
      load: async () => (await import('./commands/watch.ts')).watch,
    },
    {
      name: 'serve',
      about: 'Keep a repository on GitHub alive: take its webhooks, and act on them and on the clock',
      more: 'Deliveries come to /webhook, signed with GATEWRIGHT_WEBHOOK_SECRET; each is stored before it is acknowledged. /healthz says whether it is there. Runs until it is stopped; what is at work then is put aside, and taken up by the next one. It speaks HTTP: put a proxy that speaks HTTPS before it.',
      options: [
        { name: 'port', value: 'N', about: 'Where it listens (default 8787)' },
        {
          name: 'host',
          value: 'ADDRESS',
          about: 'The address to listen at (default 127.0.0.1: this machine only)',
        },
        { name: 'workers', value: 'N', about: 'How many work at once (default 2)' },
        ...agentModels,
        repo,
      ],
      examples: [
        ['gatewright serve', 'behind a proxy on the same machine'],
        ['gatewright serve --port 9000 --workers 4', 'elsewhere, and more at once'],
      ],
      load: async () => (await import('./commands/serve.ts')).serve,
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
