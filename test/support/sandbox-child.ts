/** Runs a command in a sandbox until somebody ends it, or this process. */
import { makeLocalSandbox } from '../../src/adapters/sandbox/local-sandbox.ts';
import { SandboxedCommands } from '../../src/adapters/sandbox/sandboxed-commands.ts';

const [folder = '', ...argv] = process.argv.slice(2);
const sandbox = makeLocalSandbox({ environment: process.env, demand: 'require' });
const commands = new SandboxedCommands(sandbox, process.env);
await commands.run({ folder, argv, limitMilliseconds: 600_000, network: { hosts: [] } });
