/** Help, made from the command table. */
import type { Command, Option } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { commands, globalOptions } from './table.ts';

/** No line is wider, except for a word that is. */
const widest = 100;
const widestLeft = 38;

/** Breaks a text between words; its own line breaks stay. */
function wrap(text: string, width = widest): string[] {
  return text.split('\n').flatMap((whole) => {
    const lines: string[] = [];
    let line = '';
    for (const word of whole.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}

/** Two columns; what is too long for the left one stands alone above its explanation. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= widestLeft));
  const margin = ' '.repeat(width + 4);
  return rows
    .flatMap(([left, right]) => {
      const lines = wrap(right, widest - margin.length);
      const [first = '', ...rest] = left.length > width ? ['', ...lines] : lines;
      return [`  ${left.padEnd(width)}  ${first}`.trimEnd(), ...rest.map((line) => margin + line)];
    })
    .join('\n');
}

/** What an option does, as help and documentation tell it. */
export function optionAbout(option: Option): string {
  return option.about + (option.repeatable === true ? ' (may be repeated)' : '');
}

export function optionText(option: Option): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const value = option.oneOf === undefined ? option.value : option.oneOf.join('|');
  return `${short}--${option.name}${option.value === undefined ? '' : ` ${value}`}`;
}

export function usageLine(command: Command): string {
  const args = (command.args ?? []).map((argument) =>
    argument.isOptional === true ? `[${argument.name}]` : argument.name,
  );
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
function exampleText(examples: readonly (readonly [string, string])[]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const rows = examples.map(([line, about]) => `  ${line.padEnd(width)}   # ${about}`);
  return rows.every((row) => row.length <= widest)
    ? rows.join('\n')
    : examples.map(([line, about]) => `  # ${about}\n  ${line}`).join('\n');
}

function commandHelp(command: Command): string {
  const parts = [
    ...[`${command.about}.`, command.more ?? ''].map((text) => wrap(text).join('\n')),
    `Usage: ${usageLine(command)}`,
  ];
  const rows = (options: readonly Option[]): string => columns(options.map(optionRow));
  if ((command.args ?? []).length > 0) {
    parts.push(
      `Arguments:\n${columns((command.args ?? []).map((argument) => [argument.name, argument.oneOf === undefined ? argument.about : `${argument.about}: ${argument.oneOf.join(', ')}`]))}`,
    );
  }
  if ((command.options ?? []).length > 0) parts.push(`Options:\n${rows(command.options ?? [])}`);
  parts.push(`Everywhere:\n${rows(globalOptions)}`);
  if ((command.examples ?? []).length > 0) parts.push(`Examples:\n${exampleText(command.examples ?? [])}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

/** One row for each command; those of three words share one, which names what may follow. */
function shortList(): (readonly [string, string])[] {
  const rows = new Map<string, string>();
  for (const { name, about } of commands) {
    const [first, second, ...rest] = name.split(' ');
    const group = `${first} ${second} …`;
    if (rest.length === 0) rows.set(name, about);
    else rows.set(group, [...(rows.has(group) ? [rows.get(group)] : []), ...rest].join(', '));
  }
  return [...rows];
}

function overview(): string {
  return [
    'From a scribbled idea to merged code, through gates that no model can skip.',
    'Usage: gatewright COMMAND [options]',
    `Commands:\n${columns(shortList())}`,
    `Everywhere:\n${columns(globalOptions.map((option) => [optionText(option), option.about]))}`,
    `Exit codes:\n${columns(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]))}`,
    'To look around: gatewright demo\nIn a repository of yours: gatewright init, then gatewright doctor\nMore on a command: gatewright COMMAND --help',
  ].join('\n\n');
}

function groupHelp(prefix: string, group: readonly Command[]): string {
  return [
    `Usage: gatewright ${prefix} COMMAND [options]`,
    `Commands:\n${columns(group.map((command) => [command.name, command.about]))}`,
    `More on a command: gatewright ${group[0]?.name ?? prefix} --help`,
  ].join('\n\n');
}

export function helpText(command: Command | null, words: readonly string[]): string {
  if (command !== null) {
    const group = commands.filter((one) => one.name.startsWith(`${command.name} `));
    return group.length === 0
      ? commandHelp(command)
      : `${commandHelp(command)}\n\nSee also:\n${columns(group.map((one) => [one.name, one.about]))}`;
  }
  const prefix = words.join(' ');
  const group = prefix === '' ? [] : commands.filter((one) => one.name.startsWith(`${prefix} `));
  return group.length > 0 ? groupHelp(prefix, group) : overview();
}
