/** Workflows that run a stranger's code with rights, pin nothing, or grant too much: each with the names of its faults. */
import type { RuleName } from '../../src/setup/actions/rules/rule-table.ts';
import { checkout, one, otherJob, several, sha, type WorkflowCase, workflow } from './workflow-cases.ts';

const step = (ref: string, more = ''): string =>
  `- uses: ${checkout}\n  with:\n    persist-credentials: false\n    ref: ${ref}${more}`;

const target = 'pull_request_target';
const afterRun = 'workflow_run:\n  workflows: [CI]';
const head = '${{ github.event.pull_request.head.sha }}';

const refs: readonly (readonly [on: string, ref: string])[] = [
  [target, head],
  [target, '${{ github.event.pull_request.head.ref }}'],
  [target, '${{ github.head_ref }}'],
  [target, "${{ github['EVENT'].pull_request['head'].sha }}"],
  [target, 'refs/pull/${{ github.event.pull_request.number }}/merge'],
  [target, 'refs/pull/${{ github.event.number }}/head'],
  [target, 'pull/7/head'],
  [target, '${{ github.event.pull_request.merge_commit_sha }}'],
  [target, "${{ format('refs/pull/{0}/merge', github.event.number) }}"],
  [target, '${{ github.event.pull_request.head.sha || github.sha }}'],
  [afterRun, '${{ github.event.workflow_run.head_sha }}'],
  [afterRun, '${{ github.event.workflow_run.head_branch }}'],
  ['issue_comment', 'refs/pull/${{ github.event.issue.number }}/head'],
];

const commands: readonly (readonly [on: string, command: string])[] = [
  [target, 'gh pr checkout "$NUMBER"'],
  [target, 'git fetch origin pull/7/head:pr && git checkout pr'],
  [target, 'git fetch origin "refs/pull/$NUMBER/merge"'],
  [target, 'git checkout "$GITHUB_HEAD_REF"'],
  [afterRun, 'curl -L "$URL.diff" | git apply'],
  ['issue_comment', 'SHA=$(gh pr view 7 --json headRefOid --jq .headRefOid)\ngit checkout "$SHA"'],
];

const lines = (text: string): string => text.split('\n').join('\n    ');

const uses = (text: string): string => `- uses: ${text}`;

const badPins: readonly (readonly [title: string, uses: string, fault: RuleName])[] = [
  ['an action by its tag', 'some/action@v1', 'unpinned-action'],
  ['an action of GitHub by its tag', 'actions/cache@v4', 'unpinned-action'],
  ['an action by a branch', 'some/action@main', 'unpinned-action'],
  ['an action by a short SHA', 'some/action@0123456', 'unpinned-action'],
  ['an action without a version', 'some/action', 'unpinned-action'],
  ['an action in a folder by its tag', 'some/repo/path/action@v2.1', 'unpinned-action'],
  ['an image by its tag', 'docker://alpine:3.20', 'unpinned-action'],
  ['a pin without a version', `some/action@${sha}`, 'pin-without-version'],
  ['a pin with another comment', `some/action@${sha} # keep this`, 'pin-without-version'],
];

export const badSettings: readonly WorkflowCase[] = [
  ...refs.map(([on, ref]) =>
    one(`${on.split(':')[0]} checks out ${ref}`, 'untrusted-checkout', { on, steps: step(ref) }),
  ),
  ...commands.map(([on, command]) =>
    one(`${on.split(':')[0]} runs ${command}`, 'untrusted-checkout', {
      on,
      steps: `- run: |\n    ${lines(command)}`,
    }),
  ),
  one('an input as the ref of a privileged run', 'unproven-checkout', {
    on: target,
    steps: step('${{ inputs.ref }}'),
  }),
  one('an output of a script as the ref of a privileged run', 'unproven-checkout', {
    on: 'issue_comment',
    steps: `- id: pr\n  uses: actions/github-script@${sha} # v8.0.0\n  with:\n    script: core.setOutput('base', pull.data.base.sha)\n${step('${{ steps.pr.outputs.base }}')}`,
  }),
  one('the head through an output of github-script', 'untrusted-checkout', {
    on: 'issue_comment',
    steps: `- id: pr\n  uses: actions/github-script@${sha} # v8.0.0\n  with:\n    script: core.setOutput('sha', pull.data.head.sha)\n${step('${{ steps.pr.outputs.sha }}')}`,
  }),
  one('the repository of a fork', 'untrusted-checkout', {
    on: target,
    steps: `- uses: ${checkout}\n  with:\n    persist-credentials: false\n    repository: \${{ github.event.pull_request.head.repo.full_name }}`,
  }),
  one('the head through a variable', 'untrusted-checkout', {
    on: target,
    job: `env:\n  HEAD: ${head}`,
    steps: step('${{ env.HEAD }}'),
  }),
  one('the head through a variable in a script', 'untrusted-checkout', {
    on: target,
    steps: `- env:\n    HEAD: ${head}\n  run: git fetch origin "$HEAD" && git checkout "\${HEAD}"`,
  }),
  one('the head in a script', 'untrusted-checkout', { on: target, steps: `- run: git checkout ${head}` }),
  one('the head through an output of a step', 'untrusted-checkout', {
    on: 'issue_comment',
    steps: `- id: pr\n  run: echo "sha=$(gh pr view 7 --json headRefOid --jq .headRefOid)" >> "$GITHUB_OUTPUT"\n${step('${{ steps.pr.outputs.sha }}')}`,
  }),
  one('the head through an output of a job', 'untrusted-checkout', {
    on: target,
    jobs: otherJob('find', `outputs:\n  sha: ${head}\nsteps:\n  - run: echo done`),
    job: 'needs: find',
    steps: step('${{ needs.find.outputs.sha }}'),
  }),
  several('the head through an input of a called workflow', 'untrusted-checkout', {
    '.github/workflows/a.yml': `on: ${target}\npermissions: {}\njobs:\n  call:\n    permissions: {}\n    uses: ./.github/workflows/b.yml\n    with:\n      ref: ${head}\n`,
    '.github/workflows/b.yml': workflow({
      on: 'workflow_call:\n  inputs:\n    ref:\n      type: string',
      steps: step('${{ inputs.ref }}'),
    }),
  }),
  several('the head through an action of the repository', 'untrusted-checkout', {
    '.github/workflows/a.yml': workflow({
      on: target,
      steps: `- uses: ./.github/actions/get\n  with:\n    ref: ${head}`,
    }),
    '.github/actions/get/action.yml': `name: Get\ninputs:\n  ref:\n    required: true\nruns:\n  using: composite\n  steps:\n    ${lines(step('${{ inputs.ref }}'))}\n`,
  }),
  one('a condition about something else', 'untrusted-checkout', {
    on: target,
    job: "if: contains(github.event.pull_request.labels.*.name, 'safe') && github.repository == 'me/mine'",
    steps: step(head),
  }),
  one('a secret beside the head', ['untrusted-checkout', 'fork-reachable-secret'], {
    on: target,
    steps: `${step(head)}\n- env:\n    KEY: \${{ secrets.KEY }}\n  run: npm test`,
  }),
  one('a token that can write beside the head', ['untrusted-checkout', 'fork-reachable-write-token'], {
    on: target,
    permissions: '\n      contents: write',
    steps: step(head),
  }),
  one(
    'the default token beside the head',
    ['untrusted-checkout', 'fork-reachable-write-token', 'permissions-missing', 'job-permissions-missing'],
    `on: ${target}\njobs:\n  work:\n    runs-on: ubuntu-latest\n    timeout-minutes: 5\n    steps:\n      ${step(head).split('\n').join('\n      ')}\n`,
  ),
  one('a cache beside the head', ['untrusted-checkout', 'cache-poisoning'], {
    on: target,
    steps: `${step(head)}\n- uses: actions/cache@${sha} # v4.0.0\n  with:\n    path: x\n    key: y`,
  }),
  one('a cache in a release', 'cache-in-release', {
    on: 'push:\n  tags: ["v*"]',
    steps: `- uses: actions/setup-node@${sha} # v6.0.0\n  with:\n    cache: npm`,
  }),
  one('an artifact in the workspace', 'untrusted-artifact', {
    on: afterRun,
    steps: `- uses: actions/download-artifact@${sha} # v6.0.0\n  with:\n    run-id: \${{ github.event.workflow_run.id }}`,
  }),
  one('an artifact in the workspace by gh', 'untrusted-artifact', {
    on: afterRun,
    steps: '- run: gh run download "$RUN"',
  }),
  ...badPins.map(([title, text, fault]) => one(title, fault, { steps: uses(text) })),
  one(
    'a reusable workflow by its tag',
    'unpinned-action',
    `on: push\npermissions: {}\njobs:\n  call:\n    permissions: {}\n    uses: some/repo/.github/workflows/x.yml@v1\n`,
  ),
  several('the image of an action by its tag', 'unpinned-action', {
    'action.yml': 'name: A\nruns:\n  using: docker\n  image: docker://alpine:3\n',
  }),
  one('an image of a container by its tag', 'unpinned-container', { job: 'container: node:24' }),
  one('an image of a service by its tag', 'unpinned-container', {
    job: 'services:\n  db:\n    image: postgres:17',
  }),
  one(
    'no permissions at the top, and none at a job',
    ['permissions-missing', 'job-permissions-missing'],
    'on: push\njobs:\n  work:\n    runs-on: ubuntu-latest\n    permissions: {}\n    timeout-minutes: 5\n    steps:\n      - run: echo done\n  other:\n    runs-on: ubuntu-latest\n    timeout-minutes: 5\n    steps:\n      - run: echo done\n',
  ),
  one('a write permission at the top', 'permissions-write-at-top', {
    top: 'permissions:\n  contents: write',
  }),
  one('write-all at the top', 'permissions-write-all', { top: 'permissions: write-all' }),
  one('write-all at a job', 'permissions-write-all', { permissions: 'write-all' }),
  one('read-all at the top', 'permissions-read-all', { top: 'permissions: read-all' }),
  one(
    'no permissions at a job',
    'job-permissions-missing',
    'on: push\npermissions:\n  contents: read\njobs:\n  work:\n    runs-on: ubuntu-latest\n    timeout-minutes: 5\n    steps:\n      - run: echo done\n',
  ),
  one(
    'no timeout',
    'timeout-missing',
    'on: push\npermissions: {}\njobs:\n  work:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo done\n',
  ),
  one('credentials that stay', 'credentials-persisted', { steps: uses(checkout) }),
  one('credentials that stay on purpose', 'credentials-persisted', {
    steps: `${uses(checkout)}\n  with:\n    persist-credentials: true`,
  }),
  one('credentials that stay in a merged map', ['merge-key', 'credentials-persisted'], {
    steps: `${uses(checkout)}\n  with: &with\n    persist-credentials: "true"\n- <<: {uses: "./x"}\n  with: *with`,
  }),
  one(
    'all secrets for a called workflow',
    'secrets-inherit',
    `on: push\npermissions: {}\njobs:\n  call:\n    permissions: {}\n    uses: ./.github/workflows/x.yml\n    secrets: inherit\n`,
  ),
  one('all secrets as text', 'all-secrets', { job: 'env:\n  ALL: ${{ toJSON(secrets) }}' }),
  one('a secret by a name of the run', 'all-secrets', {
    job: "env:\n  KEY: ${{ secrets[format('{0}_KEY', matrix.x)] }}",
  }),
  one('a password in the file', ['hardcoded-password'], {
    job: `container:\n  image: x@sha256:${sha}${sha.slice(0, 24)}\n  credentials:\n    username: me\n    password: hunter2`,
  }),
  one('commands of old', 'unsecure-commands', { job: 'env:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: true' }),
  one('a command of old in a script', 'unsecure-commands', { steps: '- run: echo "::set-env name=A::b"' }),
  one('a machine of one’s own for pull requests', 'self-hosted-runner', {
    on: 'pull_request',
    runsOn: '[self-hosted, linux]',
  }),
  one('a condition with text around it', 'condition-always-true', {
    job: "if: ${{ github.ref == 'refs/heads/main' }} && github.actor == 'me'",
  }),
  one('a condition with a line break', 'condition-always-true', {
    job: "if: |\n  ${{ github.ref == 'refs/heads/main' }}",
  }),
  one('a bot by the actor', 'spoofable-bot-check', {
    on: target,
    job: "if: github.actor == 'dependabot[bot]'",
  }),
  one('a branch in a text', 'contains-in-text', {
    job: "if: contains('refs/heads/main refs/heads/next', github.ref)",
  }),
  one('an expression that ends early', 'expression-invalid', {
    steps: '- name: ${{ github. }}\n  run: echo',
  }),
  one('an expression that is not closed', 'expression-invalid', {
    steps: '- name: ${{ github.sha\n  run: echo',
  }),
  one('a condition that cannot be read', 'expression-invalid', { job: 'if: github.sha ==' }),
  one('a key twice', 'duplicate-key', { steps: '- run: echo one\n  run: echo two' }),
  one('a key twice with other capitals', 'duplicate-key', { job: 'env:\n  A: one\n  a: two' }),
  one('a file that is no YAML', 'yaml-invalid', 'on: push\njobs: {work: [\n'),
  one('a file with two documents', 'yaml-invalid', `${workflow({})}---\n${workflow({})}`),
  one('an anchor that contains itself', 'yaml-too-deep', 'on: push\njobs: &a\n  work: *a\n'),
  one(
    'aliases that multiply',
    'yaml-too-many-nodes',
    `a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n${[...'bcdefg'].map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]}, `.repeat(10)}1]`).join('\n')}\n`,
  ),
  one('levels without end', 'yaml-too-deep', `on: ${'['.repeat(100)}${']'.repeat(100)}`),
  one('a file without end', 'file-too-large', `on: push # ${'x'.repeat(600_000)}`),
  one('a file that is no workflow', 'not-a-workflow', 'version: 2\nupdates: []\n'),
  one('an allowance without a reason', ['allow-invalid', 'credentials-persisted'], {
    steps: `# gatewright: allow credentials-persisted\n${uses(checkout)}`,
  }),
  one('an allowance of something unknown', 'allow-invalid', {
    steps: '# gatewright: allow everything: I like it\n- run: echo done',
  }),
  one('an allowance that nothing needs', 'allow-unused', {
    steps: '- run: echo done # gatewright: allow script-injection: not any more',
  }),
];
