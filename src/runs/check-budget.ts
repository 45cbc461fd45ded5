/** What was spent so far, and the message about a limit that the next call could break. */

import type { Subject } from '../domain/ledger/subject.ts';
import {
  type Budget,
  type BudgetBreach,
  type BudgetScope,
  defaultUnpriced,
  findBreach,
  findTightest,
  noUsage,
  type Usage,
} from '../domain/models/budget.ts';
import { countOf } from '../domain/text/count-of.ts';
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

/** The error when work of several turns has used up what the tightest budget had left of them. */
export function turnsBreach(
  { budget, clock }: { readonly budget: Budget; readonly clock: Pick<Clock, 'now'> },
  spent: Spent,
  granted: number,
): GatewrightError {
  const scope = findTightest(budget, spent);
  const { turns: limit } = budget[scope];
  return new GatewrightError(
    'budget-exceeded',
    `The coding agent has used the ${countOf(granted, 'turn')} that the budget of this ${scope} had left; its limit is ${countOf(limit, 'turn')}.`,
    {
      ...(scope === 'day' ? { until: nextDay(clock.now()) } : {}),
      hint: raiseHint(scope, 'TURNS'),
    },
  );
}

function raiseHint(scope: BudgetScope, unit: string): string {
  return `Raise GATEWRIGHT_BUDGET_${settingNames[scope]}_${unit} and resume${scope === 'day' ? ', or resume tomorrow' : ''}.`;
}

const allowForGood =
  'accept models without a price for good with "budget": { "unpriced": "allow" } there, or GATEWRIGHT_BUDGET_UNPRICED=allow';

/**
 * A limit in USD says nothing about a model without a price.
 * @param acceptOption with which the command that continues the run accepts it; runs of agents have none
 */
export function checkUnpriced(
  { unpriced = defaultUnpriced }: Budget,
  model: string,
  acceptOption?: string | undefined,
): void {
  if (unpriced === 'allow') return;
  const setPrice = `Set its price in your configuration: "prices": { "${model}": { "input": USD, "output": USD } } (for a million tokens)`;
  throw new GatewrightError(
    'price-unknown',
    `The price of ${model} is not known, so the budgets in USD cannot limit it. Nothing was asked of it.`,
    unpriced === 'refuse'
      ? { hint: `${setPrice}, or choose another model.` }
      : acceptOption === undefined
        ? { hint: `${setPrice}, or ${allowForGood}, and continue.` }
        : {
            hint: `${setPrice}, or accept it for this run with the command below, or ${allowForGood}.`,
            resumeWith: acceptOption,
          },
  );
}

function breachError(breach: BudgetBreach, until: string | null): GatewrightError {
  const amount = (value: number): string =>
    breach.unit === 'usd' ? value.toFixed(2) : String(Math.ceil(value));
  return new GatewrightError(
    'budget-exceeded',
    `The next model call could bring this ${breach.scope} to ${amount(breach.wouldBe)} ${unitNames[breach.unit]}; the limit is ${amount(breach.limit)}.`,
    {
      ...(until === null ? {} : { until }),
      hint: raiseHint(breach.scope, unitNames[breach.unit].toUpperCase()),
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
