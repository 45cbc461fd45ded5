/** Whether an agent looked at the code before it wrote: it names what it searched for. */

interface Search {
  readonly queries: readonly string[];
}

interface SearchRule {
  readonly required: boolean;
  readonly minQueries: number;
}

/** A query has at least two letters or digits in a row; the same one twice is one. */
function countQueries(queries: readonly string[]): number {
  const words = queries
    .map((query) => query.slice(0, 500).toLowerCase().replace(/\s+/gu, ' ').trim())
    .filter((query) => /[\p{L}\p{N}_]{2}/u.test(query));
  return new Set(words).size;
}

/** What is wrong with the evidence; null when nothing is. */
export function judgeSearch(search: Search | null, { required, minQueries }: SearchRule): string | null {
  if (!required) return null;
  const count = countQueries(search?.queries ?? []);
  if (count >= minQueries) return null;
  return `Search evidence: ${minQueries} different queries are wanted before code is written, and ${count === 0 ? 'none is' : `${count} ${count === 1 ? 'is' : 'are'}`} named.`;
}
