/**
 * How an order about an issue is carried out: at once, through the stages of the pipeline, or as a loop of small tasks whose
 * plan a person approves first. The label decides before the setting, and the setting before the size of the approved design.
 */
import type { WorkflowName } from '../../../domain/fleet/agent-names.ts';
import type { StrategySetting } from '../../../domain/fleet/fleet-settings.ts';
import { labelNames } from '../../../domain/forge/labels.ts';

export interface Strategy {
  readonly strategy: 'direct' | WorkflowName;
  /** Completes "because …". */
  readonly because: string;
}

/** A design that names more files than this is more than one sitting. */
export const mostFiles = 8;

/** Files that a design names in code; the same file counts once. */
export function countFiles(design: string): number {
  const named = [...design.matchAll(/`([^`\s]{1,300})`/gu)].map(([, path = '']) => path);
  return new Set(
    named.filter((path) => /^(?!\/|[a-z]+:)[\w@.][\w@./-]*\/?[\w@.-]*\.[A-Za-z]\w{0,9}$/u.test(path)),
  ).size;
}

/** The stricter one first: it counts where an issue has both. */
const labelled = [
  [labelNames.strategyLoop, 'loop'],
  [labelNames.strategyPipeline, 'pipeline'],
] as const;

/** Null when there is nothing to choose between: no label, no setting, no design. */
export function chooseStrategy(facts: {
  readonly labels: readonly string[];
  readonly setting: StrategySetting | undefined;
  /** The approved design of the issue; null when there is none. */
  readonly design: string | null;
}): Strategy | null {
  const { labels, setting, design } = facts;
  const known = labels.map((label) => label.trim().toLowerCase());
  const [label, named] = labelled.find(([one]) => known.includes(one.toLowerCase())) ?? [];
  if (named !== undefined) return { strategy: named, because: `the issue has the label "${label}"` };
  if (setting !== undefined && setting !== 'by-size')
    return { strategy: setting, because: `the setting fleet.strategy says so` };
  if (design === null) return null;
  const files = countFiles(design);
  return files > mostFiles
    ? { strategy: 'loop', because: `the approved design names ${files} files, more than ${mostFiles}` }
    : { strategy: 'direct', because: `the approved design names ${files} files, at most ${mostFiles}` };
}
