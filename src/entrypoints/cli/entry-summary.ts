/** One line for each kind of ledger entry. */

import { describeRefusal } from '../../domain/describe-refusal.ts';
import type { GateAnswer } from '../../domain/gate.ts';
import { shortHash } from '../../domain/hash.ts';
import type { EntryData, LedgerEntry } from '../../domain/ledger-entry.ts';
import type { Grant } from '../../domain/open-grants.ts';
import { matchRequest, type RunRequest } from '../../domain/run.ts';
import { escapeForLine } from '../../domain/untrusted-text.ts';
import { money, statusWithReason } from './format.ts';

function startText(request: RunRequest): string {
  const note = request.dryRun ? ' (dry run)' : '';
  return matchRequest(request, {
    authoring: ({ title, brief, fork }) => {
      const from = `"${title}" from ${brief}`;
      return fork === undefined ? from + note : `${from} (fork of ${fork.run} from step ${fork.step})`;
    },
    agent: ({ agent, title }) => `${agent} for ${title}${note}`,
  });
}

function takenText(run: string | undefined): string {
  return run === undefined ? '' : `, taken over from ${run}`;
}

function grantText(grant: Grant | undefined): string {
  if (grant?.limit === undefined) return '';
  return `, granted ${money(grant.limit.usd)} and ${grant.limit.turns} turns`;
}

function failureText(data: EntryData['model-failed']): string {
  const { role, model, why, credential, usage, isAtMost = false } = data;
  const tried = credential === '' ? why : `${why} with ${credential}`;
  return `${role} ${model}, ${tried}, ${usage.inputTokens} in, ${usage.outputTokens} out, ${isAtMost ? 'at most ' : ''}${money(usage.costUsd)}`;
}

function detail(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'run-started':
      return startText(entry.data.request);
    case 'run-resumed':
      return `was ${entry.data.from}`;
    case 'run-stopped':
      return statusWithReason(entry.data.status, entry.data.reason.message);
    case 'run-ended':
      return entry.data.reason.message;
    case 'run-dropped':
      return entry.data.why;
    case 'node-begun':
      return entry.data.node;
    case 'files-listed':
      return `${entry.data.count} ${entry.data.count === 1 ? 'file' : 'files'}, list ${shortHash(entry.data.files)}`;
    case 'independence-waived':
      return `${entry.data.drafter} and ${entry.data.reviewer}: ${entry.data.why}`;
    case 'prompt-sent':
      return `${entry.data.role} ${entry.data.model}, prompt ${shortHash(entry.data.prompt)}, instructions ${shortHash(entry.data.instructions)}${grantText(entry.data.grant)}`;
    case 'work-metered':
      return `${entry.data.role} ${entry.data.model}, ${entry.data.grant.atMost.turns} turns, at most ${money(entry.data.grant.atMost.costUsd)} by now`;
    case 'model-answered': {
      const { usage } = entry.data;
      const cached = usage.cacheReadTokens === undefined ? '' : ` (${usage.cacheReadTokens} cached)`;
      return `${entry.data.role} ${entry.data.reportedModel}, ${usage.inputTokens} in${cached}, ${usage.outputTokens} out, ${money(usage.costUsd)}, answer ${shortHash(entry.data.answer)}${takenText(entry.data.takenFrom)}`;
    }
    case 'model-failed':
      return failureText(entry.data);
    case 'verdict':
      return `${entry.data.decision} by ${entry.data.by} on draft ${shortHash(entry.data.draft)}${entry.data.prompt === '' ? '' : `, prompt ${shortHash(entry.data.prompt)}`}${takenText(entry.data.takenFrom)}`;
    case 'gate-asked':
      return `${entry.data.question.id} ${entry.data.question.kind} gate, iteration ${entry.data.question.iteration}`;
    case 'gate-answered':
      return `${entry.data.gate} ${entry.data.answer.choice} by ${entry.actor}${verdictText(entry.data.answer)}${entry.data.answer.feedback === undefined ? '' : `: ${entry.data.answer.feedback}`}`;
    case 'effect-intended':
      return describeEffect(entry.data.effect) + (entry.data.dryRun ? ' (dry run: not done)' : '');
    case 'effect-receipted':
      return `${shortenHashes(JSON.stringify(entry.data.result))}${entry.data.found ? ' (found after an interruption)' : ''}`;
    case 'event-received':
      return `${entry.data.kind} by ${entry.data.actor}`;
    case 'schedule-begun':
      return `${entry.data.schedule} counts from here on`;
    case 'repository-identified':
      return `${entry.data.name} has the number ${entry.data.id}`;
    case 'repository-renamed':
      return `it is called ${entry.data.name} now`;
    case 'event-settled':
      return entry.data.runs.length === 0 ? 'nobody had to act' : entry.data.runs.join(', ');
    case 'event-refused':
      return describeRefusal(entry.data);
    case 'step-done':
      return `${entry.data.step}, result ${shortHash(entry.data.result)}`;
    case 'command-verified':
      return `${entry.data.command.join(' ')} at ${shortHash(entry.data.commit)}: ${entry.data.exitCode === null ? 'stopped' : `exit ${entry.data.exitCode}`}, output ${shortHash(entry.data.output)}, sandbox ${entry.data.sandbox}`;
    case 'sandbox-used':
      return entry.data.reason === null ? entry.data.kind : `${entry.data.kind}: ${entry.data.reason}`;
    case 'plan-proposed':
      return `plan ${shortHash(entry.data.plan)} in comment ${entry.data.comment}`;
    case 'plan-approved':
      return `plan ${shortHash(entry.data.plan)} by ${entry.data.by}`;
    case 'work-pushed':
      return `${entry.data.branch} at ${shortHash(entry.data.commit)}`;
    case 'pull-request-made':
      return `#${entry.data.number} from ${entry.data.branch}${entry.data.issue === null ? '' : ` for #${entry.data.issue}`}`;
    case 'code-reviewed':
      return `#${entry.data.number} at ${shortHash(entry.data.commit)}: ${entry.data.isClean ? 'clean' : 'issues found'} by ${entry.data.by}`;
    case 'merge-rejected':
      return `#${entry.data.number} at ${shortHash(entry.data.commit)} on ${shortHash(entry.data.base)}: ${entry.data.why}, output ${shortHash(entry.data.output)}`;
    case 'finding-dismissed':
      return `${entry.data.finding} by ${entry.data.by}: ${entry.data.why}`;
    case 'limit-reached':
      return `${entry.data.what}, after ${entry.data.limit}`;
    case 'failure-diagnosed':
      return `run ${entry.data.workflowRun}, attempt ${entry.data.attempt}${entry.data.number === null ? '' : ` on #${entry.data.number}`}`;
    case 'template-synced':
      return `#${entry.data.number} up to ${shortHash(entry.data.template)} of the template`;
    case 'effect-failed':
      return `${entry.data.code}: ${entry.data.message}`;
  }
}

function shortenHashes(text: string): string {
  return text.replace(/\b[0-9a-f]{64}\b/gu, shortHash);
}

type Effect = Extract<LedgerEntry, { kind: 'effect-intended' }>['data']['effect'];

export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'write-file':
    case 'remove-folder':
      return `${effect.kind} ${effect.path}`;
    case 'move-path':
      return `move-path ${effect.from} → ${effect.to}`;
    case 'commit-files':
      return `commit-files "${effect.message}"`;
    case 'ensure-label':
      return `ensure-label ${effect.name}`;
    case 'create-issue':
      return `create-issue "${effect.title}" in ${effect.repository}`;
    case 'create-pull-request':
      return `create-pull-request "${effect.title}" from ${effect.head} to ${effect.base}`;
    case 'edit-labels':
      return `edit-labels #${effect.number}${effect.add.map((name) => ` +${name}`).join('')}${effect.remove.map((name) => ` -${name}`).join('')}`;
    case 'create-comment':
    case 'close-issue':
    case 'create-review':
    case 'merge-pull-request':
    case 'enqueue-pull-request':
    case 'update-branch':
      return `${effect.kind} #${effect.number}`;
    case 'merge-together':
      return `merge-together ${effect.pulls.map(({ number }) => `#${number}`).join(' ')}`;
    case 'push-branch':
      return `push-branch ${effect.branch} to ${shortHash(effect.commit)}`;
    case 'delete-branch':
      return `delete-branch ${effect.branch}`;
    case 'comment-commit':
      return `comment-commit ${shortHash(effect.commit)}`;
    default:
      return effect.kind;
  }
}

/** What came of a verdict that the answer did not simply follow. */
function verdictText({ verdict, isAgainstVerdict }: GateAnswer): string {
  const said =
    verdict?.isEdited === true ? ` on an edited verdict that says ${verdict.decision ?? 'nothing'}` : '';
  return isAgainstVerdict === true ? `${said} against the verdict` : said;
}

export function summariseEntry(entry: LedgerEntry): string {
  return `${entry.kind.padEnd(19)} ${escapeForLine(detail(entry), 160)}`;
}
