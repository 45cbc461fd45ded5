/** The words of the commit and of the pull request. What models and strangers wrote in them is made inert. */
import { hideTokens } from '../../../../domain/changes/hide-tokens.ts';
import { plainText, plainTitle } from '../../../../domain/forge/plain-title.ts';
import type { Proof } from '../../../../runs/coding/proof/rules/proof.ts';
import { describeProof, listWeakened } from '../../../../runs/coding/proof/rules/proof-text.ts';
import { codeOf, fitComment, lineOf, listOf, proseOf } from '../../../issue-runs/rules/comment-words.ts';
import type { StateDocument } from '../document/state-document.ts';
import { decidedOf } from '../document/undecided.ts';

const words = {
  BUG_FIX: { verb: 'fix', closes: 'Fixes' },
  NEW_FEATURE: { verb: 'feat', closes: 'Closes' },
  REFACTOR_STYLE: { verb: 'refactor', closes: 'Related to' },
} as const;

function wordsOf({ issue: { type } }: Pick<StateDocument, 'issue'>) {
  return words[decidedOf(type) ?? 'NEW_FEATURE'];
}

export function pullRequestTitle({ issue }: StateDocument): string {
  return plainTitle(issue.title, issue.number);
}

/** Plain words: git and its tools show a message as it is, without Markdown. */
export function commitMessageOf(
  document: Pick<StateDocument, 'issue'> & { readonly writer: Pick<StateDocument['writer'], 'summary'> },
): string {
  const { verb, closes } = wordsOf(document);
  const { number, title } = document.issue;
  const said = plainText(hideTokens(document.writer.summary ?? ''));
  const parts = [`${verb}: ${plainTitle(title, number)}`, said, `${closes} #${number}`];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

export interface PipelineCost {
  readonly usd: number;
  /** The most that calls can have cost whose price was not reported, because they were cut off. */
  readonly atMostUsd: number;
  readonly isUnpriced: boolean;
}

function describeCost({ usd, atMostUsd, isUnpriced }: PipelineCost): string {
  if (isUnpriced) return 'price unknown';
  const bound = atMostUsd > 0 ? `, and at most ${atMostUsd.toFixed(2)} USD for calls that were cut off` : '';
  return `${usd.toFixed(2)} USD${bound}`;
}

interface PullText {
  readonly document: StateDocument;
  readonly proof: Proof | null;
  readonly cost: PipelineCost;
  /** The command of the tests. */
  readonly tests: string | null;
}

const mostSteps = 10;

/** What the writer says about trying it out; it is shown, and nothing of it is run. */
function listSteps({ try_it: steps }: StateDocument['writer'], scale: number): string[] {
  const shown = (steps ?? []).map((step) => proseOf(step, 300 * scale).replaceAll('\n\n', ' '));
  const said = shown.filter((step) => step !== '').slice(0, mostSteps);
  return said.length === 0 ? [] : ['', ...said.map((step, index) => `${index + 1}. ${step}`)];
}

function writeBody({ document, proof, cost, tests }: PullText, scale: number): string {
  const { issue, writer, build, pipeline, review } = document;
  const { closes } = wordsOf(document);
  const line = (text: string): string => lineOf(text, 300 * scale);
  const code = (text: string): string => codeOf(text, 300 * scale);
  const ran = build.commands_run.map(
    ({ command, exit_code }) => `${code(command)}: exit code ${exit_code ?? 'unknown'}`,
  );
  const changes = writer.changes.map(
    ({ file, description }) => `${code(file)}${description === '' ? '' : `: ${line(description)}`}`,
  );
  return [
    `${closes} #${issue.number}`,
    '',
    proseOf(writer.summary ?? '', 4000 * scale),
    '',
    ...(changes.length === 0 ? [] : ['## Changes', '', ...listOf(changes, 50 * scale), '']),
    '## What was tested',
    '',
    ...listOf(ran),
    ...(proof === null ? [] : ['', describeProof(proof, 0), ...listWeakened(proof)]),
    '',
    ...(review.findings.issues.length === 0
      ? []
      : [
          '## Remarks of the reviewer',
          '',
          ...listOf(
            review.findings.issues.map(({ file, issue: text }) => `${code(file ?? '')} ${line(text)}`),
            20 * scale,
          ),
          '',
        ]),
    '## How to try it',
    '',
    `Check out ${codeOf(document.commit.branch, 200)}${tests === null ? '' : ` and run ${codeOf(tests, 200)}`}.`,
    ...listSteps(writer, scale),
    '',
    `Attempts: ${pipeline.attempt}. Cost: ${describeCost(cost)}.`,
    '',
  ].join('\n');
}

export function pullRequestBody(text: PullText): string {
  return fitComment((scale) => writeBody(text, scale));
}
