/** The commands of the fleet: those that let agents act, and those that show and prepare what they go by. */
import { agentNames, scheduleNames } from '../../../domain/fleet/agent-names.ts';
import type { Command, Option } from './command.ts';
import { agentModels, json, repo } from './table-options.ts';

export function fleetCommands(forge: Option): readonly Command[] {
  return [
    {
      name: 'dispatch',
      about: 'Let the agents handle one event and everything that follows from it',
      more: 'Records a delivery of GitHub, checks the permission of its author, and runs the agents that react to it, with all work that they hand on to each other. The same delivery again does nothing. Without --event it resumes runs that were cut off, and on the local forge handles new events.',
      options: [
        { name: 'event', value: 'FILE', about: 'The payload as JSON; - reads standard input' },
        { name: 'name', value: 'EVENT', about: 'The name of the event on GitHub, such as issue_comment' },
        {
          name: 'schedule',
          value: 'NAME',
          about: 'Run an agent with a schedule now, whenever it is due',
          oneOf: scheduleNames,
        },
        {
          name: 'delivery',
          value: 'ID',
          about:
            'The id of the delivery: the same id again does nothing (default: made of the content of the file; new with --schedule)',
        },
        { name: 'resume', value: 'RUN', about: 'Resume a stopped run of an agent' },
        {
          name: 'dry-run',
          about: 'Show what would be done; change nothing (models are still called and paid)',
        },
        ...agentModels,
        repo,
        forge,
        json,
      ],
      examples: [
        ['gatewright dispatch --event event.json --name issue_comment', 'one delivery'],
        ['gatewright dispatch --schedule daily-digest', 'now, not at its time'],
        ['gatewright dispatch', 'all open events'],
      ],
      load: async () => (await import('../commands/dispatch.ts')).dispatch,
    },
    {
      name: 'watch',
      about: 'Run the fleet: agents act on events of the local forge and on schedules',
      more: 'Runs until you stop it; it then saves the runs, and the next start resumes them. On GitHub it only runs schedules and resumes waiting runs; `serve` or `dispatch` receive the events.',
      options: [
        { name: 'workers', value: 'N', about: 'How many agents work at the same time (default 2)' },
        ...agentModels,
        repo,
      ],
      examples: [['gatewright watch', 'here']],
      load: async () => (await import('../commands/watch.ts')).watch,
    },
    {
      name: 'serve',
      about: 'Run the fleet as a server: with webhooks on GitHub, with a dashboard on the local forge',
      more: 'On GitHub it receives deliveries at /webhook, signed with GATEWRIGHT_WEBHOOK_SECRET, and stores each one before it acknowledges it; put an HTTPS proxy in front of it. On the local forge it works as `watch` does and shows a dashboard to this machine, with an API under /api: the link that it prints opens a session once, within ten minutes. /healthz answers while it runs. Runs until you stop it; it then saves the runs, and the next start resumes them.',
      options: [
        { name: 'port', value: 'N', about: 'The port to listen at (default 8787)' },
        {
          name: 'host',
          value: 'ADDRESS',
          about: 'The address to listen at (default 127.0.0.1: this machine only)',
        },
        { name: 'workers', value: 'N', about: 'How many agents work at the same time (default 2)' },
        { name: 'link', about: 'Show a new link to the server that runs already, and exit (local forge)' },
        ...agentModels,
        repo,
      ],
      examples: [
        ['gatewright serve', 'here'],
        ['gatewright serve --link', 'a new link, when the first one was used or is too old'],
        ['gatewright serve --port 9000 --workers 4', 'another port, and more agents at the same time'],
      ],
      load: async () => (await import('../commands/serve.ts')).serve,
    },
    {
      name: 'agents',
      about: 'List the ten agents: what each reacts to and what it may do',
      more: 'With a name: the help page of that agent, with when it stops and how to keep it from acting.',
      args: [{ name: 'NAME', about: 'The name of an agent', isOptional: true, oneOf: agentNames }],
      options: [...agentModels, { ...repo, value: 'PATH', about: 'Another repository: its folder' }, json],
      examples: [
        ['gatewright agents', 'all agents'],
        ['gatewright agents implementer', 'all about one agent'],
      ],
      load: async () => (await import('../commands/agents.ts')).showAgents,
    },
    {
      name: 'labels',
      about: 'The labels that Gatewright knows: who may set each, and who reads it',
      options: [json],
      load: async () => (await import('../commands/labels.ts')).listLabelTable,
    },
    {
      name: 'labels list',
      about: 'The same as: gatewright labels',
      options: [json],
      load: async () => (await import('../commands/labels.ts')).listLabelTable,
    },
    {
      name: 'labels sync',
      about: 'Make the labels that are missing on the forge',
      more: 'Makes our labels and those of the configuration. It reports an existing label with another colour or description and does not change it: people may have chosen it so.',
      options: [{ name: 'dry-run', about: 'Show what would be made; change nothing' }, repo, forge, json],
      examples: [
        ['gatewright labels sync --dry-run', 'look first'],
        ['gatewright labels sync', 'make the missing labels'],
      ],
      load: async () => (await import('../commands/labels.ts')).syncLabels,
    },
  ];
}
