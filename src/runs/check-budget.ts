/** What was spent so far, and the message about a limit that the next call could break. */

import type { Subject } from '../domain/ledger/subject.ts';
import {
  type Budget,
  type BudgetBreach,
  type BudgetScope,
  findBreach,
  noUsage,
  type Usage,
} from '../domain/models/budget.ts';
import { GatewrightError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';

const unitNames = { usd: 'USD', tokens: 'tokens', turns: 'turns' } as const;
const settingNames = { run: 'RUN', issue: 'ISSUE', day: 'DAY' } as const;

type Spent = Readonly<Record<BudgetScope, Usage>>;

function nextDay(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}

/** Throws when the call could break a limit. One of the day is a matter of time, unless the call alone would break it. */
export function checkBudget(
  { budget, clock }: { readonly budget: Budget; readonly clock: Pick<Clock, 'now'> },
  spent: Spent,
  call: Usage,
): void {
  const breach = findBreach(budget, spent, call);
  if (breach === null) return;
  const isCuredByTime =
    breach.scope === 'day' && findBreach(budget, { ...spent, day: noUsage }, call) === null;
  throw breachError(breach, isCuredByTime ? nextDay(clock.now()) : null);
}

function breachError(breach: BudgetBreach, until: string | null): GatewrightError {
  const amount = (value: number): string =>
    breach.unit === 'usd' ? value.toFixed(2) : String(Math.ceil(value));
  return new GatewrightError(
    'budget-exceeded',
    `The next model call could bring this ${breach.scope} to ${amount(breach.wouldBe)} ${unitNames[breach.unit]}; the limit is ${amount(breach.limit)}.`,
    {
      ...(until === null ? {} : { until }),
      hint: `Raise GATEWRIGHT_BUDGET_${settingNames[breach.scope]}_${unitNames[breach.unit].toUpperCase()} and resume${breach.scope === 'day' ? ', or resume tomorrow' : ''}.`,
    },
  );
}

export function readSpent(context: {
  readonly runId: string;
  readonly subject: Subject;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'readUsage'>;
}): Promise<Spent> {
  const startOfDay = `${context.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
  return context.ledger.readUsage(context.runId, context.subject, startOfDay);
}
