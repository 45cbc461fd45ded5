/** What the local forge had already as wanted, it says: a person who sees only an address would think it was changed. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Playground } from '../support/playground.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

const pr = (words: string) => playground.run(['forge', 'pr', ...words.split(' ')]);

it('labels, assignees and states of a pull request', async () => {
  playground.git('checkout', '--quiet', '-b', 'topic');
  playground.write('a.txt', 'a\n');
  playground.git('add', 'a.txt');
  playground.git('commit', '--quiet', '--message', 'Topic');
  expect((await pr('create --title Topic --label x,y')).code).toBe(0);
  expect((await pr('edit --add-assignee alice')).stderr).toBe('');
  const again = await pr('edit --add-label X,z --remove-label xz --add-assignee alice,eve');
  expect([again.code, again.stdout, again.stderr.split('\n')]).toEqual([
    0,
    'local://local/project/pull/1\n',
    [
      '#1 has the label "X" already.',
      '#1 does not have the label "xz". Did you mean "x"?',
      '#1 is assigned to alice already.',
      expect.stringContaining('eve was not assigned: '),
      '',
    ],
  ]);
  const removed = await pr('edit --remove-label z --json');
  expect([removed.stderr, JSON.parse(removed.stdout)]).toMatchObject(['', { labels: ['x', 'y'] }]);
  expect((await pr('ready')).stderr).toBe('#1 is ready for review already.\n');
  expect((await pr('reopen')).stderr).toBe('#1 is open already.\n');
  expect((await pr('close')).stderr).toBe('');
  const closed = await pr('close');
  expect([closed.code, closed.stderr]).toEqual([0, '#1 is closed already.\n']);
});
