/** Cassettes for tests: drafts and verdicts in the order in which they are asked for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface VerdictObject {
  readonly decision: 'APPROVED' | 'REVISE' | 'DISCUSS';
  readonly summary: string;
  readonly findings: readonly unknown[];
  readonly questions: readonly string[];
}

export const approved: VerdictObject = {
  decision: 'APPROVED',
  summary: 'Ready.',
  findings: [],
  questions: [],
};

export const revise: VerdictObject = {
  decision: 'REVISE',
  summary: 'One thing is missing.',
  findings: [
    {
      tier: 'blocking',
      category: 'Security',
      section: 'Requirements',
      problem: 'BLOCK: no size limit.',
      fix: 'Name one.',
    },
  ],
  questions: [],
};

/** A draft that passes every mechanical check. */
export function draftText(
  title: string,
  options: { readonly labels?: string; readonly note?: string } = {},
): string {
  return `# ${title}

**Labels:** ${options.labels ?? '`enhancement`'}

## User Story

As a person, I want this, so that I save time.

## Objective

${options.note ?? 'One sentence.'}

## UX Flow

It is used and it works; when it fails, it says so.

## Requirements

1. The thing exists.

## Technical Approach

- **Part:** it changes.

## Risk Checklist

- [ ] **Safety:** nothing is lost

## Security Considerations

N/A: no input.

## Files to Create/Modify

- \`src/thing.ts\`

## Dependencies

None

## Out of Scope

- Everything else

## Open Questions

None.

## Acceptance Criteria

- [ ] \`thing --help\` exits with 0

## Definition of Done

- [ ] All tests pass

## Testing Notes

Run it.
`;
}

interface CassetteContent {
  /** A text, or the moment until which there is no quota. */
  readonly drafts: readonly (string | { readonly quotaUntil: string })[];
  readonly verdicts?: readonly (VerdictObject | Record<string, unknown>)[];
  readonly drafterModel?: string;
  readonly reviewerModel?: string;
  /** What every request has to contain, to show that runs do not mix. */
  readonly includes?: string;
}

/** Writes a cassette and returns the options that make both models replay it. */
export function writeCassette(folder: string, name: string, content: CassetteContent): string[] {
  const file = join(folder, `${name}.cassette.json`);
  const call = (role: string, index: number, includes: string, answer: unknown) => ({
    role,
    call: index + 1,
    request: { includes: [includes] },
    answer,
  });
  const cassette = {
    format: 'gatewright-cassette/1',
    about: `test: ${name}`,
    models: {
      drafter: { name: content.drafterModel ?? 'claude-test', title: 'Claude' },
      reviewer: { name: content.reviewerModel ?? 'gemini-test', title: 'Gemini' },
    },
    calls: [
      ...content.drafts.map((draft, index) =>
        call(
          'drafter',
          index,
          content.includes ?? 'The brief',
          typeof draft === 'string' ? { text: draft } : { quota: { until: draft.quotaUntil } },
        ),
      ),
      ...(content.verdicts ?? []).map((object, index) => call('reviewer', index, 'under review', { object })),
    ],
  };
  writeFileSync(file, JSON.stringify(cassette));
  return ['--drafter', `cassette:${file}`, '--reviewer', `cassette:${file}`];
}
