/**
 * A whole loop: four tasks, of which one fails twice and then passes, a task that is discovered on the way, one that
 * never passes and is planned anew, a debug round, and the merge. And all that is left of it, to compare two of them.
 */
import { coded, debugged, plan, planned, report, task, type Work, write } from './loop-cassette.ts';
import type { Answer, LoopWorld } from './loop-world.ts';

const found = {
  ...{ title: 'Also negate', description: 'Write negate in src/negate.js.' },
  acceptanceCriteria: ['`node --test test/sum.test.js` passes'],
  verifyCommands: ['node --test test/sum.test.js'],
};
const note = { pattern: 'Tests are beside the sources.', files: ['test/sum.test.js'], impacts: 'US-002' };

export const scenarioWork: readonly Work[] = [
  planned(
    1,
    plan([task('difference'), task('product', { dependsOn: [1] }), task('quotient'), task('power')]),
  ),
  planned(2, plan([task('quotient', { title: 'Add quotient once more' })])),
  coded(1, write('difference', false), report({ wisp: { note: 'the build is slow today', minutes: 600 } })),
  coded(2, write('difference', false)),
  coded(3, write('difference'), report({ discovered: [found, found], note })),
  coded(4, write('product')),
  coded(5, write('negate')),
  ...[6, 7, 8].map((call) => coded(call, write('quotient', false))),
  coded(9, write('power')),
  coded(10, write('quotient')),
  debugged(11, [{ edit: 'src/difference.js', replace: 'a - b', with: '0' }]),
  debugged(12, [{ edit: 'src/difference.js', replace: 'return 0', with: 'return a - b - 0' }]),
];

export const testReport = 'Error\nUS-001\nit is empty';
const replanOrder = 'try the quotient once more';

/** Merges the pull request, if it is still open. */
export async function mergeByHand(world: LoopWorld): Promise<void> {
  const alice = await world.alice();
  const [pull] = await alice.listPullRequests(world.repository, { state: 'open' });
  if (pull === undefined) return;
  const { head } = await alice.getPullRequest(world.repository, pull.number);
  await alice.mergePullRequest(world.repository, pull.number, { head: head.sha, title: 'Merged', body: '' });
}

/** Alice approves, has it all done and planned anew, reports one problem, is content, closes, and merges. */
export function makeScenarioAnswer(world: LoopWorld): Answer {
  let reported: string | null = null;
  return async ({ kind, id }) => {
    switch (kind) {
      case 'plan':
        return { choice: 'approve' };
      case 'work':
        return { choice: 'loop' };
      case 'blocked':
        return { choice: 'replan', feedback: replanOrder };
      case 'testing':
        reported ??= id;
        return reported === id ? { choice: 'issue', feedback: testReport } : { choice: 'works' };
      case 'close':
        return { choice: 'close' };
      case 'merge':
        await mergeByHand(world);
        return { choice: 'check' };
      default:
        return null;
    }
  };
}

/** Without what differs from one run to the next: commits, marks, runs, times. */
const settled = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d UTC)?/gu, '(time)')
    .replace(
      /\b[0-9a-f]{7,}(?:\.[0-9a-f]+)?|\b[0-9A-Z]{26}\b|\d+(?:\.\d+)? ?(?:ms|s|min|minutes?|seconds?)\b/gu,
      '…',
    )
    .replace(/(?:# |ℹ )?duration_ms:? \S+/gu, '(duration)');

/** All that is left of it, on the branch, at the forge and on the ledger. */
export async function lookAtScenario(world: LoopWorld) {
  const entries = await world.entries();
  const of = <T>(kind: string, pick: (entry: (typeof entries)[number]) => T): T[] =>
    entries.filter((entry) => entry.kind === kind).map(pick);
  const alice = await world.alice();
  const pulls = await alice.listPullRequests(world.repository, { state: 'all' });
  const files = world.git('ls-tree', '-r', world.branch).split('\n');
  const prd = files.find((line) => line.endsWith('prd.json'))?.split('\t')[1] ?? '';
  const comments = await world.comments();
  return {
    // Archived comments carry times, so their object differs.
    files: files.map((line) => (line.includes('\tarchive/') ? settled(line.split('\t')[1] ?? '') : line)),
    commits: world.git('log', '--format=%s', world.branch).split('\n'),
    prd: settled(world.file(prd)),
    archived: settled(world.file(prd.replace('prd.json', 'issue-comments.md'))),
    comments: comments.map(settled),
    labels: await world.labels(),
    labelled: (await alice.listLabelEvents(world.repository, world.number)).map(
      ({ label, change }) => `${change} ${label}`,
    ),
    pulls: pulls.map(({ title, state, body }) => [title, state, settled(body)]),
    // The same report is on the issue, in the pull request and in the archive.
    reports: new Set(
      [
        ...comments.filter((body) => body.startsWith('## 📊')),
        ...pulls.map(({ body }) => body),
        world.file(prd.replace('prd.json', 'SUMMARY.md')),
      ].map((text) => /\*\*Time:\*\* .*/u.exec(text)?.[0]),
    ).size,
    judged: of('task-judged', ({ data }) => JSON.stringify({ ...data, commit: null, context: null })),
    told: of('model-answered', ({ key }) => key?.split('/')[1]),
    once: ['gate-answered', 'loop-plan-approved', 'task-skipped', 'pull-request-made', 'run-ended'].map(
      (kind) => [kind, of(kind, () => null).length],
    ),
    problems: (await world.house.ledger.verify()).problems,
    copies: world.git('worktree', 'list').split('\n').length,
  };
}
