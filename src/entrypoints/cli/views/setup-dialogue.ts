/** What `init` asks and says: where issues go, which models work, how the project is built. It offers only what was found. */
import { unfitForRepository } from '../../../config/judge-settings.ts';
import type { Config } from '../../../config/load-config.ts';
import { refuseModel, type WantedCommand, type WantedCommands } from '../../../config/propose-config.ts';
import type { ForgeKind } from '../../../config/read-config.ts';
import { isVerifyCommand } from '../../../domain/fleet/fleet-settings.ts';
import type { ModelChoice } from '../../../domain/models/model-choice.ts';
import {
  adviseOnChoice,
  describeFound,
  familyOf,
  listUsable,
  proposeDrafter,
  proposeReviewer,
} from '../../../domain/models/propose-models.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Surroundings } from '../app.ts';
import type { Given } from '../table/command.ts';
import type { Terminal } from './terminal.ts';

export interface SetupDialogue {
  /** For what is said in any case. */
  readonly terminal: Terminal;
  readonly mayAsk: boolean;
  readonly given: Given;
  readonly config: Config;
  readonly found: Surroundings;
}

/** Asks with something to fall back on; a plain Enter takes it. */
export async function askOr(terminal: Terminal, question: string, fallback: string): Promise<string> {
  const answer = ((await terminal.ask(`${question} [${fallback}]: `)) ?? '').trim();
  return answer === '' ? fallback : answer;
}

/** Without a remote on GitHub there is nothing to choose from. */
export async function chooseForge({ terminal, mayAsk, given, found }: SetupDialogue): Promise<ForgeKind> {
  const typed = given.text('forge') as ForgeKind | null;
  if (typed !== null) return typed;
  if (found.github === null) {
    terminal.say(
      'Issues are filed on the local forge, on this machine: no git remote "origin" on GitHub was found.',
    );
    return 'local';
  }
  terminal.say(`The git remote "origin" is ${escapeForLine(found.github)} on GitHub.`);
  for (;;) {
    if (!mayAsk) return 'github';
    const answer = (
      await askOr(terminal, 'Where are issues filed, local or github?', 'github')
    ).toLowerCase();
    if (answer === 'local' || answer === 'github') return answer;
    terminal.say('Please answer with local or github.');
  }
}

/** Models that the person chose for themselves before, and that a repository may name. */
function ownModels(config: Config): Partial<ModelChoice> {
  return Object.fromEntries(
    (['drafter', 'reviewer'] as const).flatMap((role) => {
      const { from, value } = config.settings.get(`models.${role}`) ?? { from: 'default', value: null };
      const isFit = from !== 'default' && unfitForRepository(`models.${role}`, String(value)) === null;
      return isFit ? [[role, value]] : [];
    }),
  );
}

/** Asks for a model until it is one that may be written. */
async function askModel(
  terminal: Terminal,
  role: keyof ModelChoice,
  proposed: string,
  choices: readonly string[],
  drafter: string,
): Promise<string> {
  const question = role === 'drafter' ? 'Who drafts?' : 'Who reviews, as another family than the drafter?';
  for (;;) {
    const answer = await askOr(terminal, `${question} ${choices.join(', ')}`, proposed);
    const refused = refuseModel(role, answer, drafter);
    if (refused === null) return answer;
    for (const line of [refused.message, ...refused.details, refused.hint])
      terminal.say(escapeForTerminal(line));
  }
}

function withBuiltin(choices: readonly string[], builtin: string, proposed: string): string[] {
  return [...new Set([proposed, ...choices, builtin])];
}

/** What was given on the command line, else what is proposed or answered. Nothing is asked where nothing was found. */
export async function chooseModels(dialogue: SetupDialogue): Promise<ModelChoice> {
  const { terminal, mayAsk, given, config, found } = dialogue;
  const usable = listUsable(found);
  const seen = describeFound(found);
  terminal.say(
    seen.length === 0
      ? 'No model was found: no Claude Code CLI, no key of a provider.'
      : `Found: ${seen.join('; ')}.`,
  );
  const own = ownModels(config);
  const hasChoice = usable.length > 0 || Object.keys(own).length > 0;
  const proposedDrafter = own.drafter ?? proposeDrafter(usable);
  const drafter =
    given.text('drafter') ??
    (mayAsk && hasChoice
      ? await askModel(
          terminal,
          'drafter',
          proposedDrafter,
          withBuiltin(usable, 'builtin:outline', proposedDrafter),
          proposedDrafter,
        )
      : proposedDrafter);
  const isOwnFit = own.reviewer !== undefined && refuseModel('reviewer', own.reviewer, drafter) === null;
  const proposedReviewer = isOwnFit ? own.reviewer : proposeReviewer(drafter, usable);
  const fit = usable.filter((model) => !model.startsWith('claude:') && familyOf(model) !== familyOf(drafter));
  const reviewer =
    given.text('reviewer') ??
    (mayAsk && hasChoice
      ? await askModel(
          terminal,
          'reviewer',
          proposedReviewer,
          withBuiltin(fit, 'builtin:checklist', proposedReviewer),
          drafter,
        )
      : proposedReviewer);
  const words = (model: string): string =>
    model.startsWith('builtin:') ? `${model}, rules without a model` : model;
  terminal.say(`Drafter: ${escapeForLine(words(drafter))}. Reviewer: ${escapeForLine(words(reviewer))}.`);
  const advice = adviseOnChoice(drafter, reviewer);
  if (advice !== null) terminal.say(advice);
  return { drafter, reviewer };
}

/** A command as a person types it; `none` for none. */
function readCommand(option: string, typed: string): WantedCommand {
  const command = typed.trim().replaceAll(/ +/gu, ' ');
  if (command === 'none') return 'none';
  if (isVerifyCommand(command)) return { command };
  throw new GatewrightError(
    'usage',
    `--${option} has to be a command as words, without quotes or other shell signs.`,
    { hint: 'Put what needs a shell into a script of the project, and name the script.' },
  );
}

async function askCommand(terminal: Terminal, question: string, proposed: string): Promise<WantedCommand> {
  for (;;) {
    const command = (await askOr(terminal, question, proposed)).replaceAll(/ +/gu, ' ');
    if (command === 'none') return 'none';
    if (isVerifyCommand(command)) return { command };
    terminal.say(
      'Please type a command as words, without quotes or other shell signs, or "none"; a script of the project can do the rest.',
    );
  }
}

/** What a command starts, past the variables that it sets. */
function programOf(command: string): string | undefined {
  return command.split(' ').find((word) => word !== 'env' && !word.includes('='));
}

/**
 * How copies of the repository are prepared and tested. Null when nothing is to be written: it is set already, or nothing
 * was found and nothing typed.
 */
export async function chooseCommands(
  { terminal, mayAsk, given, config, found }: SetupDialogue,
  hasSettings: boolean,
): Promise<WantedCommands | null> {
  const typed = { setup: given.text('setup'), verify: given.text('verify') };
  const isSet = (name: string): boolean => config.settings.get(`fleet.${name}`)?.from !== 'default';
  const { project } = found;
  const mayPropose = !hasSettings && project !== null;
  if (mayPropose) {
    terminal.say(`Project: ${project.kind}.`);
    for (const note of project.notes) terminal.say(`Note: ${note}.`);
  }
  const choose = async (name: 'setup' | 'verify', question: string): Promise<WantedCommand | null> => {
    if (typed[name] !== null) return readCommand(name, typed[name]);
    const proposed = mayPropose && !isSet(name) ? project[name] : null;
    if (proposed === null) return null;
    return mayAsk ? askCommand(terminal, question, proposed) : { command: proposed };
  };
  const setup = await choose('setup', 'Command that installs dependencies in a copy (or none)');
  const verify = await choose('verify', 'Command that runs the tests (or none)');
  const command = setup === null || setup === 'none' ? null : setup.command;
  // The same program reaches the same hosts, whichever of its words a person prefers.
  const isKnown = command !== null && programOf(command) === programOf(project?.setup ?? '');
  const setupHosts = isKnown && !isSet('setupHosts') ? (project?.setupHosts ?? []) : [];
  const wanted = { setup, setupHosts, verify };
  const isTyped = typed.setup !== null || typed.verify !== null;
  return isTyped || (mayPropose && (project.setup !== null || project.verify !== null)) ? wanted : null;
}
