/**
 * Finds the run that a person wants to end or put aside. Looking at the wrong run does no harm; ending it cannot be
 * undone, so here a name has to be plain: one open run of the repository that the person is in.
 */
import { resolve } from 'node:path';
import { makeSlug } from '../domain/drafts/slug.ts';
import { nameOfRun, type RunSummary } from '../domain/ledger/run.ts';
import { GatewrightError } from '../errors.ts';
import type { RunFilter, RunViews } from '../ports/ledger.ts';
import { findRunOf } from './explain-subject.ts';
import { briefPathInside, findRunsById } from './find-run.ts';

export interface PersonPlace {
  readonly folder: string;
  /** Of the repository that the folder is in; null when it is in none. */
  readonly root: string | null;
}

function slugsOf(typed: string): string[] {
  // The name of a file in some folder is no short name: it may be another file than the brief of the run.
  if (/[/\\]/u.test(typed)) return [typed];
  try {
    return [typed, makeSlug(typed)];
  } catch {
    return [typed];
  }
}

/** Every run that a text can mean in a repository; without one, everywhere. */
async function findNamed(
  views: RunViews,
  typed: string,
  { folder, root }: PersonPlace,
): Promise<RunSummary[]> {
  const [, repository, number] = /^(.*)#(\d+)$/su.exec(typed) ?? [];
  const issue = number ?? /^\d+$/u.exec(typed)?.[0];
  const path = root === null ? [] : [briefPathInside(root, resolve(folder, typed))];
  const briefs = [...new Set([typed.replace(/^\.\//u, ''), ...path])];
  const filters: RunFilter[] = [
    { subject: typed },
    { slugs: slugsOf(typed) },
    ...briefs.map((brief) => ({ brief })),
    ...(issue === undefined ? [] : [{ issue: Number(issue), ...(repository ? { repository } : {}) }]),
  ];
  const here = root === null ? {} : { root };
  const found = await Promise.all(filters.map((filter) => views.listRuns({ ...filter, ...here })));
  return [...new Map(found.flat().map((run) => [run.id, run])).values()];
}

function listRuns(runs: readonly RunSummary[]): string {
  return runs.map((run) => `${run.id} (${nameOfRun(run).slice(0, 60)}, in ${run.request.root})`).join('; ');
}

/** What is not found here is refused; what it may mean elsewhere is named by id. */
async function refuse(views: RunViews, typed: string, { folder, root }: PersonPlace): Promise<never> {
  const elsewhere = await findNamed(views, typed, { folder, root: null });
  const open = elsewhere.filter(({ status }) => status !== 'done');
  // Throws where no run fits.
  const runs = open.length > 0 ? open : [await findRunOf(views, typed, folder)];
  throw new GatewrightError(
    'usage',
    root === null
      ? `This folder is in no repository, so "${typed}" names no run here.`
      : `"${typed}" names no run of this repository.`,
    { hint: `Name the run by its id: ${listRuns(runs)}` },
  );
}

export async function findRunToEnd(views: RunViews, typed: string, place: PersonPlace): Promise<RunSummary> {
  const id = typed.toUpperCase();
  const byGate = (await views.listOpenGates()).find((gate) => gate.question.id === id);
  const byId = await findRunsById(views, typed);
  const exact = byId.find((run) => run.id === id);
  if (exact !== undefined) return exact;
  const named = place.root === null ? [] : await findNamed(views, typed, place);
  const all = new Map(
    [...(byGate === undefined ? [] : [byGate.run]), ...byId, ...named].map((run) => [run.id, run]),
  );
  const open = [...all.values()].filter(({ status }) => status !== 'done');
  if (open.length > 1)
    throw new GatewrightError('usage', `"${typed}" can mean ${open.length} runs.`, {
      hint: `Name the run by its id: ${listRuns(open)}`,
    });
  // One that is over cannot be ended again; the caller says so.
  return open[0] ?? [...all.values()][0] ?? refuse(views, typed, place);
}
