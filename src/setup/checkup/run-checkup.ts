/** Runs checks side by side, each on its own: one that fails or hangs hides none of the others. */
import { countOf } from '../../domain/text/count-of.ts';
import { GatewrightError } from '../../errors.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';

export type Facts = Readonly<Record<string, string | number>>;

export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** How to fix it; empty when there is nothing to fix. */
  readonly fix: string;
  /** The same in versions, numbers and words of ours, for a report that holds no sentence. */
  readonly facts?: Facts;
}

export interface Check {
  readonly name: string;
  /** The signal fires when the caller does not wait for the result any more. */
  readonly look: (
    world: CheckupWorld,
    signal: AbortSignal,
  ) => Promise<readonly Finding[]> | readonly Finding[];
  /** Whether it may keep the whole process busy: such a check comes after the others. */
  readonly isSlow?: boolean;
}

export interface NamedFinding extends Finding {
  readonly name: string;
}

export const ok = (detail: string, facts?: Facts): Finding => ({
  ...{ state: 'ok', detail, fix: '' },
  ...(facts === undefined ? {} : { facts }),
});
export const warning = (detail: string, fix: string, facts?: Facts): Finding => ({
  ...{ state: 'warning', detail, fix },
  ...(facts === undefined ? {} : { facts }),
});
export const problem = (detail: string, fix: string, facts?: Facts): Finding => ({
  ...{ state: 'problem', detail, fix },
  ...(facts === undefined ? {} : { facts }),
});

/** The finding about a check that threw an error. */
export function explainFailure(error: unknown): Finding {
  if (error instanceof GatewrightError)
    return problem([error.message, ...error.details].join(' '), error.hint, { code: error.code });
  const cause = error instanceof Error ? error.message : String(error);
  return problem(`this check failed: ${cause}`, 'If you see no reason for it, report it.');
}

async function runCheck(
  check: Check,
  world: CheckupWorld,
  milliseconds: number,
): Promise<readonly NamedFinding[]> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      resolve([
        problem(
          `no answer within ${countOf(milliseconds / 1000, 'second')}`,
          'Check the program or service that it waits for.',
          { seconds: milliseconds / 1000 },
        ),
      ]);
      controller.abort();
    }, milliseconds);
  });
  const looked = (async () => check.look(world, controller.signal))().catch((error: unknown) => [
    explainFailure(error),
  ]);
  const findings = await Promise.race([looked, tooLong]);
  clearTimeout(timer);
  return findings.map((finding) => ({ name: check.name, ...finding }));
}

/** Reports the findings in the order of the checks, as soon as they are there. */
export async function runCheckup(
  checks: readonly Check[],
  world: CheckupWorld,
  onFinding: (finding: NamedFinding) => void,
  milliseconds = 10_000,
): Promise<NamedFinding[]> {
  const all: NamedFinding[] = [];
  const tell = (findings: readonly NamedFinding[]): void => {
    for (const finding of findings) {
      all.push(finding);
      onFinding(finding);
    }
  };
  const quick = checks
    .filter(({ isSlow }) => isSlow !== true)
    .map((check) => runCheck(check, world, milliseconds));
  for (const running of quick) tell(await running);
  for (const check of checks.filter(({ isSlow }) => isSlow === true))
    tell(await runCheck(check, world, milliseconds));
  return all;
}
