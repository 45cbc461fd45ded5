/** Words from elsewhere in the log of a job: GitHub's runner finds no command in them, in the new form or in the old one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../../test/actions/job-log.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { breakCommands, breakCommandsInJson, breakFurtherCommands } from './break-commands.ts';

const lines = (text: string): string[] => text.split(/\r\n|[\n\r]/u);
/** Also as a runner would read it that takes no notice of what is not seen. */
const commandsIn = (text: string): unknown[] =>
  [text, text.replace(/(?![\n\r\t ])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')]
    .flatMap(lines)
    .flatMap((line) => readCommand(line) ?? []);

const name = fc.constantFrom('error', 'add-mask', 'stop-commands', 'group', 'set-output', 'debug', 'WARNING');
const unseen = fc.constantFrom('', '', '', '\u200B', '\uFE0F', '\uFEFF', '\u{E0041}', '\0');
const white = fc.constantFrom('', '', ' ', '\t', '\u00A0', '\u0085', '\u2003', '\u3000', ' \t ');
const words = fc.constantFrom('', 'x', ' and so on', 'a=b', '#', '##', ':', '::', '[', ']', '\\', '###');
const given = fc.constantFrom('', ' file=a.ts,line=1', ' title=a::b', ' a=b;c=d', ':x=1');

const newForm = fc
  .tuple(white, unseen, unseen, name, given, words)
  .map(([space, a, b, command, pairs, rest]) => `${space}${a}:${b}:${command}${pairs}::${rest}`);
const oldForm = fc
  .tuple(words, unseen, unseen, name, given, words)
  .map(([first, a, b, command, pairs, rest]) => `${first}#${a}#${b}[${command}${pairs}]${rest}`);
const line = fc.array(fc.oneof(newForm, oldForm, words), { maxLength: 4 }).map((parts) => parts.join(''));
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 6 })
  .map((all) => all.flat().join(''));

describe('a text in the log of a job', () => {
  it('has commands before, and none after', () => {
    let found = 0;
    fc.assert(
      fc.property(text, (given) => {
        found += commandsIn(given).length;
        const broken = breakCommands(given);
        expect(commandsIn(broken)).toEqual([]);
        // Nothing is lost, and what is broken stays as it is.
        expect(broken.replaceAll('\\', '')).toBe(given.replaceAll('\\', ''));
        expect(breakCommands(broken)).toBe(broken);
      }),
      { numRuns: propertyRuns(500) },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('is left as it is otherwise', () => {
    const plain = 'a::b ::error::\n# #[x] ## [y] #[z]\n:a\n: :\n';
    expect(breakCommands(plain)).toBe(plain);
    expect(breakCommands(' ::error::x ##[group]y\n##[error]')).toBe(
      ' \\::error::x ##\\[group]y\n##\\[error]',
    );
    expect(breakCommands('\u001B[31m::error::x\n#\u001B[0m#[debug]')).toBe(
      '\u001B[31m\\::error::x\n#\u001B[0m#\\[debug]',
    );
  });

  it('is looked at in time that grows with its length', () => {
    const begun = performance.now();
    for (const part of [' ', '\n', '\r', '\0', '#', '#\0', '#\u200B#', ':', ' :', '\u001B[', '\u2028'])
      breakCommands(part.repeat(100_000));
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

it('JSON means the same, and holds no command', () => {
  fc.assert(
    fc.property(fc.dictionary(text, text), (value) => {
      const json = breakCommandsInJson(JSON.stringify(value, null, 2));
      expect(JSON.parse(json)).toEqual(value);
      expect(breakCommands(json)).toBe(json);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('a line that is to be obeyed holds one command', () => {
  const written = breakFurtherCommands('::error title=A::It said ##[add-mask]x and ::debug::');
  expect(written).toBe('::error title=A::It said ##\\[add-mask]x and ::debug::');
  expect(readCommand(written)).toMatchObject({ name: 'error' });
});
