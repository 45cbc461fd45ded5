/**
 * The ten workflows of document 002 as far as they cost jobs and calls: names, events, conditions and permissions are those
 * of its files, and each command that they give to `gh` is one call, the least that it can be. What their coding agent does
 * is in `peer-agent.mjs`.
 */
import { labelNames } from '../../src/domain/forge/labels.ts';

const job = (id: string, permissions: string, steps: readonly string[], condition?: string): string =>
  [
    'jobs:',
    `  ${id}:`,
    ...(condition === undefined ? [] : [`    if: ${condition}`]),
    '    runs-on: ubuntu-latest',
    `    permissions: { ${permissions} }`,
    '    steps:',
    ...steps.map((step) => `      - ${step}`),
    '',
  ].join('\n');

const personal = `\${{ secrets.PAT_TOKEN }}`;
const checkOut = '{ uses: actions/checkout@v6, with: { fetch-depth: 1 } }';
const checkOutPersonally = `{ uses: actions/checkout@v6, with: { fetch-depth: 1, token: "${personal}" } }`;
const agent = '{ uses: anthropics/claude-code-action@v1 }';

/** One call, as `gh` makes it. What is refused, such as a label that is there already, fails no step of theirs. */
const call = (method: string, path: string, body = '', condition = ''): string =>
  [
    `{ run: 'node "$PEER_CALL" ${method} "${path}" "$BODY" || true', env: { BODY: '${body}', GH_TOKEN: "${personal}",`,
    `N: "\${{ github.event.issue.number || github.event.pull_request.number }}" }`,
    `${condition === '' ? '' : `, if: "${condition}"`} }`,
  ].join(' ');

const isOfIssue = "github.event_name == 'issues' || github.event_name == 'issue_comment'";
const names = "contains(github.event.issue.body, '@claude') || contains(github.event.issue.title, '@claude')";
const orders = [
  "(github.event_name == 'issue_comment' && contains(github.event.comment.body, '@claude'))",
  "(github.event_name == 'pull_request_review' && contains(github.event.review.body, '@claude'))",
  `(github.event_name == 'issues' && github.event.action != 'labeled' && (${names}))`,
  `(github.event_name == 'issues' && github.event.label.name == '${labelNames.planning}' && (${names}))`,
].join(' || ');
const approvals =
  "contains(github.event.comment.body, 'approve') || contains(github.event.comment.body, 'implement') || contains(github.event.comment.body, 'proceed')";

const claude = [
  'name: Claude Code',
  'on:',
  '  issue_comment: { types: [created] }',
  '  issues: { types: [opened, assigned, labeled] }',
  '  pull_request_review: { types: [submitted] }',
  job(
    'claude',
    'contents: write, pull-requests: write, issues: write, id-token: write, actions: read',
    [
      checkOutPersonally,
      call('GET', '/issues/$N', '', `github.event_name == 'issue_comment' && (${approvals})`),
      call('GET', '/issues/$N', '', isOfIssue),
      call('POST', '/labels', `{"name":"${labelNames.working}","color":"0969da"}`, isOfIssue),
      call('POST', '/issues/$N/labels', `{"labels":["${labelNames.working}"]}`, isOfIssue),
      agent,
      call('DELETE', `/issues/$N/labels/${labelNames.working}`, '', `always() && (${isOfIssue})`),
      call('GET', '/issues/$N', '', isOfIssue),
    ],
    orders,
  ),
];

const review = [
  'name: Claude Code Review',
  'on: { pull_request: { types: [opened, synchronize, reopened] } }',
  job('review', 'contents: read, pull-requests: write, issues: write, id-token: write', [
    checkOut,
    agent,
    // How often it has asked for corrections, and what the review says; then it asks, twice at most.
    call('GET', '/issues/$N/comments', '', 'always()'),
    call('GET', '/pulls/$N/reviews', '', 'always()'),
    call(
      'POST',
      '/issues/$N/comments',
      '{"body":"<!-- review-fix-cycle --> @claude Correct what the review found."}',
      "env.FOUND == 'yes'",
    ),
  ]),
];

const merge = [
  'name: Auto Merge',
  'on: { workflow_run: { workflows: ["Claude Code Review"], types: [completed] } }',
  job(
    'auto-merge',
    'contents: write, pull-requests: write',
    [`{ run: 'node "$PEER_AGENT"', env: { GH_TOKEN: "${personal}" } }`],
    "github.event.workflow_run.conclusion == 'success'",
  ),
];

const watched = [
  ...['Claude Code', 'Claude Code Review', 'Auto Merge', 'Template Sync', 'Daily Digest'],
  ...['Agent Health Report', 'Doc Drift Detector', 'PR Size Guardian', 'Stale Issue Gardener'],
];
const doctor = [
  'name: CI Doctor',
  `on: { workflow_run: { workflows: ${JSON.stringify(watched)}, types: [completed] } }`,
  job(
    'diagnose',
    'contents: read, pull-requests: write, actions: read, id-token: write',
    [checkOut, agent],
    "github.event.workflow_run.conclusion == 'failure'",
  ),
];

const guardian = [
  'name: PR Size Guardian',
  'on: { pull_request: { types: [opened, synchronize] } }',
  job('size-check', 'contents: read, pull-requests: write, id-token: write', [
    call('GET', '/pulls/$N'),
    checkOut,
    agent,
  ]),
];

const scheduled = (name: string, cron: string, permissions: string, steps: readonly string[]): string =>
  [
    `name: ${name}`,
    `on: { schedule: [{ cron: "${cron}" }], workflow_dispatch: }`,
    job('work', permissions, steps),
  ].join('\n');

/** By path. */
export const peerFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    claude: claude.join('\n'),
    'claude-review': review.join('\n'),
    [labelNames.autoMerge]: merge.join('\n'),
    'ci-doctor': doctor.join('\n'),
    'pr-size-guardian': guardian.join('\n'),
    [labelNames.dailyDigest]: scheduled(
      'Daily Digest',
      '0 8 * * *',
      'contents: read, issues: write, pull-requests: read, id-token: write',
      [checkOut, agent],
    ),
    [labelNames.healthReport]: scheduled(
      'Agent Health Report',
      '0 9 * * 5',
      'contents: read, issues: write, pull-requests: read, actions: read, id-token: write',
      [checkOut, agent],
    ),
    'stale-issue-gardener': scheduled(
      'Stale Issue Gardener',
      '0 9 * * 1',
      'contents: read, issues: write, id-token: write',
      [checkOut, agent],
    ),
    'doc-drift-detector': scheduled(
      'Doc Drift Detector',
      '0 10 * * 1',
      'contents: write, pull-requests: write, id-token: write',
      [checkOutPersonally, agent],
    ),
    // Its template is elsewhere: nothing of that counts.
    'template-sync': scheduled('Template Sync', '0 0 * * 1', 'contents: write, pull-requests: write', [
      checkOutPersonally,
    ]),
  }).map(([name, text]) => [`.github/workflows/${name}.yml`, text]),
);

/** The action that runs their coding agent. */
export const peerAction = `name: Agent
description: Makes the calls that a coding agent makes at least
runs:
  using: composite
  steps: [{ shell: bash, run: node "$PEER_AGENT" }]
`;
