/** All that the nodes of a run on an issue work with, put together under its lease. */
import type { EffectAllowance } from '../../domain/ledger/effect.ts';
import type { Handoff } from '../../domain/ledger/fleet-entries.ts';
import type { EntryData, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ForgeReader } from '../../ports/forge/forge-reader.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Prompts } from '../../ports/prompts.ts';
import type { FetchTransport } from '../../ports/transport.ts';
import type { Trees } from '../../ports/trees.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { appendOnce } from '../../runs/append-once.ts';
import type { AskContext } from '../../runs/ask-model.ts';
import { makeCoder } from '../../runs/coding/coder.ts';
import type { CodingContext } from '../../runs/coding/coding-context.ts';
import { keepCommits } from '../../runs/coding/keep-commits.ts';
import { stopCommandsWith } from '../../runs/coding/stop-with-signal.ts';
import { entriesOfHandoffs } from '../../runs/hand-on.ts';
import type { FleetTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import type { DrivenRun, IssueRequest, RunSession } from './issue-run.ts';

/** An entry of one of these kinds. */
type EntryOfKind<Kind extends keyof EntryData> = {
  [K in Kind]: { readonly kind: K; readonly key: string; readonly data: EntryData[K] };
}[Kind];

/** @typeParam Kind the entries that the workflow adds to the ledger beside those of changing code */
export interface RunContext<R extends IssueRequest, Kind extends keyof EntryData>
  extends Omit<CodingContext, 'forge' | 'workspaces' | 'record' | 'ledger' | 'settings'> {
  readonly subject: Subject;
  readonly request: R;
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
  record(
    entry: Parameters<CodingContext['record']>[0] | EntryOfKind<Kind | 'pull-request-made'>,
  ): Promise<void>;
  /** Agents go on with it; once in the life of the run. */
  handOn(handoffs: readonly Handoff[]): Promise<void>;
}

/** How models are asked in the run. */
export function makeAsking(
  { ledger, clock, actor, budget, half, keptWork }: FleetTools,
  { id: runId, subject }: Pick<DrivenRun<IssueRequest>, 'id' | 'subject'>,
  { progress }: Pick<RunSession, 'progress'>,
  lease: Lease,
): AskContext {
  return {
    ...{ runId, subject, ledger, actor, budget, clock, progress, recorded: null },
    ...(half === undefined ? {} : { half }),
    ...(keptWork === undefined ? {} : { keptWork }),
    record: (entry) => appendOnce(ledger, [entry], lease),
    note: (entry) => ledger.defer(entry, lease),
  };
}

export function makeRunContext<R extends IssueRequest, Kind extends keyof EntryData>(
  tools: FleetTools,
  run: DrivenRun<R>,
  session: RunSession,
  lease: Lease,
  allowance: EffectAllowance,
): RunContext<R, Kind> {
  const { ledger, clock, actor, agentModels } = tools;
  const { progress, own } = session;
  const { id: runId, subject, request } = run;
  const common = { subject, run: runId, actor };
  const asking = makeAsking(tools, run, session, lease);
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
    workspaces: keepCommits(tools.workspaces, runId, tools.keptWork),
    commands: stopCommandsWith(tools.commands, session.signal),
    prompts: tools.prompts,
    effects: makeEffects(tools, {
      ...{ run: runId, subject, fence: lease, allowance, dryRun: request.dryRun },
    }),
    record: (entry) => asking.record({ ...common, ...entry } as NewEntry),
    handOn: async (handoffs) => {
      const from = { id: runId, repository: request.repository, own };
      await appendOnce(ledger, await entriesOfHandoffs(tools, from, handoffs), lease);
    },
  };
}
