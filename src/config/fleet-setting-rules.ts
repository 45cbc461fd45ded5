/** The settings of the agents, and who may set them. A part of the table in setting-rules.ts. */
import { agentNames } from '../domain/agent-names.ts';
import type { SettingRule } from './setting-rules.ts';

const startsProgram = 'it starts a program on your machine';

export const fleetSettingRules: readonly SettingRule[] = [
  {
    key: 'fleet.handle',
    about: 'what people call the agent by in issues and comments, without the @',
    repository: 'set',
    userFile: true,
    variables: ['GATEWRIGHT_HANDLE'],
    option: null,
    fallback: 'claude',
  },
  {
    key: 'fleet.bots',
    about: 'logins of programs whose word counts like that of a person',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_BOTS'],
    option: null,
    because: 'whoever is listed can give orders',
    fallback: null,
  },
  {
    key: 'fleet.verify',
    about: 'the command that shows whether a change works, such as `npm test`; words, no shell',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_VERIFY'],
    option: null,
    because: startsProgram,
    fallback: null,
  },
  {
    key: 'fleet.setup',
    about:
      'the command that fetches what a copy of the repository needs before it can be worked on or checked, such as `npm ci`; words, no shell',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_SETUP'],
    option: null,
    because: startsProgram,
    fallback: null,
  },
  {
    key: 'fleet.setupHosts',
    about: 'what that command can reach, as `HOST:PORT`; everything else is out of its reach',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_SETUP_HOSTS'],
    option: null,
    because: 'it opens the sandbox to the network',
    fallback: null,
  },
  {
    key: 'fleet.agentCommands',
    about:
      'commands that the coding agent may run; ` *` at the end allows any further words. The command of `fleet.verify` unless said otherwise',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_AGENT_COMMANDS'],
    option: null,
    because: startsProgram,
    fallback: null,
  },
  {
    key: 'fleet.tools',
    about:
      'folders with tools that commands in the [sandbox](sandbox.md#toolchains-in-your-home) may read, beside those that your search path leads to; such as `~/tools/flutter`',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_TOOLS'],
    option: null,
    because: 'it shows more of your files to agents',
    fallback: null,
  },
  {
    key: 'fleet.requiredChecks',
    about: 'checks that have to be green before an agent merges, beside those that the forge requires',
    repository: 'add',
    userFile: true,
    variables: [],
    option: null,
    because: 'fewer checks would let more be merged',
    fallback: null,
  },
  {
    key: 'fleet.template',
    about:
      'the repository to bring changes over from: a folder, seen from the root of this one, or an address',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_TEMPLATE'],
    option: null,
    because: 'somebody else’s files would be brought in, and a folder of yours could be read',
    fallback: null,
  },
  {
    key: 'fleet.agents',
    about: 'which agents are on',
    repository: 'leave-out',
    userFile: true,
    variables: ['GATEWRIGHT_AGENTS'],
    option: null,
    because: 'each of them acts with your rights',
    fallback: agentNames,
  },
];
