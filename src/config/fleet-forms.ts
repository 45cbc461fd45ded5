/**
 * The form of each setting of the agents, in a file as in a variable. Without a schema library, because loading one
 * would make `status` slow.
 */
import { agentNames } from '../domain/fleet/agent-names.ts';
import {
  isCheckName,
  isHandle,
  isHostAndPort,
  isTemplateSource,
  isToolFolder,
  isVerifyCommand,
  loopLabelSettings,
  proofDemands,
  strategySettings,
} from '../domain/fleet/fleet-settings.ts';
import { isLogin } from '../domain/forge/login.ts';
import { isCommandForm } from '../domain/machine/permitted-command.ts';

interface FleetForm {
  /** Its name in the section `fleet`. */
  readonly name: string;
  /** Null: it is one text. Otherwise how many there may be. */
  readonly most: number | null;
  readonly isRight: (text: string) => boolean;
  /** What it, or each of a list, has to be. */
  readonly words: string;
  readonly oneOf?: readonly [string, ...string[]];
  /** Null when its values may hold what would separate them. */
  readonly variable: string | null;
}

export const fleetForms: readonly FleetForm[] = [
  {
    name: 'handle',
    most: null,
    isRight: isHandle,
    words: 'a name of letters, digits and single dashes between them, without the @',
    variable: 'GATEWRIGHT_HANDLE',
  },
  { name: 'bots', most: 50, isRight: isLogin, words: 'a login', variable: 'GATEWRIGHT_BOTS' },
  {
    name: 'verify',
    most: null,
    isRight: isVerifyCommand,
    words: 'a command as words with single spaces between them, without quotes or other shell signs',
    variable: 'GATEWRIGHT_VERIFY',
  },
  {
    name: 'proof',
    most: null,
    isRight: (text) => proofDemands.some((one) => one === text),
    words: `one of ${proofDemands.join(', ')}`,
    oneOf: proofDemands,
    variable: 'GATEWRIGHT_PROOF',
  },
  {
    name: 'strategy',
    most: null,
    isRight: (text) => strategySettings.some((one) => one === text),
    words: `one of ${strategySettings.join(', ')}`,
    oneOf: strategySettings,
    variable: 'GATEWRIGHT_STRATEGY',
  },
  {
    name: 'loopLabels',
    most: null,
    isRight: (text) => loopLabelSettings.some((one) => one === text),
    words: `one of ${loopLabelSettings.join(', ')}`,
    oneOf: loopLabelSettings,
    variable: 'GATEWRIGHT_LOOP_LABELS',
  },
  {
    name: 'setup',
    most: null,
    isRight: isVerifyCommand,
    words: 'a command as words with single spaces between them, without quotes or other shell signs',
    variable: 'GATEWRIGHT_SETUP',
  },
  {
    name: 'setupHosts',
    most: 50,
    isRight: isHostAndPort,
    words: 'a host and a port, such as packages.example.com:443',
    variable: 'GATEWRIGHT_SETUP_HOSTS',
  },
  {
    name: 'agentCommands',
    most: 50,
    isRight: (text) => text.length <= 500 && !text.startsWith('-') && isCommandForm(text),
    words: 'a command as words with single spaces between them, and " *" at the end at most',
    variable: 'GATEWRIGHT_AGENT_COMMANDS',
  },
  {
    name: 'tools',
    most: 50,
    isRight: isToolFolder,
    words: 'a folder by its full path, or one that begins with ~/',
    variable: 'GATEWRIGHT_TOOLS',
  },
  {
    name: 'requiredChecks',
    most: 100,
    isRight: isCheckName,
    words: 'the name of a check: one visible line of at most 255 characters',
    variable: null,
  },
  {
    name: 'template',
    most: null,
    isRight: isTemplateSource,
    words: 'a folder, or an https or ssh address without a password',
    variable: 'GATEWRIGHT_TEMPLATE',
  },
  {
    name: 'agents',
    most: agentNames.length,
    isRight: (text) => agentNames.some((name) => name === text),
    words: `one of ${agentNames.join(', ')}`,
    oneOf: agentNames,
    variable: 'GATEWRIGHT_AGENTS',
  },
];
