/** Checks of the machine: Node, git, editor, sandbox, disk, database, settings. */

import { missingWaitOption } from '../../domain/machine/editor-command.ts';
import { quoteForShell } from '../../domain/text/quote-for-shell.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import { type Check, type Finding, ok, problem, warning } from './run-checkup.ts';

const oldestNode = [22, 18] as const;
const oldestGit = [2, 30] as const;
const mebibyte = 1024 * 1024;

/** Whether a version such as "2.39.5" is at least another. */
function isAtLeastVersion(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, below = 0] = version.split('.').map(Number);
  return ours > major || (ours === major && below >= minor);
}

function checkNode({ machine }: CheckupWorld): Finding[] {
  const { nodeVersion } = machine;
  return isAtLeastVersion(nodeVersion, oldestNode)
    ? [ok(`Node.js ${nodeVersion}`, { version: nodeVersion })]
    : [
        problem(`Node.js ${nodeVersion}`, `Install Node.js ${oldestNode.join('.')} or newer.`, {
          version: nodeVersion,
        }),
      ];
}

async function checkGit(
  { machine, repository, writtenFolders }: CheckupWorld,
  signal: AbortSignal,
): Promise<Finding[]> {
  const said = await machine.ask('git', ['--version'], signal);
  const version = /\d+\.\d+(?:\.\d+)?/u.exec(said ?? '')?.[0];
  const advice = `Install git ${oldestGit.join('.')} or newer and put it in PATH.`;
  if (version === undefined) return [problem('git cannot be run', advice)];
  const first = isAtLeastVersion(version, oldestGit)
    ? ok(`git ${version}`, { version })
    : problem(`git ${version}`, advice, { version });
  if (repository === null)
    return [
      first,
      problem(
        'this folder is in no git repository',
        'Change into one, name one with --repo PATH, or run: git init',
      ),
    ];
  const problems = await repository.checkReady(writtenFolders.map((folder) => `${folder}/001-brief.md`));
  if (problems.length === 0) {
    const branch = await repository.currentBranch();
    return [
      first,
      branch === null
        ? warning(
            `no branch is checked out in ${repository.root} (detached HEAD), so what runs commit is on no branch`,
            'Check one out: git switch BRANCH',
          )
        : ok(`commits can be made in ${repository.root}`),
    ];
  }
  return [first, ...problems.map(({ problem: what, fix }) => problem(what, fix))];
}

function checkEditor({ editor }: CheckupWorld): Finding[] {
  const { command, isChosen, isRunnable } = editor;
  const facts = { editor: command.split(' ')[0]?.split('/').at(-1) ?? '' };
  const advice = 'Set GATEWRIGHT_EDITOR to a command that opens a file and waits, such as: nano';
  if (!isRunnable()) {
    return isChosen
      ? [problem(`the editor "${command}" cannot be run`, advice, facts)]
      : [
          warning(
            `no editor is set, and "${command}" is not installed; without an editor, runs need --auto`,
            advice,
          ),
        ];
  }
  const option = missingWaitOption(command);
  if (option === null) return [ok(command, facts)];
  return [
    warning(
      `"${command}" does not wait until you are done, so gates would continue at once`,
      `Add ${option}: ${command} ${option}`,
      facts,
    ),
  ];
}

const sandboxWords = { bubblewrap: 'bubblewrap', namespaces: 'Linux namespaces' } as const;

/** So many are named; the others are counted. */
const mostNamed = 12;

function describeTools({ shown, refused }: ReturnType<CheckupWorld['sandbox']['findTools']>): Finding[] {
  const more = shown.length > mostNamed ? ` and ${shown.length - mostNamed} more` : '';
  return [
    ...(shown.length === 0
      ? []
      : [
          ok(`tools in the sandbox: ${shown.slice(0, mostNamed).join(', ')}${more}`, { count: shown.length }),
        ]),
    ...refused.map(({ path, why, isNamed }) =>
      isNamed
        ? warning(
            `fleet.tools names ${path}, which ${why}: it is not shown`,
            'Name a folder that contains only a tool.',
          )
        : warning(
            `tools in ${path} are not in the sandbox: the folder ${why}`,
            'Remove files that no tool needs from it, or name the folder of a single tool in fleet.tools.',
          ),
    ),
  ];
}

async function checkLimits({ sandbox }: CheckupWorld): Promise<Finding[]> {
  const limits = await sandbox.inspectLimits();
  if ('reason' in limits)
    return [
      warning(
        `memory and processor time of agents and their commands are not limited: ${limits.reason}`,
        'Run Gatewright where a user service manager of systemd runs, or delegate a control group with memory and cpu to it (docs/sandbox.md).',
      ),
    ];
  const memory = Math.floor(limits.memoryBytes / mebibyte).toLocaleString('en');
  return [ok(`each command gets ${memory} MiB of memory and ${limits.processors} processors at most`)];
}

async function checkSandbox({ sandbox }: CheckupWorld): Promise<Finding[]> {
  const { kind, reason } = await sandbox.inspect();
  if (kind !== 'none')
    return [
      ok(`agents and their commands run in a sandbox made with ${sandboxWords[kind]}`, { sandbox: kind }),
      ...describeTools(sandbox.findTools()),
    ];
  const advice = 'Install the package "bubblewrap" (Linux), and allow unprivileged user namespaces.';
  return [
    sandbox.demand === 'require'
      ? problem(`no agent can work here, because the settings require a sandbox: ${reason}`, advice)
      : warning(
          `agents and their commands run without a sandbox and can reach your files and the network: ${reason}; drafting and reviewing need no sandbox`,
          advice,
        ),
  ];
}

async function checkDisk({ machine, databaseFile, repository }: CheckupWorld): Promise<Finding[]> {
  const places = [
    ['the database', databaseFile],
    ...(repository === null ? [] : [['the repository', repository.root] as const]),
  ] as const;
  const findings: Finding[] = [];
  for (const [what, path] of places) {
    const free = Math.floor((await machine.freeBytes(path)) / mebibyte);
    const facts = { freeMebibytes: free };
    const text = `${free.toLocaleString('en')} MiB free for ${what}`;
    if (free < 50) findings.push(problem(text, 'Free some space; a full disk stops every run.', facts));
    else if (free < 500) findings.push(warning(text, 'Free some space soon.', facts));
    else findings.push(ok(text, facts));
  }
  return findings;
}

function checkKey({ machine }: CheckupWorld, keyFile: string): Finding[] {
  const key = machine.inspectFile(keyFile);
  if (key === null)
    return [problem(`the key ${keyFile} is missing`, 'Restore it from a backup together with the database.')];
  if ((key.mode & 0o077) !== 0)
    return [
      problem(`other users can read the key ${keyFile} and sign in your name`, `Run: chmod 600 ${keyFile}`),
    ];
  return [];
}

/** Silent when there is nothing to say: most databases have no inbox. */
function checkInboxes(world: CheckupWorld): Finding[] {
  const { damaged, unreadable } = world.inspectInboxes();
  return [
    ...unreadable.map((path) =>
      problem(
        `deliveries in ${path} cannot be taken: you may not read or write it`,
        `Give it to the user that runs serve: chown "$USER" ${quoteForShell(path)}`,
      ),
    ),
    ...damaged.map((path) =>
      warning(
        `deliveries in ${path} could not be read`,
        'Send what is missing again from the list of deliveries in the settings of the webhook, then remove the file.',
      ),
    ),
  ];
}

function checkDatabase(world: CheckupWorld): Finding[] {
  const { machine } = world;
  const { file, keyFile, schema, knownSchema, damage } = world.inspectDatabase();
  const folder = machine.nearestFolder(file);
  const findings: Finding[] = [];
  if (machine.inspectFile(folder)?.isWritable !== true || machine.inspectFile(file)?.isWritable === false)
    findings.push(
      problem(`${file} cannot be written`, `Give yourself write permission for it and for ${folder}.`),
    );
  if (schema === null) return findings.length > 0 ? findings : [ok(`${file} will be made when it is needed`)];
  if (damage !== null)
    findings.push(problem(`${file} is damaged: ${damage}`, 'Restore it from a backup before you go on.'));
  if (schema > knownSchema)
    findings.push(
      problem(
        `${file} has schema ${schema}, this version knows ${knownSchema}`,
        'Update Gatewright, or use another database with --database.',
        { schema, knownSchema },
      ),
    );
  findings.push(...checkKey(world, keyFile));
  const age = schema < knownSchema ? `, the next run updates it to ${knownSchema}` : '';
  return findings.length > 0 ? findings : [ok(`${file} is sound, schema ${schema}${age}`, { schema })];
}

function checkConfiguration({ configuration }: CheckupWorld): Finding[] {
  const { files, problems } = configuration;
  if (problems.length > 0)
    return problems.map((one) => problem(one, 'Correct that line; check with: gatewright config validate'));
  const there = files.filter(({ exists }) => exists).map(({ file }) => file);
  return [ok(there.length === 0 ? 'no configuration file; defaults are used' : there.join(', '))];
}

function checkVariables({ strayVariables }: CheckupWorld): Finding[] {
  if (strayVariables.length === 0) return [ok('no misspelt GATEWRIGHT_ variable')];
  return strayVariables.map(({ name, meant }) =>
    warning(
      `nothing reads the variable ${name}`,
      meant === null ? 'Unset it; the known ones are in docs/configuration.md.' : `Did you mean ${meant}?`,
    ),
  );
}

export const machineChecks: readonly Check[] = [
  { name: 'node', look: checkNode },
  { name: 'git', look: checkGit },
  { name: 'editor', look: checkEditor },
  { name: 'configuration', look: checkConfiguration },
  { name: 'environment', look: checkVariables },
  { name: 'sandbox', look: checkSandbox },
  { name: 'limits', look: checkLimits },
  { name: 'disk', look: checkDisk },
  // SQLite works synchronously, and looking through a large file takes a while.
  { name: 'database', look: (world) => [...checkDatabase(world), ...checkInboxes(world)], isSlow: true },
];
