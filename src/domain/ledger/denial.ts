/** What a coding agent wanted to do and was not allowed to, as the ledger keeps it and as people read it. Pure. */
import { hideTokens } from '../changes/hide-tokens.ts';
import { escapeForLine } from '../text/untrusted-text.ts';

export interface Denial {
  readonly tool: string;
  /** The file, command or host, as the agent named it. Untrusted text. */
  readonly target: string;
}

export interface Denials {
  readonly count: number;
  /** The first few; without what looks like a secret. */
  readonly first: readonly Denial[];
}

const mostKept = 20;
const longestTarget = 200;

/** Undefined when there was none. The same denial twice is kept once and counted twice. */
export function keepDenials(denials: readonly Denial[]): Denials | undefined {
  if (denials.length === 0) return undefined;
  const kept = new Map<string, Denial>();
  for (const { tool, target } of denials) {
    const one = {
      tool: escapeForLine(hideTokens(tool), 60),
      target: escapeForLine(hideTokens(target), longestTarget),
    };
    kept.set(`${one.tool} ${one.target}`, one);
  }
  return { count: denials.length, first: [...kept.values()].slice(0, mostKept) };
}

/** One line for each kind of denial that was kept. */
export function listDenials(denials: Denials | undefined): string[] {
  return (denials?.first ?? []).map(({ tool, target }) => `${tool} ${target}`.trim());
}
