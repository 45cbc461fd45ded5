/** What a dry run would have changed, a line for each effect. */
import { describeEffect } from '../../../domain/ledger/describe-effect.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { House } from '../../../runs/house.ts';

export async function listIntended({ ledger }: Pick<House, 'ledger'>, run: string): Promise<string[]> {
  return (await ledger.readRun(run)).flatMap((entry) =>
    entry.kind === 'effect-intended' ? [escapeForLine(describeEffect(entry.data.effect), 200)] : [],
  );
}
