/** Help, made from the command table. */

import { exitCodes } from '../exit-codes.ts';
import { wrapLine } from '../views/wrap-line.ts';
import type { Command, Option } from './command.ts';
import { commandGroups } from './command-groups.ts';
import { commands, globalOptions } from './table.ts';

/** No line is wider, except for a word that is. What is wider than this is hard to read. */
const widest = 100;
const narrowest = 60;
/** Used when the width of the screen is not known. */
const usual = 80;
const widestLeft = 32;

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

/** Two columns; what is too long for the left one stands alone above its explanation. */
function columns(rows: readonly (readonly [string, string])[], screen: number): string {
  const width = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= widestLeft));
  const margin = ' '.repeat(width + 4);
  return rows
    .flatMap(([left, right]) => {
      const lines = wrap(right, screen - margin.length);
      const [first = '', ...rest] = left.length > width ? ['', ...lines] : lines;
      return [`  ${left.padEnd(width)}  ${first}`.trimEnd(), ...rest.map((line) => margin + line)];
    })
    .join('\n');
}

/** What an option does, in the words of the help and the documentation. */
export function optionAbout(option: Option): string {
  return option.about + (option.repeatable === true ? ' (may be repeated)' : '');
}

export function optionText(option: Option): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const value = option.oneOf === undefined ? option.value : option.oneOf.join('|');
  return `${short}--${option.name}${option.value === undefined ? '' : ` ${value}`}`;
}

export function usageLine(command: Command): string {
  const args = (command.args ?? []).map(({ name, isOptional, isRepeated }) => {
    const shown = isRepeated === true ? `${name}…` : name;
    return isOptional === true ? `[${shown}]` : shown;
  });
  return ['gatewright', command.name, ...args, '[options]'].join(' ');
}

/** An option with more choices than fit on its left names them on its right. */
function optionRow(option: Option): readonly [string, string] {
  const { oneOf, ...rest } = option;
  const [whole, about] = [optionText(option), optionAbout(option)];
  if (whole.length <= widestLeft || oneOf === undefined) return [whole, about];
  return [optionText(rest), `${about}: ${oneOf.join(', ')}`];
}

/** What an example is for stands behind it, one below the other; above it where one of them would be too long. */
function exampleText(examples: readonly (readonly [string, string])[], screen: number): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const rows = examples.map(([line, about]) => `  ${line.padEnd(width)}   # ${about}`);
  return rows.every((row) => row.length <= screen)
    ? rows.join('\n')
    : examples.map(([line, about]) => `  # ${about}\n  ${line}`).join('\n');
}

function commandHelp(command: Command, screen: number): string {
  const parts = [
    ...[`${command.about}.`, command.more ?? ''].map((text) => wrap(text, screen).join('\n')),
    `Usage: ${usageLine(command)}`,
  ];
  const rows = (options: readonly Option[]): string => columns(options.map(optionRow), screen);
  if ((command.args ?? []).length > 0) {
    parts.push(
      `Arguments:\n${columns(
        (command.args ?? []).map((argument) => [
          argument.name,
          argument.oneOf === undefined ? argument.about : `${argument.about}: ${argument.oneOf.join(', ')}`,
        ]),
        screen,
      )}`,
    );
  }
  if ((command.options ?? []).length > 0) parts.push(`Options:\n${rows(command.options ?? [])}`);
  parts.push(`Everywhere:\n${rows(globalOptions)}`);
  if ((command.examples ?? []).length > 0)
    parts.push(`Examples:\n${exampleText(command.examples ?? [], screen)}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Headings with a line for each command, as wide as the widest of all, so that the headings share their columns. */
function groupedCommands(screen: number): string[] {
  const width = Math.max(...commandGroups.flatMap(({ words }) => words.map(([word]) => word.length)));
  return commandGroups.map(({ title, words }) => {
    const rows = words.map(([word, about]) => [word.padEnd(width), about] as const);
    return `${title}:\n${columns(rows, screen)}`;
  });
}

function overview(screen: number): string {
  return [
    'From a scribbled idea to merged code, through gates that no model can skip.',
    'Usage: gatewright COMMAND [options]',
    ...groupedCommands(screen),
    `Everywhere:\n${columns(
      globalOptions.map((option) => [optionText(option), option.about]),
      screen,
    )}`,
    `Exit codes:\n${columns(
      Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
      screen,
    )}`,
    'More on a command: gatewright COMMAND --help',
  ].join('\n\n');
}

function groupHelp(prefix: string, group: readonly Command[], screen: number): string {
  return [
    `Usage: gatewright ${prefix} COMMAND [options]`,
    `Commands:\n${columns(
      group.map((command) => [command.name, command.about]),
      screen,
    )}`,
    `More on a command: gatewright ${group[0]?.name ?? prefix} --help`,
  ].join('\n\n');
}

/** For a screen of that many columns. */
export function helpText(command: Command | null, words: readonly string[], columnsOfScreen = usual): string {
  const screen = Math.min(Math.max(columnsOfScreen, narrowest), widest);
  if (command !== null) {
    const group = commands.filter((one) => one.name.startsWith(`${command.name} `));
    return group.length === 0
      ? commandHelp(command, screen)
      : `${commandHelp(command, screen)}\n\nSee also:\n${columns(
          group.map((one) => [one.name, one.about]),
          screen,
        )}`;
  }
  const prefix = words.join(' ');
  const group = prefix === '' ? [] : commands.filter((one) => one.name.startsWith(`${prefix} `));
  return group.length > 0 ? groupHelp(prefix, group, screen) : overview(screen);
}
