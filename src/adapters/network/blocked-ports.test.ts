import { describe, expect, it } from 'vitest';
import { isBlockedPort, refuseBlockedPort } from './blocked-ports.ts';
import { connectionProblem } from './explain-connection.ts';

/** Nothing is sent: a request that gets as far as a connection ends there. */
const dispatcher = {
  dispatch() {
    throw new Error('it would connect');
  },
};

async function isRefusedByNode(port: number): Promise<boolean> {
  const options: RequestInit = {};
  Object.assign(options, { dispatcher });
  const error: unknown = await fetch(`http://127.0.0.1:${port}/`, options).catch((thrown: unknown) => thrown);
  return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
}

describe('ports that fetch refuses', () => {
  it('are those of this Node', async () => {
    const ports = Array.from({ length: 10_240 }, (_, index) => index + 1);
    const refused: number[] = [];
    for (const port of ports) if (await isRefusedByNode(port)) refused.push(port);
    expect(ports.filter(isBlockedPort)).toEqual(refused);
    expect(refused).toHaveLength(82);
  });

  it.each(['http://localhost:9/v1', new URL('https://x.example:6000'), new Request('http://x.example:25/a')])(
    'is told with its number: %s',
    (url) => {
      let thrown: unknown = null;
      try {
        refuseBlockedPort(url);
      } catch (error) {
        thrown = error;
      }
      expect(connectionProblem(thrown).what).toMatch(/^fetch never connects to (?:port )?/u);
    },
  );

  it.each(['https://x.example', 'http://x.example:8080/9', 'https://x.example:443/a:9', 'no address'])(
    'are not seen in %s',
    (url) => expect(() => refuseBlockedPort(url)).not.toThrow(),
  );
});
