/**
 * Finds documentation that mentions things which do not exist, and opens a pull request that corrects it. Code finds
 * the mistakes, before and after; a coding agent writes the corrections, and only the corrections are taken from its
 * changes.
 */

import { assessRisk } from '../../domain/changes/change-risk.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { ownBranches } from '../../domain/forge/own-branches.ts';
import type { Denial } from '../../domain/ledger/denial.ts';
import { isSameRepository, issueSubject } from '../../domain/ledger/subject.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { fenceUntrusted } from '../../domain/text/fence-untrusted.ts';
import type { Snapshot } from '../../ports/workspace.ts';
import type { Left } from '../../runs/coding/coding-context.ts';
import { commitTree, moveBranch } from '../../runs/coding/push-work.ts';
import { workAside } from '../../runs/coding/work-in-copy.ts';
import type { Agent, AgentContext, AgentEnd } from '../agent.ts';
import { ensureLabel } from '../reports/scheduled-work.ts';
import { withStopIssue } from '../stops/tell-on-own-issue.ts';
import { docDriftManifest } from './manifest.ts';
import { readDrift } from './read-drift.ts';
import type { DriftItem } from './rules/doc-drift.ts';
import {
  compareDrift,
  describeDrift,
  type Repair,
  refuseChange,
  renderRepair,
} from './rules/doc-drift-repair.ts';

interface Facts {
  readonly branch: string;
  readonly base: string;
  readonly drift: readonly DriftItem[];
  /** Which work of the coding agent on this repository's documentation it is. */
  readonly call: number;
}

interface Taken {
  readonly tree: string;
  readonly dropped: readonly { readonly path: string; readonly why: string }[];
}

const branchPrefix = `${ownBranches}doc-drift-`;

/** What the coding agent left, what it says of it, and what it was denied. */
interface Corrections {
  readonly left: Snapshot;
  readonly summary: string;
  readonly denials: readonly Denial[];
}

/** Runs that were begun by a former version have kept the snapshot by itself. */
function toCorrections(kept: Corrections | Snapshot): Corrections {
  return 'left' in kept ? kept : { left: kept, summary: '', denials: [] };
}

/** Work that a former version has kept is the snapshot by itself. */
function snapshotOf(left: Left | Snapshot): Snapshot {
  return 'snapshot' in left ? left.snapshot : left;
}

/** A pull request of ours that is still open, wherever it was made; one at a time is enough to read. */
async function findOpen({ forge, repository, own }: AgentContext): Promise<number | null> {
  const pulls = await forge.listPullRequests(repository, { state: 'open', author: own });
  const found = pulls.find(
    ({ head, author }) =>
      author === own && isSameRepository(head.repository, repository) && head.branch.startsWith(branchPrefix),
  );
  return found?.number ?? null;
}

async function gather(context: AgentContext): Promise<{ readonly nothing: string } | Facts> {
  const { forge, repository, transport, ledger, subject, runId } = context;
  const open = await findOpen(context);
  if (open !== null)
    return { nothing: `#${open} corrects documentation and is open; nothing else was begun` };
  const branch = await forge.defaultBranch(repository);
  const base = await transport.fetchBranch(repository, branch);
  const drift = await readDrift(context, base);
  if (drift.length === 0) return { nothing: 'nothing drifted' };
  const earlier = (await ledger.readWork(subject)).filter(
    (entry) => entry.kind === 'model-answered' && entry.run !== runId && entry.data.role === 'documenter',
  );
  return { branch, base, drift, call: earlier.length + 1 };
}

/** Has the corrections written; returns what the agent left. */
async function askForCorrections(context: AgentContext, { base, drift, call }: Facts): Promise<Corrections> {
  const { prompts, runId } = context;
  const { left, end, denials } = await workAside(context, `doc-drift-${runId}`, {
    ...{ role: 'documenter', call, schema: null, purpose: 'correcting documentation' },
    ...{ start: base, steeringFrom: base },
    instructions: await prompts.render('agent-fix-docs', {}),
    describe: async () =>
      `These places are wrong, one a line:\n\n${fenceUntrusted('places', describeDrift(drift))}`,
    tools: { mode: 'implement', commands: [] },
    turnLimit: docDriftManifest.turns,
  });
  const summary = end.kind === 'finished' ? end.text : '';
  return { left: snapshotOf(left), summary, denials };
}

/** The base with the corrections in it, and nothing else of what the agent did. */
async function takeCorrections(context: AgentContext, facts: Facts, left: Snapshot): Promise<Taken> {
  const { trees } = context;
  const kindsOf = async (treeish: string) =>
    new Map((await trees.listFiles(treeish)).map(({ path, kind }) => [path, kind] as const));
  const [before, after] = [await kindsOf(facts.base), await kindsOf(left.tree)];
  const judged = left.files.map((file) => ({
    path: file.path,
    why:
      refuseChange(file, facts.drift) ??
      (before.get(file.path) === after.get(file.path) ? null : 'it became something else than a file'),
  }));
  const steering = left.leftOut.map((path) => ({ path, why: 'it steers agents or builds' }));
  const dropped = judged.flatMap(({ path, why }) => (why === null ? [] : [{ path, why }]));
  const paths = judged.filter(({ why }) => why === null).map(({ path }) => path);
  return { tree: await trees.takePaths(facts.base, left.tree, paths), dropped: [...dropped, ...steering] };
}

async function propose(
  context: AgentContext,
  facts: Facts,
  { tree, dropped }: Taken,
  repair: Repair & Pick<Corrections, 'summary' | 'denials'>,
): Promise<AgentEnd> {
  const { repository, effects, ledger, trees, own, runId } = context;
  const { branch: base } = facts;
  const risk = assessRisk(await trees.listChanges(facts.base, tree), null);
  const title = 'Documentation says what is there again';
  const message = `docs: ${title[0]?.toLowerCase()}${title.slice(1)}\n\nIt spoke of files, links or commands that are gone.\n`;
  const commit = await commitTree(context, { tree, parent: facts.base, message });
  const branch = `${branchPrefix}${runId.toLowerCase()}`;
  await moveBranch(context, 'push', () => ({ branch, commit, expected: null }));
  const result = await effects.perform('open', 'create-pull-request', async () => ({
    repository,
    title,
    body: await ledger.putText(
      renderRepair({ ...repair, dropped, risk: risk.reasons, title: context.models.titleOf('coder') }),
    ),
    head: branch,
    base,
    author: own,
  }));
  const { number } = result;
  const { summary } = repair;
  const said = summary.trim() === '' ? {} : { summary: await ledger.putText(summary) };
  const data = { number, issue: null, branch, base, ...said };
  await context.record({ kind: 'pull-request-made', key: issueSubject(repository, number), data });
  const labels = [risk.label, labelNames.documentation];
  for (const label of labels) await ensureLabel(context, label);
  await effects.perform('labels', 'edit-labels', () => ({ repository, number, add: labels, remove: [] }));
  const droppedNote =
    dropped.length === 0 ? '' : `; changes to ${countOf(dropped.length, 'other file')} were not taken over`;
  return {
    message: `#${number} settles ${repair.settled.length} of ${countOf(facts.drift.length, 'place')} that drifted${droppedNote}`,
    result,
    handoffs: [
      { to: 'reviewer', task: 'start', number },
      { to: 'pr-size-guardian', task: 'start', number },
    ],
  };
}

interface Judged {
  readonly taken: Taken;
  readonly repair: Repair;
  /** Why nothing is proposed; null when it is. */
  readonly refused: string | null;
}

/** What is left of the corrections, and whether code finds less wrong with it than before. */
async function judge(context: AgentContext, facts: Facts, left: Snapshot): Promise<Judged> {
  const taken = await takeCorrections(context, facts, left);
  const repair = compareDrift(facts.drift, await readDrift(context, taken.tree));
  const dropped = taken.dropped.slice(0, 3).map(({ path, why }) => `${path}: ${why}`);
  const refuse = (): string | null => {
    if (left.secrets.length > 0) return 'the corrections hold what looks like a secret, and were not used';
    if (repair.added.length > 0)
      return `the corrections are wrong in ${countOf(repair.added.length, 'new place')} and were not used`;
    if (repair.settled.length === 0)
      return `none was settled${dropped.length === 0 ? '' : ` (${dropped.join('; ')})`}`;
    return null;
  };
  return { taken, repair, refused: refuse() };
}

export const docDrift: Agent = withStopIssue({
  name: 'doc-drift',
  async run(context) {
    const facts = await context.once('facts', () => gather(context));
    if ('nothing' in facts) return { message: facts.nothing };
    const kept = await context.once<Corrections | Snapshot>('left', () => askForCorrections(context, facts));
    const { left, summary, denials } = toCorrections(kept);
    const { taken, repair, refused } = await context.once('judged', () => judge(context, facts, left));
    if (refused !== null) return { message: `${countOf(facts.drift.length, 'place')} drifted; ${refused}` };
    return propose(context, facts, taken, { ...repair, summary, denials });
  },
});
