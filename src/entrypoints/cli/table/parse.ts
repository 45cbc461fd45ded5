/** Turns words into a command and what was given to it; explains what it does not understand. */
import { parseArgs } from 'node:util';
import { nearestWord } from '../../../domain/text/nearest-word.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Command, Given, Option } from './command.ts';
import { commands, globalOptions } from './table.ts';

export interface Parsed {
  readonly command: Command | null;
  /** The words before the first option, for help on a group such as `forge issue`. */
  readonly words: readonly string[];
  readonly given: Given;
}

function usageError(message: string, hint?: string): GatewrightError {
  return new GatewrightError('usage', message, hint === undefined ? {} : { hint });
}

/** The command with the most words that the line begins with. Options may stand anywhere. */
function findCommand(argv: readonly string[]): { command: Command | null; words: string[] } {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) words.push(word);
    else if (takesValue(word)) index += 1;
  }
  let best: Command | null = null;
  for (const command of commands) {
    const name = command.name.split(' ');
    if (
      name.every((part, index) => words[index] === part) &&
      name.length > (best?.name.split(' ').length ?? 0)
    )
      best = command;
  }
  return { command: best, words };
}

/** Whether the next word belongs to this option. Before the command is known, any option of that name decides. */
function takesValue(word: string): boolean {
  if (word.includes('=')) return false;
  const every = [...globalOptions, ...commands.flatMap((command) => command.options ?? [])];
  return every.some(
    (option) =>
      option.value !== undefined && (word === `--${option.name}` || word === `-${option.short ?? ''}`),
  );
}

/** Words of other programs for what ours call otherwise. */
const otherWords: Readonly<Record<string, string>> = {
  'config check': 'config validate',
  'config lint': 'config validate',
  'config verify': 'config validate',
  'config list': 'config show',
  'config get': 'config show',
  check: 'doctor',
  setup: 'init',
};

/**
 * The command that was meant by the words. Words behind the name of a command are its arguments, so as many words are
 * compared as the name has; where the first word is known, only the commands behind it are meant.
 */
function guessCommand(words: readonly string[]): string | null {
  const firsts = new Set(commands.map(({ name }) => name.split(' ')[0]));
  const known = commands
    .map(({ name }) => name)
    .filter((name) => !firsts.has(words[0]) || name.startsWith(`${words[0]} `));
  const lengths = [...new Set(known.map((name) => name.split(' ').length))].sort((a, b) => b - a);
  for (const length of lengths.filter((one) => one <= words.length)) {
    const guess = nearestWord(
      words.slice(0, length).join(' '),
      known.filter((name) => name.split(' ').length === length),
    );
    if (guess !== null) return guess;
  }
  return null;
}

function unknownCommand(words: readonly string[]): GatewrightError {
  const typed = words.join(' ');
  const group = commands.filter((command) => command.name.startsWith(`${typed} `));
  if (group.length > 0) {
    return usageError(
      `"gatewright ${typed}" needs one more word.`,
      `One of: ${[...new Set(group.map(({ name }) => name.split(' ')[words.length]))].join(', ')}. More with: gatewright ${typed} --help`,
    );
  }
  const meant = otherWords[typed];
  if (meant !== undefined)
    return usageError(`There is no command "${typed}".`, `Did you mean: gatewright ${meant}`);
  const beside = commands.filter((command) => command.name.startsWith(`${words[0] ?? ''} `));
  const guess = guessCommand(words);
  return usageError(
    `There is no command "${typed}".`,
    guess !== null
      ? `Did you mean: gatewright ${guess}`
      : beside.length > 0
        ? `Commands that begin so: ${beside.map(({ name }) => `gatewright ${name}`).join(', ')}`
        : 'List them with: gatewright --help',
  );
}

function explainParseError(error: unknown, known: readonly Option[]): GatewrightError {
  const message = error instanceof Error ? error.message : String(error);
  const option = /'(--?[^'=\s,]+)/u.exec(message)?.[1] ?? '';
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const guess = nearestWord(
      option.replace(/^-+/u, ''),
      known.map((one) => one.name),
    );
    return usageError(
      `There is no option ${option}.`,
      guess === null ? undefined : `Did you mean --${guess}?`,
    );
  }
  const meant = known.find((one) => option.includes(`--${one.name}`) || `-${one.short}` === option);
  if (meant?.value !== undefined)
    return usageError(`--${meant.name} needs a value: --${meant.name} ${meant.value}`);
  return usageError(meant === undefined ? message : `--${meant.name} takes no value.`);
}

function notOneOf(name: string, oneOf: readonly string[], typed: string): GatewrightError {
  const guess = nearestWord(typed.toLowerCase(), oneOf);
  return usageError(
    `${name} has to be one of: ${oneOf.join(', ')}.`,
    guess === null ? undefined : `Did you mean ${guess}?`,
  );
}

/** A word that the command does not take may be the rest of another command's name: "runs dismis". */
function checkWords(command: Command, args: readonly string[]): void {
  const isOpen = command.args?.at(-1)?.isRepeated === true;
  const expected = isOpen ? Number.POSITIVE_INFINITY : (command.args?.length ?? 0);
  const hasMore = commands.some(({ name }) => name.startsWith(`${command.name} `));
  // An argument of such a command is a number, and no number is a word.
  const isWord = hasMore && args[0] !== undefined && !/\d/u.test(args[0]);
  const guess = isWord ? guessCommand([...command.name.split(' '), ...args]) : null;
  if (args.length <= expected && guess === null) return;
  throw usageError(
    `"gatewright ${command.name}" does not take "${args[guess === null ? expected : 0] ?? ''}".`,
    guess === null ? undefined : `Did you mean: gatewright ${guess}`,
  );
}

function checkValues(command: Command, given: Given): void {
  for (const option of command.options ?? []) {
    const value = given.text(option.name);
    if (option.oneOf !== undefined && value !== null && !option.oneOf.includes(value))
      throw notOneOf(`--${option.name}`, option.oneOf, value);
  }
  const expected = command.args ?? [];
  const missing = expected.find(
    (argument, index) => argument.isOptional !== true && given.args[index] === undefined,
  );
  if (missing !== undefined)
    throw usageError(`"gatewright ${command.name}" needs ${missing.name}: ${missing.about}.`);
  checkWords(command, given.args);
  for (const [index, argument] of expected.entries()) {
    const value = given.args[index];
    if (argument.oneOf !== undefined && value !== undefined && !argument.oneOf.includes(value))
      throw notOneOf(argument.name, argument.oneOf, value);
  }
}

function makeGiven(values: Readonly<Record<string, unknown>>, args: readonly string[]): Given {
  const text = (name: string): string | null => {
    const value = values[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    args,
    flag: (name) => values[name] === true,
    text,
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    },
    count: (name) => {
      const value = text(name);
      if (value === null) return null;
      if (!/^[1-9]\d{0,5}$/u.test(value))
        throw usageError(`--${name} has to be a whole number of at least 1.`);
      return Number(value);
    },
  };
}

/** How to get help on what was typed, as far as it is a command. */
export function helpCommandFor(argv: readonly string[]): string {
  return ['gatewright', ...(findCommand(argv).command?.name.split(' ') ?? []), '--help'].join(' ');
}

/**
 * A text that begins with a hyphen, such as a list, is no option: no option has a blank in it. Node's parser would take it
 * for one, unless it is tied to its option.
 */
function tieTexts(argv: readonly string[], known: readonly Option[]): string[] {
  const tied: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return [...tied, ...argv.slice(index)];
    const option = known.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
    const next = argv[index + 1] ?? '';
    const isText = option?.value !== undefined && /^-.*\s/su.test(next);
    tied.push(isText ? `--${option.name}=${next}` : word);
    if (isText) index += 1;
  }
  return tied;
}

export function parseCommandLine(typed: readonly string[]): Parsed {
  // Many programs know "help COMMAND" as well.
  const argv = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed;
  const { command, words } = findCommand(argv);
  const known = [...(command?.options ?? []), ...globalOptions];
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const wantsHelp = options.includes('--help') || options.includes('-h');
  const isGroup = commands.some(({ name }) => name.startsWith(`${words.join(' ')} `));
  if (command === null && words.length > 0 && !(wantsHelp && isGroup)) throw unknownCommand(words);
  let values: Record<string, unknown>;
  let positionals: string[];
  try {
    const accepted = Object.fromEntries(
      known.map((option) => [
        option.name,
        {
          type: option.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(option.short === undefined ? {} : { short: option.short }),
          ...(option.repeatable === true ? { multiple: true } : {}),
        },
      ]),
    );
    ({ values, positionals } = parseArgs({
      args: tieTexts(argv, known),
      options: accepted,
      strict: true,
      allowPositionals: true,
    }));
  } catch (error) {
    throw explainParseError(error, known);
  }
  const given = makeGiven(values, positionals.slice(command?.name.split(' ').length ?? 0));
  if (command !== null && !wantsHelp) checkValues(command, given);
  return { command, words, given };
}
