/** Settles which short name a new run gets, and what becomes of the run that has it already. */

import { activeFolder } from '../../domain/drafts/lineage.ts';
import { checkSlug } from '../../domain/drafts/slug.ts';
import { type AuthoringRun, resumeCommandOf } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import { acquireLease, describeHolder } from '../../runs/acquire-lease.ts';
import { findOpenRun } from '../../runs/find-run.ts';
import type { AuthoringTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import { definitions } from './definitions.ts';
import { hasPassedNoReturn } from './has-passed-no-return.ts';
import { type MovedAside, moveCancelledAside } from './move-cancelled-aside.ts';

/** What a person may do when the short name is in use. */
type Collision =
  | { readonly do: 'resume' | 'clean' | 'abort' }
  | { readonly do: 'rename'; readonly slug: string };

export type ResolveCollision = (facts: {
  slug: string;
  /** Whether a run that is known here has it, to be resumed or given up. */
  canResume: boolean;
  /** The command that resumes it; empty when there is none. */
  resume: string;
  problem: string | null;
}) => Promise<Collision>;

interface Taken {
  readonly taken: boolean;
  readonly open: AuthoringRun | null;
}

export async function isNameTaken(house: AuthoringTools, slug: string): Promise<Taken> {
  const open = await findOpenRun(house.views, house.repository, slug);
  return { taken: open !== null || (await house.repository.exists(activeFolder(slug))), open };
}

/** Gives up a run: its lineage folder, its checkpoints and its work tree go; the ledger keeps what happened. */
async function giveUp(house: AuthoringTools, open: AuthoringRun): Promise<void> {
  const { subject, id: run, request } = open;
  const lease = await acquireLease(house, subject);
  try {
    const entries = await house.ledger.readRun(run);
    const definition = definitions[request.workflow];
    if (hasPassedNoReturn(run, definition, entries)) {
      throw new GatewrightError(
        'slug-taken',
        'That run has finished its last step, or was about to; a new run would do it a second time.',
        { hint: `Finish it with: ${resumeCommandOf(request, run, house.commandSuffix)}` },
      );
    }
    const { allowance } = definition;
    const effects = makeEffects(house, { run, subject, fence: lease, allowance, dryRun: false });
    await effects.perform('clean/lineage', 'remove-folder', () => ({ path: activeFolder(request.slug) }));
    await effects.perform('clean/worktree', 'remove-worktree', () => ({ name: run }));
    await (await house.openCheckpoints()).deleteThread(run);
    const data = { why: 'cleaned to start again' };
    await house.ledger.append([{ subject, run, actor: house.actor, kind: 'run-dropped', data }], lease);
  } finally {
    await lease.release();
  }
}

/** Whether a run stopped at its checks with nothing drafted: there is nothing in it to go on with. */
async function stoppedBeforeDrafting(house: AuthoringTools, open: AuthoringRun): Promise<boolean> {
  if (open.reason?.code !== 'preflight-failed') return false;
  const entries = await house.ledger.readRun(open.id);
  return !entries.some((entry) => entry.kind === 'prompt-sent' || entry.kind === 'gate-asked');
}

/** Takes a short name from a run with which no person can go on; false when such a run does not have it. */
async function freeName(
  house: AuthoringTools,
  slug: string,
  open: AuthoringRun | null,
  onMovedAside: (moved: MovedAside) => void,
): Promise<boolean> {
  if (open !== null) {
    if (!(await stoppedBeforeDrafting(house, open))) return false;
    await giveUp(house, open);
    return true;
  }
  const moved = await moveCancelledAside(house, slug);
  if (moved !== null) onMovedAside(moved);
  return moved !== null;
}

/** Its files are in another work tree, so it is neither resumed nor given up from here by its name. */
function refuseElsewhere({ commandSuffix }: AuthoringTools, { id, request }: AuthoringRun): never {
  throw new GatewrightError(
    'slug-taken',
    `"${request.slug}" is the name of the run ${id}, which works in another work tree of this repository: ${request.root}.`,
    {
      hint: `Continue it with: ${resumeCommandOf(request, id, commandSuffix)}\nOr give it up with: gatewright runs cancel ${id}, or take another name with --slug NAME.`,
    },
  );
}

/** Settles on a free short name, or on the run to resume. Null when the person gave up. */
export async function chooseName(
  house: AuthoringTools,
  wanted: string,
  settle: ResolveCollision,
  onMovedAside: (moved: MovedAside) => void = () => undefined,
): Promise<{ slug: string } | { resume: AuthoringRun } | null> {
  let slug = wanted;
  let problem: string | null = null;
  for (;;) {
    const { taken, open } = await isNameTaken(house, slug);
    if (!taken) return { slug };
    const holder = open === null ? null : await house.leases.holderOf(open.subject);
    if (holder !== null) throw new GatewrightError('lease-held', `"${slug}": ${describeHolder(holder)}.`);
    if (open !== null && open.request.root !== house.repository.root) refuseElsewhere(house, open);
    if (await freeName(house, slug, open, onMovedAside)) continue;
    const resume = open === null ? '' : resumeCommandOf(open.request, open.id, house.commandSuffix);
    const answer = await settle({ slug, canResume: open !== null, resume, problem });
    problem = null;
    switch (answer.do) {
      case 'abort':
        return null;
      case 'resume':
        if (open !== null) return { resume: open };
        problem = 'There is a folder but no run to resume.';
        break;
      case 'clean':
        // What no run of ours made is not ours to remove.
        if (open !== null) await giveUp(house, open);
        else problem = `No known run made ${activeFolder(slug)}; move the folder to another place yourself.`;
        break;
      case 'rename':
        problem = await whyNameUnusable(house, answer.slug);
        if (problem === null) slug = answer.slug;
    }
  }
}

async function whyNameUnusable(house: AuthoringTools, typed: string): Promise<string | null> {
  try {
    const candidate = checkSlug(typed);
    return (await isNameTaken(house, candidate)).taken ? `"${candidate}" is in use as well.` : null;
  } catch (error) {
    if (!(error instanceof GatewrightError)) throw error;
    return `${error.message} ${error.hint}`;
  }
}
