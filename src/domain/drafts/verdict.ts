/**
 * A reviewer's verdict. Reviewers answer in a schema and the Markdown is rendered from it. Only when a person edits
 * the rendered file is Markdown read back: see read-verdict.ts.
 */
import { z } from 'zod';
import { inlineMarkdown } from '../text/markdown.ts';

export const decisions = ['APPROVED', 'REVISE', 'DISCUSS'] as const;

export type Decision = (typeof decisions)[number];

export const findingSchema = z.object({
  tier: z
    .enum(['blocking', 'high', 'suggestion'])
    .describe('blocking must be fixed; high should be; suggestion may be'),
  category: z
    .string()
    .min(1)
    .max(60)
    .describe('for example Security, Safety, Cost, Legal, Quality, Architecture'),
  section: z.string().max(120).describe('the section of the draft that it is about, or an empty text'),
  problem: z.string().min(1).max(4000),
  fix: z.string().max(4000).describe('what would settle it, without writing it for the drafter'),
});

export const verdictSchema = z.object({
  decision: z.enum(decisions),
  summary: z.string().min(1).max(4000),
  findings: z.array(findingSchema).max(100),
  questions: z.array(z.string().min(1).max(2000)).max(30).describe('questions only a person can answer'),
});

export type Finding = z.infer<typeof findingSchema>;
export type Verdict = z.infer<typeof verdictSchema>;

/** An approval that lists something blocking contradicts itself and approves nothing. */
export function isClean(verdict: Verdict): boolean {
  return verdict.decision === 'APPROVED' && verdict.findings.every((finding) => finding.tier !== 'blocking');
}

/** What the verdict comes to: its decision, except that a contradictory approval is a request to revise. */
export function effectiveDecision(verdict: Verdict): Decision {
  return verdict.decision === 'APPROVED' && !isClean(verdict) ? 'REVISE' : verdict.decision;
}

/** What stands after the label of a box. An approval that a person ticks may say these words and no others. */
export const boxMeaning: Readonly<Record<Decision, string>> = {
  APPROVED: 'ready to go on as it is',
  REVISE: 'the findings above have to be settled first',
  DISCUSS: 'a person has to decide something first',
};

export const tierTitles = {
  blocking: 'Blocking',
  high: 'Should be fixed',
  suggestion: 'Suggestions',
} as const;

export const questionsTitle = 'Questions for a person';
/** Where a person may write freely, also when they approve. */
export const notesTitle = 'Notes';
export const notesHints = [
  'What a person writes here is kept with the verdict.',
  'It decides nothing.',
] as const;
export const verdictTitle = 'Verdict';

interface VerdictHeader {
  readonly reviewer: string;
  readonly prompt: string;
  readonly review: number;
}

/** One finding as an item of a Markdown list, flattened so that it can add nothing else. */
export function renderFinding(finding: Finding): string {
  const place = finding.section === '' ? '' : ` (${inlineMarkdown(finding.section)})`;
  const fix = finding.fix === '' ? '' : `\n  Fix: ${inlineMarkdown(finding.fix)}`;
  return `- **${inlineMarkdown(finding.category)}**${place}: ${inlineMarkdown(finding.problem)}${fix}`;
}

/** Renders the verdict file. Text from the model is flattened so that it cannot add boxes or headings of its own. */
export function renderVerdict(verdict: Verdict, header: VerdictHeader): string {
  const lines = [
    `# Review ${header.review}`,
    '',
    `Reviewer: ${inlineMarkdown(header.reviewer)} · prompt: ${inlineMarkdown(header.prompt)}`,
    '',
    inlineMarkdown(verdict.summary),
    '',
  ];
  for (const tier of ['blocking', 'high', 'suggestion'] as const) {
    const findings = verdict.findings.filter((finding) => finding.tier === tier);
    if (findings.length === 0) continue;
    lines.push(`## ${tierTitles[tier]}`, '');
    lines.push(...findings.map(renderFinding), '');
  }
  if (verdict.questions.length > 0) {
    lines.push(
      `## ${questionsTitle}`,
      '',
      ...verdict.questions.map((question) => `- ${inlineMarkdown(question)}`),
      '',
    );
  }
  const decision = effectiveDecision(verdict);
  lines.push(`## ${notesTitle}`, '', notesHints.join(' '), '', `## ${verdictTitle}`, '');
  for (const name of decisions)
    lines.push(`- [${name === decision ? 'x' : ' '}] **${name}**: ${boxMeaning[name]}`);
  return `${lines.join('\n')}\n`;
}
