/** Each kind of entry has its sentence, and so has each kind of effect. */
import { describe, expect, it } from 'vitest';
import { describeEffect } from './describe-effect.ts';
import { describeEntry } from './describe-entry.ts';
import type { EffectKind, EffectOf } from './effect.ts';
import type { EntryData, EntryKind, EntryOf, LedgerEntry } from './ledger-entry.ts';

const hash = 'ab'.repeat(32);
const usage = { inputTokens: 1200, outputTokens: 34, costUsd: 0.5 };
const reason = { code: 'finished', message: 'waiting at the gate', owner: 'person', resume: '' } as const;
const grant = { id: 'g', limit: { usd: 2, turns: 50 }, atMost: { turns: 3, costUsd: 0.25 } };
const question = { id: 'G-1', kind: 'review', iteration: 2 };
const request = { workflow: 'agent', agent: 'reviewer', title: 'a push to #1', delivery: 'd', dryRun: true };
const issue = { repository: 'o/r', number: 7 };

/** As much of the data as the sentences read. */
type Shown<T> = { readonly [K in keyof T]?: unknown };
const samples: { readonly [K in EntryKind]: readonly [data: Shown<EntryData[K]>, sentence: string] } = {
  'strategy-chosen': [{ strategy: 'loop', because: 'it is large' }, 'loop, because it is large'],
  'run-started': [{ request }, 'reviewer for a push to #1 (dry run)'],
  'brief-changed': [{ brief: 'abcdef0123456789', previous: 'x' }, 'the brief is abcdef01 now'],
  'run-resumed': [{ from: 'blocked' }, 'was blocked'],
  'run-stopped': [{ status: 'waiting', reason }, 'waiting at the gate'],
  'run-ended': [{ reason, result: null }, 'waiting at the gate'],
  'run-dropped': [{ why: 'its name was wanted' }, 'its name was wanted'],
  'run-dismissed': [{ by: 'alice' }, 'put aside by alice'],
  'node-begun': [{ node: 'n1', step: 2 }, 'n1'],
  'files-listed': [{ files: hash, count: 1 }, '1 file, list abababab'],
  'independence-waived': [{ drafter: 'a', reviewer: 'b', why: 'one key' }, 'a and b: one key'],
  'prompt-sent': [
    { role: 'drafter', model: 'm', prompt: hash, instructions: hash, grant },
    'drafter m, prompt abababab, instructions abababab, granted $2.00 and 50 turns',
  ],
  'work-metered': [{ role: 'coder', model: 'm', grant }, 'coder m, 3 turns, at most $0.25 by now'],
  'model-answered': [
    { role: 'drafter', reportedModel: 'm-1', answer: hash, usage: { ...usage, cacheReadTokens: 9 } },
    'drafter m-1, 1200 in (9 cached), 34 out, $0.50, answer abababab',
  ],
  'model-failed': [
    { role: 'drafter', model: 'm', why: 'model-quota', credential: 'first', usage, isAtMost: true },
    'drafter m, model-quota with first, 1200 in, 34 out, at most $0.50',
  ],
  verdict: [
    { decision: 'APPROVE', by: 'm', prompt: hash, draft: hash, verdict: hash, takenFrom: 'r0' },
    'APPROVE by m on draft abababab, prompt abababab, taken over from r0',
  ],
  'gate-asked': [{ question }, 'G-1 review gate, iteration 2'],
  'gate-answered': [
    {
      gate: 'G-1',
      answer: {
        choice: 'approve',
        feedback: 'fine',
        isAgainstVerdict: true,
        verdict: { isEdited: true, decision: null },
      },
    },
    'G-1 approve by ann on an edited verdict that says nothing against the verdict: fine',
  ],
  'effect-intended': [
    { effect: { kind: 'create-comment', ...issue }, dryRun: true },
    'create-comment #7 (dry run: not done)',
  ],
  'effect-receipted': [
    { result: { id: 3, sha: hash }, found: true },
    '{"id":3,"sha":"abababab"} (found after an interruption)',
  ],
  'effect-failed': [{ code: 'forge-refused', message: 'no' }, 'forge-refused: no'],
  'event-received': [{ kind: 'labeled', actor: 'ann', event: hash }, 'labeled by ann'],
  'schedule-begun': [{ schedule: 'doc-drift' }, 'doc-drift counts from here on'],
  'repository-identified': [{ id: '5', name: 'o/r' }, 'o/r has the number 5'],
  'repository-renamed': [{ id: '5', name: 'o/s' }, 'it is called o/s now'],
  'event-settled': [{ runs: [] }, 'no agent had to act'],
  'event-refused': [
    { agent: 'implementer', because: 'bot', detail: 'x is a program', by: 'x' },
    'implementer did not act for x: x is a program',
  ],
  'proposal-refused': [
    { workflowRun: 7, attempt: 1, why: 'its signature is not valid' },
    'workflow run 7, attempt 1: its signature is not valid',
  ],
  'step-done': [{ step: 'ready', result: hash }, 'ready, result abababab'],
  'command-verified': [
    { command: ['npm', 'test'], commit: hash, exitCode: null, output: hash, sandbox: 'bubblewrap' },
    'npm test at abababab: stopped, output abababab, sandbox bubblewrap',
  ],
  'change-proven': [
    { commit: hash, base: hash, isProven: false, redGreen: 'not-red', executed: 3, weakened: 2, proof: hash },
    'abababab: not proven, 3 tests ran, its tests do not fail without it, 2 places weaker',
  ],
  'sandbox-used': [{ kind: 'none', reason: 'no bwrap' }, 'none: no bwrap'],
  'plan-proposed': [{ plan: hash, comment: 4 }, 'plan abababab in comment 4'],
  'plan-approved': [{ plan: hash, by: 'ann', comment: 5 }, 'plan abababab by ann'],
  'work-pushed': [{ issue: 1, branch: 'b', commit: hash }, 'b at abababab'],
  'pull-request-made': [{ number: 8, issue: 1, branch: 'b', base: 'main' }, '#8 from b for #1'],
  'work-summarised': [{ number: 8, commit: hash, summary: hash }, '#8 at abababab, summary abababab'],
  'code-reviewed': [
    { number: 8, commit: hash, isClean: false, review: hash, by: 'm' },
    '#8 at abababab: issues found by m',
  ],
  'merge-granted': [
    {
      ...{ number: 8, head: hash, base: 'main', by: 'merge', tested: hash },
      label: { by: 'us', actor: 'bot', at: '2026-01-01T00:00:00Z', head: 'c0ffee00', carriedBy: [hash] },
      reviews: [{ entry: hash, by: 'm' }],
      approvals: [{ by: 'bob', commit: hash }],
      checks: [{ name: 'build', state: 'success' }],
    },
    '#8 at abababab onto main: label set by our rules as bot at 2026-01-01T00:00:00Z, given at c0ffee00 and carried on by 1 commit of ours; reviewed clean by m (entry abababab); approved by bob at abababab; checks: build success; tested as abababab',
  ],
  'copy-prepared': [
    {
      command: ['npm', 'ci'],
      exitCode: 0,
      output: hash,
      end: 'added 3',
      sandbox: 'none',
      milliseconds: 1200,
    },
    'npm ci: exit 0 after 1.2 s, printed last: added 3',
  ],
  'conflict-met': [
    { number: 8, head: hash, base: hash, paths: ['a.ts', 'b.ts'] },
    '#8 at abababab conflicts with abababab in a.ts, b.ts',
  ],
  'merge-rejected': [
    { number: 8, commit: hash, base: hash, why: 'failed', output: hash },
    '#8 at abababab on abababab: failed, output abababab',
  ],
  'merge-waits': [
    {
      number: 8,
      head: hash,
      unmet: [
        { code: 'held', what: 'the label "hold" blocks it', how: 'remove the label' },
        { code: 'conflict', what: 'it conflicts with its base', how: 'resolve the conflict' },
      ],
    },
    '#8 at abababab waits for a person: the label "hold" blocks it; it conflicts with its base',
  ],
  'finding-dismissed': [{ finding: 'F1', by: 'ann', why: 'meant so' }, 'F1 by ann: meant so'],
  'limit-reached': [{ what: 'fix', limit: 2 }, 'fix, after 2'],
  'failure-diagnosed': [{ workflowRun: 3, attempt: 1, number: 8 }, 'run 3, attempt 1 on #8'],
  'loop-plan-approved': [{ issue: 7, plan: hash, by: 'alice' }, 'plan abababab of #7 by alice'],
  'task-judged': [
    {
      task: 'US-001',
      attempt: 2,
      passed: false,
      commit: null,
      context: hash,
      reasons: ['"npm test" fails.'],
    },
    'US-001, attempt 2: failed; "npm test" fails.',
  ],
  'loop-closed-early': [
    { by: 'alice', why: 'the rest can wait', open: ['US-002'], tested: false },
    'by alice, not tested, open: US-002: the rest can wait',
  ],
  'debugging-dropped': [
    { by: 'alice', description: 'it is empty' },
    'alice says that it works as it is; not mended: it is empty',
  ],
  'wisp-promoted': [
    { wisp: 'wsp_0123456789ab', to: 'task', task: 'US-003', by: 'alice' },
    'wsp_0123456789ab to US-003 by alice',
  ],
  'task-skipped': [{ task: 'US-002', by: 'alice', why: 'done by hand' }, 'US-002 by alice: done by hand'],
  'learning-observed': [
    { learning: 'L1', agent: 'writer', content: 'Tests run with vitest', file: 'a.ts' },
    'L1 by writer about a.ts: Tests run with vitest',
  ],
  'learning-edited': [{ learning: 'L1', by: 'ann', content: 'It is so' }, 'L1 by ann: It is so'],
  'learning-removed': [{ learning: 'L1', by: 'ann', why: 'wrong' }, 'L1 by ann: wrong'],
  'stage-ended': [
    { stage: 'build', attempt: 2, outcome: 'failed: no test', document: hash, commit: hash },
    'build, attempt 2: failed: no test at abababab',
  ],
  'stage-returned': [{ stage: 'writer', step: 9 }, 'to writer by ann'],
  'section-rejected': [
    { stage: 'writer', attempt: 1, violations: ['writer may not change review.verdict'] },
    'writer: writer may not change review.verdict',
  ],
  'question-answered': [
    { from: 'writer', to: 'analyst', question: hash, answer: hash },
    'of the writer by the analyst',
  ],
  'template-synced': [{ number: 8, template: hash }, '#8 up to abababab of the template'],
};

const effects: { readonly [K in EffectKind]: readonly [effect: Shown<EffectOf<K>>, sentence: string] } = {
  'write-file': [{ path: 'a.md' }, 'write-file a.md'],
  'edit-file': [{ path: 'a.md' }, 'edit-file'],
  'write-settings': [{ content: 'h' }, 'write-settings'],
  'show-state': [{ path: 'issue-state.json' }, 'show-state issue-state.json'],
  'move-path': [{ from: 'a', to: 'b' }, 'move-path a → b'],
  'remove-folder': [{ path: 'a' }, 'remove-folder a'],
  'commit-files': [{ message: 'Add a' }, 'commit-files "Add a"'],
  'make-worktree': [{ name: 'w' }, 'make-worktree'],
  'remove-worktree': [{ name: 'w' }, 'remove-worktree'],
  'ensure-label': [{ name: 'bug' }, 'ensure-label bug'],
  'create-issue': [{ title: 'T', repository: 'o/r' }, 'create-issue "T" in o/r'],
  'create-comment': [issue, 'create-comment #7'],
  'edit-labels': [{ ...issue, add: ['a'], remove: ['b'] }, 'edit-labels #7 +a -b'],
  'close-issue': [issue, 'close-issue #7'],
  'create-pull-request': [{ title: 'T', head: 'b', base: 'main' }, 'create-pull-request "T" from b to main'],
  'create-review': [issue, 'create-review #7'],
  'merge-pull-request': [issue, 'merge-pull-request #7'],
  'enqueue-pull-request': [issue, 'enqueue-pull-request #7'],
  'merge-together': [{ pulls: [{ number: 1 }, { number: 2 }] }, 'merge-together #1 #2'],
  'update-branch': [issue, 'update-branch #7'],
  'push-branch': [{ branch: 'b', commit: hash }, 'push-branch b to abababab'],
  'delete-branch': [{ branch: 'b' }, 'delete-branch b'],
  'comment-commit': [{ commit: hash }, 'comment-commit abababab'],
  'start-workflow': [{ file: 'claude.yml' }, 'start-workflow claude.yml'],
  'send-notification': [{ to: 'anna', channel: 'team' }, 'send-notification to anna by team'],
};

const entryOf = (kind: EntryKind, data: unknown) =>
  ({ subject: 'o/r#1', kind, run: 'r', actor: 'ann', data, seq: 1, at: '' }) as unknown as LedgerEntry;

describe('describeEntry', () => {
  it.each(Object.entries(samples))('%s', (kind, [data, sentence]) =>
    expect(describeEntry(entryOf(kind as EntryKind, data))).toBe(sentence),
  );

  it('tells the other cases apart', () => {
    const say = <K extends EntryKind>(kind: K, data: Shown<EntryOf<K>['data']>) =>
      describeEntry(entryOf(kind, data));
    expect(say('run-stopped', { status: 'blocked', reason })).toBe('blocked: waiting at the gate');
    expect(say('event-settled', { runs: ['a', 'b'] })).toBe('a, b');
    expect(say('sandbox-used', { kind: 'bubblewrap', reason: null })).toBe('bubblewrap');
    expect(say('files-listed', { files: hash, count: 2 })).toBe('2 files, list abababab');
    const fork = { run: 'r0', step: 3 };
    const authoring = { workflow: 'issue', title: 'T', brief: 'b.md', dryRun: false };
    expect(say('run-started', { request: authoring })).toBe('"T" from b.md');
    expect(say('run-started', { request: { ...authoring, fork } })).toBe(
      '"T" from b.md (fork of r0 from step 3)',
    );
  });
});

describe('describeEffect', () => {
  it.each(Object.entries(effects))('%s', (kind, [effect, sentence]) =>
    expect(describeEffect({ kind, ...effect } as Parameters<typeof describeEffect>[0])).toBe(sentence),
  );
});
