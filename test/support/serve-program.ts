/** `gatewright serve` of the built program, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Playground, programFile } from './playground.ts';

export interface Served {
  readonly said: () => string;
  /** The link that it showed first. */
  readonly link: string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export async function serveProgram(
  playground: Playground,
  port: number,
  ...more: readonly string[]
): Promise<Served> {
  const child: ChildProcess = spawn(
    process.execPath,
    [programFile, 'serve', '--port', String(port), ...more],
    {
      ...{ cwd: playground.repository, env: playground.environment, stdio: ['ignore', 'pipe', 'pipe'] },
    },
  );
  let text = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const link = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        text += String(part);
        const [shown] = /http:\/\/\S+\/open\?code=\S+(?=\s)/u.exec(text) ?? [];
        if (shown !== undefined) resolve(shown);
      });
    void ended.then((code) => reject(new Error(`The server ended with ${code}: ${text}`)));
  });
  return {
    said: () => text,
    link,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
