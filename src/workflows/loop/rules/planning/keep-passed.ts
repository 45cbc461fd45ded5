/** A new plan for what is left: tasks that passed stay as they are, and the new ones come after them. */
import { readPrd } from '../document/prd.ts';

interface Story {
  readonly id: string;
  readonly passes: boolean;
  readonly dependsOn?: readonly string[];
}

interface Document {
  readonly userStories: readonly Story[];
  readonly debugState?: unknown;
}

const numberOf = (id: string): number => Number(id.slice('US-'.length));

/** @param current the prd.json of the branch; @param fresh the one of the new plan; both are valid */
export function keepPassed(current: string, fresh: string): string {
  const [old, next] = [JSON.parse(current) as Document, JSON.parse(fresh) as Document];
  const passed = old.userStories.filter(({ passes }) => passes);
  const last = Math.max(0, ...old.userStories.map(({ id }) => numberOf(id)));
  const renamed = new Map(
    next.userStories.map(({ id }, index) => [id, `US-${String(last + index + 1).padStart(3, '0')}`]),
  );
  const added = next.userStories.map((story) => ({
    ...story,
    id: renamed.get(story.id) ?? story.id,
    ...(story.dependsOn === undefined
      ? {}
      : { dependsOn: story.dependsOn.map((id) => renamed.get(id) ?? id) }),
  }));
  const text = `${JSON.stringify({ ...next, userStories: [...passed, ...added] }, null, 2)}\n`;
  // Two tasks of the same title have the same uid; the new one gets its own from its place.
  return 'prd' in readPrd(text) ? text : withoutUids(text);
}

function withoutUids(text: string): string {
  const { userStories, ...rest } = JSON.parse(text) as { userStories: { uid?: string; passes: boolean }[] };
  const stories = userStories.map(({ uid, ...story }) => (story.passes ? { uid, ...story } : story));
  return `${JSON.stringify({ ...rest, userStories: stories }, null, 2)}\n`;
}
