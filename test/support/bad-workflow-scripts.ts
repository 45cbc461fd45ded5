/** Workflows in which a text of others becomes a program: each with the names of its faults. */
import { one, otherJob, several, sha, type WorkflowCase, workflow } from './workflow-cases.ts';

const run = (expression: string): string => `- run: echo "\${{ ${expression} }}"`;

const strangers = [
  'github.event.issue.title',
  'github.event.issue.body',
  'github.event.comment.body',
  'github.event.pull_request.title',
  'github.event.pull_request.head.ref',
  'github.event.pull_request.head.label',
  'github.event.pull_request.head.repo.default_branch',
  'github.event.review.body',
  'github.event.discussion.title',
  'github.event.pages.*.page_name',
  'github.event.commits[0].message',
  'github.event.head_commit.author.email',
  'github.event.workflow_run.head_branch',
  'github.event.workflow_run.display_title',
  'github.head_ref',
  "github['event']['issue']['title']",
  "github.event['ISSUE'].Title",
  'GitHub.Event.Issue.Title',
  'github.event.issue[inputs.field]',
  'github[inputs.a][inputs.b]',
  '(github.event).issue.title',
  'toJSON(github.event)',
  'ToJson(github)',
  'fromJSON(toJSON(github.event)).issue.title',
  "format('{0} {1}', github.run_id, github.event.issue.title)",
  "join(github.event.commits.*.message, ' ')",
  "github.event.issue.title || 'none'",
  "github.event_name == 'issues' && github.event.issue.title",
  "case(github.event_name == 'issues', github.event.issue.body, 'none')",
];

const unlisted = [
  'inputs.name',
  'github.event.inputs.name',
  'github.ref_name',
  'github.base_ref',
  'github.event.client_payload.number',
  'github.event.label.name',
  'github.event.release.tag_name',
  'steps.other.outputs.value',
  'needs.other.outputs.value',
  'env.NOT_SET_HERE',
];

const script = (lines: string): string =>
  `- env:\n    TITLE: \${{ github.event.issue.title }}\n  run: |\n${lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}`;

export const badScripts: readonly WorkflowCase[] = [
  ...strangers.map((expression) =>
    one(`run with ${expression}`, 'script-injection', { steps: run(expression) }),
  ),
  ...unlisted.map((expression) =>
    one(`run with ${expression}`, 'unlisted-value-in-script', { steps: run(expression) }),
  ),
  one('a quoted script on one line', 'script-injection', {
    steps: `- run: "echo \${{ github.event.issue.title }}"`,
  }),
  one('a script that is folded', 'script-injection', {
    steps: `- run: >-\n    echo one\n    \${{ github.event.issue.title }}`,
  }),
  one('a script of github-script', 'script-injection', {
    steps: `- uses: actions/github-script@${sha} # v8.0.0\n  with:\n    script: console.log("\${{ github.event.issue.title }}")`,
  }),
  one('an input of github-script with capitals', 'script-injection', {
    steps: `- uses: Actions/GitHub-Script@${sha} # v8.0.0\n  with:\n    Script: return \`\${{ github.head_ref }}\``,
  }),
  one('the command of an action that tries again', 'script-injection', {
    steps: `- uses: nick-fields/retry@${sha} # v3.0.0\n  with:\n    command: ./x \${{ github.head_ref }}`,
  }),
  one('the entry point of an image', 'script-injection', {
    steps: `- uses: docker://alpine@sha256:${sha}${sha.slice(0, 24)}\n  with:\n    entrypoint: \${{ github.head_ref }}`,
  }),
  one('a shell that is chosen by a stranger', 'script-injection', {
    steps: `- run: echo hello\n  shell: \${{ github.event.comment.body }}`,
  }),
  one('a default shell that is chosen by a stranger', 'script-injection', {
    job: 'defaults:\n  run:\n    shell: ${{ github.event.comment.body }}',
  }),
  one('a default shell of the workflow from an input', 'unlisted-value-in-script', {
    top: 'permissions: {}\ndefaults:\n  run:\n    shell: ${{ inputs.shell }}',
  }),
  one('through a variable of the step', 'script-injection', {
    steps: '- env:\n    TITLE: ${{ github.event.issue.title }}\n  run: echo "${{ env.TITLE }}"',
  }),
  one('through a variable of the job', 'script-injection', {
    job: 'env:\n  TITLE: ${{ github.event.issue.title }}',
    steps: '- run: echo "${{ env.title }}"',
  }),
  one('through a variable of the workflow', 'script-injection', {
    top: 'permissions: {}\nenv:\n  TITLE: ${{ github.event.issue.title }}',
    steps: '- run: echo "${{ env[\'TITLE\'] }}"',
  }),
  one('through an output of a step', 'script-injection', {
    steps: `- id: read\n  env:\n    TITLE: \${{ github.event.issue.title }}\n  run: echo "title=$TITLE" >> "$GITHUB_OUTPUT"\n- run: echo "\${{ steps.read.outputs.title }}"`,
  }),
  one('through an output of an action', 'script-injection', {
    steps: `- id: slug\n  uses: some/slug@${sha} # v1\n  with:\n    text: \${{ github.head_ref }}\n- run: echo "\${{ steps.slug.outputs.slug }}"`,
  }),
  one('through an output of github-script', ['script-injection'], {
    steps: `- id: read\n  uses: actions/github-script@${sha} # v8.0.0\n  with:\n    # gatewright: allow script-injection: the next step has it as well\n    script: core.setOutput('title', \`\${{ github.event.issue.title }}\`)\n- run: echo "\${{ steps.read.outputs.title }}"`,
  }),
  one('through an output that a script reads with gh', 'script-injection', {
    steps: `- id: read\n  run: echo "title=$(gh pr view 1 --json title --jq .title)" >> "$GITHUB_OUTPUT"\n- run: echo "\${{ steps.read.outputs.title }}"`,
  }),
  one('a constant output beside a text of several lines', 'script-injection', {
    steps: `- id: read\n  env:\n    BODY: \${{ github.event.issue.body }}\n  run: |\n    echo "body=$BODY" >> "$GITHUB_OUTPUT"\n    echo "ok=true" >> "$GITHUB_OUTPUT"\n- run: echo "\${{ steps.read.outputs.ok }}"`,
  }),
  one('through an output of a job', 'script-injection', {
    jobs: otherJob('read', 'outputs:\n  title: ${{ github.event.issue.title }}\nsteps:\n  - run: echo done'),
    job: 'needs: read',
    steps: '- run: echo "${{ needs.read.outputs.title }}"',
  }),
  one('through a step, a job and a variable', 'script-injection', {
    jobs: otherJob(
      'read',
      'outputs:\n  title: ${{ steps.a.outputs.b }}\nsteps:\n  - id: a\n    env:\n      T: ${{ github.event.issue.title }}\n    run: echo "b=$T" >> "$GITHUB_OUTPUT"',
    ),
    job: 'needs: [read]\nenv:\n  TITLE: ${{ needs.READ.outputs.title }}',
    steps: '- run: echo "${{ env.TITLE }}"',
  }),
  one('through a matrix', 'script-injection', {
    job: 'strategy:\n  matrix:\n    branch: ["main", "${{ github.head_ref }}"]',
    steps: '- run: echo "${{ matrix.branch }}"',
  }),
  one('through a matrix that is made in the run', 'script-injection', {
    job: 'strategy:\n  matrix: ${{ fromJSON(github.event.comment.body) }}',
    steps: '- run: echo "${{ matrix.anything }}"',
  }),
  one('through what a matrix includes', 'script-injection', {
    job: 'strategy:\n  matrix:\n    include:\n      - name: ${{ github.head_ref }}',
    steps: '- run: echo "${{ matrix.name }}"',
  }),
  several('through an input of a called workflow', 'script-injection', {
    '.github/workflows/a.yml': `on: pull_request\npermissions: {}\njobs:\n  call:\n    permissions: {}\n    uses: ./.github/workflows/b.yml\n    with:\n      name: \${{ github.head_ref }}\n`,
    '.github/workflows/b.yml': workflow({
      on: 'workflow_call:\n  inputs:\n    name:\n      type: string',
      steps: '- run: echo "${{ inputs.name }}"',
    }),
  }),
  several('through an output of a called workflow', 'script-injection', {
    '.github/workflows/a.yml': workflow({
      jobs: 'call:\n  permissions: {}\n  uses: $/.github/workflows/b.yml',
      job: 'needs: call',
      steps: '- run: echo "${{ needs.call.outputs.name }}"',
    }),
    '.github/workflows/b.yml': workflow({
      on: 'workflow_call:\n  outputs:\n    name:\n      value: ${{ jobs.work.outputs.name }}',
      job: 'outputs:\n  name: ${{ github.event.pull_request.title }}',
    }),
  }),
  several('through an input of an action of the repository', 'script-injection', {
    '.github/workflows/a.yml': workflow({
      steps: '- uses: ./.github/actions/greet\n  with:\n    name: ${{ github.event.issue.title }}',
    }),
    '.github/actions/greet/action.yml':
      'name: Greet\ninputs:\n  name:\n    required: true\nruns:\n  using: composite\n  steps:\n    - shell: bash\n      run: echo "${{ inputs.name }}"\n',
  }),
  several('an input of a published action', 'unlisted-value-in-script', {
    'action.yml':
      'name: Greet\ninputs:\n  name:\n    required: true\nruns:\n  using: composite\n  steps:\n    - shell: bash\n      run: echo "${{ inputs.name }}"\n',
  }),
  one('an output whose text is not constant', 'unlisted-value-in-script', {
    steps: `- id: version\n  run: echo "version=$(cat VERSION)" >> "$GITHUB_OUTPUT"\n- run: echo "\${{ steps.version.outputs.version }}"`,
  }),
  one('an alias repeats the fault', 'script-injection', {
    steps: '- run: &say echo "${{ github.event.issue.title }}"\n- run: *say',
  }),
  one('eval of a variable', 'untrusted-eval', { steps: script('eval "$TITLE"') }),
  one('sh -c with a variable', 'untrusted-eval', { steps: script('bash -ec "echo $TITLE"') }),
  one('eval of a variable that got it from another', 'untrusted-eval', {
    steps: script('COMMAND="echo ${TITLE}"\neval $COMMAND'),
  }),
  one('a program in another language', 'untrusted-eval', {
    steps: script('node -e "console.log(\'$TITLE\')"'),
  }),
  one('a text in GITHUB_ENV', 'untrusted-runner-file', {
    steps: script('echo "TITLE=$TITLE" >> "$GITHUB_ENV"'),
  }),
  one('a text in GITHUB_PATH', 'untrusted-runner-file', { steps: script('echo "$TITLE" >> $GITHUB_PATH') }),
  one('a text in GITHUB_ENV with tee', 'untrusted-runner-file', {
    steps: script('echo "TITLE=${TITLE}" | tee -a "$GITHUB_ENV"'),
  }),
  one('the branch of a fork in GITHUB_ENV', 'untrusted-runner-file', {
    steps: '- run: echo "BRANCH=$GITHUB_HEAD_REF" >> "$GITHUB_ENV"',
  }),
  one('a file in GITHUB_ENV of a privileged run', 'untrusted-runner-file', {
    on: 'workflow_run:\n  workflows: [CI]',
    steps: '- run: cat result.txt >> "$GITHUB_ENV"',
  }),
  one('a variable that steers programs', 'env-steers-programs', {
    steps: '- env:\n    NODE_OPTIONS: ${{ github.event.comment.body }}\n  run: node x.js',
  }),
  one('a variable of the job that steers programs', 'env-steers-programs', {
    job: 'env:\n  BASH_ENV: ${{ github.head_ref }}/env',
  }),
  one('a machine that a stranger chooses', 'untrusted-job-setting', {
    runsOn: '${{ github.event.comment.body }}',
  }),
  one('an image that a stranger chooses', 'untrusted-job-setting', {
    job: 'container: node:${{ github.head_ref }}',
  }),
  one('a folder that a stranger chooses', 'untrusted-job-setting', {
    steps: '- run: npm test\n  working-directory: ${{ github.head_ref }}',
  }),
];
