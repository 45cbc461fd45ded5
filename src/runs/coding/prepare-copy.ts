/** Makes a copy of a commit ready for work and for checks, such as by fetching dependencies, where a command for that is set. */

import { lastLines } from '../../domain/text/command-output.ts';
import { GatewrightError } from '../../errors.ts';
import type { CodingContext } from './coding-context.ts';

/** Long enough for the tests of a large project. */
export const longestCommand = 1_800_000;

type PrepareContext = Pick<CodingContext, 'commands' | 'settings' | 'ledger' | 'record' | 'runId'>;

/** What the entry about a copy of a run is found by. */
export function preparedKey(runId: string, name: string): string {
  return `${runId}/setup/${name}`;
}

/** What the command printed is kept with the run, also when it went well: a check that fails later may show why there. */
export async function prepareCopy(
  { commands, settings, ledger, record, runId }: PrepareContext,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<void> {
  const { setup, setupHosts } = settings;
  if (setup === null) return;
  const network = setupHosts.length === 0 ? 'none' : ({ hosts: setupHosts } as const);
  const { exitCode, output, refusedHosts, sandbox, milliseconds } = await commands.run({
    ...{ folder, argv: setup, limitMilliseconds: longestCommand, network },
  });
  await record({
    kind: 'copy-prepared',
    key: preparedKey(runId, name),
    data: {
      ...{ command: setup, exitCode, sandbox, milliseconds, end: lastLines(output) },
      output: await ledger.putText(output),
    },
  });
  if (exitCode === 0) return;
  const reached = refusedHosts
    .slice(0, 3)
    .map((host) =>
      setupHosts.includes(host)
        ? `It wanted to reach ${host}, whose name leads to an address that is not allowed (look with: gatewright doctor).`
        : `It wanted to reach ${host}, which is not in fleet.setupHosts.`,
    );
  const came = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
  const message = [`"${setup.join(' ')}" ${came} in a copy of the repository.`, ...reached].join(' ');
  throw new GatewrightError('setup-failed', message, { output });
}
