/** The steps of a run by the names that people give them: `N2#2` is the second time that N2 was reached. */
import { GatewrightError } from '../../errors.ts';
import type { GateQuestion } from '../drafts/gate.ts';
import { makeGateId } from './ids.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export interface RunStep {
  /** Counted from 0 over all nodes. */
  readonly step: number;
  readonly node: string;
}

export interface NamedStep extends RunStep {
  readonly name: string;
}

const gateNodes: Readonly<Record<GateQuestion['kind'], string>> = {
  draft: 'N3_human_edit_draft',
  verdict: 'N5_human_edit_verdict',
  filing: 'N6_filing_gate',
  scope: 'scope_gate',
  plan: 'plan_gate',
  work: 'work_gate',
  blocked: 'blocked_gate',
  testing: 'testing_gate',
  close: 'close_gate',
  merge: 'merge_gate',
  escalation: 'escalation_gate',
};

/** A run goes round a few dozen times at most; a gate that is not found by then is not one of its own. */
const mostSteps = 100_000;

/** Gates do not say at which step they stand, but their id is made of it. */
function findGateStep(runId: string, gate: string, from: number): number | null {
  for (let step = from; step < from + mostSteps; step += 1) if (makeGateId(runId, step) === gate) return step;
  return null;
}

export function shortNode(node: string): string {
  if (node === gateNodes.filing) return 'FG';
  // The nodes of authoring are numbered; those of other workflows have names.
  return /^N\d_/u.test(node) ? (node.split('_')[0] ?? node) : node;
}

/** The steps that a run has reached, in order. */
export function listSteps(runId: string, entries: readonly LedgerEntry[]): RunStep[] {
  const steps: RunStep[] = [];
  for (const entry of entries) {
    const next = (steps.at(-1)?.step ?? -1) + 1;
    if (entry.kind === 'node-begun') steps.push({ step: entry.data.step, node: entry.data.node });
    if (entry.kind !== 'gate-asked') continue;
    const step = findGateStep(runId, entry.data.question.id, next);
    if (step !== null) steps.push({ step, node: gateNodes[entry.data.question.kind] });
  }
  return steps;
}

export function nameSteps(steps: readonly RunStep[]): NamedStep[] {
  const counts = new Map<string, number>();
  return steps.map(({ step, node }) => {
    const short = shortNode(node);
    const count = (counts.get(short) ?? 0) + 1;
    counts.set(short, count);
    return { step, node, name: `${short}#${count}` };
  });
}

/** The step that a person means: by name (`N2#2`, or `N2` for the first), or by number. */
export function findStep(steps: readonly RunStep[], typed: string): NamedStep {
  const named = nameSteps(steps);
  const wanted = typed.trim().toUpperCase();
  const name = wanted.includes('#') ? wanted : `${wanted}#1`;
  const found = named.find((one) => one.name === name || String(one.step) === wanted);
  if (found !== undefined) return found;
  throw new GatewrightError('step-unknown', `The run has no step "${typed.slice(0, 40)}".`, {
    hint: `Its steps are: ${named.map((one) => one.name).join(', ')}`,
  });
}
