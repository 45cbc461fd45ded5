/**
 * Brings over what changed in the template that the repository was made from, in one pull request that a person has to
 * look at. No model is asked. What does not fit is left as it is here and named; no file ever gets marks of a conflict.
 */

import { labelNames } from '../../domain/forge/labels.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import { commitTree, moveBranch } from '../../runs/coding/push-work.ts';
import type { Agent, AgentContext, AgentEnd } from '../agent.ts';
import { ensureLabel } from '../reports/scheduled-work.ts';
import { withStopIssue } from '../stops/tell-on-own-issue.ts';
import { branchPrefix, gatherSync, type OpenSync, type SyncFacts } from './gather-sync.ts';
import { reportConflicts } from './report-conflicts.ts';
import { ignoreFiles, makeIgnore } from './rules/template-ignore.ts';
import { planTemplate, renderSync, type SyncReport } from './rules/template-plan.ts';

interface Change {
  /** Ours, with what was brought over. */
  readonly tree: string;
  readonly isEmpty: boolean;
  readonly report: SyncReport;
}

async function readIgnore({ workspaces }: AgentContext, base: string): Promise<(path: string) => boolean> {
  for (const file of ignoreFiles) {
    const text = await workspaces.readFile(base, file);
    if (text !== null) return makeIgnore(text);
  }
  return makeIgnore('');
}

/**
 * Follows from the commits alone; only git objects are written. A file that is safe in the template can be unsafe among
 * our files, where a link may be on its path: so the result is checked too, until nothing in it is unsafe.
 */
async function prepare(context: AgentContext, facts: SyncFacts): Promise<Change> {
  const { trees } = context;
  const { source, base, template, since } = facts;
  const templateFiles = {
    before: since === null ? null : await trees.listFiles(since),
    now: await trees.listFiles(template),
    ours: await trees.listFiles(base),
    isIgnored: await readIgnore(context, base),
  };
  const unsafe = new Set((await trees.findUnsafe(template, base)).map(({ path }) => path));
  for (;;) {
    const plan = planTemplate({ ...templateFiles, unsafe: [...unsafe] });
    const taken = await trees.takePaths(base, template, plan.take);
    const both =
      since === null || plan.merge.length === 0
        ? { tree: taken, conflicts: [] }
        : await trees.mergePaths(since, base, template, plan.merge);
    const merged = plan.merge.filter((path) => !both.conflicts.includes(path));
    const tree = await trees.takePaths(taken, both.tree, merged);
    const more = (await trees.findUnsafe(tree, base)).filter(({ path }) => !unsafe.has(path));
    for (const { path } of more) unsafe.add(path);
    if (more.length > 0) continue;
    return {
      tree,
      isEmpty: (await trees.listChanges(base, tree)).length === 0,
      report: {
        ...{ source, template, since, taken: plan.take, merged, gone: plan.gone, refused: plan.refused },
        conflicts: [...plan.conflicts, ...both.conflicts].sort(),
      },
    };
  }
}

async function setLabels(
  context: AgentContext,
  number: number,
  add: readonly string[],
  remove: readonly string[],
): Promise<void> {
  const { repository, effects } = context;
  for (const label of add) await ensureLabel(context, label);
  await effects.perform('labels', 'edit-labels', () => ({ repository, number, add, remove }));
}

/**
 * Another author pushed to the pull request, so it is left to them. A label tells them when it conflicts with its base.
 */
async function leaveAlone(
  context: AgentContext,
  { number, isConflicting, labels }: OpenSync,
): Promise<AgentEnd> {
  if (isConflicting && !labels.includes(labelNames.conflict))
    await setLabels(context, number, [labelNames.conflict], []);
  const state = isConflicting ? ' and does not fit its base' : '';
  return { message: `#${number} was changed by another person or program${state}; it is left to them` };
}

async function publish(context: AgentContext, facts: SyncFacts, { tree, report }: Change): Promise<AgentEnd> {
  const { repository, effects, ledger, own: author } = context;
  const { open, branch: base, template } = facts;
  const short = template.slice(0, 12);
  const message = `chore: bring over the template up to ${short}\n`;
  const commit = await commitTree(context, { tree, parent: facts.base, message });
  const branch = open?.branch ?? `${branchPrefix}${short}-${context.runId.slice(-6).toLowerCase()}`;
  const expected = open?.head ?? null;
  await moveBranch(context, 'push', () => ({ branch, commit, expected }));
  const body = () => ledger.putText(renderSync(report));
  const title = `Changes of the template up to ${short}`;
  const opened =
    open === null
      ? await effects.perform('open', 'create-pull-request', async () => {
          return { repository, title, body: await body(), head: branch, base, author };
        })
      : null;
  const number = opened?.number ?? open?.number ?? 0;
  const data = { number, source: sha256(facts.source), template, commit };
  await context.record({ kind: 'template-synced', key: `${repository}#${number}@${commit}`, data });
  if (opened === null)
    await effects.perform('tell', 'create-comment', async () => {
      return { repository, number, body: await body(), author };
    });
  const hasConflicts = report.conflicts.length > 0;
  const labels = [
    labelNames.templateSync,
    labelNames.needsReview,
    ...(hasConflicts ? [labelNames.conflict] : []),
  ];
  await setLabels(context, number, labels, hasConflicts ? [] : [labelNames.conflict]);
  const count = report.conflicts.length;
  const words =
    count === 1
      ? '1 file is in conflict and was left out'
      : `${count} files are in conflict and were left out`;
  const left = hasConflicts ? `; ${words}` : '';
  return {
    message: `#${number} ${open === null ? 'brings' : 'now brings'} the template up to ${short}${left}`,
    ...(opened === null ? {} : { result: opened }),
  };
}

export const templateSync: Agent = withStopIssue({
  name: 'template-sync',
  async run(context) {
    const { template: source } = context.settings;
    if (source === null) return { message: 'no template is set' };
    const facts = await context.once('facts', () => gatherSync(context, source));
    const { open, template } = facts;
    if (open !== null && !open.isOurs) return leaveAlone(context, open);
    if (open !== null && open.template === template && !open.isConflicting)
      return { message: `#${open.number} brings the template up to ${template.slice(0, 12)} and is open` };
    const change = await context.once('change', () => prepare(context, facts));
    const { conflicts } = change.report;
    if (!change.isEmpty) return publish(context, facts, change);
    if (open === null && conflicts.length > 0) return reportConflicts(context, change.report);
    const left = conflicts.length === 0 ? '' : `; in conflict: ${conflicts.slice(0, 5).join(', ')}`;
    return open === null
      ? { message: 'nothing to bring over from the template' }
      : { message: `#${open.number} brings nothing any more and can be closed${left}` };
  },
});
