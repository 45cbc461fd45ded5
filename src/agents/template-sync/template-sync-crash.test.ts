/** The sync, cut off everywhere. By far the most of its time goes to real git, so that half of it is left to `npm run test:crash`. */
import { afterEach, expect, it } from 'vitest';
import { isExhaustive } from '../../../test/support/crash-everywhere.ts';
import { cutOffEverywhere } from '../../../test/support/cut-off-everywhere.ts';
import { TemplateWorld } from '../../../test/support/template-world.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';

let here: TemplateWorld | undefined;
afterEach(() => here?.remove());

it.each([
  ['a new pull request', false],
  ['one that is open', true],
])('loses and doubles nothing: %s', { timeout: 120_000 }, async (_, isOpen) => {
  if (isOpen && !isExhaustive) return;
  here = await TemplateWorld.open({ 'b.txt': 'b\n' }, {});
  if (isOpen) {
    await here.sync();
    here.commit({ 'b.txt': 'bb\n' });
  }
  await receiveEvent(here.world.house, here.due());
  expect(await cutOffEverywhere(here.world)).toBeGreaterThan(12);
  const [pull, ...others] = await here.pulls();
  expect(others).toEqual([]);
  expect(pull?.labels).toEqual(['template_sync', 'needs-review']);
  expect(here.changes(pull?.head.sha ?? '')).toEqual({ 'b.txt': isOpen ? 'bb\n' : 'b\n' });
  const comments = await (await here.world.as('alice')).listComments(here.world.repository, 1);
  expect(comments).toHaveLength(isOpen ? 1 : 0);
});
