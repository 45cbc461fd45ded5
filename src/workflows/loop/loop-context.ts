/** All that the nodes of a loop work with, put together under its lease. */
import type { EffectAllowance } from '../../domain/ledger/effect.ts';
import type { Handoff } from '../../domain/ledger/fleet-entries.ts';
import type { EntryData, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { LoopEntryData } from '../../domain/ledger/loop-entries.ts';
import type { LoopRequest } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ForgeReader } from '../../ports/forge/forge-reader.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import type { Prompts } from '../../ports/prompts.ts';
import type { FetchTransport } from '../../ports/transport.ts';
import type { Trees } from '../../ports/trees.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { appendOnce } from '../../runs/append-once.ts';
import type { AskContext } from '../../runs/ask-model.ts';
import { makeCoder } from '../../runs/coding/coder.ts';
import type { CodingContext } from '../../runs/coding/coding-context.ts';
import { stopCommandsWith } from '../../runs/coding/stop-with-signal.ts';
import { entriesOfHandoffs } from '../../runs/hand-on.ts';
import type { FleetTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';

/** What a loop is run with. */
export type LoopTools = FleetTools;

export interface DrivenLoop {
  readonly id: string;
  readonly subject: Subject;
  readonly request: LoopRequest;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** The entries that a loop adds to the ledger beside those of changing code. */
type OwnKind = keyof LoopEntryData | 'pull-request-made';

type LoopEntry = {
  [K in OwnKind]: { readonly kind: K; readonly key: string; readonly data: EntryData[K] };
}[OwnKind];

export interface LoopContext
  extends Omit<CodingContext, 'forge' | 'workspaces' | 'record' | 'ledger' | 'settings'> {
  readonly subject: Subject;
  readonly request: LoopRequest;
  readonly actor: string;
  readonly clock: Clock;
  readonly note: (entry: NewEntry) => void;
  readonly settings: FleetTools['fleet'];
  readonly ledger: Pick<Ledger, 'readRun' | 'find' | 'getText' | 'putText'>;
  readonly forge: ForgeReader;
  readonly transport: FetchTransport;
  readonly trees: Pick<Trees, 'putFiles' | 'takePaths' | 'treeOf' | 'listFiles' | 'findMergeBase'>;
  readonly workspaces: Workspaces;
  readonly prompts: Prompts;
  record(entry: Parameters<CodingContext['record']>[0] | LoopEntry): Promise<void>;
  /** Agents go on with it; once in the life of the run. */
  handOn(handoffs: readonly Handoff[]): Promise<void>;
}

/** Comments and pushes come with every attempt; no plan has more tasks than this allows. */
const allowance: EffectAllowance = {
  'create-comment': 1000,
  'edit-labels': 200,
  'ensure-label': 20,
  'push-branch': 1000,
  'create-pull-request': 1,
};

export interface LoopSession {
  /** The login under which comments and commits are made. */
  readonly own: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
}

export function makeLoopContext(
  tools: LoopTools,
  run: DrivenLoop,
  session: LoopSession,
  lease: Lease,
): LoopContext {
  const { ledger, clock, actor, budget } = tools;
  const { progress, own } = session;
  const { id: runId, subject, request } = run;
  const common = { subject, run: runId, actor };
  const record = (entry: NewEntry): Promise<void> => appendOnce(ledger, [entry], lease);
  const asking: AskContext = {
    ...{ runId, subject, ledger, record, actor, budget, clock, progress, recorded: null },
    note: (entry) => ledger.defer(entry, lease),
  };
  const { agentModels } = tools;
  return {
    ...{ runId, subject, request, own, ledger, clock, actor, progress, note: asking.note },
    repository: request.repository,
    startedAt: new Date(run.startedAt),
    settings: tools.fleet,
    models: makeCoder(asking, {
      agentFor: (mode) => tools.makeCodingAgent(agentModels[mode === 'plan' ? 'planner' : 'coder']),
      sandbox: tools.sandbox,
      signal: session.signal,
    }),
    forge: tools.forge,
    transport: tools.transport,
    trees: tools.trees,
    workspaces: tools.workspaces,
    commands: stopCommandsWith(tools.commands, session.signal),
    prompts: tools.prompts,
    effects: makeEffects(tools, {
      ...{ run: runId, subject, fence: lease, allowance, dryRun: request.dryRun },
    }),
    record: (entry) => record({ ...common, ...entry } as NewEntry),
    handOn: async (handoffs) => {
      const from = { id: runId, repository: request.repository, own };
      await appendOnce(ledger, await entriesOfHandoffs(tools, from, handoffs), lease);
    },
  };
}
