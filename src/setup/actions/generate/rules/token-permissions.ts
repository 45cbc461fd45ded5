/** What the token of each generated job may do: what the effects of its agents take, and nothing else. */
import type { EffectKind } from '../../../../domain/ledger/effect.ts';
import { type ActionsAgent, slotsOf, worksOn } from './actions-agent.ts';

export type TokenPermissions = Readonly<Record<string, 'read' | 'write'>>;

/** What GitHub asks of a token for each kind of effect; `number` is what the agent comments on and labels. */
const takes: Readonly<
  Record<EffectKind, readonly ('actions' | 'contents' | 'issues' | 'pull-requests' | 'number')[]>
> = {
  'write-file': [],
  'edit-file': [],
  'write-settings': [],
  'show-state': [],
  'move-path': [],
  'remove-folder': [],
  'commit-files': [],
  'make-worktree': [],
  'remove-worktree': [],
  'ensure-label': ['number'],
  'edit-labels': ['number'],
  'create-comment': ['number'],
  'create-issue': ['issues'],
  'close-issue': ['issues'],
  'create-pull-request': ['pull-requests'],
  'create-review': ['pull-requests'],
  'enqueue-pull-request': ['pull-requests'],
  'update-branch': ['pull-requests', 'contents'],
  'merge-pull-request': ['pull-requests', 'contents'],
  'merge-together': ['contents'],
  'push-branch': ['contents'],
  'delete-branch': ['contents'],
  'comment-commit': ['contents'],
  'start-workflow': ['actions'],
  'send-notification': [],
};

function writesOf(agent: ActionsAgent): string[] {
  const { pulls, issues } = worksOn(agent);
  const numbers = [...(pulls ? ['pull-requests'] : []), ...(issues ? ['issues'] : [])];
  const kinds = Object.keys(agent.may) as EffectKind[];
  return kinds.flatMap((kind) => takes[kind].flatMap((one) => (one === 'number' ? numbers : [one])));
}

function readsOf(agent: ActionsAgent): string[] {
  const reads = ['contents', 'issues', 'pull-requests'];
  if (worksOn(agent).pulls) reads.push('checks', 'statuses');
  // Builds and their logs.
  const looksAtBuilds = agent.triggers.some((one) => 'on' in one && one.on === 'workflow-completed');
  if (looksAtBuilds || slotsOf(agent).length > 0) reads.push('actions');
  return reads;
}

function sorted(entries: readonly (readonly [string, 'read' | 'write'])[]): TokenPermissions {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Of the job that asks models. */
export function readingPermissions(agents: readonly ActionsAgent[]): TokenPermissions {
  return sorted(agents.flatMap(readsOf).map((name) => [name, 'read']));
}

/**
 * Of a job that carries effects out. The ledger is a ref of the repository (`contents`), and the next workflow is
 * started with the token of the job (`actions`).
 */
export function writingPermissions(agents: readonly ActionsAgent[]): TokenPermissions {
  const writes = ['contents', 'actions', ...agents.flatMap(writesOf)];
  const reads = Object.entries(readingPermissions(agents));
  return sorted([...reads, ...writes.map((name) => [name, 'write'] as const)]);
}
