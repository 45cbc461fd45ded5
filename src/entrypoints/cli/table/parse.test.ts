/** A command line is either understood or refused with a hint that helps. */
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../../errors.ts';
import { parseCommandLine } from './parse.ts';
import { commands } from './table.ts';

function parse(line: string): ReturnType<typeof parseCommandLine> {
  return parseCommandLine(line.split(' ').filter((word) => word !== ''));
}

function failureOf(words: string | readonly string[]): GatewrightError {
  try {
    const parsed = typeof words === 'string' ? parse(words) : parseCommandLine(words);
    throw new Error(`understood as ${parsed.command?.name ?? 'no command'}`);
  } catch (error) {
    if (!(error instanceof GatewrightError)) throw error;
    expect(error.code).toBe('usage');
    return error;
  }
}

describe('finding the command', () => {
  it.each([
    ['issue --brief a.md', 'issue', []],
    ['runs', 'runs', []],
    ['runs show ABC', 'runs show', ['ABC']],
    ['gate answer G1 --choice send', 'gate answer', ['G1']],
    ['forge issue list', 'forge issue list', []],
    ['--database x.db runs show ABC', 'runs show', ['ABC']],
    ['--database=x.db runs', 'runs', []],
    ['forge --json issue view 7', 'forge issue view', ['7']],
    ['gate --choice send answer G1', 'gate answer', ['G1']],
    ['ledger verify', 'ledger verify', []],
    ['ledger verify #7', 'ledger verify', ['#7']],
    ['explain -- --odd-name.md', 'explain', ['--odd-name.md']],
    ['explain --json -- -', 'explain', ['-']],
    ['explain -', 'explain', ['-']],
  ])('%s', (line, name, args) => {
    const { command, given } = parse(line);
    expect([command?.name, given.args]).toEqual([name, args]);
  });

  it('finds every command of the table by its name', () => {
    for (const { name, args = [] } of commands) {
      const words = args.map((argument) => argument.oneOf?.[0] ?? 'x');
      expect(parseCommandLine([...name.split(' '), ...words]).command?.name).toBe(name);
    }
  });

  it.each(['', '--version', '--help', '--json --help'])('understands %j without a command', (line) => {
    if (line === '--json --help') expect(failureOf(line).message).toContain('--json');
    else expect(parse(line).command).toBeNull();
  });

  it('gives the words for help on a group', () => {
    expect(parse('forge issue --help')).toMatchObject({ command: null, words: ['forge', 'issue'] });
    expect(parse('help forge issue')).toMatchObject({ command: null, words: ['forge', 'issue'] });
    expect(parse('help lld').given.flag('help')).toBe(true);
    expect(failureOf('frobnicate --help').message).toContain('no command');
    expect(parse('forge issue --help').given.flag('help')).toBe(true);
  });

  it.each([
    ['isue', 'issue'],
    ['statsu', 'status'],
    ['explan x', 'explain'],
    ['gate anser', 'gate answer'],
    ['ledger verfy', 'ledger verify'],
    ['forge issue lst', 'forge issue list'],
    ['forge label creat', 'forge label create'],
  ])('%s: did you mean %s', (line, guess) => {
    const { message, hint } = failureOf(line);
    expect(message).toContain(`"${line}"`);
    expect(hint).toBe(`Did you mean: gatewright ${guess}`);
  });

  it.each([
    ['runs dismis', 'runs dismiss'],
    ['runs cancl 01ABC', 'runs cancel'],
    ['gate anser G-0123456789ABCDEF --choice send', 'gate answer'],
    ['forge pr vew 12', 'forge pr view'],
  ])('%s: did you mean %s, whatever follows', (line, guess) => {
    expect(failureOf(line).hint).toBe(`Did you mean: gatewright ${guess}`);
  });

  it('guesses every command when one letter of its last word is missing', () => {
    const names = commands.map(({ name }) => name);
    for (const name of names) {
      const words = name.split(' ');
      const last = words.at(-1) ?? '';
      if (last.length < 4) continue;
      const typed = [...words.slice(0, -1), `${last.slice(0, 2)}${last.slice(3)}`];
      if (names.includes(typed.join(' '))) continue;
      expect(failureOf(typed).hint, typed.join(' ')).toMatch(/^Did you mean: gatewright /u);
      if (words.length > 1) expect(failureOf(typed).hint).toBe(`Did you mean: gatewright ${name}`);
    }
  });

  it.each([
    ['agents implementr', 'Did you mean implementer?'],
    ['agents Reviewer', 'Did you mean reviewer?'],
    ['agents frobnicate', 'Run the command with --help to see its arguments and options.'],
    ['dispatch --schedule daily-digst', 'Did you mean daily-digest?'],
    ['issue --brief a --forge githb', 'Did you mean github?'],
    ['completion bsh', 'Did you mean bash?'],
  ])('%s: %s', (line, hint) => {
    expect(failureOf(line).hint).toBe(hint);
  });

  it('points to the list when nothing is near', () => {
    expect(failureOf('frobnicate').hint).toBe('List them with: gatewright --help');
  });

  it('names the words that may follow', () => {
    const { message, hint } = failureOf('ledger');
    expect(message).toContain('one more word');
    expect(hint).toBe('One of: show, verify. More with: gatewright ledger --help');
  });
});

describe('options', () => {
  it('gives flags, texts and lists', () => {
    const { given } = parse('issue --brief a.md --auto --max-iterations 3');
    expect([given.flag('auto'), given.flag('strict')]).toEqual([true, false]);
    expect([given.text('brief'), given.text('resume'), given.text('auto')]).toEqual(['a.md', null, null]);
    expect([given.count('max-iterations'), given.count('slug')]).toEqual([3, null]);
    const edit = parse('forge issue edit 7 --add-label a --add-label b').given;
    expect([edit.texts('add-label'), edit.texts('remove-label')]).toEqual([['a', 'b'], []]);
  });

  it('keeps values as they are typed', () => {
    const words = ['forge', 'issue', 'create', '--title', 'a b  c', '-b', '', '--body-file=-'];
    const { given } = parseCommandLine(words);
    expect([given.text('title'), given.text('body'), given.text('body-file')]).toEqual(['a b  c', '', '-']);
  });

  it.each([
    ['issue --breif a.md', '--breif', 'Did you mean --brief?'],
    ['issue --dryrun', '--dryrun', 'Did you mean --dry-run?'],
    ['runs --jsn', '--jsn', 'Did you mean --json?'],
    ['status --no-inptu', '--no-inptu', 'Did you mean --no-input?'],
    ['runs --frobnicate', '--frobnicate', 'Run the command with --help to see its arguments and options.'],
    ['runs -z', '-z', 'Run the command with --help to see its arguments and options.'],
    ['runs --breif x', '--breif', 'Run the command with --help to see its arguments and options.'],
  ])('%s: unknown', (line, option, hint) => {
    const failure = failureOf(line);
    expect(failure.message).toBe(`There is no option ${option}.`);
    expect(failure.hint).toBe(hint);
  });

  it.each([
    ['issue --brief', '--brief needs a value: --brief FILE'],
    ['issue --brief --auto', '--brief needs a value: --brief FILE'],
    ['forge issue create -t', '--title needs a value: --title TEXT'],
    ['forge issue create --body-file', '--body-file needs a value: --body-file FILE'],
    ['issue --auto=yes', '--auto takes no value.'],
    ['runs --json=1', '--json takes no value.'],
  ])('%s: %s', (line, message) => {
    expect(failureOf(line).message).toBe(message);
  });

  it.each([
    ['--body', '- a list\n- of two'],
    ['-b', '- a list'],
    ['--body', '--- a rule ---'],
    ['--body', '-1 degrees'],
  ])('%s %j: a text that begins with a hyphen is a value', (option, text) => {
    const { given } = parseCommandLine([
      'forge',
      'issue',
      'create',
      '--title',
      '- x',
      option,
      text,
      '--json',
    ]);
    expect([given.text('title'), given.text('body'), given.flag('json')]).toEqual(['- x', text, true]);
    expect(() => parseCommandLine(['runs', '--json', '- x'])).toThrow();
  });

  it.each([
    ['issue --on-collision overwrite', '--on-collision has to be one of: resume, clean, abort.'],
    ['forge issue list --state merged', '--state has to be one of: open, closed, all.'],
  ])('%s: %s', (line, message) => {
    expect(failureOf(line).message).toBe(message);
  });

  it.each(['0', '-1', '1.5', 'x', '1e3', '', '+1', '01'])('refuses %j as a count', (value) => {
    const { given } = parseCommandLine(['issue', `--max-iterations=${value}`]);
    expect(() => given.count('max-iterations')).toThrow(
      '--max-iterations has to be a whole number of at least 1.',
    );
  });
});

describe('arguments', () => {
  it.each([
    ['explain', '"gatewright explain" needs SUBJECT'],
    ['runs show', '"gatewright runs show" needs RUN'],
    ['forge permission set alice', '"gatewright forge permission set" needs LEVEL'],
    ['runs show A B', '"gatewright runs show" does not take "B".'],
    ['status x', '"gatewright status" does not take "x".'],
    ['issue -- --brief', '"gatewright issue" does not take "--brief".'],
    ['completion tcsh', 'SHELL has to be one of: bash, zsh, fish.'],
    ['forge permission set alice king', 'LEVEL has to be one of: none, read'],
  ])('%s: %s', (line, message) => {
    expect(failureOf(line).message).toContain(message);
  });

  it('checks none of them when help is wanted', () => {
    expect(parse('explain --help').given.flag('help')).toBe(true);
    expect(parse('completion tcsh -h').command?.name).toBe('completion');
  });

  it('does not take what stands after -- for a wish for help', () => {
    expect(failureOf('completion -- --help').message).toContain('SHELL has to be one of');
    expect(failureOf('runs show -- A -h').message).toContain('does not take "-h"');
    expect(failureOf('frobnicate -- --help').message).toContain('no command');
  });
});
