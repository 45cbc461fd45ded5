/** Runs of workflows for what happens on the small GitHub: who starts them, with what, and what they may do. */
import { afterEach, describe, expect, it } from 'vitest';
import type { FinishedRun } from './actions-host.ts';
import { asking, type HostWorld, logOf, openForkPull, openHostWorld, people } from './host-world.ts';

let world: HostWorld;
afterEach(() => world.close());

const workflow = (text: string): Record<string, string> => ({ '.github/workflows/w.yml': text });

async function open(text: string, more: Parameters<typeof openHostWorld>[1] = {}): Promise<HostWorld> {
  world = await openHostWorld(workflow(text), more);
  return world;
}

function only(runs: readonly FinishedRun[]): FinishedRun {
  expect(world.host.problems).toEqual([]);
  expect(runs).toHaveLength(1);
  return runs[0] as FinishedRun;
}

describe('a checkout', () => {
  it('with the whole history is at the branch that was asked for, with the others beside it', async () => {
    const { stored, server, host } = await open(`
on: issues
jobs:
  look:
    runs-on: x
    steps:
      - uses: actions/checkout@v7
        with: { ref: main, fetch-depth: 0, persist-credentials: false }
      - run: echo "$(git branch --show-current) at $(git rev-parse HEAD), a is at $(git rev-parse origin/a)"
`);
    const main = stored.git.run('rev-parse', 'main');
    const other = stored.git.commit('a', { 'x.txt': 'x\n' }, { from: 'main' });
    server.state.addIssue(stored, 'alice', 'x', '', []);
    await host.settle();
    expect(logOf(only(host.runs), 'look')).toContain(`main at ${main}, a is at ${other}`);
  });
});

describe('a run', () => {
  it('hands outputs from job to job, with only what GitHub gives, and masks secrets', async () => {
    const { stored, server, host } = await open(`
name: Talk
on: { issues: { types: [labeled] } }
permissions: {}
jobs:
  begin:
    if: github.event.label.name == 'go'
    runs-on: ubuntu-latest
    outputs:
      next: \${{ steps.first.outputs.next }}
      leaked: \${{ steps.first.outputs.leaked }}
    steps:
      - id: first
        env: { TITLE: '\${{ github.event.issue.title }}', KEY: '\${{ secrets.KEY }}' }
        run: |
          echo "$TITLE and $KEY"
          echo "next=propose" >> "$GITHUB_OUTPUT"
          echo "leaked=x${'$'}{KEY}x" >> "$GITHUB_OUTPUT"
          echo "LATER=\${TITLE}" >> "$GITHUB_ENV"
          env | cut -d= -f1 | sort | tr '\\n' ' '
      - run: |
          echo "later: $LATER"
          echo "## Done" >> "$GITHUB_STEP_SUMMARY"
          echo "::error file=a.ts,line=3,title=A%3A b::Wrong%0Ahere"
          test -z "$KEY"
  propose:
    needs: begin
    if: needs.begin.outputs.next == 'propose'
    runs-on: ubuntu-latest
    steps:
      - run: test -z "$LEAKED" && echo "next is $NEXT in $PWD with $(ls -A | wc -l) files"
        env: { NEXT: '\${{ needs.begin.outputs.next }}', LEAKED: '\${{ needs.begin.outputs.leaked }}' }
  never:
    needs: propose
    if: failure()
    runs-on: ubuntu-latest
    steps: [{ run: exit 1 }]
`);
    stored.actions.secrets.set('KEY', 'sk-canary-0123456789');
    process.env.SECRET_OF_TEST = 'not theirs';
    const issue = server.state.addIssue(stored, 'alice', '$(touch x)`id`', 'Body', []);
    await host.settle();
    expect(host.runs).toEqual([]);
    server.state.putLabels(stored, issue, ['go'], 'alice');
    await host.settle();
    delete process.env.SECRET_OF_TEST;
    const run = only(host.runs);
    expect(run.jobs.map(({ id, conclusion }) => `${id} ${conclusion}`)).toEqual([
      ...['begin success', 'propose success', 'never skipped'],
    ]);
    const log = logOf(run, 'begin');
    expect(log).toContain('$(touch x)`id` and ***');
    expect(log).toContain('later: $(touch x)`id`');
    expect(log).not.toMatch(/SECRET_OF_TEST|NODE_OPTIONS|VITEST|sk-canary/u);
    expect(run.jobs[0]?.outputs).toEqual({ next: 'propose' });
    expect(run.jobs[0]?.summary).toBe('## Done');
    expect(run.jobs[0]?.annotations.find(({ level }) => level === 'error')).toEqual({
      ...{ level: 'error', message: 'Wrong\nhere', properties: { file: 'a.ts', line: '3', title: 'A: b' } },
    });
    expect(logOf(run, 'propose')).toContain('next is propose');
    expect(logOf(run, 'propose')).toContain('with 0 files');
  });

  it('goes on after a failure where the file says so, and passes over what nothing leads to', async () => {
    const { server, stored, host } = await open(`
on: issues
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - { id: soft, run: exit 3, continue-on-error: true }
      - { run: 'test "$HOW" = failure/success', env: { HOW: '\${{ steps.soft.outcome }}/\${{ steps.soft.conclusion }}' } }
      - { run: false | true, shell: bash }
      - { run: echo not this }
      - { run: echo this one, if: failure() }
      - { run: echo and this, if: always() }
  b: { needs: a, runs-on: ubuntu-latest, steps: [{ run: echo b }] }
  c: { needs: [a, b], if: always(), runs-on: ubuntu-latest, steps: [{ run: 'echo \${{ needs.a.result }} \${{ needs.b.result }}' }] }
`);
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    const run = only(host.runs);
    expect(run.conclusion).toBe('failure');
    const [a] = run.jobs;
    expect(a?.steps.map(({ conclusion }) => conclusion)).toEqual([
      ...['success', 'success', 'failure', 'skipped', 'success', 'success'],
    ]);
    expect(run.jobs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'skipped', 'success']);
    expect(logOf(run, 'c')).toBe('failure skipped\n');
  });

  it('takes the name of an artifact once in a run, unless it is overwritten', async () => {
    world = await openHostWorld({
      ...workflow(`
on: issues
jobs:
  make:
    runs-on: ubuntu-latest
    steps:
      - run: mkdir out && echo a > out/a
      - { uses: actions/upload-artifact@v7, with: { name: made, path: out } }
      - run: echo b > out/a
      - { id: again, uses: actions/upload-artifact@v7, with: { name: made, path: out }, continue-on-error: true }
      - { uses: actions/download-artifact@v8, with: { name: made, path: in } }
      - run: cat in/a && echo "\${{ steps.again.outcome }}"
      - { uses: actions/upload-artifact@v7, with: { name: made, path: out, overwrite: true } }
      - { uses: actions/download-artifact@v8, with: { name: made, path: in } }
      - run: cat in/a
`),
    });
    const { host, server, stored } = world;
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    const run = only(host.runs);
    expect(run.conclusion).toBe('success');
    expect(logOf(run, 'make')).toMatch(/^a\nfailure\n[\s\S]*^b\n/mu);
    expect(host.problems).toEqual([]);
  });

  it('passes files by artifacts and caches, and uses actions of the repository', async () => {
    world = await openHostWorld({
      ...workflow(`
on: issues
permissions: { contents: read }
jobs:
  make:
    runs-on: ubuntu-latest
    outputs: { said: '\${{ steps.own.outputs.said }}' }
    steps:
      - uses: actions/checkout@0000000000000000000000000000000000000000 # v6
        with: { persist-credentials: false }
      - run: test -z "$(git config --get-regexp extraheader)" && git log -1 --format=%s && mkdir -p out/.hidden && echo a > out/a && echo b > out/.hidden/b
      - { id: own, uses: ./tools/own, with: { word: 'it is "quoted"' } }
      - { uses: actions/upload-artifact@v7, with: { name: made, path: out, if-no-files-found: error } }
      - { uses: actions/cache@v5, with: { path: kept, key: k1 } }
      - run: mkdir kept && echo poison > kept/x
  take:
    needs: make
    runs-on: ubuntu-latest
    env: { SAID: '\${{ needs.make.outputs.said }}' }
    steps:
      - { uses: actions/download-artifact@v8, with: { name: made, path: in } }
      - { id: cache, uses: actions/cache/restore@v5, with: { path: kept, key: k1 } }
      - run: find in kept -type f | sort && cat kept/x && echo "$SAID \${{ steps.cache.outputs.cache-hit }}"
`),
      'tools/own/action.yml': `
name: Own
description: Says a word
inputs: { word: { required: true }, other: { default: '\${{ github.repository }}' } }
outputs: { said: { value: '\${{ steps.say.outputs.said }}' } }
runs:
  using: composite
  steps:
    - { id: say, shell: bash, run: 'echo "said=$WORD $OTHER" >> "$GITHUB_OUTPUT"', env: { WORD: '\${{ inputs.word }}', OTHER: '\${{ inputs.other }}' } }
`,
    });
    world.server.state.addIssue(world.stored, 'alice', 'A', 'B', []);
    await world.host.settle();
    const run = only(world.host.runs);
    expect(run.jobs.map(({ conclusion }) => conclusion)).toEqual(['success', 'success']);
    expect(logOf(run, 'take')).toContain('in/a\nkept/x\npoison\nit is "quoted" acme/project true\n');
    const { body } = await world.ask(people.alice, 'GET', `/actions/runs/${run.id}/artifacts`);
    expect(body).toMatchObject({ total_count: 1, artifacts: [{ name: 'made' }] });
  });

  it('ends a step and a job that take too long', async () => {
    const text = `
on: issues
jobs:
  step: { runs-on: x, steps: [{ run: sleep 60, timeout-minutes: 1 }, { run: echo after, if: always() }] }
  job: { runs-on: x, timeout-minutes: 1, steps: [{ run: sleep 60 }, { run: echo after }] }
`;
    const { server, stored, host } = await open(text, { minute: 300 });
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    const run = only(host.runs);
    expect(run.jobs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'cancelled']);
    expect(logOf(run, 'step')).toContain('after');
    expect(logOf(run, 'job')).not.toContain('after');
  });

  it('refuses what the runner does not know', async () => {
    const { host, server, stored } = await open(
      'on: [issues]\njobs: { a: { runs-on: x, container: y, steps: [{ run: a }] } }',
    );
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    expect(host.problems.join()).toMatch(/container/u);
  });
});

describe('the token of a job', () => {
  const job = (permissions: string): string => `
on: { issues: { types: [opened] }, pull_request: }
permissions: {}
jobs:
  a:
    runs-on: ubuntu-latest
    permissions: ${permissions}
    env: { TOKEN: '\${{ secrets.GITHUB_TOKEN }}' }
    steps:
      - run: |
          ask() { ${asking} "$@"; }
          ask GET /issues/1
          ask POST /issues/1/comments '{"body":"x"}'
          ask GET /commits
          ask POST /git/refs '{"ref":"refs/heads/n","sha":"'$GITHUB_SHA'"}'
          ask POST /pulls '{"title":"T","head":"n","base":"main"}'
          ask GET /actions/secrets
          ask GET ''
`;

  it.each([
    ['{}', [403, 403, 403, 403, 403, 403, 200]],
    ['{ issues: read, contents: read }', [200, 403, 200, 403, 403, 403, 200]],
    ['{ issues: write, contents: write }', [200, 201, 200, 201, 403, 403, 200]],
  ])('with %s is refused what is not declared', async (permissions, statuses) => {
    const { server, stored, host } = await open(job(permissions));
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    const log = logOf(only(host.runs), 'a');
    expect([...log.matchAll(/^(?:GET|POST) \S* ?(\d{3})/gmu)].map(([, status]) => Number(status))).toEqual(
      statuses,
    );
    expect(log).toContain('403 Resource not accessible by integration');
    expect(log).not.toContain('ghs_');
    const { body } = await world.ask(host.tokens[0] ?? '', 'GET', '/issues/1');
    expect(body).toMatchObject({ message: 'Bad credentials' });
  });

  it('opens pull requests only where the setting says so, and pushes no workflow files', async () => {
    const text = `
on: issues
permissions: { contents: write, pull-requests: write }
jobs:
  a:
    runs-on: ubuntu-latest
    env: { TOKEN: '\${{ github.token }}' }
    steps:
      - uses: actions/checkout@v6
      - run: |
          ask() { ${asking} "$@"; }
          export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.invalid GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.invalid
          git checkout -qb fine && echo x > x && git add x && git commit -qm x && git push -q origin fine
          ask POST /pulls '{"title":"T","head":"fine","base":"main"}'
          git checkout -qb bad && echo '#' >> .github/workflows/w.yml && git commit -qam y
          git push -q origin bad && exit 1
          git push -q origin bad:refs/gatewright/ledger && exit 1
          echo refused
`;
    const { server, stored, host } = await open(text);
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    const log = logOf(only(host.runs), 'a');
    expect(log).toContain('403 GitHub Actions is not permitted to create or approve pull requests.');
    expect(log).toContain(
      'refusing to allow a GitHub App to create or update workflow .github/workflows/w.yml',
    );
    expect(log).toContain('refused\n');
    expect(stored.git.run('for-each-ref', '--format=%(refname)').split('\n').sort()).toEqual([
      ...['refs/heads/fine', 'refs/heads/main'],
    ]);
    stored.actions.mayApprove = true;
    stored.git.run('update-ref', '-d', 'refs/heads/fine');
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    expect(logOf(host.runs[1] as FinishedRun, 'a')).toContain('POST /pulls 201');
  });

  it('of a fork reads, has no secrets, and waits for a person at first', async () => {
    const { stored, host, ask } = await open(
      `${job('write-all')}      - { run: 'echo "key <$KEY>"', env: { KEY: '\${{ secrets.KEY }}' } }\n`,
    );
    stored.actions.secrets.set('KEY', 'sk-canary-0123456789');
    const head = openForkPull(world, { 'a.txt': 'a\n' });
    const opened = await ask(people.mallory, 'POST', '/pulls', { title: 'T', head, base: 'main' });
    expect(opened).toMatchObject({ status: 201, body: { head: { repo: { full_name: 'mallory/project' } } } });
    await host.settle();
    const waiting = only(host.runs);
    expect(waiting.conclusion).toBe('action_required');
    expect((await ask(people.mallory, 'POST', `/actions/runs/${waiting.id}/approve`)).status).toBe(403);
    expect((await ask(people.alice, 'POST', `/actions/runs/${waiting.id}/approve`)).status).toBe(201);
    await host.settle();
    const run = host.runs[1] as FinishedRun;
    expect(logOf(run, 'a')).toContain('key <>');
    expect(logOf(run, 'a')).toContain('POST /issues/1/comments 403 Resource not accessible by integration');
    expect(logOf(run, 'a')).toContain('GET /issues/1 200');
  });
});
