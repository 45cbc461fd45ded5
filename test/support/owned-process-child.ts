/** Runs a program that would go on for minutes, tells its process id, and waits to be ended itself. */
import { runOwned } from '../../src/adapters/system/owned-process.ts';

const [how = ''] = process.argv.slice(2);
if (how === 'listens') process.on('SIGTERM', () => process.exit(7));

void runOwned({
  program: '/bin/sh',
  args: ['-c', 'echo $$; setsid sleep 300 & echo $!; wait'],
  folder: '/',
  environment: { PATH: '/usr/bin:/bin' },
  input: '',
  limitMilliseconds: 300_000,
  onOutput: (chunk) => process.stdout.write(chunk),
});
if (how === 'exits') setTimeout(() => process.exit(5), 500);
