/**
 * How many cases a property test draws: a thousand at most in `npm test`, which has to stay short, and all that the
 * property asks for in `npm run test:long`. A suite that uses this is in `sampledSuites` of `test/suites.ts`.
 */
const mostInShort = 1000;
export const isLong = [process.env.GATEWRIGHT_TEST_LONG, process.env.GATEWRIGHT_TEST_EXHAUSTIVE].includes(
  '1',
);

export function propertyRuns(wanted: number): number {
  return isLong ? wanted : Math.min(wanted, mostInShort);
}

/** One in so many of a list of cases in `npm test`, all of them in `npm run test:long`; `from` says which one comes first. */
export function fewOf<T>(items: readonly T[], oneIn: number, from = 0): readonly T[] {
  return isLong ? items : items.filter((_, index) => index % oneIn === from % oneIn);
}

/** Named cases in `npm test`, all in `npm run test:long`: where it is known which ones tell most, as at a limit. */
export function onlyOf<T>(all: readonly T[], few: readonly NoInfer<T>[]): readonly T[] {
  return isLong ? all : few;
}
