/** What a dry run would have changed, a line for each effect; and what it would have written there. */
import { describeEffect } from '../../../domain/ledger/describe-effect.ts';
import type { Effect } from '../../../domain/ledger/effect.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { House } from '../../../runs/house.ts';

type Records = Pick<House, 'ledger'>;

async function listEffects({ ledger }: Records, run: string): Promise<Effect[]> {
  return (await ledger.readRun(run)).flatMap((entry) =>
    entry.kind === 'effect-intended' ? [entry.data.effect] : [],
  );
}

function describe(effect: Effect): string {
  return escapeForLine(describeEffect(effect), 200);
}

export async function listIntended(records: Records, run: string): Promise<string[]> {
  return (await listEffects(records, run)).map(describe);
}

export interface IntendedChange {
  readonly what: string;
  /** Comments and descriptions, in order. */
  readonly texts: readonly string[];
}

export async function readIntended(records: Records, run: string): Promise<IntendedChange[]> {
  const changes: IntendedChange[] = [];
  for (const effect of await listEffects(records, run)) {
    const { comments = [] } = 'comments' in effect ? effect : {};
    const hashes = [...('body' in effect ? [effect.body] : []), ...comments.map(({ body }) => body)];
    const texts = await Promise.all(hashes.map((hash) => records.ledger.getText(hash)));
    changes.push({ what: describe(effect), texts: texts.map((text) => escapeForTerminal(text).trim()) });
  }
  return changes;
}
