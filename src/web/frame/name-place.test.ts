/** Tabs can be told apart. */
import { expect, it } from 'vitest';
import { readAddress } from '../routing/read-address.ts';
import { namePlace } from './name-place.ts';

it.each([
  ['/', 'Inbox'],
  ['/runs', 'Runs'],
  ['/runs/01K8A', 'Run 01K8A'],
  ['/gates/GABCDEF', 'Gate GABCDEF'],
  ['/gates/G\u202EABC', 'Gate G\\u{202e}ABC'],
  ['/nowhere', 'No such page'],
])('%s is %s', (path, name) => {
  expect(namePlace(readAddress(path, ''))).toBe(name);
});
