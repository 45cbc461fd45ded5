/** The settings of the agents, and who may set them. A part of the table in setting-rules.ts. */
import { agentNames } from '../domain/fleet/agent-names.ts';
import { loopLabelSettings, proofDemands } from '../domain/fleet/fleet-settings.ts';
import type { SettingRule } from './setting-rules.ts';

const startsProgram = 'it starts a program on your machine';

export const fleetSettingRules: readonly SettingRule[] = [
  {
    key: 'fleet.handle',
    about: 'the name that people mention in issues and comments to call the agent, without the @',
    repository: 'set',
    userFile: true,
    variables: ['GATEWRIGHT_HANDLE'],
    option: null,
    fallback: 'claude',
  },
  {
    key: 'fleet.bots',
    about: 'logins of programs that may give orders, as people with write permission may',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_BOTS'],
    option: null,
    because: 'a listed program can give orders',
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
    key: 'fleet.proof',
    about:
      'whether the tests of a change have to [prove](proof.md) it: `off`, `warn` (what is missing is said) or `enforce` (a change that is not proven needs a person)',
    repository: 'tighten',
    userFile: true,
    variables: ['GATEWRIGHT_PROOF'],
    option: null,
    because: 'a change could switch off what judges it',
    fallback: 'warn',
    strictness: proofDemands,
  },
  {
    key: 'fleet.strategy',
    about:
      'how the implementer carries out an order: `direct`, `pipeline` (through the stages of the [pipeline](pipeline.md)), `loop` (as a [loop](loop.md), task by task) or `by-size` (as a loop when the approved design names more than 8 files)',
    repository: 'set',
    userFile: true,
    variables: ['GATEWRIGHT_STRATEGY'],
    option: null,
    fallback: null,
  },
  {
    key: 'fleet.loopLabels',
    about:
      'whether the label that asks for a plan starts a [loop](loop.md), and the label of an approved plan approves it: `on` or `off` (labels only show the stage; commands and comments still count)',
    repository: 'tighten',
    userFile: true,
    variables: ['GATEWRIGHT_LOOP_LABELS'],
    option: null,
    because: 'a loop spends your money',
    fallback: 'on',
    strictness: loopLabelSettings,
  },
  {
    key: 'fleet.setup',
    about:
      'the command that installs what a copy of the repository needs before work or checks, such as `npm ci`; words, no shell',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_SETUP'],
    option: null,
    because: startsProgram,
    fallback: null,
  },
  {
    key: 'fleet.setupHosts',
    about: 'the hosts that this command can reach, as `HOST:PORT`; it can reach no others',
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
      'commands that the coding agent may run; ` *` at the end allows any further words. Default: the command of `fleet.verify`',
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
      'folders with tools that commands in the [sandbox](sandbox.md#toolchains-in-your-home) may read, in addition to those on your search path; such as `~/tools/flutter`',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_TOOLS'],
    option: null,
    because: 'it shows more of your files to agents',
    fallback: null,
  },
  {
    key: 'fleet.requiredChecks',
    about:
      'checks that have to be green before an agent merges, in addition to those that the forge requires',
    repository: 'add',
    userFile: true,
    variables: [],
    option: null,
    because: 'fewer checks would let more be merged',
    fallback: null,
  },
  {
    key: 'fleet.template',
    about: 'the template repository: a folder, relative to the root of this repository, or an address',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_TEMPLATE'],
    option: null,
    because: 'it would copy files of another repository, and could read a folder of yours',
    fallback: null,
  },
  {
    key: 'fleet.agents',
    about: 'which agents are on',
    repository: 'leave-out',
    userFile: true,
    variables: ['GATEWRIGHT_AGENTS'],
    option: null,
    because: 'each of them acts with your permissions',
    fallback: agentNames,
  },
];
