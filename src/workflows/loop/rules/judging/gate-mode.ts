/** The gates that look at an attempt besides its commands. In mode `warn` they remark, in mode `enforce` they fail it. */
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { readAddedLines } from './added-lines.ts';
import { type PlaceholderRule, scanPlaceholders } from './placeholder-scan.ts';
import { judgeSearch } from './search-evidence.ts';

export interface GateFacts {
  readonly config: {
    readonly execution: {
      readonly gateMode: 'warn' | 'enforce';
      readonly searchEvidence: { readonly required: boolean; readonly minQueries: number };
      readonly placeholder: PlaceholderRule;
    };
  };
  /** The unified diff of the attempt. */
  readonly diff: string;
  /** What the agent says it searched for; null when it said nothing. */
  readonly search: { readonly queries: readonly string[] } | null;
}

export interface GateJudgement {
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

const mostFindings = 20;

function listPlaceholders(diff: string, rule: PlaceholderRule): string[] {
  if (!rule.enabled) return [];
  const { lines, isWhole } = readAddedLines(diff);
  const found = scanPlaceholders(lines, rule).map(
    ({ path, line, text, what }) =>
      `Placeholder: ${escapeForLine(path, 200)}:${line} has ${escapeForLine(what, 100)}: ${escapeForLine(text, 120)}`,
  );
  return [
    ...found.slice(0, mostFindings),
    ...(found.length > mostFindings ? [`Placeholder: ${found.length - mostFindings} more lines.`] : []),
    ...(isWhole ? [] : ['Placeholder: the change is too large to be looked through as a whole.']),
  ];
}

export function judgeGates({ config, diff, search }: GateFacts): GateJudgement {
  const { gateMode, searchEvidence, placeholder } = config.execution;
  const evidence = judgeSearch(search, searchEvidence);
  const found = [...(evidence === null ? [] : [evidence]), ...listPlaceholders(diff, placeholder)];
  return gateMode === 'enforce' ? { failures: found, warnings: [] } : { failures: [], warnings: found };
}
