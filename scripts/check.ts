/** Runs the checks: types beside everything else, since the compiler alone takes as long as all the others and uses one core. */
import { spawn } from 'node:child_process';

function runScript(name: string): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(parts).toString('utf8') }),
    );
  });
}

// Each speaks when it is done, in whole: two that speak at once cannot be read.
const codes = await Promise.all(
  ['check:types', 'check:rest'].map(async (name) => {
    const { code, output } = await runScript(name);
    process.stdout.write(`${name}: ${code === 0 ? 'ok' : 'failed'}\n${output}`);
    return code;
  }),
);
process.exitCode = Math.max(...codes);
