/** Where designs are kept. */

export function designPath(issue: number): string {
  return `docs/lld/active/LLD-${issue}.md`;
}

/** Where an earlier design goes when a new one takes its place. */
export function supersededPath(issue: number, number: number): string {
  return `docs/lld/superseded/LLD-${issue}-${number}.md`;
}
