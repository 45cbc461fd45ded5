/** Every fault that the linter knows, by its name. The documentation is made from this table; names do not change. */

export type Severity = 'error' | 'warning' | 'note';

interface Rule {
  readonly severity: Severity;
  /** When it is reported. */
  readonly when: string;
  readonly why: string;
  readonly fix: string;
}

const strangersCode = 'a run that a stranger can start and that has the rights of the repository';

const table = {
  'script-injection': {
    severity: 'error',
    when: 'A text that a stranger writes stands in `${{ }}` inside `run`, `shell`, or a script of an action such as `actions/github-script`.',
    why: 'GitHub puts the text into the program before the program is read, so a stranger can write commands.',
    fix: 'Put the value into `env:` and use the variable in the script ("$NAME", process.env.NAME).',
  },
  'unlisted-value-in-script': {
    severity: 'warning',
    when: 'Any other value that is not in the list of trusted values stands there: an input, a branch, an output whose text is not constant.',
    why: 'The value is not in the list of those that are harmless as a part of a program.',
    fix: 'Put the value into `env:` and use the variable in the script ("$NAME", process.env.NAME).',
  },
  'untrusted-eval': {
    severity: 'error',
    when: 'A script passes a variable that holds a stranger’s text to `eval`, `sh -c`, `node -e` or the like.',
    why: 'The text is read as a program, as if it stood in the script.',
    fix: 'Pass the value as an argument to a command that does not read it as a program.',
  },
  'untrusted-runner-file': {
    severity: 'error',
    when: `A script writes a stranger’s text to GITHUB_ENV or GITHUB_PATH; or, in ${strangersCode}, anything that is not shown to be constant.`,
    why: 'A line break in the text sets any variable of the later steps, such as LD_PRELOAD or PATH.',
    fix: 'Write it to GITHUB_OUTPUT, and pass the output to the step that needs it with `env:`.',
  },
  'env-steers-programs': {
    severity: 'error',
    when: 'A variable that makes programs run code (BASH_ENV, LD_PRELOAD, NODE_OPTIONS, PATH, GIT_SSH_COMMAND …) has a value with a stranger’s text.',
    why: 'Programs of the job run what this variable says.',
    fix: 'Give the variable a value that stands in the file.',
  },
  'untrusted-job-setting': {
    severity: 'error',
    when: 'A stranger’s text stands in `runs-on`, `container`, `services` or `working-directory`.',
    why: 'A stranger chooses the machine, the image or the folder that the job runs in.',
    fix: 'Choose between values that stand in the file.',
  },
  'untrusted-checkout': {
    severity: 'error',
    when: `In ${strangersCode} (\`pull_request_target\`, \`workflow_run\`, \`issue_comment\`), \`actions/checkout\` has a \`ref\` or \`repository\` of a pull request, or a script fetches one. A condition that excludes forks makes it fine.`,
    why: 'The code of a stranger comes into a run that has the secrets and the token of the repository.',
    fix: 'Do this on `pull_request`, and pass results to a second workflow as data; or exclude forks with an `if:`.',
  },
  'unproven-checkout': {
    severity: 'warning',
    when: `In ${strangersCode}, \`actions/checkout\` has another \`ref\` or \`repository\` that is not shown to be of the base, such as an input or an output of a step.`,
    why: 'It cannot be seen that this is no code of a stranger, and the run has the secrets and the token of the repository.',
    fix: 'Name the base, such as github.sha; or exclude forks with an `if:`.',
  },
  'fork-reachable-secret': {
    severity: 'error',
    when: 'A job with an `untrusted-checkout` uses a secret.',
    why: 'The code of a stranger runs in the job that has this secret.',
    fix: 'Use the secret in another job, which checks out only the base.',
  },
  'fork-reachable-write-token': {
    severity: 'error',
    when: 'A job with an `untrusted-checkout` has a token with a write permission, or the default one.',
    why: 'The code of a stranger runs in a job whose token can change the repository.',
    fix: 'Give the job `permissions: {}` or read permissions only.',
  },
  'cache-poisoning': {
    severity: 'error',
    when: 'A job with an `untrusted-checkout` uses a cache.',
    why: 'The run writes to the caches of the base branch, which later runs trust.',
    fix: 'Remove the cache from this job.',
  },
  'cache-in-release': {
    severity: 'note',
    when: 'A job of a workflow that only releases (on `release` or on tags) restores a cache.',
    why: 'What an earlier run wrote to the cache becomes part of what is released.',
    fix: 'Build releases without a cache.',
  },
  'untrusted-artifact': {
    severity: 'error',
    when: 'In a `workflow_run` that a fork can cause, an artifact is unpacked into the workspace.',
    why: 'The run of a stranger made the artifact, and it can replace files that later steps run.',
    fix: 'Unpack it below the folder of `runner.temp`, and read it as data.',
  },
  'unpinned-action': {
    severity: 'error',
    when: 'An action, reusable workflow or `docker://` image of another repository is not named by a whole commit SHA (40 hexadecimal digits) or digest. Every owner counts, also `actions` and your own; only paths that begin with `./` or `$/` are of the same commit.',
    why: 'A tag or branch can be moved to other code, which then runs here.',
    fix: 'Name the whole commit SHA, with the version behind it: uses: OWNER/NAME@SHA # v1.2.3',
  },
  'pin-without-version': {
    severity: 'warning',
    when: 'An action is pinned, and no comment on its line names the version (a number, a date, or a branch such as `main`).',
    why: 'A person cannot see which version the SHA is, and tools that update pins cannot either.',
    fix: 'Write the version behind it: # v1.2.3',
  },
  'unpinned-container': {
    severity: 'note',
    when: 'The image of a `container` or a service has no digest.',
    why: 'A tag can be moved to another image, which the job then runs in.',
    fix: 'Name the digest: image: NAME@sha256:DIGEST # version',
  },
  'permissions-missing': {
    severity: 'warning',
    when: 'A workflow has no `permissions` at the top, and one of its jobs has none either.',
    why: 'The job gets the default of the repository, which can be write access to everything.',
    fix: 'Write `permissions: {}` at the top, and what each job needs at the job.',
  },
  'permissions-write-at-top': {
    severity: 'warning',
    when: 'The `permissions` at the top grant a write permission.',
    why: 'Every job gets it, also one that is added later.',
    fix: 'Write `permissions: {}` at the top, and what each job needs at the job.',
  },
  'permissions-write-all': {
    severity: 'error',
    when: '`permissions: write-all`, at the top or at a job.',
    why: 'The token can change everything in the repository.',
    fix: 'List the permissions that the job needs.',
  },
  'permissions-read-all': {
    severity: 'warning',
    when: '`permissions: read-all`, at the top or at a job.',
    why: 'The token can read everything, also what is added to GitHub later.',
    fix: 'List the permissions that the job needs.',
  },
  'job-permissions-missing': {
    severity: 'note',
    when: 'A job has no `permissions`, and those at the top are missing or not empty.',
    why: 'The job gets what the top of the file says, not what it needs itself.',
    fix: 'Write `permissions:` at the job, with what it needs.',
  },
  'timeout-missing': {
    severity: 'warning',
    when: 'A job with steps has no `timeout-minutes`.',
    why: 'A job that hangs runs for six hours, and is billed.',
    fix: 'Write `timeout-minutes:` at the job.',
  },
  'credentials-persisted': {
    severity: 'warning',
    when: '`actions/checkout` has no `persist-credentials: false`.',
    why: 'The token stays in the git configuration, where every later step and every uploaded folder has it.',
    fix: 'Write `persist-credentials: false`; pass the token only to the step that pushes.',
  },
  'secrets-inherit': {
    severity: 'warning',
    when: '`secrets: inherit` at a called workflow.',
    why: 'The called workflow gets all secrets, also those that are added later.',
    fix: 'List the secrets that it needs.',
  },
  'all-secrets': {
    severity: 'error',
    when: 'All secrets are used at once (`toJSON(secrets)`), or one by a name that is only known in the run (`secrets[…]`).',
    why: 'The runner gets every secret of the repository.',
    fix: 'Name the secret: secrets.NAME',
  },
  'hardcoded-password': {
    severity: 'error',
    when: 'The password of a `container` or a service stands in the file.',
    why: 'Everyone who can read the file has the password.',
    fix: 'Keep it in a secret: password: ${{ secrets.NAME }}',
  },
  'unsecure-commands': {
    severity: 'error',
    when: '`ACTIONS_ALLOW_UNSECURE_COMMANDS` is set, or a script prints `::set-env` or `::add-path`.',
    why: 'Any text that a step prints can then set variables and the path of the later steps.',
    fix: 'Write to the files GITHUB_ENV and GITHUB_PATH instead.',
  },
  'self-hosted-runner': {
    severity: 'note',
    when: 'A job that pull requests or comments start runs on a self-hosted runner.',
    why: 'In a public repository, a stranger’s pull request runs code on this machine, and can leave some behind.',
    fix: 'Use a runner of GitHub, or one that is made new for each job; require approval for all outside contributors.',
  },
  'condition-always-true': {
    severity: 'error',
    when: 'An `if:` has text around its `${{ }}`, also a line break at the end.',
    why: 'The condition is then a text, and a text that is not empty is true.',
    fix: 'Put the whole condition into one `${{ }}`, or write it without.',
  },
  'spoofable-bot-check': {
    severity: 'warning',
    when: `In ${strangersCode}, an \`if:\` compares \`github.actor\` with a bot.`,
    why: 'The actor is the account that caused the last event, and a stranger can make a bot do that on their own pull request.',
    fix: 'Compare github.event.pull_request.user.login.',
  },
  'contains-in-text': {
    severity: 'warning',
    when: 'An `if:` looks with `contains` for an untrusted value in a text.',
    why: 'Every part of the text fits, also an empty one: "main" contains "ma".',
    fix: 'Look in a list: contains(fromJSON(\'["a", "b"]\'), VALUE)',
  },
  'expression-invalid': {
    severity: 'error',
    when: 'A `${{ }}` cannot be read.',
    why: 'GitHub refuses the file; and what cannot be read cannot be judged.',
    fix: 'Correct the expression.',
  },
  'duplicate-key': {
    severity: 'error',
    when: 'A key stands twice in a map. Capitals make no difference.',
    why: 'GitHub refuses the file, and readers see only one of the two.',
    fix: 'Remove one of them.',
  },
  'merge-key': {
    severity: 'warning',
    when: 'A map has the key `<<`.',
    why: 'GitHub knows anchors and aliases, and no merge keys.',
    fix: 'Write the keys out.',
  },
  'yaml-invalid': {
    severity: 'error',
    when: 'The file is not valid YAML.',
    why: 'GitHub refuses the file; and what cannot be read cannot be judged.',
    fix: 'Correct the file.',
  },
  'yaml-too-deep': {
    severity: 'error',
    when: 'The file is nested in more than 64 levels, or an anchor contains itself.',
    why: 'No workflow needs this, and it is not judged.',
    fix: 'Write it with fewer levels.',
  },
  'yaml-too-many-nodes': {
    severity: 'error',
    when: 'The file has more than 100,000 values, counted with everything that aliases repeat.',
    why: 'No workflow needs this, and it is not judged.',
    fix: 'Write it with fewer values.',
  },
  'file-too-large': {
    severity: 'error',
    when: 'The file has more than 512 Ki characters.',
    why: 'No workflow needs this, and it is not judged.',
    fix: 'Divide the file.',
  },
  'not-a-workflow': {
    severity: 'warning',
    when: 'The file has neither `on` and `jobs` (a workflow) nor `runs` (an action).',
    why: 'The file cannot be judged.',
    fix: 'Name only workflow files and action.yml.',
  },
  'allow-invalid': {
    severity: 'error',
    when: 'A comment allows a fault without a reason, or one that has no such name.',
    why: 'A reader has to see what is allowed, and why.',
    fix: 'Write: # gatewright: allow FAULT: REASON',
  },
  'allow-unused': {
    severity: 'note',
    when: 'A comment allows a fault that is not there.',
    why: 'It would hide the fault if it came back.',
    fix: 'Remove the comment.',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof table;
export const rules: Readonly<Record<RuleName, Rule>> = table;

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(table, name);
}
