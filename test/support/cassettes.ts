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

interface DesignOptions {
  readonly title?: string;
  readonly objective?: string;
}

/** A design that passes every mechanical check in a repository that has a README.md and no `src`. */
export function designText(issue: number, options: DesignOptions = {}): string {
  return `# LLD-${issue}: ${options.title ?? 'Reports can be downloaded'}

## 1. Context & Goal

- **Issue:** #${issue}
- **Objective:** ${options.objective ?? 'A report can be saved as a file.'}
- **Related:** None

### Open Questions

None.

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change | What and why |
|---|---|---|
| \`src/\` | Add (Directory) | There is no place for code yet |
| \`src/export.ts\` | Add | Writes the file |
| \`src/export.test.ts\` | Add | Tries it |
| \`README.md\` | Modify | Says how to use it |

### 2.2 Dependencies

None

### 2.3 Data Structures

A report is a list of rows; all rows have the same columns.

### 2.4 Function Signatures

\`\`\`ts
import { readRows } from './export.ts';
export function exportReport(rows: readonly Row[]): string;
export function checkSize(rows: readonly Row[]): void;
\`\`\`

### 2.5 Logic

Check the size, then write. When it fails, nothing is written.

### 2.6 Approach

One function makes the text.

### 2.7 Decisions

| Decision | Chosen | Instead of | Because |
|---|---|---|---|
| format | CSV | a spreadsheet | it opens everywhere |

## 3. Requirements

1. A report of 3 rows becomes a file of 4 lines.
2. A report of more than 10000 rows is refused.

## 4. Alternatives

Printing was left out: it is no file.

## 5. Data & Fixtures

Tests make their own rows.

## 6. Diagram

N/A: one function.

## 7. Security & Safety

Cells that begin with = are quoted. It fails closed.

## 8. Performance & Cost

| What | Bound | At worst |
|---|---|---|
| rows | 10000 | 1 second |

## 9. Legal

None

## 10. Verification

### 10.0 Test Plan

| Test | What it shows | Red before, green after |
|---|---|---|
| T010 | the file | there is no function |

### 10.1 Test Scenarios

| ID | Scenario | Type | Passes when |
|---|---|---|---|
| 010 | export 3 rows | Auto | the file has 4 lines (REQ-1) |
| 020 | export 10001 rows | Auto | it throws and no file exists (REQ-2) |

### 10.2 Commands

\`npm test\`

### 10.3 Manual Tests

None

## 11. Risks

| Risk | How likely, how bad | What is done about it |
|---|---|---|
| a huge report | low | \`checkSize()\` refuses it |

## 12. Definition of Done

- [ ] \`src/export.ts\` and \`src/export.test.ts\` are there and all tests pass

### 12.1 Traceability

| Requirement | Files | Scenarios |
|---|---|---|
| REQ-1 | \`src/export.ts\` | 010 |
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
