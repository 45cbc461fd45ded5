import { describe, expect, it } from 'vitest';
import { missingWaitOption, programOfCommand } from './editor-command.ts';

describe('programOfCommand', () => {
  it.each([
    ['code --wait', 'code'],
    ['  "/My Apps/subl" -n', '/My Apps/subl'],
    ["'/a b/vim' -u x", '/a b/vim'],
    ['', ''],
  ])('%j starts %j', (command, program) => {
    expect(programOfCommand(command)).toBe(program);
  });
});

describe('missingWaitOption', () => {
  it.each([
    ['code', '--wait'],
    ['/usr/bin/code -n', '--wait'],
    ['"/My Apps/subl"', '--wait'],
    ['gvim', '--nofork'],
    ['kate', '--block'],
    ['code -w', null],
    ['code --new-window --wait', null],
    ['gvim -f', null],
    ['vim', null],
    ['constructor', null],
    ['', null],
  ])('%j lacks %j', (command, option) => {
    expect(missingWaitOption(command)).toBe(option);
  });
});
