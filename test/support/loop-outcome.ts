/** All that is left of a loop, as data that can be compared with what is left of another one. */
import { hints } from './loop-scenario.ts';
import type { LoopWorld } from './loop-world.ts';

/** Without what differs from one run to the next: commits, marks, runs, times. */
const settled = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d UTC)?/gu, '(time)')
    .replace(
      /\b[0-9a-f]{7,}(?:\.[0-9a-f]+)?|\b[0-9A-Z]{26}\b|\d+(?:\.\d+)? ?(?:ms|s|h|min|minutes?|seconds?)\b(?: \d+ min\b)?/gu,
      '…',
    )
    .replace(/(?:# |ℹ )?duration_ms:? \S+/gu, '(duration)');

/** Which of the hints each agent of a task was told. */
async function listHinted(world: LoopWorld): Promise<string[]> {
  const judged = await world.entriesOf('task-judged');
  return Promise.all(
    judged.map(async ({ data: { task, attempt, context } }) => {
      const told = await world.house.ledger.getText(context);
      const [, listed = ''] = /^Hints that hold for a short while:\n(.*?)\n\n/msu.exec(told) ?? [];
      const heard = Object.entries(hints).filter(([, words]) => listed.includes(words));
      return [task, attempt, ...heard.map(([name]) => name)].join(' ');
    }),
  );
}

/** All that is left of it, on the branch, at the forge and on the ledger. */
export async function lookAtLoop(world: LoopWorld) {
  const entries = await world.entries();
  const of = <T>(kind: string, pick: (entry: (typeof entries)[number]) => T): T[] =>
    entries.filter((entry) => entry.kind === kind).map(pick);
  const alice = await world.alice();
  const pulls = await alice.listPullRequests(world.repository, { state: 'all' });
  // The branch is deleted with the merge.
  const tip = pulls[0]?.head.sha ?? world.branch;
  const files = world.git('ls-tree', '-r', tip).split('\n');
  const read = (path: string): string => world.fleet.fileAt(tip, path);
  const prd = files.find((line) => line.endsWith('prd.json'))?.split('\t')[1] ?? '';
  const comments = await world.comments();
  return {
    // Archived comments carry times, so their object differs.
    files: files.map((line) => (line.includes('\tarchive/') ? settled(line.split('\t')[1] ?? '') : line)),
    commits: world.git('log', '--format=%s', tip).split('\n'),
    prd: settled(read(prd)),
    archived: settled(read(prd.replace('prd.json', 'issue-comments.md'))),
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
        read(prd.replace('prd.json', 'SUMMARY.md')),
      ].map((text) => /\*\*Time:\*\* .*/u.exec(text)?.[0]),
    ).size,
    reviews: await Promise.all(
      pulls.map(async ({ number }) =>
        (await alice.listReviews(world.repository, number)).map(({ body }) => settled(body)),
      ),
    ),
    hinted: await listHinted(world),
    judged: of('task-judged', ({ data }) => JSON.stringify({ ...data, commit: null, context: null })),
    told: of('model-answered', ({ key }) => key?.split('/')[1]),
    once: [
      'gate-answered',
      'loop-plan-approved',
      'task-skipped',
      'wisp-promoted',
      'pull-request-made',
      'run-ended',
    ].map((kind) => [kind, of(kind, () => null).length]),
    problems: (await world.house.ledger.verify()).problems,
    copies: world.git('worktree', 'list').split('\n').length,
  };
}
