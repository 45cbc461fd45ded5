/** Finds the run that a person, or a short name, means. */
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { makeSlug } from '../domain/drafts/slug.ts';
import { type AuthoringRun, isAuthoringRun, type RunSummary } from '../domain/ledger/run.ts';
import { GatewrightError } from '../errors.ts';
import type { RunViews } from '../ports/ledger.ts';

/** A file as the record names it: relative to the repository when it is inside, absolute otherwise. */
export function briefPathInside(root: string, file: string): string {
  const inside = relative(root, file);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? file : inside.split(sep).join('/');
}

/** The unfinished run that uses a short name in a work tree, no matter to which repository of the forge it files. */
export async function findOpenRun(views: RunViews, root: string, slug: string): Promise<AuthoringRun | null> {
  const unfinished = await views.listRuns({ root, doneSince: 'never' });
  const runs = unfinished.filter(isAuthoringRun);
  return runs.find(({ request }) => request.slug === slug && !request.dryRun) ?? null;
}

/** Runs whose id begins like this. */
export async function findRunsById(views: RunViews, typed: string): Promise<RunSummary[]> {
  return typed.length < 6 ? [] : views.listRuns({ idPrefix: typed.toUpperCase() });
}

/** For commands that only make sense for runs with a brief and drafts. */
function requireAuthoring(run: RunSummary): AuthoringRun {
  if (isAuthoringRun(run)) return run;
  throw new GatewrightError(
    'usage',
    `The run ${run.id} is one of an agent; this is for issue and lld runs.`,
    {
      hint: `Look at it with: gatewright runs show ${run.id}`,
    },
  );
}

function onlyOne(runs: readonly AuthoringRun[], typed: string): AuthoringRun | undefined {
  // What is still open is meant rather than what is done.
  const open = runs.filter((run) => run.status !== 'done');
  const [first, second] = open.length > 0 ? open : runs.slice(0, 1);
  if (second === undefined) return first;
  throw new GatewrightError('usage', `"${typed}" matches ${open.length} runs.`, {
    hint: `Name one by its id: ${open.map((run) => run.id).join(', ')}`,
  });
}

/** The run to resume: by run id, by brief file or by short name. */
export async function findRunToResume(views: RunViews, root: string, typed: string): Promise<AuthoringRun> {
  const runs = await views.listRuns({ root });
  const here = runs.filter(isAuthoringRun).filter((run) => !run.request.dryRun);
  const path = briefPathInside(root, resolve(typed));
  const slugs = new Set([typed]);
  try {
    slugs.add(makeSlug(basename(typed)));
  } catch {
    // Not usable as a name; then it can only be an id.
  }
  const found =
    onlyOne((await findRunsById(views, typed)).map(requireAuthoring), typed) ??
    onlyOne(
      // An issue is named as it is, `#42`, in every folder.
      here.filter((run) => run.request.brief === path || run.request.brief === typed),
      typed,
    ) ??
    onlyOne(
      here.filter((run) => slugs.has(run.request.slug)),
      typed,
    );
  if (found !== undefined) return found;
  throw new GatewrightError('run-not-found', `No run of this repository belongs to "${typed}".`);
}
