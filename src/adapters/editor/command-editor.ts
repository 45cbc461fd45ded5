/** Opens files in the editor that the person chose, the way git does: through a shell, so that arguments work. */
import { spawn, spawnSync } from 'node:child_process';
import { programOfCommand } from '../../domain/machine/editor-command.ts';
import { GatewrightError } from '../../errors.ts';
import type { Editor } from '../../ports/editor.ts';

/** Editors that need the terminal: they cannot be shown beside a running workflow. */
const terminalEditors = [
  'vi',
  'vim',
  'nvim',
  'nano',
  'pico',
  'emacs',
  'micro',
  'hx',
  'helix',
  'kak',
  'joe',
  'ed',
  'ne',
  'mcedit',
];

/** Options that make a window editor wait; removed when the caller does not wait for the editor. */
const waitOptions = new Set(['--wait', '-w', '--block']);

function isRunnable(program: string, environment: NodeJS.ProcessEnv): boolean {
  if (program === '') return false;
  return (
    spawnSync('sh', ['-c', 'command -v -- "$1" >/dev/null', 'sh', program], { env: environment }).status === 0
  );
}

/** What git would open, by its own settings such as `core.editor`; empty when it would open nothing. */
function askGit(folder: string | undefined, environment: NodeJS.ProcessEnv): string {
  const { status, stdout } = spawnSync('git', ['var', 'GIT_EDITOR'], {
    env: environment,
    encoding: 'utf8',
    timeout: 5_000,
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  return status === 0 ? stdout.trim() : '';
}

/** The first command of the list that can be run; its order is the order of preference. */
export function chooseEditor(
  commands: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder?: string,
): Editor {
  // A command that a person set is used as it is: if it is broken, the person should see the error, not another editor.
  const chosen = commands.find((command) => command.trim() !== '') ?? '';
  const isChosen = commands.findIndex((command) => command.trim() !== '') < commands.length - 1;
  let found: string | undefined;
  const findCommand = (): string | null => {
    found ??= isChosen
      ? [chosen].find((one) => isRunnable(programOfCommand(one), environment))
      : [askGit(folder, environment), chosen].find((one) => isRunnable(programOfCommand(one), environment));
    return found ?? null;
  };
  return {
    // Looked up when it is wanted: that takes a process, and auto mode never asks.
    get command() {
      return findCommand();
    },
    chosen: isChosen ? chosen : null,
    async edit(paths) {
      const command = findCommand();
      if (command === null)
        throw new GatewrightError('editor-failed', `The editor "${chosen}" cannot be run.`);
      await new Promise<void>((resolve, reject) => {
        const child = spawn('sh', ['-c', `${command} "$@"`, 'editor', ...paths], {
          stdio: 'inherit',
          env: environment,
        });
        child.once('error', (cause) =>
          reject(new GatewrightError('editor-failed', 'The editor did not start.', { cause })),
        );
        child.once('exit', (code, signal) => {
          if (code === 0) resolve();
          else
            reject(
              new GatewrightError(
                'editor-failed',
                `The editor "${command}" ended with ${signal ?? `code ${code}`}.`,
              ),
            );
        });
      });
    },
    async show(paths) {
      const command = findCommand();
      if (command === null || terminalEditors.includes(programOfCommand(command).split('/').at(-1) ?? ''))
        return false;
      const withoutWait = command
        .split(/\s+/u)
        .filter((word) => !waitOptions.has(word))
        .join(' ');
      const child = spawn('sh', ['-c', `${withoutWait} "$@"`, 'editor', ...paths], {
        stdio: 'ignore',
        detached: true,
        env: environment,
      });
      child.on('error', () => undefined);
      child.unref();
      return true;
    },
  };
}
