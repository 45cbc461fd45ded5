/** Help fits on a screen: no line is wider than it, and nothing that it should tell is lost by that. */
import { describe, expect, it } from 'vitest';
import { commandGroups } from './command-groups.ts';
import { helpText, optionAbout } from './help.ts';
import { commands } from './table.ts';

const groups = [
  ...new Set(
    commands.map(({ name }) => name.split(' ').slice(0, -1).join(' ')).filter((name) => name !== ''),
  ),
];
const pages: readonly [string, (screen?: number) => string][] = [
  ['the overview', (screen) => helpText(null, [], screen)],
  ...groups.map((name): [string, (screen?: number) => string] => [
    name,
    (screen) => helpText(null, name.split(' '), screen),
  ]),
  ...commands.map((command): [string, (screen?: number) => string] => [
    command.name,
    (screen) => helpText(command, command.name.split(' '), screen),
  ]),
];
/** One word can be wider than the screen: examples are copied, so they are not broken. */
function tooWide(text: string, width: number): string[] {
  return text.split('\n').filter((line) => line.length > width && !/^ {2}gatewright /u.test(line));
}

describe('help', () => {
  it.each(pages)('of %s has no line wider than the screen', (_, page) => {
    for (const width of [80, 100]) expect(tooWide(page(width), width)).toEqual([]);
    // Where it goes into a file, as on a screen of the usual width.
    expect(page()).toBe(page(80));
  });

  it('lists every command once under a heading, each in one line', () => {
    const listed = commandGroups.flatMap(({ words }) => words.map(([word]) => word));
    expect(listed.toSorted()).toEqual(
      [...new Set(commands.map(({ name }) => name.split(' ')[0]))].toSorted(),
    );
    const lines = helpText(null, []).split('\n');
    for (const { title, words } of commandGroups) {
      const at = lines.indexOf(`${title}:`);
      expect(lines.slice(at + 1, at + 1 + words.length).map((line) => line.trim().split(' ')[0])).toEqual(
        words.map(([word]) => word),
      );
      expect(lines[at + 1 + words.length]).toBe('');
    }
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
    ).toContain('daily-digest, health-report');
  });
});
