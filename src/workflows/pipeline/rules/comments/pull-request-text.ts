/** The words of the commit and of the pull request. What models and strangers wrote in them is made inert. */
import { plainTitle } from '../../../../domain/forge/plain-title.ts';
import type { Proof } from '../../../../runs/coding/proof/rules/proof.ts';
import { describeProof, listWeakened } from '../../../../runs/coding/proof/rules/proof-text.ts';
import { codeOf, lineOf, listOf, proseOf } from '../../../issue-runs/rules/comment-words.ts';
import type { StateDocument } from '../document/state-document.ts';
import { decidedOf } from '../document/undecided.ts';

const words = {
  BUG_FIX: { verb: 'fix', closes: 'Fixes' },
  NEW_FEATURE: { verb: 'feat', closes: 'Closes' },
  REFACTOR_STYLE: { verb: 'refactor', closes: 'Related to' },
} as const;

function wordsOf({ issue: { type } }: StateDocument) {
  return words[decidedOf(type) ?? 'NEW_FEATURE'];
}

export function pullRequestTitle({ issue }: StateDocument): string {
  return plainTitle(issue.title, issue.number);
}

export function commitMessageOf(document: StateDocument): string {
  const { verb, closes } = wordsOf(document);
  const { number, title } = document.issue;
  const summary = document.writer.summary ?? '';
  return `${verb}: ${plainTitle(title, number)}\n\n${lineOf(summary, 500)}\n\n${closes} #${number}\n`;
}

export function pullRequestBody({
  document,
  proof,
  cost,
  tests,
}: {
  readonly document: StateDocument;
  readonly proof: Proof | null;
  readonly cost: { readonly usd: number; readonly isUnpriced: boolean };
  /** The command of the tests. */
  readonly tests: string | null;
}): string {
  const { issue, writer, build, pipeline, review } = document;
  const { closes } = wordsOf(document);
  const ran = build.commands_run.map(
    ({ command, exit_code }) => `${codeOf(command, 200)}: exit code ${exit_code ?? 'unknown'}`,
  );
  const changes = writer.changes.map(
    ({ file, description }) =>
      `${codeOf(file, 300)}${description === '' ? '' : `: ${lineOf(description, 300)}`}`,
  );
  return [
    `${closes} #${issue.number}`,
    '',
    proseOf(writer.summary ?? '', 4000),
    '',
    ...(changes.length === 0 ? [] : ['## Changes', '', ...listOf(changes, 50), '']),
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
            review.findings.issues.map(
              ({ file, issue: text }) => `${codeOf(file ?? '', 300)} ${lineOf(text, 300)}`,
            ),
          ),
          '',
        ]),
    '## How to try it',
    '',
    `Check out ${codeOf(document.commit.branch, 200)}${tests === null ? '' : ` and run ${codeOf(tests, 200)}`}.`,
    '',
    `Attempts: ${pipeline.attempt}. Cost: ${cost.isUnpriced ? 'price unknown' : `${cost.usd.toFixed(2)} USD`}.`,
    '',
  ].join('\n');
}
