/** The settings of a repository's agents: what they react to, what they may start, and which of them are on. */

import { isCommandForm } from '../machine/permitted-command.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';
import type { AgentName } from './agent-names.ts';

/** What becomes of a change whose tests prove nothing; from the loosest to the strictest. */
export const proofDemands = ['off', 'warn', 'enforce'] as const;
export type ProofDemand = (typeof proofDemands)[number];

/** How the implementer carries an order out; `by-size` leaves it to the size of the approved design. */
export const strategySettings = ['by-size', 'direct', 'pipeline', 'loop'] as const;
export type StrategySetting = (typeof strategySettings)[number];

/** Whether labels that people set start and approve a loop; the stricter one last. */
export const loopLabelSettings = ['on', 'off'] as const;
export type LoopLabelSetting = (typeof loopLabelSettings)[number];

export interface FleetSettings {
  /** What people call the agent by, without the @. */
  readonly handle: string;
  /** Logins of programs whose word counts like a person's. The word of every other program counts for nothing. */
  readonly bots: readonly string[];
  /** The words of the command that shows whether a change works; null when there is none. Never given to a shell. */
  readonly verify: readonly string[] | null;
  /** Whether the tests of a change are counted and run without it, and whether a change that they do not prove needs a person. */
  readonly proof: ProofDemand;
  /** Whether an order about an issue is carried out at once or task by task; missing means by size. */
  readonly strategy?: StrategySetting;
  /** `off`: the labels of a loop show its stage, and order nothing. */
  readonly loopLabels: LoopLabelSetting;
  /** The words of the command that prepares a copy for work, such as by fetching dependencies; null when none is needed. */
  readonly setup: readonly string[] | null;
  /** `host:port` pairs that it can reach. */
  readonly setupHosts: readonly string[];
  /** What the coding agent may run, in the form of permitted-command.ts. */
  readonly agentCommands: readonly string[];
  /** Checks that have to be green before anything is merged, beside those that the forge requires. */
  readonly requiredChecks: readonly string[];
  /** How many test runs of a merge go beside each other, where each step has to be tested. */
  readonly testsAtOnce: number;
  /** The repository that this one was made from: a folder or an address; null when there is none. */
  readonly template: string | null;
  /** Those that are on. */
  readonly agents: readonly AgentName[];
}

/** Whether the word of a program counts as a person's would. */
export function isListedBot({ bots }: Pick<FleetSettings, 'bots'>, login: string): boolean {
  return bots.some((bot) => bot.toLowerCase() === login.toLowerCase());
}

/** What can stand after an @. */
export function isHandle(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?$/u.test(text);
}

/** One command, word by word: no star, and nothing that would need a shell. */
export function isVerifyCommand(text: string): boolean {
  return text.length <= 500 && !text.startsWith('-') && isCommandForm(text) && !/(?:^| )\*$/u.test(text);
}

/** Exactly one host and one port, so that a setting cannot allow more than its text says. */
export function isHostAndPort(text: string): boolean {
  const [, host, port] = /^([a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?):(\d{1,5})$/u.exec(text) ?? [];
  return host !== undefined && !host.includes('..') && Number(port) >= 1 && Number(port) <= 65_535;
}

/** The name of a check. Forges allow commas in it: builds with several versions have them. */
export function isCheckName(text: string): boolean {
  return (
    text.trim() === text &&
    text !== '' &&
    text.length <= 255 &&
    !hasUnsafeCharacters(text) &&
    !/[\n\t]/u.test(text)
  );
}

/** A folder of tools, by its full path or seen from the home. */
export function isToolFolder(text: string): boolean {
  const isPath = /^(?:\/|~\/)./u.test(text) && !text.split('/').includes('..');
  return isPath && text.length <= 1000 && !hasUnsafeCharacters(text) && !/[\n\t,]/u.test(text);
}

/** Whether a template is named by an address rather than by a folder. */
export function isTemplateAddress(text: string): boolean {
  return /^(?:https:\/\/|ssh:\/\/|file:\/\/\/)/u.test(text) || /^[\w.-]+@[\w.-]+:[^:]/u.test(text);
}

/**
 * Somewhere that git can fetch from without starting anything else: a folder, or an address over https or ssh. A
 * password in it would be shown wherever settings are.
 */
export function isTemplateSource(text: string): boolean {
  if (text.trim() !== text || text === '' || text.length > 1000) return false;
  if (hasUnsafeCharacters(text) || /[\n\t]/u.test(text)) return false;
  if (!isTemplateAddress(text)) {
    // Git takes NAME::ADDRESS as the program git-remote-NAME, and other schemes are not encrypted.
    return !text.startsWith('-') && !/^[A-Za-z][\w+.-]*:(?::|\/\/)/u.test(text);
  }
  const host = text.replace(/^\w+:\/\//u, '').split('/')[0] ?? '';
  // A host that begins with a dash would be an option of ssh.
  return !/^https:/u.test(text) || !host.includes('@') ? !/(?:^|@)-|:.*@/u.test(host) : false;
}
