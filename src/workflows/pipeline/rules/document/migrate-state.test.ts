import { expect, it } from 'vitest';
import { documentedState } from '../../../../../test/support/documented-state.ts';
import { migrateState } from './migrate-state.ts';
import { readState } from './state-document.ts';

const withVersion = (version: string): string =>
  documentedState.replace('"version": "1.0"', `"version": ${version}`);

it.each(['"1.0"', '"1.1"', '"1.27"'])('reads version %s and keeps it', (version) => {
  expect(readState(withVersion(version))).toMatchObject({
    state: { version: JSON.parse(version) as string },
  });
});

it.each([
  ['"2.0"', 'is 2.0, and this program reads 1.x: use a newer version of Gatewright'],
  ['"17.3"', 'is 17.3, and this program reads 1.x: use a newer version of Gatewright'],
  ['"0.9"', 'is 0.9, and no newer version was ever made from 0.x'],
  ['1.0', 'has to be a version such as "1.0"'],
  ['"1"', 'has to be a version such as "1.0"'],
  ['"1.0.0"', 'has to be a version such as "1.0"'],
  ['"1.x"', 'has to be a version such as "1.0"'],
  ['"01.0"', 'has to be a version such as "1.0"'],
  ['null', 'has to be a version such as "1.0"'],
  ['["1.0"]', 'has to be a version such as "1.0"'],
])('refuses version %s', (version, message) => {
  expect(readState(withVersion(version))).toEqual({ problems: [{ path: 'version', message }] });
});

it('says only that the version is too new: the other fields may mean something else', () => {
  expect(readState('{"version": "2.0", "issue": 7}')).toMatchObject({ problems: [{ path: 'version' }] });
});

it('takes an older document from one major version to the next', () => {
  const migrations = new Map([
    [0, ({ ticket, ...rest }: Record<string, never>) => ({ ...rest, issue: ticket })],
  ]);
  expect(migrateState({ version: '0.4', ticket: 1, other: 2 }, migrations as never)).toEqual({
    value: { version: '1.0', issue: 1, other: 2 },
  });
});

it.each([null, 7, 'text', [], {}])('leaves %j to the form of the document', (value) => {
  expect(migrateState(value)).toEqual({ value });
});
