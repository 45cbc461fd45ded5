/** The command names the port where a person would have to name it. */
import { expect, it } from 'vitest';
import { linkCommand } from './link-command.ts';

it.each([
  ['8787', 'gatewright serve --link'],
  ['9000', 'gatewright serve --link --port 9000'],
  ['', 'gatewright serve --link --port 80'],
])('of port %j is %s', (port, command) => {
  expect(linkCommand(port)).toBe(command);
});
