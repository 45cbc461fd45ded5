/** Reads prd.json: every problem at once, each with the place where it stands. */
import type { z } from 'zod';
import { type JsonProblem, jsonValueOf, showPath } from '../../../documents/json-tree.ts';
import { limitProblems, mostProblems } from '../../../documents/limit-problems.ts';
import { readJsonTree } from '../../../documents/read-json-tree.ts';
import { mostStories, prdSchema, type storySchema } from './prd-schema.ts';
import { makeTaskUid } from './task-uid.ts';

/** A task. Its uid is computed where an older file has none. */
export type UserStory = z.output<typeof storySchema>;
export type Prd = z.output<typeof prdSchema>;

const largest = 1_000_000;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The stories as far as they can be read, so that the places of all of them are checked even if one has another error. */
function storiesOf(value: unknown): readonly Fields[] {
  const stories = isFields(value) ? value.userStories : undefined;
  return Array.isArray(stories) ? stories.map((one: unknown) => (isFields(one) ? one : {})) : [];
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'string' ? one : '')) : [];

function findTwice(stories: readonly Fields[], field: 'id' | 'uid'): JsonProblem[] {
  const first = new Map<string, number>();
  return stories.flatMap((story, index) => {
    const value = story[field];
    if (typeof value !== 'string') return [];
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, index);
      return [];
    }
    const message = `is the same as that of userStories[${earlier}]`;
    return [{ path: showPath(['userStories', index, field]), message }];
  });
}

function findUnknown(stories: readonly Fields[]): JsonProblem[] {
  const known = new Set(stories.map(({ id }) => id));
  return stories.flatMap((story, index) =>
    textsOf(story.dependsOn).flatMap((id, place) =>
      id === '' || known.has(id)
        ? []
        : [
            {
              path: showPath(['userStories', index, 'dependsOn', place]),
              message: `names ${JSON.stringify(id.slice(0, 40))}, and no task has that id`,
            },
          ],
    ),
  );
}

/** One problem for each dependency that closes a circle on a walk through all of them. */
function findCycles(stories: readonly Fields[]): JsonProblem[] {
  const places = new Map(stories.map(({ id }, index) => [id, index]));
  const state = new Map<number, 'open' | 'done'>();
  const problems: JsonProblem[] = [];
  const trail: number[] = [];
  const visit = (index: number): void => {
    state.set(index, 'open');
    trail.push(index);
    textsOf(stories[index]?.dependsOn).forEach((id, place) => {
      const next = places.get(id);
      if (next === undefined || problems.length >= mostProblems) return;
      if (state.get(next) === 'open') {
        const circle = [...trail.slice(trail.indexOf(next)), next].map((one) => String(stories[one]?.id));
        problems.push({
          path: showPath(['userStories', index, 'dependsOn', place]),
          message: `makes a circle: ${circle.length > 8 ? `${circle.slice(0, 4).join(' → ')} → … → ${circle.at(-1)}` : circle.join(' → ')}`,
        });
      } else if (state.get(next) === undefined) visit(next);
    });
    trail.pop();
    state.set(index, 'done');
  };
  stories.forEach((_, index) => {
    if (state.get(index) === undefined) visit(index);
  });
  return problems;
}

/** Reads and checks the text. The text stays as it is: what is filled in stands in the parsed value only. */
export function readPrd(text: string): { prd: Prd } | { problems: { path: string; message: string }[] } {
  if (text.length > largest || Buffer.byteLength(text, 'utf8') > largest)
    return { problems: [{ path: '', message: `is larger than ${largest} bytes` }] };
  const tree = readJsonTree(text);
  if ('problems' in tree) return { problems: limitProblems(tree.problems) };
  const value = jsonValueOf(tree.tree.root);
  const stories = storiesOf(value);
  if (stories.length > mostStories)
    return { problems: [{ path: 'userStories', message: `may have ${mostStories} entries` }] };
  const parsed = prdSchema.safeParse(value);
  const formal = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ path: showPath(path), message }));
  const problems = [
    ...formal,
    ...findTwice(stories, 'id'),
    ...findTwice(stories, 'uid'),
    ...findUnknown(stories),
    ...findCycles(stories),
  ];
  if (!parsed.success || problems.length > 0) return { problems: limitProblems(problems) };
  const { issueNumber, userStories } = parsed.data;
  const named = userStories.map((story, index) => {
    const origin = { issue: issueNumber, title: story.title, discoveredFrom: story.discoveredFrom };
    return { ...story, uid: story.uid || makeTaskUid({ ...origin, ordinal: index + 1 }) };
  });
  const twice = findTwice(named, 'uid');
  return twice.length > 0
    ? { problems: limitProblems(twice) }
    : { prd: { ...parsed.data, userStories: named } };
}
