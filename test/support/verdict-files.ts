/** Verdict files to edit: one that approves, one with something that blocks, and the same as a person approves it. */
import { type Decision, renderVerdict, type Verdict } from '../../src/domain/drafts/verdict.ts';

export const header = { reviewer: 'Gemini', prompt: '0701c', review: 1 };

const finding = (tier: 'blocking' | 'high' | 'suggestion', problem: string, fix = 'Name one.') =>
  ({ tier, category: 'Security', section: 'Requirements', problem, fix }) as const;

export const clean: Verdict = { decision: 'APPROVED', summary: 'It is fine.', findings: [], questions: [] };
export const withSuggestion: Verdict = {
  ...clean,
  findings: [finding('suggestion', 'Say how large it may be.')],
};
const blocked: Verdict = {
  decision: 'REVISE',
  summary: 'One thing has to be approved by nobody but Legal.',
  findings: [finding('blocking', 'There is no size limit.'), finding('high', 'The columns are not named.')],
  questions: ['Who pays for it?'],
};

export const box = (label: Decision, mark = ' ') => {
  const line = renderVerdict(clean, header)
    .split('\n')
    .find((one) => one.includes(`**${label}**`));
  return (line ?? '').replace(/\[.\]/u, `[${mark}]`);
};

/** What a person does who approves: delete what blocks, move the tick. */
function approve(text: string): string {
  return text
    .replace(/## Blocking\n\n(?:- .*\n(?: {2}.*\n)*)+\n/u, '')
    .replace('[x]', '[ ]')
    .replace('[ ] **APPROVED**', '[x] **APPROVED**');
}

export const original = renderVerdict(blocked, header);
export const approvedByHand = approve(original);
