/** The process behind `warm-program.ts`: runs one command of the built program after another, as `bin/gatewright.cjs` does. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Database from 'better-sqlite3';
import type { WarmCommand } from './warm-program.ts';

interface Program {
  main(argv: readonly string[]): Promise<number>;
}

const packageFolder = process.argv[2] ?? '';
const require = createRequire(join(packageFolder, 'dist', 'main.js'));
const quick = new Set(['status', 'completion', '--help', '-h', undefined]);

/** Connections that the command leaves open, as all do: the end of a process closes them. */
const opened = new Set<Database.Database>();

function followConnections(): void {
  const file = require.resolve('better-sqlite3');
  const Real = require(file) as typeof Database;
  class Followed extends Real {
    constructor(...args: ConstructorParameters<typeof Database>) {
      super(...args);
      opened.add(this);
    }
  }
  const loaded = require.cache[file];
  if (loaded !== undefined) loaded.exports = Followed;
}

async function loadProgram(word: string | undefined): Promise<Program> {
  if (quick.has(word) && process.env.GATEWRIGHT_LEDGER !== 'ref')
    return require(join(packageFolder, 'dist', 'quick.cjs')) as Program;
  return (await import(pathToFileURL(join(packageFolder, 'dist', 'main.js')).href)) as Program;
}

async function runCommand({ args, cwd, env }: WarmCommand): Promise<number> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, join(packageFolder, 'bin', 'gatewright.cjs'), ...args];
  if (args.length === 1 && ['--version', '-V'].includes(args[0] ?? '')) {
    process.stdout.write(
      `${(require(join(packageFolder, 'package.json')) as { version: string }).version}\n`,
    );
    return 0;
  }
  const code = await (await loadProgram(args[0])).main([...args]);
  for (const connection of opened) connection.close();
  opened.clear();
  // The folder may be removed before the next command is run.
  process.chdir('/');
  return code;
}

followConnections();
process.on('disconnect', () => process.exit());
process.on('message', (command: WarmCommand) => {
  void runCommand(command).then((code) => {
    for (const stream of [process.stdout, process.stderr]) stream.write(`${command.end}${code}\n`);
  });
});
