/** Finds the run that a person, or a short name, means. */
import { existsSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { makeSlug } from '../domain/drafts/slug.ts';
import { type AuthoringRun, isAuthoringRun, type RunSummary } from '../domain/ledger/run.ts';
import { GatewrightError } from '../errors.ts';
import type { RunFilter, RunViews } from '../ports/ledger.ts';
import type { Repository } from '../ports/repository.ts';

/** A file as the record names it: relative to the repository when it is inside, absolute otherwise. */
export function briefPathInside(root: string, file: string): string {
  const inside = relative(root, file);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? file : inside.split(sep).join('/');
}

type WorkTrees = Pick<Repository, 'root' | 'isOwnWorkTree' | 'identify'>;

/**
 * Runs of this work tree first, then those of other work trees of the repository, and last those whose folder is gone:
 * these cannot continue, and the caller says so.
 */
async function listOwn(runs: readonly AuthoringRun[], repository: WorkTrees): Promise<AuthoringRun[]> {
  const identity = await repository.identify();
  const rank = new Map<string, number>();
  for (const { request } of runs) {
    const { root, home } = request;
    if (rank.has(root)) continue;
    if (root === repository.root) rank.set(root, 0);
    else if (await repository.isOwnWorkTree(root)) rank.set(root, 1);
    else if (home !== undefined && home === identity && !existsSync(root)) rank.set(root, 2);
  }
  const rankOf = ({ request }: AuthoringRun): number => rank.get(request.root) ?? Number.POSITIVE_INFINITY;
  return runs.filter((run) => Number.isFinite(rankOf(run))).sort((one, other) => rankOf(one) - rankOf(other));
}

/** The unfinished run that uses a short name in a repository, no matter to which repository of the forge it files. */
export async function findOpenRun(
  views: RunViews,
  repository: WorkTrees,
  slug: string,
): Promise<AuthoringRun | null> {
  const unfinished = await views.listRuns({ slugs: [slug], doneSince: 'never' });
  const runs = unfinished.filter(isAuthoringRun).filter(({ request }) => !request.dryRun);
  // The name of a run whose folder is gone is free: its files are gone too.
  return (await listOwn(runs, repository)).find(({ request }) => existsSync(request.root)) ?? null;
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

/** The run to resume: by run id, by brief file or by short name. It may be one of another work tree of the repository. */
export async function findRunToResume(
  views: RunViews,
  repository: WorkTrees,
  typed: string,
): Promise<AuthoringRun> {
  const path = briefPathInside(repository.root, resolve(typed));
  const find = async (filter: RunFilter): Promise<AuthoringRun[]> => {
    const runs = (await views.listRuns(filter)).filter(isAuthoringRun);
    return listOwn(
      runs.filter((run) => !run.request.dryRun),
      repository,
    );
  };
  const slugs = new Set([typed]);
  try {
    slugs.add(makeSlug(basename(typed)));
  } catch {
    // Not usable as a name; then it can only be an id.
  }
  // An issue is named as it is, `#42`, in every folder.
  const briefs = [...new Set([path, typed])];
  const found =
    onlyOne((await findRunsById(views, typed)).map(requireAuthoring), typed) ??
    onlyOne((await Promise.all(briefs.map((brief) => find({ brief })))).flat(), typed) ??
    onlyOne(await find({ slugs: [...slugs] }), typed);
  if (found !== undefined) return found;
  throw new GatewrightError('run-not-found', `No run of this repository belongs to "${typed}".`);
}
