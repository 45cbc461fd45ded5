/**
 * What the implementer writes on the forge. Code fills in numbers and facts; the words of models and strangers are made
 * inert.
 */

import type { Risk, RiskLabel } from '../../../domain/changes/change-risk.ts';
import { plainTitle } from '../../../domain/forge/plain-title.ts';
import type { Denial } from '../../../domain/ledger/denial.ts';
import { planQuestion } from '../../../domain/spoken/approval-words.ts';
import { quoteOutput } from '../../../domain/text/command-output.ts';
import { asCode, callPerson } from '../../../domain/text/comment-parts.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { quietMarkdown } from '../../../domain/text/quiet-markdown.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { type Proof, ranNoTest } from '../../../runs/coding/proof/rules/proof.ts';
import { describeProof, listWeakened } from '../../../runs/coding/proof/rules/proof-text.ts';
import { describeDenials } from '../../pull-requests/rules/describe-denials.ts';
import type { ImplementerAnswer } from './implementer-mode.ts';
import { type OrderDeed, tellDeed } from './order-words.ts';
import type { WorkSummary } from './work-summary.ts';

/** Well below what forges take, so that there is room for our own words. */
const longestWords = 50_000;

function list(items: readonly string[], most = 20): string[] {
  const shown = items.slice(0, most).map((item) => `- ${item}`);
  return items.length <= most ? shown : [...shown, `- and ${items.length - most} more`];
}

/** Reasons contain file names, and the author of the change chose those names. */
function reasonsOf({ reasons }: Risk): string[] {
  return list(reasons.map((reason) => quietMarkdown(escapeForLine(reason, 400), 400)));
}

/** A quote that nothing gets out of, whatever ends its lines. */
function quote(text: string): string[] {
  return text.split(/\r\n?|\n/u).map((line) => `> ${line}`);
}

export function commitMessage(title: string, number: number, isWhole: boolean): string {
  const line = plainTitle(title, number);
  return isWhole
    ? `${line}\n\nFor #${number}.\n`
    : `Work in progress: ${line}\n\nFor #${number}; not finished.\n`;
}

/** As it is kept, hashed and shown: all three are the same text. */
export function quietPlan(plan: string): string {
  return quietMarkdown(plan.trim(), longestWords);
}

export function planComment(plan: string, handle: string, isRevision: boolean): string {
  return [
    isRevision ? '## Plan, revised' : '## Plan',
    '',
    plan,
    '',
    '---',
    '',
    `**${planQuestion}** If so, a person with write permission comments \`@${handle} approve\`; a plain "LGTM", "go ahead" or "yes" will do too. To change it, mention \`@${handle}\` and say what should be different. Nothing is written before that.`,
    '',
  ].join('\n');
}

export interface Verification {
  readonly command: readonly string[];
  readonly commit: string;
  readonly exitCode: number | null;
  readonly milliseconds: number;
  readonly sandbox: string;
  /** The end of what it wrote. */
  readonly output: string;
  /** The command that made the copy ready; null when none is set. Missing where it was not looked up. */
  readonly setup?: { readonly command: readonly string[]; readonly end: string } | null;
  /** What the tests show; missing where that is switched off. */
  readonly proof?: Proof;
}

/** What a command prints that misses what the project depends on. */
const missing =
  /cannot find (?:module|package)|module_?not_?found|no module named|command not found|: not found|no such file or directory|cannot find the (?:path|file)/iu;

/** What a command prints that looks for another machine: checks have no network. */
const offline =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|name resolution|name or service not known|could not resolve host|network is unreachable|no such host|dial tcp|could not transfer artifact|spurious network error|failed to establish a new connection/iu;

/** What was installed before the check; where nothing was and the check seems to miss something, that is said. */
function describeSetup({ setup, exitCode, output }: Verification): string[] {
  if (setup === undefined) return [];
  const isOffline = exitCode !== 0 && offline.test(output);
  if (setup !== null) {
    const said = setup.end === '' ? 'It printed nothing.' : `It printed last: ${asCode(setup.end)}`;
    const ran = `Before that it ran ${asCode(setup.command.join(' '))} in the same copy. ${said}`;
    return ['', isOffline ? `${ran} The check itself has no network.` : ran];
  }
  if (exitCode === 0 || !(exitCode === 127 || isOffline || missing.test(output))) return [];
  return [
    '',
    `The check seems to ${isOffline ? 'look for the network, which it does not have' : 'miss something that the project depends on'}. A copy of the repository has only what is committed: set the command that installs the rest (\`fleet.setup\`, such as \`npm ci\`), and the hosts that it may reach (\`fleet.setupHosts\`).`,
  ];
}

function describeVerification(verified: Verification | null): string {
  if (verified === null)
    return 'No command is set that shows whether a change works (`fleet.verify`), so nothing was run.';
  const { command, commit, exitCode, milliseconds, sandbox, proof } = verified;
  const hasRunNone = proof !== undefined && ranNoTest(proof);
  const came =
    exitCode === 0
      ? hasRunNone
        ? '**ran no test**, which counts as a failure,'
        : '**passed**'
      : exitCode === null
        ? '**was stopped** before it ended'
        : `**failed** with exit code ${exitCode}`;
  const where = sandbox === 'none' ? 'without a sandbox' : `in a sandbox (${sandbox})`;
  const said = `Gatewright ran ${asCode(command.join(' '))} at ${commit.slice(0, 12)}, ${where}: it ${came} after ${(milliseconds / 1000).toFixed(1)} s.`;
  const shown = exitCode === 0 ? [said] : [said, ...quoteOutput(verified.output)];
  const proved = proof === undefined || hasRunNone ? '' : describeProof(proof, exitCode);
  return [...shown, ...(proved === '' ? [] : ['', proved]), ...describeSetup(verified)].join('\n');
}

/** So that a person looks at each place. */
function describeWeakened(verified: Verification | null): string[] {
  const places = verified?.proof === undefined ? [] : listWeakened(verified.proof);
  return places.length === 0
    ? []
    : ['These places make tests or checks weaker, or could; a person has to look at them:', '', ...places];
}

export interface PullRequestFacts {
  readonly issue: number;
  readonly summary: WorkSummary;
  readonly verified: Verification | null;
  readonly risk: Risk;
  readonly leftOut: readonly string[];
  readonly isPlanned: boolean;
  /** What the coding agent was not allowed to do. */
  readonly denials: readonly Denial[];
}

export function pullRequestBody(facts: PullRequestFacts): string {
  const { summary, risk, leftOut } = facts;
  const lines = [
    `Closes #${facts.issue}`,
    '',
    '### What',
    '',
    quietMarkdown(summary.summary, 4000),
    ...(facts.isPlanned ? ['', 'It follows the plan that was approved on the issue.'] : []),
    '',
    '### How it was tested',
    '',
    describeVerification(facts.verified),
    ...(summary.testing.trim() === ''
      ? []
      : ['', `Its author says: ${quietMarkdown(summary.testing, 2000)}`]),
    '',
    `### Risk: ${risk.label}`,
    '',
    ...reasonsOf(risk),
  ];
  const weakened = describeWeakened(facts.verified);
  if (weakened.length > 0) lines.push('', '### Weaker tests', '', ...weakened);
  if (leftOut.length > 0)
    lines.push(
      ...['', '### Left out', ''],
      'Changes to files that steer builds or agents are not taken over from an agent:',
      '',
      ...list(leftOut.map(asCode)),
    );
  const denied = describeDenials(facts.denials);
  if (denied.length > 0) lines.push('', '### Denied', '', ...denied);
  if (summary.questions.length > 0)
    lines.push(
      ...['', '### Open questions', ''],
      ...list(summary.questions.map((question) => quietMarkdown(escapeForLine(question, 500), 500))),
    );
  return `${lines.join('\n')}\n`;
}

export interface SettledFacts {
  readonly commit: string;
  readonly summary: WorkSummary | null;
  readonly verified: Verification | null;
  readonly raisedTo: Risk | null;
  readonly leftOut: readonly string[];
  readonly denials: readonly Denial[];
  /** The branch that was merged in, and the files that were in conflict with it. */
  readonly merged?: {
    readonly base: string;
    readonly paths: readonly string[];
    /** Changed although they were not in conflict: as they were again, and as they were left. */
    readonly putBack: readonly string[];
    readonly alsoChanged: readonly string[];
  };
}

function describeMerge({ base, paths, putBack, alsoChanged }: NonNullable<SettledFacts['merged']>): string[] {
  const part = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [title, '', ...list(items.map(asCode)), ''];
  return [
    ...part(`It merges ${asCode(base)} in and settles these conflicts:`, paths),
    ...part(
      'These files were not in conflict and were changed too; a person has to look at them:',
      alsoChanged,
    ),
    ...part(
      `The coding agent changed these files too, which only ${asCode(base)} brought; they are as they are there:`,
      putBack,
    ),
  ];
}

/** What was corrected on a pull request. */
export function settledComment(facts: SettledFacts): string {
  const { summary, raisedTo, leftOut, merged } = facts;
  const denied = describeDenials(facts.denials);
  const weakened = describeWeakened(facts.verified);
  return [
    `Pushed ${facts.commit.slice(0, 12)}.`,
    '',
    ...(merged === undefined ? [] : describeMerge(merged)),
    summary === null
      ? 'The turns ran out before it was finished; what was done so far is in it.'
      : quietMarkdown(summary.summary, 4000),
    '',
    describeVerification(facts.verified),
    ...(weakened.length === 0 ? [] : ['', ...weakened]),
    ...(raisedTo === null ? [] : ['', `The risk is now **${raisedTo.label}**:`, '', ...reasonsOf(raisedTo)]),
    ...(leftOut.length === 0
      ? []
      : ['', 'Left out, because it steers builds or agents:', '', ...list(leftOut.map(asCode))]),
    ...(denied.length === 0 ? [] : ['', ...denied]),
    '',
  ].join('\n');
}

export function nothingChangedComment(said: string, handle: string, orderedBy: string | null): string {
  return [
    `${callPerson(orderedBy)}Nothing was changed, so there is nothing to propose. This is what was said:`,
    '',
    ...quote(quietMarkdown(said.trim() === '' ? 'Nothing.' : said, longestWords)),
    '',
    `To go on, answer with \`@${handle}\` and what is missing.`,
    '',
  ].join('\n');
}

export function continueLimitComment(facts: {
  readonly orderedBy: string | null;
  readonly handle: string;
  readonly branch: string | null;
  readonly rounds: number;
}): string {
  const kept =
    facts.branch === null
      ? 'Nothing was changed so far.'
      : `What is done so far is on the branch ${asCode(facts.branch)}.`;
  return `${callPerson(facts.orderedBy)}The turns ran out ${facts.rounds} times in a row and the work is not finished; it is not continued by itself any more. ${kept} To go on, comment \`@${facts.handle} continue\`, or split the issue into smaller ones.\n`;
}

export function fixLimitComment(facts: {
  readonly person: string | null;
  readonly handle: string;
  readonly rounds: number;
  readonly review: string;
  /** Why another round would come to nothing; null at the limit of rounds. */
  readonly ended: { readonly what: string; readonly next: string } | null;
}): string {
  const { ended } = facts;
  const rounds = countOf(facts.rounds, 'round');
  const why =
    ended === null
      ? `The review still finds something after ${rounds} of corrections, so they end here and a person is needed.`
      : `After ${rounds} of corrections, ${ended.what}. Another round would come to nothing, so corrections end here and a person is needed.`;
  return [
    `${callPerson(facts.person)}${why}`,
    '',
    'What the last review said:',
    '',
    ...quote(quietMarkdown(facts.review.trim(), 20_000)),
    '',
    ended === null
      ? `To go on, mention \`@${facts.handle}\` here and say what to do, push a correction yourself, or close the pull request.`
      : `To go on, ${ended.next}. Mention \`@${facts.handle}\` here for that, or close the pull request.`,
    '',
  ].join('\n');
}

export function fixLimitOnIssue(
  pull: number,
  person: string | null,
  { rounds, ended }: { readonly rounds: number; readonly ended: { readonly what: string } | null },
): string {
  const after = `after ${countOf(rounds, 'round')} of corrections`;
  const why = ended === null ? `its review still finds something ${after}` : `${after}, ${ended.what}`;
  return `${callPerson(person)}The pull request #${pull} for this issue is stuck: ${why}. What is left is said there.\n`;
}

export function answerComment(
  answer: ImplementerAnswer,
  facts: { readonly handle: string; readonly who: string | null; readonly pull: number | null },
): string {
  const { handle, who, pull } = facts;
  const words: Readonly<Record<ImplementerAnswer, string>> = {
    closed: `This is closed, so nothing is done about it. Reopen it and mention \`@${handle}\` again.`,
    merged: `This is merged, and what is merged is not opened again. To have something changed, open an issue that says what, and mention \`@${handle}\` there.`,
    'in-pull-request': `The work on this is in #${pull ?? 0}. Mention \`@${handle}\` there and say what to change.`,
    'other-pull': `#${pull ?? 0} is open and says that it closes this, so nothing was begun beside it. If it is to be done all the same, comment \`@${handle} continue\`.`,
    'from-fork': `The branch of this pull request is in another repository, where \`@${handle}\` pushes nothing. Ask for the change in a review, or bring the branch into this repository.`,
    'default-branch': `This pull request comes from the default branch, which \`@${handle}\` does not push to. Open it from a branch of its own.`,
    'branch-name': `The branch of this pull request has a name that cannot be pushed to safely. Open it from a branch with a plain name.`,
    unclear: `This is not read as an approval of the plan, so nothing is begun. To have the plan carried out as it is, comment \`@${handle} approve\` and nothing else; "approved", "LGTM", "go ahead" and "yes" are understood too. To change the plan, comment \`@${handle} revise:\` and say what should be different.`,
    'plan-changed': `The plan was changed after you wrote that, so nothing was approved. Look at the newest one; to have it carried out, comment \`@${handle} approve\`.`,
  };
  return `${callPerson(who)}${words[answer]}\n`;
}

export function outdatedOrderComment(facts: {
  readonly person: string | null;
  readonly handle: string;
  readonly outdated: 'order' | 'plan';
  /** What the person did to begin it. */
  readonly deed: OrderDeed;
}): string {
  const { person, handle, outdated, deed } = facts;
  const since = outdated === 'plan' ? 'its plan was made' : tellDeed(person === null ? 'said' : deed);
  const next =
    outdated === 'plan'
      ? `mention \`@${handle}\` and ask for the plan to be made anew`
      : `order it anew in a comment with \`@${handle}\``;
  return `${callPerson(person)}The text of this issue was changed after ${since}, and not by a person who may give orders here, so nothing was run. Read it again; if it says what you want, ${next}.\n`;
}

/** @param who the person who asked for it just now; null when it is a next step of ours */
export function heldComment(who: string | null): string {
  return `${callPerson(who)}This carries the label \`hold\`, so nothing is begun. It goes on by itself when a person with write permission takes the label off.\n`;
}

export function dismissedComment(facts: {
  readonly who: string;
  readonly dismissed: readonly string[];
  readonly unknown: readonly string[];
  readonly isClean: boolean | null;
}): string {
  const { who, dismissed, unknown, isClean } = facts;
  const sentences = [
    ...(dismissed.length === 0 ? [] : [`Dismissed: ${dismissed.map(asCode).join(', ')}; not raised again.`]),
    ...(unknown.length === 0 ? [] : [`No review here has raised ${unknown.map(asCode).join(', ')}.`]),
    ...(isClean === true ? ['Nothing in the newest review holds it back any more.'] : []),
  ];
  return `@${who} ${sentences.join(' ')}\n`;
}

/** When a comment speaks of dismissing and is not of the form that dismisses. */
export function undismissedComment(who: string, handle: string): string {
  return `@${who} Nothing was dismissed: the comment says more than that. To dismiss a finding, write a comment with nothing else in it: \`@${handle} dismiss ID because REASON\`, the reason being one plain clause without commas, or no reason at all. To have something changed, say it without "dismiss".\n`;
}

/** The risk label that a pull request carries; null when it has none, the gravest when it has several. */
export function riskLabelOf(labels: readonly string[], risks: readonly RiskLabel[]): RiskLabel | null {
  return risks.findLast((risk) => labels.some((label) => label.toLowerCase() === risk)) ?? null;
}
