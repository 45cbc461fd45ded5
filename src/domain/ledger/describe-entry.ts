/** An entry of the ledger in one sentence; the same wherever it is shown. A new kind does not compile without one. */

import { convergenceWords } from '../changes/convergence-words.ts';
import type { GateAnswer } from '../drafts/gate.ts';
import type { Usage } from '../models/budget.ts';
import type { Grant } from '../models/open-grants.ts';
import { countOf } from '../text/count-of.ts';
import { money } from '../text/money.ts';
import { type Denials, listDenials } from './denial.ts';
import { describeEffect } from './describe-effect.ts';
import { describeRefusal } from './describe-refusal.ts';
import type { MergeGrounds } from './fleet-entries.ts';
import { shortHash } from './hash.ts';
import type { EntryData, EntryKind, EntryOf, LedgerEntry } from './ledger-entry.ts';
import { describeNode } from './node-words.ts';
import { matchRequest, type RunRequest } from './run.ts';

/** A status and its reason, without saying "waiting" twice. */
export function statusWithReason(status: string, reason: string): string {
  return reason.startsWith(`${status} `) ? reason : `${status}: ${reason}`;
}

function startText(request: RunRequest): string {
  const note = request.dryRun ? ' (dry run)' : '';
  return matchRequest(request, {
    authoring: ({ title, brief, fork }) => {
      const from = `"${title}" from ${brief}`;
      return fork === undefined ? from + note : `${from} (fork of ${fork.run} from step ${fork.step})`;
    },
    agent: ({ agent, title }) => `${agent} for ${title}${note}`,
    loop: ({ number, title }) => `the loop of #${number} "${title}"${note}`,
    pipeline: ({ number, title }) => `the pipeline of #${number} "${title}"${note}`,
  });
}

function takenText(run: string | undefined): string {
  return run === undefined ? '' : `, taken over from ${run}`;
}

function grantText(grant: Grant | undefined): string {
  if (grant?.limit === undefined) return '';
  return `, granted ${money(grant.limit.usd)} and ${countOf(grant.limit.turns, 'turn')}`;
}

function costText({ costUsd, isUnpriced }: Usage): string {
  return isUnpriced === true ? 'price unknown' : money(costUsd);
}

/** Everything that is known of it: a person who looks at a run wants to see what the agent tried. */
function deniedText(denials: Denials | undefined): string {
  if (denials === undefined) return '';
  const shown = listDenials(denials);
  const more = denials.count > shown.length ? ' (some more than once, or not listed)' : '';
  return `, denied ${countOf(denials.count, 'time')}: ${shown.join('; ')}${more}`;
}

function answerText(data: EntryData['model-answered']): string {
  const { role, reportedModel, usage, answer, takenFrom, denials } = data;
  const cached = usage.cacheReadTokens === undefined ? '' : ` (${usage.cacheReadTokens} cached)`;
  return `${role} ${reportedModel}, ${usage.inputTokens} in${cached}, ${usage.outputTokens} out, ${costText(usage)}, answer ${shortHash(answer)}${takenText(takenFrom)}${deniedText(denials)}`;
}

function failureText(data: EntryData['model-failed']): string {
  const { role, model, why, credential, usage, isAtMost = false, denials } = data;
  const tried = credential === '' ? why : `${why} with ${credential}`;
  return `${role} ${model}, ${tried}, ${usage.inputTokens} in, ${usage.outputTokens} out, ${isAtMost ? 'at most ' : ''}${costText(usage)}${deniedText(denials)}`;
}

/** What came of a verdict that the answer did not simply follow. */
function verdictText({ verdict, isAgainstVerdict }: GateAnswer): string {
  const said =
    verdict?.isEdited === true ? ` on an edited verdict that says ${verdict.decision ?? 'nothing'}` : '';
  return isAgainstVerdict === true ? `${said} against the verdict` : said;
}

function commandText({ command, commit, exitCode, output, sandbox }: EntryData['command-verified']): string {
  const came = exitCode === null ? 'stopped' : `exit ${exitCode}`;
  return `${command.join(' ')} at ${shortHash(commit)}: ${came}, output ${shortHash(output)}, sandbox ${sandbox}`;
}

function reviewText(data: EntryData['code-reviewed']): string {
  const { number, commit, isClean, by, prompt, input, reportedModel } = data;
  const made =
    prompt === undefined || input === undefined
      ? ''
      : `, answered by ${reportedModel}, prompt ${shortHash(prompt)}, input ${shortHash(input)}`;
  return `#${number} at ${shortHash(commit)}: ${isClean ? 'clean' : 'issues found'} by ${by}${made}`;
}

const setBy = { us: 'by our rules as', program: 'by the listed program', person: 'by' } as const;

/** What a merge rested on, one clause each. Names are as they came. */
export function listGrounds({ head, by, label, reviews, approvals, checks, tested }: MergeGrounds): string[] {
  const carried = label.carriedBy.length;
  const given =
    label.head === head
      ? ''
      : `, given at ${shortHash(label.head)} and carried on by ${carried} ${carried === 1 ? 'commit' : 'commits'} of ours`;
  return [
    `label set ${setBy[label.by]} ${label.actor} at ${label.at}${given}`,
    ...reviews.map((review) => `reviewed clean by ${review.by} (entry ${shortHash(review.entry)})`),
    ...approvals.map((one) => `approved by ${one.by} at ${shortHash(one.commit)}`),
    checks.length === 0
      ? 'no checks reported'
      : `checks: ${checks.map(({ name, state }) => `${name} ${state}`).join(', ')}`,
    ...(tested === null ? [] : [`tested as ${shortHash(tested)}`]),
    ...(by === 'queue' ? ['handed to the merge queue of the forge'] : []),
  ];
}

const redGreenTexts: Readonly<Record<EntryData['change-proven']['redGreen'], string>> = {
  shown: 'its tests fail without it',
  'not-red': 'its tests do not fail without it',
  'no-tests-changed': 'it changes no test',
  'unknown-runner': 'the test runner is not known',
  'not-run': 'its tests were not run without it',
};

function proofText({ commit, isProven, redGreen, executed, weakened }: EntryData['change-proven']): string {
  const ran = executed === null ? 'tests not counted' : `${executed} tests ran`;
  const weaker = weakened === 0 ? '' : `, ${weakened} places weaker`;
  return `${shortHash(commit)}: ${isProven ? 'proven' : 'not proven'}, ${ran}, ${redGreenTexts[redGreen]}${weaker}`;
}

function shortenHashes(text: string): string {
  return text.replace(/\b[0-9a-f]{64}\b/gu, shortHash);
}

type Sentences = { readonly [K in EntryKind]: (data: EntryData[K], entry: EntryOf<K>) => string };

const sentences: Sentences = {
  'strategy-chosen': ({ strategy, because }) => `${strategy}, because ${because}`,
  'run-started': ({ request }) => startText(request),
  'brief-changed': ({ brief }) => `the brief is ${shortHash(brief)} now`,
  'run-resumed': ({ from }) => `was ${from}`,
  'run-stopped': ({ status, reason }) => statusWithReason(status, reason.message),
  'run-ended': ({ reason }) => reason.message,
  'run-dropped': ({ why }) => why,
  'run-dismissed': ({ by }) => `put aside by ${by}`,
  'node-begun': ({ node }) => describeNode(node),
  'files-listed': ({ count, files }) =>
    `${count} ${count === 1 ? 'file' : 'files'}, list ${shortHash(files)}`,
  'independence-waived': ({ drafter, reviewer, why }) => `${drafter} and ${reviewer}: ${why}`,
  'prompt-sent': ({ role, model, prompt, instructions, grant }) =>
    `${role} ${model}, prompt ${shortHash(prompt)}, instructions ${shortHash(instructions)}${grantText(grant)}`,
  'work-metered': ({ role, model, grant: { atMost } }) =>
    `${role} ${model}, ${countOf(atMost.turns, 'turn')}, at most ${money(atMost.costUsd)} by now`,
  'model-answered': answerText,
  'model-failed': failureText,
  verdict: ({ decision, by, draft, prompt, takenFrom }) =>
    `${decision} by ${by} on draft ${shortHash(draft)}${prompt === '' ? '' : `, prompt ${shortHash(prompt)}`}${takenText(takenFrom)}`,
  'gate-asked': ({ question }) => `${question.id} ${question.kind} gate, iteration ${question.iteration}`,
  'gate-answered': ({ gate, answer }, { actor }) =>
    `${gate} ${answer.choice} by ${actor}${verdictText(answer)}${answer.feedback === undefined ? '' : `: ${answer.feedback}`}`,
  'effect-intended': ({ effect, dryRun }) => describeEffect(effect) + (dryRun ? ' (dry run: not done)' : ''),
  'effect-receipted': ({ result, found }) =>
    `${shortenHashes(JSON.stringify(result))}${found ? ' (found after an interruption)' : ''}`,
  'effect-failed': ({ code, message }) => `${code}: ${message}`,
  'event-received': ({ kind, actor }) => `${kind} by ${actor}`,
  'schedule-begun': ({ schedule }) => `${schedule} counts from here on`,
  'repository-identified': ({ name, id }) => `${name} has the number ${id}`,
  'repository-renamed': ({ name }) => `it is called ${name} now`,
  'event-settled': ({ runs }) => (runs.length === 0 ? 'no agent had to act' : runs.join(', ')),
  'event-refused': describeRefusal,
  'proposal-refused': ({ workflowRun, attempt, why }) =>
    `workflow run ${workflowRun}, attempt ${attempt}: ${why}`,
  'step-done': ({ step, result }) => `${step}, result ${shortHash(result)}`,
  'command-verified': commandText,
  'change-proven': proofText,
  'sandbox-used': ({ kind, reason }) => (reason === null ? kind : `${kind}: ${reason}`),
  'plan-proposed': ({ plan, comment }) => `plan ${shortHash(plan)} in comment ${comment}`,
  'plan-approved': ({ plan, by }) => `plan ${shortHash(plan)} by ${by}`,
  'work-pushed': ({ branch, commit }) => `${branch} at ${shortHash(commit)}`,
  'pull-request-made': ({ number, branch, issue }) =>
    `#${number} from ${branch}${issue === null ? '' : ` for #${issue}`}`,
  'work-summarised': ({ number, commit, summary }) =>
    `#${number} at ${shortHash(commit)}, summary ${shortHash(summary)}`,
  'code-reviewed': reviewText,
  'merge-granted': (grounds) =>
    `#${grounds.number} at ${shortHash(grounds.head)} onto ${grounds.base}: ${listGrounds(grounds).join('; ')}`,
  'merge-rejected': ({ number, commit, base, why, output }) =>
    `#${number} at ${shortHash(commit)} on ${shortHash(base)}: ${why}, output ${shortHash(output)}`,
  'copy-prepared': ({ command, exitCode, milliseconds, end }) =>
    `${command.join(' ')}: ${exitCode === null ? 'was stopped' : `exit ${exitCode}`} after ${(milliseconds / 1000).toFixed(1)} s${end === '' ? '' : `, printed last: ${end}`}`,
  'conflict-met': ({ number, head, base, paths }) =>
    `#${number} at ${shortHash(head)} conflicts with ${shortHash(base)} in ${paths.join(', ')}`,
  'merge-waits': ({ number, head, unmet }) =>
    `#${number} at ${shortHash(head)} waits for a person: ${unmet.map(({ what }) => what).join('; ')}`,
  'finding-dismissed': ({ finding, by, why }) => `${finding} by ${by}: ${why}`,
  'limit-reached': ({ what, limit, because }) =>
    `${what}, after ${limit}${because === undefined ? '' : `: ${convergenceWords[because]}`}`,
  'failure-diagnosed': ({ workflowRun, attempt, number }) =>
    `run ${workflowRun}, attempt ${attempt}${number === null ? '' : ` on #${number}`}`,
  'loop-plan-approved': ({ issue, plan, by }) => `plan ${shortHash(plan)} of #${issue} by ${by}`,
  'task-judged': ({ task, attempt, passed, commit, reasons }) =>
    `${task}, attempt ${attempt}: ${passed ? 'passed' : 'failed'}${commit === null ? '' : ` at ${shortHash(commit)}`}${reasons.length === 0 ? '' : `; ${reasons.join('; ')}`}`,
  'loop-closed-early': ({ by, why, open, tested }) =>
    `by ${by}, ${tested ? 'tested' : 'not tested'}${open.length === 0 ? '' : `, open: ${open.join(', ')}`}${why === '' ? '' : `: ${why}`}`,
  'debugging-dropped': ({ by, description }) =>
    `${by} says that it works as it is; not mended: ${description}`,
  'task-skipped': ({ task, by, why }) => `${task} by ${by}: ${why}`,
  'wisp-promoted': ({ wisp, to, task, by }) => `${wisp} to ${task ?? `a ${to}`} by ${by}`,
  'learning-observed': ({ learning, agent, content, file }) =>
    `${learning} by ${agent}${file === null ? '' : ` about ${file}`}: ${content}`,
  'learning-edited': ({ learning, by, content }) => `${learning} by ${by}: ${content}`,
  'learning-removed': ({ learning, by, why }) => `${learning} by ${by}${why === '' ? '' : `: ${why}`}`,
  'stage-ended': ({ stage, attempt, outcome, commit }) =>
    `${stage}, attempt ${attempt}: ${outcome}${commit === null ? '' : ` at ${shortHash(commit)}`}`,
  'section-rejected': ({ stage, violations }) => `${stage}: ${violations.join('; ')}`,
  'stage-returned': ({ stage }, { actor }) => `to ${stage} by ${actor}`,
  'question-answered': ({ from, to }) => `of the ${from} by the ${to}`,
  'template-synced': ({ number, template }) => `#${number} up to ${shortHash(template)} of the template`,
};

/** Every kind of entry, as the table above is complete. */
export const entryKinds: readonly string[] = Object.keys(sentences);

/** Names and texts are as they came: escape them on screen. */
export function describeEntry(entry: LedgerEntry): string {
  // Each kind has its own sentence; the compiler cannot follow that the two belong together.
  const say = sentences[entry.kind] as (data: LedgerEntry['data'], entry: LedgerEntry) => string;
  return say(entry.data, entry);
}
