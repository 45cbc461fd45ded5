/** Mounts that only one script sees: a disk of a certain size, a folder that cannot be written. As root and as anybody. */
import { spawnSync } from 'node:child_process';

const words = (): string[] => [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--mount',
];

/** Null when scripts with mounts of their own can be run here, else why not. */
export function whyNoMounts(): string | null {
  const [program = '', ...args] = words();
  const tried = spawnSync(program, [...args, 'sh', '-c', 'mount -t tmpfs none /mnt'], { encoding: 'utf8' });
  return tried.status === 0 ? null : tried.stderr.trim() || 'unshare cannot be run';
}

export interface ScriptResult {
  readonly code: number | null;
  readonly all: string;
}

/** Runs a script of a POSIX shell, which may mount what it likes; `$1` and so on are the arguments. */
export function runWithMounts(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ScriptResult {
  const [program = '', ...first] = words();
  const { status, stdout, stderr } = spawnSync(program, [...first, 'sh', '-euc', script, 'sh', ...args], {
    encoding: 'utf8',
    env: { ...env },
    timeout: 600_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, all: `${stdout}${stderr}` };
}
