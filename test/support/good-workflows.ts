/** Workflows that are nearly those with a fault, and have none. */
import { checkout, one, otherJob, several, sha, type WorkflowCase, workflow } from './workflow-cases.ts';

const digest = `sha256:${sha}${sha.slice(0, 24)}`;
const target = 'pull_request_target';
const afterRun = 'workflow_run:\n  workflows: [CI]';
const head = '${{ github.event.pull_request.head.sha }}';
const step = (ref: string): string =>
  `- uses: ${checkout}\n  with:\n    persist-credentials: false\n    ref: ${ref}`;

/** Harmless as a part of a program. */
const trusted = [
  'github.sha',
  'github.run_id',
  'github.repository',
  'GITHUB.Actor',
  "github['event_name']",
  'github.event.pull_request.number',
  'github.event.issue.number',
  'github.event.pull_request.head.sha',
  'github.event.pull_request.user.login',
  'github.event.pull_request.html_url',
  'github.event.pull_request.head.repo.full_name',
  'github.event.repository.default_branch',
  'github.event.comment.id',
  'runner.temp',
  'runner.os',
  'secrets.TOKEN',
  'vars.REGION',
  'job.status',
  'strategy.job-index',
  'needs.other.result',
  'steps.a.outcome',
  "hashFiles('**/package-lock.json')",
  "contains(github.event.issue.title, 'bug')",
  "github.event.issue.title == 'bug'",
  '!github.event.issue.title',
  "startsWith(github.head_ref, 'release/') && 'release' || 'other'",
  "github.event.issue.title && 'titled'",
  "case(github.head_ref == 'main', 'a', 'b')",
  "'}}'",
  "'it''s ''quoted'''",
];

const events = (text: string): string => text.split(':')[0] ?? '';

const bases: readonly (readonly [on: string, ref: string])[] = [
  [target, 'main'],
  [target, '${{ github.sha }}'],
  [target, '${{ github.event.pull_request.base.sha }}'],
  [target, '${{ github.base_ref }}'],
  [target, '${{ github.event.repository.default_branch }}'],
  [target, "${{ github.event_name == 'pull_request' && github.head_ref || github.sha }}"],
  [afterRun, '${{ github.workflow_sha }}'],
  ['pull_request', head],
  ['pull_request', '${{ github.head_ref }}'],
  ['workflow_dispatch', '${{ inputs.ref }}'],
];

/** Conditions under which no fork can start the job. */
const guards: readonly (readonly [on: string, condition: string])[] = [
  [target, 'github.event.pull_request.head.repo.full_name == github.repository'],
  [
    target,
    '${{ github.repository == github.event.pull_request.head.repo.full_name && github.actor != null }}',
  ],
  [target, '!github.event.pull_request.head.repo.fork'],
  [target, 'github.event.pull_request.head.repo.fork == false'],
  [target, 'github.event.pull_request.head.repo.owner.login == github.repository_owner'],
  [target, "github.event_name == 'push'"],
  [
    target,
    "github.event_name != 'pull_request_target' || github.event.pull_request.head.repo.id == github.repository_id",
  ],
  [target, 'contains(fromJSON(\'["push", "schedule"]\'), github.event_name)'],
  [afterRun, "github.event.workflow_run.event == 'push'"],
  [afterRun, 'github.event.workflow_run.head_repository.full_name == github.repository'],
];

const script = (lines: string): string =>
  `- env:\n    TITLE: \${{ github.event.issue.title }}\n    NUMBER: \${{ github.event.issue.number }}\n  run: |\n${lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}`;

const good = (title: string, parts: Parameters<typeof one>[2]): WorkflowCase => one(title, [], parts);

export const goodWorkflows: readonly WorkflowCase[] = [
  good('nothing but what is needed', {}),
  ...trusted.map((expression) =>
    good(`run with ${expression}`, { steps: `- run: echo "\${{ ${expression} }}"` }),
  ),
  ...bases.map(([on, ref]) => good(`${events(on)} checks out ${ref}`, { on, steps: step(ref) })),
  ...guards.map(([on, condition]) =>
    good(`${events(on)} if ${condition}`, { on, job: `if: ${JSON.stringify(condition)}`, steps: step(head) }),
  ),
  good('a guarded step', {
    on: target,
    steps: step(head).replace('- uses', '- if: "!github.event.pull_request.head.repo.fork"\n  uses'),
  }),
  good('a job that needs a guarded one', {
    on: target,
    jobs: otherJob('first', 'if: "!github.event.pull_request.head.repo.fork"\nsteps:\n  - run: echo done'),
    job: 'needs: first',
    steps: step(head),
  }),
  good('a secret where no code of a stranger is', {
    on: target,
    permissions: '\n      pull-requests: write',
    steps: '- env:\n    KEY: ${{ secrets.KEY }}\n  run: ./label',
  }),
  good('commands that take the base, or no code', {
    on: target,
    steps: `- env:\n    HEAD: ${head}\n  run: |\n    # gh pr checkout 7\n    git fetch origin main\n    git checkout "$GITHUB_SHA"\n    gh pr comment 7 --body "$HEAD"\n    git pull origin main\n    echo "see /pull/7"`,
  }),
  good('a title in a variable', { steps: script('echo "$TITLE"\nprintf "%s" "${TITLE}"') }),
  good('a title in a text of the step, not in its program', {
    steps: '- name: On ${{ github.event.issue.title }}\n  run: echo done',
  }),
  good('a title for an action', {
    steps: `- uses: some/action@${sha} # v1.2\n  with:\n    title: \${{ github.event.issue.title }}`,
  }),
  good('a title in a condition', { job: "if: contains(github.event.issue.title, 'bug')" }),
  good('a variable that holds nothing of others', {
    job: "env:\n  LEVEL: ${{ github.event_name == 'push' && 'high' || 'low' }}",
    steps: '- run: echo "${{ env.LEVEL }}"',
  }),
  good('constant outputs', {
    steps: `- id: a\n  run: |\n    if test -f x; then\n      echo "found=true" >> "$GITHUB_OUTPUT"\n    else\n      echo "found=false" >> $GITHUB_OUTPUT\n    fi\n    echo "at=$(date +%F)-\${GITHUB_SHA::7}" >> "$GITHUB_OUTPUT"\n- run: echo "\${{ steps.a.outputs.found }} \${{ steps.a.outputs.at }}"`,
  }),
  good('constant outputs of another job', {
    jobs: otherJob(
      'plan',
      'outputs:\n  go: ${{ steps.a.outputs.go }}\nsteps:\n  - id: a\n    run: echo "go=yes" >> "$GITHUB_OUTPUT"',
    ),
    job: 'needs: plan',
    steps: '- run: echo "${{ needs.plan.outputs.go }}"',
  }),
  good('the digest of an image', {
    steps: `- id: build\n  uses: docker/build-push-action@${sha} # v6.1.0\n- run: echo "\${{ steps.build.outputs.digest }}"`,
  }),
  good('a matrix that stands in the file', {
    job: 'strategy:\n  matrix:\n    os: [a, b]\n    include:\n      - os: c\n        more: ${{ github.run_id }}',
    steps: '- run: echo "${{ matrix.os }} ${{ matrix.more }}"',
  }),
  good('inputs that are no free text', {
    on: 'workflow_dispatch:\n  inputs:\n    level:\n      type: choice\n      options: [low, high]\n    dry:\n      type: boolean',
    steps: '- run: echo "${{ inputs.level }} ${{ github.event.inputs.dry }}"',
  }),
  several('inputs of a called workflow that only gets constants', [], {
    '.github/workflows/a.yml':
      'on: push\npermissions: {}\njobs:\n  call:\n    permissions: {}\n    uses: ./.github/workflows/b.yml\n    with:\n      name: fixed\n',
    '.github/workflows/b.yml': workflow({
      on: 'workflow_call:\n  inputs:\n    name:\n      type: string',
      steps: '- run: echo "${{ inputs.name }}"',
    }),
  }),
  good('eval of something else', {
    steps: script('eval "$(ssh-agent -s)"\nbash -c "echo hello"\nsh ./x "$TITLE"'),
  }),
  good('constants in the files of the runner', {
    on: afterRun,
    steps: script(
      'echo "MODE=fast" >> "$GITHUB_ENV"\necho "$HOME/.local/bin" >> "$GITHUB_PATH"\nHOST="${GITHUB_SERVER_URL#https://}"\necho "HOST=${HOST}" >> "$GITHUB_ENV"',
    ),
  }),
  good('a variable with a name that steers nothing', {
    job: 'env:\n  TITLE: ${{ github.event.issue.title }}',
  }),
  good('an artifact outside of the workspace', {
    on: afterRun,
    steps: `- uses: actions/download-artifact@${sha} # v6\n  with:\n    path: \${{ runner.temp }}/result\n    run-id: \${{ github.event.workflow_run.id }}\n- run: gh run download "$RUN" --dir "$RUNNER_TEMP/other"`,
  }),
  good('an artifact of the same run', {
    on: afterRun,
    steps: `- uses: actions/download-artifact@${sha} # v6.0.0`,
  }),
  good('caches where only the base is', {
    on: target,
    steps: `- uses: actions/cache@${sha} # v4.2.0\n  with:\n    path: x\n    key: y`,
  }),
  good('pins in every form', {
    job: `container: node@${digest}\nservices:\n  db:\n    image: postgres@${digest}`,
    steps: [
      `- uses: some/action@${sha} # v1`,
      `- uses: some/action/in/folder@${sha} # tag=v2.1.0`,
      `- uses: "some/action@${sha.toUpperCase()}" # 2024-05-01`,
      `- {uses: some/action@${sha}} # main`,
      `- uses: docker://alpine@${digest}`,
      '- uses: ./.github/actions/mine',
      '- uses: $/.github/actions/mine',
    ].join('\n'),
  }),
  good('no permissions at the top, with those of each job', { top: 'name: CI' }),
  good('read permissions at the top, with those of the job', { top: 'permissions:\n  contents: read' }),
  good(
    'no permissions at the job, where there are none at all',
    'on: push\npermissions: {}\njobs:\n  work:\n    runs-on: ubuntu-latest\n    timeout-minutes: 5\n    steps:\n      - run: echo done\n',
  ),
  good(
    'a called workflow needs no timeout',
    `on: push\npermissions: {}\njobs:\n  call:\n    permissions: {}\n    uses: some/repo/.github/workflows/x.yml@${sha} # v3.0.0\n    secrets:\n      KEY: \${{ secrets.KEY }}\n`,
  ),
  good('credentials that go', {
    steps: `- uses: ${checkout}\n  with:\n    persist-credentials: "false"\n- uses: Actions/Checkout@${sha} # v5\n  with: {persist-credentials: false}`,
  }),
  good('a secret that is named', { job: "env:\n  KEY: ${{ secrets['KEY'] }}" }),
  good('a password from a secret', {
    job: `container:\n  image: x@${digest}\n  credentials:\n    username: me\n    password: \${{ secrets.PASSWORD }}`,
  }),
  good('commands of old that are forbidden', { job: 'env:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: "false"' }),
  good('a machine of one’s own for pushes', { runsOn: '[self-hosted, linux]' }),
  good('conditions in every form', {
    job: 'if: always()',
    steps:
      "- if: ${{ github.ref == 'refs/heads/main' }}\n  run: a\n- if: |\n    github.ref == 'refs/heads/main' &&\n    github.actor == 'me'\n  run: b\n- if: true\n  run: c",
  }),
  good('the author of the pull request', {
    on: target,
    job: "if: github.event.pull_request.user.login == 'dependabot[bot]'",
  }),
  good('the actor where nothing is privileged', {
    on: 'pull_request',
    job: "if: github.actor == 'dependabot[bot]'",
  }),
  good('a branch in a list', {
    job: "if: contains(fromJSON('[\"refs/heads/main\"]'), github.ref) && contains(github.ref, 'main')",
  }),
  good('anchors and aliases', {
    steps: `- &get\n  uses: ${checkout}\n  with: {persist-credentials: false}\n- *get`,
  }),
  good('lines that look like comments or allowances', {
    steps: '- run: |\n    # gatewright: allow nothing\n    echo "# gatewright: allow nothing"',
  }),
  good('an allowance on the line', {
    steps: `- uses: ${checkout} # gatewright: allow credentials-persisted: it pushes`,
  }),
  good('an allowance above, among other comments', {
    steps: `# gatewright: allow credentials-persisted: it pushes\n# and more\n- uses: ${checkout}`,
  }),
  good('an allowance for a script', {
    steps:
      '# gatewright: allow script-injection, unlisted-value-in-script: the title is checked before\n- run: |\n    echo one\n    echo "${{ github.event.issue.title }}"',
  }),
  several('an action that runs on Node', [], {
    'action.yml': 'name: A\nruns:\n  using: node24\n  main: x.js\n',
  }),
];
