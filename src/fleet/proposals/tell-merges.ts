/**
 * A merge that a job makes with its own token starts no workflow on GitHub, so nothing there would hear of it. The run that
 * merged tells it instead: with its end it writes the event that GitHub would have sent, for each workflow that listens, and
 * the job starts those.
 */
import type { WorkerName } from '../../domain/fleet/agent-names.ts';
import { type EventOf, eventSchema } from '../../domain/fleet/event.ts';
import { tellWorkflow } from '../../domain/fleet/told-delivery.ts';
import { workflowFileOfWorker } from '../../domain/fleet/workflow-files.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import type { LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import { agentOf, workflowOf } from '../../domain/ledger/run.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import type { FleetTools } from '../../runs/house.ts';
import { routeWithGuards } from '../route-with-guards.ts';

type Closed = EventOf<'pull-request-closed'>;

/** What the effects of a run have merged, each with its head. */
function listMerged(entries: readonly LedgerEntry[]): { readonly number: number; readonly head: string }[] {
  const done = new Set(entries.flatMap(({ kind, key }) => (kind === 'effect-receipted' ? [key] : [])));
  return entries.flatMap(({ kind, key, data }) => {
    if (kind !== 'effect-intended' || !done.has(key)) return [];
    const { effect } = data;
    if (effect.kind === 'merge-pull-request') return [{ number: effect.number, head: effect.head }];
    return effect.kind === 'merge-together' ? effect.pulls.map(({ number, head }) => ({ number, head })) : [];
  });
}

/** The files of workflows that have worked here: one that was never set up cannot be started. */
async function listFilesInUse({ views, repositoryName }: FleetTools): Promise<ReadonlySet<string>> {
  const runs = await views.listRuns({ repository: repositoryName });
  const files = runs
    .flatMap(({ request }) => workflowOf(request) ?? agentOf(request) ?? [])
    .map(workflowFileOfWorker);
  return new Set(files.filter((file) => file !== null));
}

/** Whom GitHub would have woken, beside the one that merged. */
async function listListening(
  house: FleetTools,
  event: Closed,
  own: string,
  by: WorkerName,
): Promise<string[]> {
  const { agents, workflow } = await routeWithGuards(house, event, own);
  const workers = [...agents, ...(workflow === null ? [] : [workflow])].filter((one) => one !== by);
  const inUse = await listFilesInUse(house);
  const files = workers.map(workflowFileOfWorker).filter((file) => file !== null);
  return [...new Set(files)].filter((file) => inUse.has(file));
}

/** To be written together with the end of the run. */
export async function entriesOfMerges(
  house: FleetTools,
  run: { readonly id: string; readonly agent: WorkerName },
  own: string,
): Promise<NewEntry[]> {
  // Elsewhere, the forge tells its agents of everything.
  if (house.half?.kind !== 'acts' || house.workflows === undefined) return [];
  const { ledger, clock, actor, repositoryName: repository } = house;
  const told: NewEntry[] = [];
  for (const { number, head } of listMerged(await ledger.readRun(run.id))) {
    const event = {
      ...({ kind: 'pull-request-closed', delivery: `merged/${run.id}/${number}`, isMerged: true } as const),
      ...({ at: clock.now().toISOString(), repository, actor: own, actorKind: 'bot', number, head } as const),
    };
    for (const file of await listListening(house, event, own, run.agent)) {
      const delivery = tellWorkflow(file, run.id, number);
      const text = JSON.stringify(eventSchema.parse({ ...event, delivery }));
      await ledger.putText(text);
      told.push({
        ...{ subject: issueSubject(repository, number), run: '', actor, kind: 'event-received' },
        key: delivery,
        data: { kind: event.kind, actor: own, event: sha256(text) },
      });
    }
  }
  return told;
}
