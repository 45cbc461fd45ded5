/** The page on `actions lint`, from the table of faults and the list of trusted values. */
import { type RuleName, rules, type Severity } from '../src/setup/actions/rules/rule-table.ts';
import { basePaths, strangersPaths, trustedPaths } from '../src/setup/actions/rules/trust/trusted-paths.ts';
import { markdownTable, note } from './page-parts.ts';

const code = (text: string): string => `\`${text}\``;
const list = (words: readonly string[]): string => words.map(code).join(' ');

const groups: readonly (readonly [title: string, rules: readonly RuleName[]])[] = [
  [
    'A text of others becomes a program',
    [
      ...([
        'script-injection',
        'unlisted-value-in-script',
        'untrusted-eval',
        'untrusted-runner-file',
      ] as const),
      ...(['env-steers-programs', 'untrusted-job-setting'] as const),
    ],
  ],
  [
    'The code of others runs with the rights of the repository',
    [
      ...([
        'untrusted-checkout',
        'unproven-checkout',
        'fork-reachable-secret',
        'fork-reachable-write-token',
      ] as const),
      ...(['untrusted-artifact', 'cache-poisoning', 'cache-in-release', 'self-hosted-runner'] as const),
    ],
  ],
  ['What runs can be exchanged', ['unpinned-action', 'pin-without-version', 'unpinned-container']],
  [
    'More rights than needed',
    [
      ...(['permissions-missing', 'permissions-write-at-top', 'permissions-write-all'] as const),
      ...([
        'permissions-read-all',
        'job-permissions-missing',
        'credentials-persisted',
        'secrets-inherit',
      ] as const),
      ...(['all-secrets', 'hardcoded-password', 'timeout-missing'] as const),
    ],
  ],
  [
    'Not what it seems',
    ['condition-always-true', 'spoofable-bot-check', 'contains-in-text', 'unsecure-commands'],
  ],
  [
    'Files that cannot be judged',
    [
      ...(['expression-invalid', 'yaml-invalid', 'duplicate-key', 'merge-key', 'not-a-workflow'] as const),
      ...(['yaml-too-deep', 'yaml-too-many-nodes', 'file-too-large'] as const),
    ],
  ],
  ['Comments that allow a fault', ['allow-invalid', 'allow-unused']],
];

function ruleTable(names: readonly RuleName[]): string {
  return markdownTable(
    ['fault', 'severity', 'when', 'why', 'what to do'],
    names.map((name) => {
      const { severity, when, why, fix } = rules[name];
      return [code(name), severity, when, why, fix];
    }),
  );
}

function severities(): string {
  const count = (severity: Severity): number =>
    Object.values(rules).filter((rule) => rule.severity === severity).length;
  return markdownTable(
    ['severity', 'exit code', 'faults'],
    [
      ['error', '1', String(count('error'))],
      ['warning', '1', String(count('warning'))],
      ['note', '0; 1 with `--strict`', String(count('note'))],
    ],
  );
}

export function actionsLintPage(): string {
  const listed = groups.flatMap(([, names]) => names);
  const missing = (Object.keys(rules) as RuleName[]).filter((name) => !listed.includes(name));
  if (missing.length > 0) throw new Error(`docs/actions-lint.md has no place for ${missing.join(', ')}.`);
  return [
    '# Checking workflows of GitHub Actions',
    note,
    '`gatewright actions lint` reads the workflows and actions of a repository, yours or another one’s, and names the faults that put the repository at risk. It reads files only: it runs nothing and sends nothing.',
    '```sh\ngatewright actions lint\n```',
    'Without arguments it reads `.github/workflows/*.yml` and `*.yaml`, `action.yml` at the root, and the actions below `.github/actions`. Files and folders can be named. Files that call each other are judged together: name them in one command.',
    '```text\n.github/workflows/triage.yml:8:17: error script-injection: github.event.issue.title in run\n  GitHub puts the text into the program before the program is read, so a stranger can write commands.\n  fix: Put the value into `env:` and use the variable in the script ("$NAME", process.env.NAME).\n```',
    '`--json` prints the findings as data. `--format github` prints them as annotations, which GitHub shows at the lines of a pull request. A misused command line exits with 2.',
    severities(),
    '## Allowing a fault',
    'A comment allows a fault on its line, or, on a line of its own, on the next one. For a line of a script it stands at `run:`. It needs a reason, and what it allows is listed with the reason.',
    '```yaml\n# gatewright: allow credentials-persisted: the next step pushes\n- uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n```',
    ...groups.flatMap(([title, names]) => [`## ${title}`, ruleTable(names)]),
    '## What is trusted as a part of a program',
    "A value in `${{ }}` may stand in a script only if this list has it; everything else is reported. `*` is any one key, `**` any number of keys. Literals, comparisons, `!`, and the results of `contains`, `startsWith`, `endsWith`, `hashFiles`, `success`, `failure`, `always` and `cancelled` are trusted; other functions are as their arguments. Of `a && b` the last operand counts, of `a || b` each. Capitals and the form (`github.event`, `github['event']`) make no difference.",
    markdownTable(
      ['why', 'values'],
      trustedPaths.map(([why, paths]) => [why, list(paths)]),
    ),
    'Values that a file defines are followed to where they come from: `env`, `matrix`, `inputs` (those of the types `boolean`, `number` and `choice` are trusted; texts are as what the callers among the files give), `steps.*.outputs` (trusted if all that the script writes stands in it, or for a number or hash of a well-known action) and `needs.*.outputs`, also of called workflows.',
    `These are texts of strangers (\`script-injection\`), with everything that contains them:\n\n${list(strangersPaths)}`,
    '## Which runs a stranger can start with the rights of the repository',
    'Those of `pull_request_target`, `workflow_run` and `issue_comment`, and workflows and actions that such a workflow calls. On `pull_request`, GitHub gives a fork no secrets and a token that can only read. A checkout there may name these values, and nothing else:',
    list(basePaths),
    'A job or step does not count where its `if:` cannot be true for a pull request from a fork: by the event (`github.event_name`, `github.event.workflow_run.event`), or by comparing the repository of the head with `github.repository` (also the owner, the id, or `fork`). A label, or the association of the author, does not make it safe: new commits can follow.',
    '## What it does not see',
    [
      '- Scripts are looked at line by line, and not run: a value that goes through a file, a function or another language is not followed.',
      '- Actions and workflows of other repositories are not read.',
      '- Whether a SHA belongs to the version beside it, or to a fork, is not asked.',
      '- Settings of the repository, such as the default permissions or required approvals, are not read.',
    ].join('\n'),
  ].join('\n\n');
}
