/** What the generator has to know of an agent; manifests fit. */
import type { WorkerName } from '../../../../domain/fleet/agent-names.ts';
import type { EventKind } from '../../../../domain/fleet/event.ts';
import type { Slot } from '../../../../domain/fleet/schedule.ts';
import type { EffectAllowance } from '../../../../domain/ledger/effect.ts';

export interface ActionsAgent<N extends WorkerName = WorkerName> {
  readonly name: N;
  readonly purpose: string;
  readonly triggers: readonly (
    | { readonly on: EventKind; readonly forEach?: string }
    | { readonly schedule: Slot }
  )[];
  readonly model: 'none' | 'coder' | 'reviewer' | 'writer';
  readonly may: EffectAllowance;
}

const pullKinds: ReadonlySet<EventKind> = new Set([
  ...(['pull-request-opened', 'pull-request-synchronized', 'pull-request-reopened'] as const),
  ...(['pull-request-ready', 'pull-request-retargeted', 'pull-request-dequeued'] as const),
  ...(['pull-request-closed', 'review-submitted', 'review-dismissed'] as const),
  ...(['workflow-completed', 'check-completed', 'base-pushed'] as const),
]);
const issueKinds: ReadonlySet<EventKind> = new Set(['issue-opened', 'issue-assigned']);

function isOn({ triggers }: ActionsAgent, kinds: ReadonlySet<EventKind>): boolean {
  return triggers.some((one) => 'on' in one && kinds.has(one.on));
}

export function slotsOf({ triggers }: ActionsAgent): Slot[] {
  return triggers.flatMap((one) => ('schedule' in one ? [one.schedule] : []));
}

/** Whether comments and labels of the agent go on pull requests, on issues, or on both. */
export function worksOn(agent: ActionsAgent): { readonly pulls: boolean; readonly issues: boolean } {
  const { may } = agent;
  return {
    pulls: isOn(agent, pullKinds) || may['create-pull-request'] !== undefined,
    issues: isOn(agent, issueKinds) || may['create-issue'] !== undefined || may['close-issue'] !== undefined,
  };
}

/** Whether it changes or joins commits, for which it needs more of the history than the newest commit. */
export function needsHistory({ may }: ActionsAgent): boolean {
  return ['push-branch', 'merge-together', 'merge-pull-request'].some((kind) => Object.hasOwn(may, kind));
}
