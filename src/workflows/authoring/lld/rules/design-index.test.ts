/** The index of designs is read off finished runs: the newest of each issue, of this repository on this forge. */
import { describe, expect, it } from 'vitest';
import type { AuthoringRequest, RunSummary } from '../../../../domain/ledger/run.ts';
import { approvedDesigns } from './design-index.ts';

const here = { forge: 'local', repository: 'local/project' } as const;

function run(
  id: string,
  issue: number,
  changedAt: string,
  more: Partial<RunSummary> = {},
  request: Partial<AuthoringRequest> = {},
): RunSummary {
  return {
    id,
    subject: `local/project#${issue}`,
    request: {
      workflow: 'lld',
      slug: `${issue}-lld`,
      title: 'T',
      forge: 'local',
      repository: 'local/project',
      root: '/r',
      brief: `#${issue}`,
      briefHash: `hash of ${id}`,
      issue: { number: issue, url: '' },
      drafter: 'd',
      reviewer: 'r',
      strict: false,
      maxIterations: 20,
      dryRun: false,
      ...request,
    },
    status: 'done',
    reason: null,
    result: { number: issue, url: '', path: `docs/lld/active/LLD-${issue}.md` },
    startedAt: '2026-01-01T00:00:00Z',
    changedAt,
    costUsd: 0,
    costAtMostUsd: 0,
    node: null,
    isDismissed: false,
    ...more,
  };
}

const ids = (runs: readonly RunSummary[]) => approvedDesigns(runs, here).map((design) => design.run);

describe('approvedDesigns', () => {
  it('has one for each issue, by number, whatever the order of the runs', () => {
    const runs = [run('c', 10, '3'), run('a', 2, '1'), run('b', 9, '2')];
    expect(ids(runs)).toEqual(['a', 'b', 'c']);
    expect(ids([...runs].reverse())).toEqual(['a', 'b', 'c']);
  });

  it('has the one that was finished last, not the one that was begun last', () => {
    const early = run('early', 7, '2026-01-03', { startedAt: '2026-01-01' });
    const late = run('late', 7, '2026-01-02', { startedAt: '2026-01-02' });
    expect(ids([late, early])).toEqual(['early']);
    expect(approvedDesigns([late, early], here)).toEqual([
      {
        issue: 7,
        run: 'early',
        path: 'docs/lld/active/LLD-7.md',
        textHash: 'hash of early',
        approvedAt: '2026-01-03',
      },
    ]);
  });

  it.each<[string, RunSummary]>([
    ['a run that is not done', run('x', 7, '9', { status: 'waiting', result: null })],
    ['a dry run', run('x', 7, '9', {}, { dryRun: true })],
    ['a run without a design', run('x', 7, '9', { result: null })],
    ['an issue run', run('x', 7, '9', { result: { number: 7, url: '' } }, { workflow: 'issue' })],
    ['another repository', run('x', 7, '9', {}, { repository: 'local/other' })],
    ['the same name on another forge', run('x', 7, '9', {}, { forge: 'github' })],
  ])('leaves out %s', (_, other) => {
    expect(ids([other, run('kept', 7, '1')])).toEqual(['kept']);
  });

  it('counts runs from before there were forges as local', () => {
    const { forge: _, ...request } = run('x', 7, '1').request;
    expect(ids([{ ...run('x', 7, '1'), request }])).toEqual(['x']);
  });
});
