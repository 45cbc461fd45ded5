import { describe, expect, it } from 'vitest';
import type { EntryKind } from './ledger-entry.ts';
import { mayWaitForDisk } from './may-wait-for-disk.ts';

describe('an entry', () => {
  it.each([
    'run-started',
    'run-resumed',
    'node-begun',
    'files-listed',
    'step-done',
    'sandbox-used',
    'command-verified',
    'change-proven',
    'verdict',
    'effect-receipted',
    'work-pushed',
    'pull-request-made',
    'work-summarised',
    'code-reviewed',
    'merge-granted',
    'event-settled',
  ] as const satisfies readonly EntryKind[])('%s may wait: what it says is found out again', (kind) => {
    expect(mayWaitForDisk([kind])).toBe(true);
  });

  it.each([
    // Something outside happens next.
    'effect-intended',
    'prompt-sent',
    'gate-answered',
    'plan-approved',
    // It was paid for, or a person or a forge was told.
    'event-received',
    'event-refused',
    'proposal-refused',
    'model-answered',
    'model-failed',
    'work-metered',
    'run-ended',
    'run-stopped',
    'run-dropped',
    'effect-failed',
    'gate-asked',
    'plan-proposed',
    'merge-rejected',
    'conflict-met',
    'merge-waits',
    'run-dismissed',
    'finding-dismissed',
    'limit-reached',
    'failure-diagnosed',
    'template-synced',
    'independence-waived',
    'schedule-begun',
    'repository-identified',
    'repository-renamed',
  ] as const satisfies readonly EntryKind[])('%s is waited for', (kind) => {
    expect(mayWaitForDisk([kind])).toBe(false);
    expect(mayWaitForDisk(['step-done', kind, 'event-settled'])).toBe(false);
  });

  it('that is not there takes no wait', () => {
    expect(mayWaitForDisk([])).toBe(true);
  });
});
