/** The authoring workflow that turns an issue into an approved low-level design. */

import { readIssueText } from '../../../domain/drafts/issue-text.ts';
import { activeFolder, lineageDone, numberedSlugs } from '../../../domain/drafts/lineage.ts';
import { type Finding, renderFinding } from '../../../domain/drafts/verdict.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../../errors.ts';
import { commitDecided } from '../commit-decided.ts';
import type { AuthoringContext, AuthoringDefinition } from '../definition.ts';
import { appendReviewLog, listReviews } from '../review-log.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState } from '../state.ts';
import { designPath, supersededPath } from './rules/design-paths.ts';
import { checkLldDraft } from './rules/lld-checks.ts';

function issueOf(context: AuthoringContext): { readonly number: number; readonly url: string } {
  const { issue } = context.request;
  if (issue === undefined) throw new GatewrightError('internal', 'A design without an issue.');
  return issue;
}

/** A design counts for one text of the issue: if the issue reads differently now, the design is not approved. */
async function requireSameIssue(context: AuthoringContext): Promise<void> {
  const { number } = issueOf(context);
  const now = readIssueText(await context.forge.getIssue(context.request.repository, number));
  if (sha256(now) === context.request.briefHash) return;
  throw new GatewrightError('issue-changed', `The text of #${number} was changed since this run began.`, {
    hint: `Give the run up and start again with: ${beginAnew(context)}. Or restore the text and resume the run.`,
  });
}

/** The command that gives up this very run, no matter what its name is and where its issue is. */
function beginAnew({ request }: AuthoringContext): string {
  const words = ['gatewright', 'lld', String(request.issue?.number ?? ''), '--on-collision', 'clean'];
  if (request.slug !== `${request.issue?.number}-lld`) words.push('--slug', request.slug);
  if (request.forge === 'github') words.push('--forge', 'github');
  return words.join(' ');
}

async function checkDesign(context: AuthoringContext, draft: string): Promise<Finding[]> {
  await requireSameIssue(context);
  const findings = checkLldDraft(draft, {
    issue: issueOf(context).number,
    files: await context.repository.listFiles(),
  });
  for (const finding of findings) {
    if (finding.tier === 'suggestion') context.progress({ kind: 'warning', message: finding.problem });
  }
  return findings;
}

/** Where an earlier design goes; null when there is none. */
async function findSuperseded(context: AuthoringContext, issue: number): Promise<string | null> {
  if (!(await context.repository.exists(designPath(issue)))) return null;
  for (let number = 1; ; number += 1) {
    const path = supersededPath(issue, number);
    if (!(await context.repository.exists(path))) return path;
  }
}

/** Where the audit trail goes. A name that was chosen by hand may have been used for an earlier design. */
async function findLineageTarget({ repository, request }: AuthoringContext): Promise<string> {
  for (const slug of numberedSlugs(request.slug)) {
    const path = `${lineageDone}/${slug}`;
    if (!(await repository.exists(path))) return path;
  }
  throw new GatewrightError('internal', 'All names are in use.');
}

interface Approval {
  readonly lld_path: string;
  readonly lld_sha256: string;
  readonly lineage_path: string;
  readonly supersedes: string | null;
}

/** Everything that is decided at this point is decided once and read back after a crash. */
async function recordApproval(context: AuthoringContext, state: AuthoringState): Promise<Approval> {
  const { ledger, request } = context;
  const issue = issueOf(context);
  const artefact = await saveLineage(context, 'file/approved-json', 'approved.json', async () => {
    await requireSameIssue(context);
    const draft = state.draft?.hash ?? '';
    const entries = await context.readEntries();
    const reviews = listReviews(entries);
    const approving = entries.findLast((entry) => entry.kind === 'gate-answered');
    const approvedBy = approving?.data.answer.takenFrom?.actor ?? approving?.actor ?? '';
    const document = appendReviewLog(await ledger.getText(draft), reviews, approvedBy);
    const approval = {
      issue_number: issue.number,
      issue_url: issue.url,
      title: request.title,
      issue_text_sha256: request.briefHash,
      lld_path: designPath(issue.number),
      lld_sha256: await ledger.putText(document),
      draft_sha256: draft,
      lineage_path: await findLineageTarget(context),
      // When and by whom the gate was answered; by the ledger, so that a replay says the same.
      approved_at: (approving?.at ?? '').replace(/\.\d+Z$/u, '+00:00'),
      approved_by: approvedBy,
      reviewer: reviews.at(-1)?.by ?? '',
      total_iterations: state.iteration,
      draft_count: state.drafts,
      verdict_count: state.verdicts,
      supersedes: await findSuperseded(context, issue.number),
    };
    return `${JSON.stringify(approval, null, 2)}\n`;
  });
  return JSON.parse(await ledger.getText(artefact.hash)) as Approval;
}

async function finishDesign(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  const { effects, progress, request } = context;
  const { number, url } = issueOf(context);
  const approval = await recordApproval(context, state);
  const path = approval.lld_path;
  const from = activeFolder(request.slug);
  const to = approval.lineage_path;
  const paths = [from, to, path];
  const { supersedes } = approval;
  if (supersedes !== null) {
    await effects.perform('file/supersede', 'move-path', () => ({ from: path, to: supersedes }));
    progress({ kind: 'moved', what: 'superseded', to: supersedes });
    paths.push(supersedes);
  }
  await effects.perform('file/lld', 'write-file', () => ({
    path,
    content: approval.lld_sha256,
    isFinal: true as const,
  }));
  progress({ kind: 'approved', path, number });
  await effects.perform('file/move-lineage', 'move-path', () => ({ from, to }));
  progress({ kind: 'moved', what: 'lineage', to: `${to}/` });
  const message = `docs(lld): approve the design of #${number}`;
  const { commit } = await commitDecided(context, message, paths);
  progress({ kind: 'committed', commit, number });
  await effects.perform('file/worktree', 'remove-worktree', () => ({ name: context.runId }));
  return { result: { number, url, path }, route: 'done', filingError: null };
}

export const lldDefinition: AuthoringDefinition = {
  workflow: 'lld',
  draftPrompt: 'draft-lld',
  reviewPrompt: '0702c-lld-review',
  allowance: {
    'write-file': 2000,
    'make-worktree': 1,
    'remove-worktree': 1,
    'move-path': 2,
    'remove-folder': 3,
    'commit-files': 1,
    'edit-file': 4000,
  },
  folders: (slug) => [activeFolder(slug), lineageDone, 'docs/lld/active', 'docs/lld/superseded'],
  pointOfNoReturn: 'file/approved-json',
  askForDraft: async ({ prompts, ledger, request }) =>
    prompts.render('draft-lld-first', {
      template: fenceUntrusted('TEMPLATE', await prompts.template('0102-lld')),
      repository: request.contextHash === undefined ? '' : await ledger.getText(request.contextHash),
      number: String(request.issue?.number ?? ''),
      issue: fenceUntrusted('ISSUE', await ledger.getText(request.briefHash)),
    }),
  askForReview: async ({ prompts, ledger, request }, draft, findings) =>
    prompts.render('review-lld', {
      number: String(request.issue?.number ?? ''),
      issue: fenceUntrusted('ISSUE', await ledger.getText(request.briefHash)),
      draft: fenceUntrusted('DRAFT', draft),
      // They quote the draft, so they are no more to be trusted than it is.
      findings: fenceUntrusted('FINDINGS', findings.map(renderFinding).join('\n') || 'none'),
    }),
  check: checkDesign,
  finish: finishDesign,
};
