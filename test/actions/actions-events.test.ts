/** What starts a run: what jobs do, what they dispatch, other runs, schedules; and how many run at once. */
import { afterEach, describe, expect, it } from 'vitest';
import type { FinishedRun } from './actions-host.ts';
import { asking, type HostWorld, logOf, openHostWorld, people } from './host-world.ts';

let world: HostWorld;
afterEach(() => world.close());

const workflow = (text: string): Record<string, string> => ({ '.github/workflows/w.yml': text });

async function open(text: string, more: Parameters<typeof openHostWorld>[1] = {}): Promise<HostWorld> {
  world = await openHostWorld(workflow(text), more);
  return world;
}

describe('what a job does', () => {
  const chain = `
on:
  issues: { types: [opened] }
  issue_comment: { types: [created] }
  workflow_dispatch:
    inputs: { number: { required: true, type: number }, word: { type: choice, options: [a, b], default: a } }
permissions: { issues: write, actions: write }
jobs:
  a:
    if: github.event_name != 'workflow_dispatch'
    runs-on: ubuntu-latest
    env: { TOKEN: '\${{ github.token }}' }
    steps:
      - run: |
          ask() { ${asking} "$@"; }
          ask POST /issues/1/comments '{"body":"x"}'
          ask POST /actions/workflows/w.yml/dispatches '{"ref":"main","inputs":{"number":"1"}}'
          ask POST /actions/workflows/w.yml/dispatches '{"ref":"main","inputs":{}}'
          ask POST /actions/workflows/w.yml/dispatches '{"ref":"main","inputs":{"number":"1","word":"c"}}'
          ask POST /actions/workflows/w.yml/dispatches '{"ref":"main","inputs":{"number":"1","more":"c"}}'
          ask POST /actions/workflows/none.yml/dispatches '{"ref":"main"}'
  b:
    if: inputs.number == 1
    runs-on: ubuntu-latest
    steps: [{ run: 'echo \${{ inputs.number }} \${{ inputs.word }} by \${{ github.actor }} at \${{ github.ref }}' }]
`;

  it('starts nothing but what it dispatches, with inputs that fit', async () => {
    const { server, stored, host } = await open(chain);
    const issue = server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    expect(host.problems).toEqual([]);
    expect(host.runs.map(({ event }) => event).sort()).toEqual(['issues', 'workflow_dispatch']);
    const first = host.runs.find(({ event }) => event === 'issues') as FinishedRun;
    expect(
      logOf(first, 'a')
        .split('\n')
        .map((line) => line.replace(/^POST \S+ /u, '')),
    ).toEqual([
      '201 ',
      '204 ',
      "422 Required input 'number' not provided",
      "422 Provided value 'c' for input 'word' not in the list of allowed values",
      '422 Unexpected inputs provided: ["more"]',
      '404 Not Found',
      '',
    ]);
    const second = host.runs.find(({ event }) => event === 'workflow_dispatch') as FinishedRun;
    expect(logOf(second, 'b')).toBe('1 a by github-actions[bot] at refs/heads/main\n');
    server.state.addComment(issue, 'alice', 'y');
    await host.settle();
    expect(host.runs.map(({ event }) => event)).toContain('issue_comment');
  });

  it('is found by the API, and by workflows that wait for it', async () => {
    world = await openHostWorld({
      '.github/workflows/w.yml':
        'name: First\non: issues\njobs: { a: { runs-on: x, steps: [{ name: Fail, run: exit 7 }] } }',
      '.github/workflows/doctor.yml': `
name: Doctor
on: { workflow_run: { workflows: [First], types: [completed] }, schedule: [{ cron: '0 8 * * *' }] }
jobs: { a: { if: "github.event_name == 'schedule' || github.event.workflow_run.conclusion == 'failure'", runs-on: x, steps: [{ run: 'echo seen \${{ github.event.workflow_run.id }}' }] } }
`,
    });
    const { server, stored, host, ask } = world;
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    expect(host.runs.map(({ path, conclusion }) => `${path.slice(18)} ${conclusion}`)).toEqual([
      ...['w.yml failure', 'doctor.yml success'],
    ]);
    const id = host.runs[0]?.id;
    expect(host.runs[1]?.jobs[0]?.log).toBe(`seen ${id}\n`);
    const { body } = await ask(people.alice, 'GET', `/actions/runs/${id}/jobs`);
    expect(body).toMatchObject({
      jobs: [{ conclusion: 'failure', steps: [{ name: 'Fail', conclusion: 'failure' }] }],
    });
    host.tick('0 8 * * *');
    host.tick('1 8 * * *');
    await host.settle();
    expect(host.runs.map(({ event }) => event)).toEqual(['issues', 'workflow_run', 'schedule']);
  });
});

describe('a concurrency group', () => {
  const grouped = (rest: string): string => `
on: issues
concurrency: { group: 'Work-\${{ github.event.issue.title }}', ${rest} }
jobs: { a: { runs-on: x, steps: [{ run: sleep 0.4 }] } }
`;

  it.each([
    ['queue: max', ['success', 'success', 'success', 'success']],
    ['queue: single', ['success', 'cancelled', 'cancelled', 'success']],
    ['cancel-in-progress: true', ['cancelled', 'cancelled', 'cancelled', 'success']],
  ])('with %s', async (rest, conclusions) => {
    const { server, stored, host } = await open(grouped(rest), { machines: 4 });
    for (let count = 0; count < 4; count += 1)
      server.state.addIssue(stored, 'alice', count % 2 === 0 ? 'same' : 'SAME', '', []);
    await host.settle();
    expect(host.problems).toEqual([]);
    expect(host.runs.toSorted((a, b) => a.id - b.id).map(({ conclusion }) => conclusion)).toEqual(
      conclusions,
    );
  });

  it('has no line that is cancelled', async () => {
    const { server, stored, host } = await open(grouped('queue: max, cancel-in-progress: true'));
    server.state.addIssue(stored, 'alice', 'A', 'B', []);
    await host.settle();
    expect(host.problems.join()).toMatch(/queue/u);
  });
});

describe('settings', () => {
  it('are told to those who may know, secrets by name only', async () => {
    const { stored, ask } = await open('on: issues\njobs: { a: { runs-on: x, steps: [{ run: a }] } }');
    stored.actions.secrets.set('KEY', 'sk-canary-0123456789');
    stored.actions.variables.set('WORD', 'w');
    expect((await ask(people.alice, 'GET', '/actions/permissions/workflow')).body).toEqual({
      ...{ default_workflow_permissions: 'read', can_approve_pull_request_reviews: false },
    });
    const change = { can_approve_pull_request_reviews: true };
    expect((await ask(people.mallory, 'PUT', '/actions/permissions/workflow', change)).status).toBe(403);
    expect((await ask(people.alice, 'PUT', '/actions/permissions/workflow', change)).status).toBe(204);
    expect(stored.actions.mayApprove).toBe(true);
    expect((await ask(people.alice, 'GET', '/actions/permissions')).body).toMatchObject({ enabled: true });
    const secrets = await ask(people.alice, 'GET', '/actions/secrets');
    expect(secrets.body).toMatchObject({ total_count: 1, secrets: [{ name: 'KEY' }] });
    expect(JSON.stringify(secrets)).not.toContain('canary');
    const variables = await ask(people.alice, 'GET', '/actions/variables');
    expect(variables.body).toMatchObject({ variables: [{ name: 'WORD', value: 'w' }] });
    const workflows = await ask(people.alice, 'GET', '/actions/workflows');
    expect(workflows.body).toMatchObject({
      workflows: [{ path: '.github/workflows/w.yml', state: 'active' }],
    });
  });
});
