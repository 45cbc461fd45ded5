import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseTask } from './choose-task.ts';
import { readPrd, type UserStory } from './prd.ts';

function storiesOf(...given: readonly Record<string, unknown>[]): { userStories: UserStory[] } {
  const userStories = given.map((one, index) => ({
    id: `US-00${index + 1}`,
    title: 'A task',
    description: '',
    acceptanceCriteria: [],
    passes: false,
    ...one,
  }));
  const read = readPrd(JSON.stringify({ project: 'p', branchName: 'ai/issue-1-p', userStories }));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.prd;
}

const idsOf = (stories: readonly UserStory[]): string[] => stories.map(({ id }) => id);

describe('the next task', () => {
  it.each([
    ['the first in the file', [{}, {}], 'US-001'],
    ['the one with the lowest number as priority', [{ priority: 2 }, { priority: 1 }], 'US-002'],
    ['one with a priority before one without', [{}, { priority: 50 }], 'US-002'],
    ['not one that passed', [{ passes: true }, {}], 'US-002'],
    ['not one without attempts left', [{ attempts: 3 }, { attempts: 2 }], 'US-002'],
    ['not one that waits', [{ dependsOn: ['US-002'], priority: 1 }, { priority: 9 }], 'US-002'],
    ['one whose dependency passed', [{ passes: true }, { dependsOn: ['US-001'], priority: 1 }, {}], 'US-002'],
    [
      'one that passed by hand with no attempts counts for others',
      [{ passes: true, attempts: 9 }, { dependsOn: ['US-001'] }],
      'US-002',
    ],
  ] as const)('is %s', (_, stories, id) => {
    expect(chooseTask(storiesOf(...stories), 3)).toMatchObject({ kind: 'task', story: { id } });
  });

  it('is none when all passed', () => {
    expect(chooseTask(storiesOf({ passes: true }, { passes: true, attempts: 5 }), 3)).toEqual({
      kind: 'all-passed',
    });
  });

  it('is none when the rest used its attempts or waits for such a task', () => {
    const choice = chooseTask(
      storiesOf({ passes: true }, { attempts: 3 }, { dependsOn: ['US-002'] }, { dependsOn: ['US-003'] }),
      3,
    );
    if (choice.kind !== 'blocked') throw new Error(choice.kind);
    expect(idsOf(choice.exhausted)).toEqual(['US-002']);
    expect(idsOf(choice.waiting)).toEqual(['US-003', 'US-004']);
  });

  it('leads through any plan to an end: every task passes in turn when every attempt succeeds', () => {
    const plan = fc
      .array(fc.record({ priority: fc.option(fc.integer({ min: 0, max: 3 })), back: fc.nat({ max: 5 }) }), {
        minLength: 1,
        maxLength: 9,
      })
      .map((items) =>
        items.map(({ priority, back }, index) => ({
          ...(priority === null ? {} : { priority }),
          dependsOn: back > 0 && back <= index ? [`US-00${index + 1 - back}`] : [],
        })),
      );
    fc.assert(
      fc.property(plan, (items) => {
        const { userStories } = storiesOf(...items);
        for (let left = userStories.length; left > 0; left -= 1) {
          const choice = chooseTask({ userStories }, 3);
          if (choice.kind !== 'task') throw new Error(choice.kind);
          expect(choice.story.passes).toBe(false);
          choice.story.passes = true;
        }
        expect(chooseTask({ userStories }, 3).kind).toBe('all-passed');
      }),
      { numRuns: 200 },
    );
  });
});
