/** The authoring workflow that turns a brief into a filed issue. */

import { readLabels, readTitle } from '../../../domain/drafts/issue-draft.ts';
import { activeFolder, doneFolder, lineageDone } from '../../../domain/drafts/lineage.ts';
import { checkIssueDraft } from '../../../domain/drafts/mechanical-checks.ts';
import type { Finding } from '../../../domain/drafts/verdict.ts';
import { labelColour } from '../../../domain/forge/label-table.ts';
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import { commitDecided } from '../commit-decided.ts';
import type { AuthoringContext, AuthoringDefinition } from '../definition.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState } from '../state.ts';
import { checkAgainstFacts, findDependencies } from './rules/check-facts.ts';
import { type RepositoryFacts, readFacts, renderFacts } from './rules/repository-facts.ts';

const ideasActive = 'ideas/active/';

/** Where the idea goes when it is filed; null when the brief is not in ideas/active. */
function ideaTarget(context: AuthoringContext, issue: number): string | null {
  const { brief, slug } = context.request;
  return brief.startsWith(ideasActive) ? `ideas/done/${issue}-${slug}.md` : null;
}

/** The brief as the record names it: the path inside the repository, or the bare name of a file that lies elsewhere. */
function recordedBrief(brief: string): string {
  return brief.startsWith('/') ? (brief.split('/').at(-1) ?? brief) : brief;
}

async function fileOnForge(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<{ number: number; url: string; title: string }> {
  const { effects, ledger, progress, request } = context;
  const body = state.draft?.hash ?? '';
  const draft = await ledger.getText(body);
  const title = readTitle(draft);
  const labels = readLabels(draft);
  progress({ kind: 'filing', title, labels, repository: request.repository });
  for (const name of labels) {
    await effects.perform(`file/label/${name.toLowerCase()}`, 'ensure-label', () => ({
      repository: request.repository,
      name,
      colour: labelColour(name),
    }));
  }
  const issue = await effects.perform('file/create-issue', 'create-issue', async () => ({
    repository: request.repository,
    title,
    body,
    labels,
    author: await context.forge.whoAmI(),
  }));
  progress({ kind: 'filed', ...issue });
  return { ...issue, title };
}

async function archive(
  context: AuthoringContext,
  state: AuthoringState,
  issue: { number: number; url: string; title: string },
): Promise<void> {
  const { effects, progress, request } = context;
  await saveLineage(context, 'file/filed-json', 'filed.json', async () => {
    // By the ledger and not by the clock: then a replay says the same, and so does a run that was killed in between.
    const filedAt = (await effects.momentOf('file/create-issue')) ?? context.clock.now();
    const record = {
      issue_number: issue.number,
      issue_url: issue.url,
      title: issue.title,
      filed_at: filedAt.toISOString().replace(/\.\d+Z$/u, '+00:00'),
      brief_file: recordedBrief(request.brief),
      total_iterations: state.iteration,
      draft_count: state.drafts,
      verdict_count: state.verdicts,
    };
    return `${JSON.stringify(record, null, 2)}\n`;
  });
  const from = activeFolder(request.slug);
  const to = doneFolder(issue.number, request.slug);
  await effects.perform('file/move-lineage', 'move-path', () => ({ from, to }));
  progress({ kind: 'moved', what: 'lineage', to: `${to}/` });
  const paths = [from, to];
  const idea = ideaTarget(context, issue.number);
  if (
    idea !== null &&
    (request.dryRun ||
      (await context.repository.exists(request.brief)) ||
      (await context.repository.exists(idea)))
  ) {
    await effects.perform('file/move-idea', 'move-path', () => ({ from: request.brief, to: idea }));
    progress({ kind: 'moved', what: 'idea', to: idea });
    paths.push(request.brief, idea);
  }
  const message = `docs(lineage): keep the audit trail of #${issue.number}`;
  const { commit } = await commitDecided(context, message, paths);
  progress({ kind: 'committed', commit, number: issue.number });
  await effects.perform('file/worktree', 'remove-worktree', () => ({ name: context.runId }));
}

/** Errors after which the issue may be filed in another try; anything else stops the run as it is. */
const recoverable = [
  'forge-rejected',
  'forge-unavailable',
  'certificate-rejected',
  'port-blocked',
  'proxy-refused',
  'proxy-unreachable',
  'forge-forbidden',
  'forge-sso-required',
  'forge-app-not-installed',
  'forge-app-refused',
  'forge-issues-disabled',
  'forge-archived',
  'forge-not-authenticated',
  'forge-not-found',
  'label-invalid',
  'label-reserved',
  'title-invalid',
];

/** A fork files a second issue only when a person says so; one that is about to be filed is finished. */
async function refuseSecond(context: AuthoringContext): Promise<void> {
  if ((await context.effects.momentOf('file/create-issue')) !== null) return;
  const filed = await context.findFiled();
  if (filed === null) return;
  throw new GatewrightError(
    'second-issue',
    `The draft is approved, but the run ${filed.run} has already filed #${filed.number}; this fork would file a second issue.`,
    { resumeWith: '--second-issue' },
  );
}

async function finishIssue(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  await refuseSecond(context);
  let issue: { number: number; url: string; title: string };
  try {
    issue = await fileOnForge(context, state);
  } catch (error) {
    if (!(error instanceof GatewrightError) || !recoverable.includes(error.code)) throw error;
    return { filingError: { code: error.code, message: error.message }, route: 'ask' };
  }
  await archive(context, state, issue);
  return { result: { number: issue.number, url: issue.url }, route: 'done', filingError: null };
}

async function factsOf({ ledger, request }: AuthoringContext): Promise<RepositoryFacts | null> {
  return request.contextHash === undefined ? null : readFacts(await ledger.getText(request.contextHash));
}

/** Of the issues that a draft depends on, those that are not there. */
async function findMissing(
  context: AuthoringContext,
  draft: string,
  facts: RepositoryFacts,
): Promise<number[]> {
  const open = new Set(facts.issues.map(({ number }) => number));
  const missing: number[] = [];
  for (const number of findDependencies(draft).filter((one) => !open.has(one))) {
    try {
      await context.forge.getIssue(context.request.repository, number);
    } catch (error) {
      if (!isGatewrightError(error, 'forge-not-found')) throw error;
      missing.push(number);
    }
  }
  return missing;
}

const ranks = { blocking: 0, high: 1, suggestion: 2 } as const;

async function checkIssue(context: AuthoringContext, draft: string): Promise<Finding[]> {
  const findings = checkIssueDraft(draft);
  const facts = await factsOf(context);
  if (facts === null) return findings;
  const more = checkAgainstFacts(draft, facts, await findMissing(context, draft, facts));
  return [...findings, ...more].sort((a, b) => ranks[a.tier] - ranks[b.tier]).slice(0, 100);
}

export const issueDefinition: AuthoringDefinition = {
  workflow: 'issue',
  draftPrompt: 'draft-issue',
  reviewPrompt: '0701c-issue-review',
  allowance: {
    'write-file': 2000,
    'make-worktree': 1,
    'remove-worktree': 1,
    'ensure-label': 20,
    'create-issue': 1,
    'move-path': 2,
    'remove-folder': 3,
    'commit-files': 1,
    'edit-file': 4000,
  },
  folders: (slug) => [activeFolder(slug), lineageDone],
  pointOfNoReturn: 'file/create-issue',
  askForDraft: async (context) => {
    const { prompts, ledger, request } = context;
    const facts = await factsOf(context);
    return prompts.render('draft-issue-first', {
      repository: facts === null ? '' : renderFacts(facts),
      template: fenceUntrusted('TEMPLATE', await prompts.template('0101-issue')),
      brief: fenceUntrusted('BRIEF', await ledger.getText(request.briefHash)),
    });
  },
  askForReview: ({ prompts }, draft) =>
    prompts.render('review-draft', { draft: fenceUntrusted('DRAFT', draft) }),
  check: checkIssue,
  finish: finishIssue,
};
