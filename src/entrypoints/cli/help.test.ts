/** Help fits on a screen: no line is wider than it may be, and nothing that it should tell is lost by that. */
import { describe, expect, it } from 'vitest';
import { helpText, optionAbout } from './help.ts';
import { commands } from './table.ts';

const groups = [
  ...new Set(
    commands.map(({ name }) => name.split(' ').slice(0, -1).join(' ')).filter((name) => name !== ''),
  ),
];
const pages: readonly [string, string][] = [
  ['the overview', helpText(null, [])],
  ...groups.map((name): [string, string] => [name, helpText(null, name.split(' '))]),
  ...commands.map((command): [string, string] => [command.name, helpText(command, command.name.split(' '))]),
];

describe('help', () => {
  it.each(pages)('of %s has no line wider than 100', (_, text) => {
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    'of %s tells everything',
    (_, command) => {
      const words = helpText(command, command.name.split(' ')).replace(/\s+/gu, ' ');
      const said = [
        command.about,
        command.more ?? '',
        ...(command.args ?? []).map(({ about }) => about),
        ...(command.options ?? []).flatMap((option) => [
          `--${option.name}`,
          optionAbout(option),
          ...(option.oneOf ?? []),
        ]),
        ...(command.examples ?? []).flat(),
      ];
      for (const part of said) expect(words).toContain(part.replace(/\s+/gu, ' '));
    },
  );

  it('names the choices of an option beside it when they do not fit on its left', () => {
    const dispatch = commands.find(({ name }) => name === 'dispatch');
    const lines = helpText(dispatch ?? null, ['dispatch']).split('\n');
    const at = lines.findIndex((line) => line.startsWith('  --schedule NAME '));
    expect(
      lines
        .slice(at, at + 3)
        .join(' ')
        .replace(/\s+/gu, ' '),
    ).toContain('template-sync, daily-digest');
  });
});
