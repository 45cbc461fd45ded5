/**
 * Runs commands without any sandbox, so that what they do can be seen from outside, and keeps their words. Only for
 * tests that look whether a command is run at all.
 */
import { execFile } from 'node:child_process';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { CommandRequest, CommandResult, CommandRunner } from '../../src/ports/command-runner.ts';

export class OpenRunner implements CommandRunner {
  readonly run: CommandRunner['run'];
  readonly started: (readonly string[])[] = [];

  constructor(environment: Readonly<Record<string, string>>) {
    this.run = ({ folder, argv, limitMilliseconds }: CommandRequest): Promise<CommandResult> => {
      this.started.push(argv);
      const [program = '', ...args] = argv;
      return new Promise((resolve) => {
        const options = { cwd: folder, env: environment, timeout: limitMilliseconds };
        const child = execFile(program, args, options, (_, stdout, stderr) => {
          const output = stdout + stderr;
          resolve({
            ...{ exitCode: child.exitCode, output, outputBytes: output.length, outputSha256: sha256(output) },
            ...{ milliseconds: 1, timedOut: false, sandbox: 'none', refusedHosts: [] },
          });
        });
      });
    };
  }
}
