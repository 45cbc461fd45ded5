/** What is said about a failed build: the facts by code, the words by a model if there is one. */
import { z } from 'zod';
import { type Sha256, sha256 } from '../../../domain/ledger/hash.ts';
import { inertCode, inertProse } from '../../../domain/text/inert-markdown.ts';

/** So many comments of this kind on one place in one day help; more is noise. */
export const mostDiagnosesPerDay = 3;

const mostSteps = 20;

interface FailedStep {
  readonly job: string;
  readonly step: string;
}

export interface FailedBuild {
  /** Of the workflow. */
  readonly name: string;
  readonly attempt: number;
  /** Where its run can be looked at; empty when that is not known. */
  readonly url: string;
  readonly head: string;
  readonly steps: readonly FailedStep[];
  /** Where the pull request is now, when it is not at that commit any more. */
  readonly movedTo: string | null;
}

/** What a model answers. Made when first asked for: most commands never need a schema. */
export function makeDiagnosisSchema() {
  const words = z.string().trim().min(1).max(4000);
  return z.object({ what: words, why: words, fix: words, confidence: z.enum(['low', 'medium', 'high']) });
}

export type Diagnosis = z.infer<ReturnType<typeof makeDiagnosisSchema>>;

/** The same for two builds of one workflow that fail at the same places. */
export function failureSignature(build: Pick<FailedBuild, 'name' | 'steps'>): Sha256 {
  const places = build.steps.map(({ job, step }) => JSON.stringify([job, step])).sort();
  return sha256([build.name, ...new Set(places)].join('\n'));
}

function linkTo(build: FailedBuild): string {
  const attempt = build.attempt > 1 ? `, attempt ${build.attempt}` : '';
  return /^https?:\/\/[^\s()<>[\]]+$/u.test(build.url) ? ` ([its log](${build.url})${attempt})` : attempt;
}

function listSteps(steps: readonly FailedStep[]): string[] {
  if (steps.length === 0) return ['The forge names no step that failed: it may not even have started.'];
  const lines = steps
    .slice(0, mostSteps)
    .map(({ job, step }) => `- ${inertCode(job, 100)}, step ${inertCode(step, 100)}`);
  const more = steps.length - lines.length;
  return more === 0 ? lines : [...lines, `- and ${more} more`];
}

/** @param words what a model said, or the reason why none did */
export function renderDiagnosis(
  build: FailedBuild,
  words: { readonly diagnosis: Diagnosis } | { readonly missing: string },
): string {
  const moved =
    build.movedTo === null
      ? []
      : [
          '',
          `This is about ${build.head.slice(0, 12)}; the pull request is at ${build.movedTo.slice(0, 12)} by now.`,
        ];
  const said = 'diagnosis' in words ? words.diagnosis : null;
  const missing = 'missing' in words ? inertProse(words.missing) : '';
  return [
    `The workflow ${inertCode(build.name, 100)} failed on ${build.head.slice(0, 12)}${linkTo(build)}.`,
    ...moved,
    '',
    '## What failed',
    '',
    ...listSteps(build.steps),
    ...(said === null ? [] : ['', inertProse(said.what)]),
    '',
    '## Why',
    '',
    ...(said === null
      ? [`There is no diagnosis: ${missing}`]
      : [inertProse(said.why), '', `Confidence: ${said.confidence}. A model wrote this from the log.`]),
    '',
    '## How to fix',
    '',
    said === null ? 'Read the end of the log of each step named above.' : inertProse(said.fix),
    '',
  ].join('\n');
}

export function renderLimit(limit: number): string {
  return `Builds have failed here more than ${limit} times today. The first ${limit} failures were diagnosed above; those that follow today are not. Tomorrow (UTC) it begins anew.\n`;
}
