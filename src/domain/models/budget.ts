/** Hard limits on what models may cost, checked before each call. Pure: what was spent is passed in. */
import { costOf, type Price } from './model-price.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Model turns; one for a plain answer. */
  readonly turns: number;
  /** Of the input: what a provider's cache held already, and what went into it. Absent where none was used. */
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** The price of the model is not known, so the cost is not either: its number is 0 and means nothing. */
  readonly isUnpriced?: true | undefined;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
    turns: a.turns + b.turns,
  };
}

interface Limits {
  readonly usd: number;
  readonly tokens: number;
  readonly turns: number;
}

/** The three spans that a budget is counted over. */
const budgetScopes = ['run', 'issue', 'day'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** What happens to a call of a model whose price is not known, which no limit in USD can stop. */
export const unpricedRules = ['allow', 'ask', 'refuse'] as const;
export type UnpricedRule = (typeof unpricedRules)[number];

/** From the loosest to the strictest; a person is asked unless it is said otherwise. */
export const defaultUnpriced: UnpricedRule = 'ask';

export type Budget = Readonly<Record<BudgetScope, Limits>> & { readonly unpriced?: UnpricedRule };

export const defaultBudget: Readonly<Record<BudgetScope, Limits>> = {
  run: { usd: 5, tokens: 2_000_000, turns: 200 },
  issue: { usd: 20, tokens: 8_000_000, turns: 800 },
  day: { usd: 50, tokens: 20_000_000, turns: 2_000 },
};

/** What the tightest of the budgets has left, so that work of several turns stops there by itself. */
export function limitsLeft(
  budget: Budget,
  spent: Readonly<Record<BudgetScope, Usage>>,
): { readonly usd: number; readonly turns: number } {
  const left = budgetScopes.map((scope) => ({
    usd: budget[scope].usd - spent[scope].costUsd,
    turns: budget[scope].turns - spent[scope].turns,
  }));
  return {
    usd: Math.min(...left.map(({ usd }) => usd)),
    turns: Math.min(...left.map(({ turns }) => turns)),
  };
}

/** The budget that has the fewest turns left; of equals, the narrowest. */
export function findTightest(budget: Budget, spent: Readonly<Record<BudgetScope, Usage>>): BudgetScope {
  const left = (scope: BudgetScope): number => budget[scope].turns - spent[scope].turns;
  return budgetScopes.reduce((one, other) => (left(other) < left(one) ? other : one));
}

const uncached = { cacheRead: 0, cacheWrite: 0 };

/**
 * What a call may cost at most: a base for what the provider adds, a quarter token a character, 30 % of it again as
 * output, and a fifth on top. Deliberately high: a budget is to trip before the call that would break it.
 */
export function estimateCall(promptCharacters: number, price: Price | null): Usage {
  const inputTokens = Math.ceil((5_000 + promptCharacters / 4) * 1.2);
  const outputTokens = Math.ceil(inputTokens * 0.3);
  const costUsd = costOf(price, { input: inputTokens, output: outputTokens, ...uncached });
  return { inputTokens, outputTokens, costUsd, turns: 1 };
}

/** As long as an answer gets, with all that is thought on the way to it. */
const longestAnswer = 32_000;

/**
 * The most that one turn can have cost when the provider did not report its usage, given the tokens read in other
 * turns.
 */
export function boundTurn(readTokens: number, price: Price | null): Usage {
  const costUsd = costOf(price, { input: readTokens, output: longestAnswer, ...uncached });
  return { inputTokens: readTokens, outputTokens: longestAnswer, costUsd, turns: 1 };
}

export interface BudgetBreach {
  readonly scope: BudgetScope;
  readonly unit: keyof Limits;
  readonly limit: number;
  readonly wouldBe: number;
}

/** The first limit that the next call could break, or null when there is room. */
export function findBreach(
  budget: Budget,
  spent: Readonly<Record<BudgetScope, Usage>>,
  next: Usage,
): BudgetBreach | null {
  for (const scope of budgetScopes) {
    const total = addUsage(spent[scope], next);
    const amounts = {
      usd: total.costUsd,
      tokens: total.inputTokens + total.outputTokens,
      turns: total.turns,
    };
    for (const unit of ['usd', 'tokens', 'turns'] as const) {
      if (amounts[unit] > budget[scope][unit]) {
        return { scope, unit, limit: budget[scope][unit], wouldBe: amounts[unit] };
      }
    }
  }
  return null;
}
