/** A commit that is written without a process of its own is the one that git makes. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Playground } from '../../../../test/support/playground.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import type { NewCommit } from '../../../ports/workspace.ts';
import { BareGit } from '../bare-git.ts';
import { writeCommit } from './write-commit.ts';

let playground: Playground;
let git: BareGit;
let usual: NewCommit;
let other: string;

beforeAll(() => {
  playground = new Playground({ brief: null });
  git = new BareGit(playground.repository, playground.environment);
  playground.write('a.txt', 'a\n');
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'Files');
  other = playground.git('rev-parse', 'HEAD~1');
  usual = {
    tree: playground.git('rev-parse', 'HEAD^{tree}'),
    parent: playground.git('rev-parse', 'HEAD'),
    message: 'fix: mend it\n\nIt adds now.\n',
    author: { name: 'gatewright[bot]', email: 'gatewright[bot]@users.noreply.example.com' },
    at: '2026-06-01T10:00:00.123Z',
  };
});
afterAll(() => playground.remove());

const write = async (commit: NewCommit) => writeCommit(await git.objects(), commit);

/** Null where git refuses. */
async function commitTree({
  tree,
  parent,
  merged,
  message,
  author: { name, email },
  at,
}: NewCommit): Promise<string | null> {
  const parents = [parent, ...(merged === undefined ? [] : [merged])].flatMap((one) => ['-p', one]);
  const variables = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: at },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: at },
  };
  const args = ['commit-tree', '--no-gpg-sign', ...parents, '-F', '-', tree];
  const made = await git.try(args, { variables, input: message });
  return made.code === 0 ? made.output.trim() : null;
}

it.each<[string, Partial<NewCommit>]>([
  ['usual', {}],
  ['with a name of other letters', { author: { name: 'Zoë ü 学', email: 'z@example.invalid' } }],
  ['whose message ends without a line break', { message: 'One line' }],
  ['whose message has odd line breaks', { message: '\n\n  fix\r\n\r\nit \n\n' }],
  ['whose time has no fraction', { at: '2031-12-31T23:59:59Z' }],
])('writes one that is %s', async (_, change) => {
  const commit = { ...usual, ...change };
  const written = await write(commit);
  expect(written).toMatch(/^[0-9a-f]{40}$/u);
  expect(written).toBe(await commitTree(commit));
  expect(playground.git('cat-file', '-t', written ?? '')).toBe('commit');
});

it('writes one with two parents', async () => {
  const commit = { ...usual, merged: other };
  const written = await write(commit);
  expect(written).toBe(await commitTree(commit));
  expect(playground.git('rev-list', '--parents', '--max-count=1', written ?? '')).toBe(
    `${written} ${usual.parent} ${other}`,
  );
});

it.each<[string, () => Partial<NewCommit>]>([
  ['has no message', () => ({ message: '' })],
  ['has a message with what is no text', () => ({ message: 'a\0b' })],
  ['has the same parent twice', () => ({ merged: usual.parent })],
  ['names its parent as a person would', () => ({ parent: 'HEAD' })],
  ['has no such tree', () => ({ tree: '1'.repeat(40) })],
  ['has no such parent', () => ({ parent: '2'.repeat(40) })],
  ['has a commit for a tree', () => ({ tree: usual.parent })],
  ['has a time that people write', () => ({ at: 'yesterday' })],
  ['has an author without a name', () => ({ author: { name: '', email: 'a@example.invalid' } })],
])('leaves one to git that %s', async (_, change) => {
  expect(await write({ ...usual, ...change() })).toBeNull();
});

it('never writes another one than git', async () => {
  const letter = fc.constantFrom(
    'a',
    'B',
    ' ',
    '.',
    ',',
    '<',
    '>',
    '"',
    "'",
    '\\',
    '\n',
    ';',
    'ü',
    '[',
    '\t',
  );
  const word = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''));
  const changed = fc.record({
    author: fc.record({ name: word, email: word }),
    message: fc.string({ unit: fc.constantFrom('a', '\n', ' ', '\r', '-', 'é'), maxLength: 10 }),
    at: fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
  });
  await fc.assert(
    fc.asyncProperty(changed, async ({ at, ...change }) => {
      const commit = { ...usual, ...change, at: at.toISOString() };
      const written = await write(commit);
      if (written !== null) expect(written).toBe(await commitTree(commit));
    }),
    { numRuns: propertyRuns(400) },
  );
});
