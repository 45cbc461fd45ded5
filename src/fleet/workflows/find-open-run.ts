/** The run of a workflow that works on the subject of an event; read from the ledger alone. */
import type { FleetEvent } from '../../domain/fleet/event.ts';
import type { OpenRun } from '../../domain/fleet/trigger.ts';
import { type RunSummary, workflowOf } from '../../domain/ledger/run.ts';
import { issueSubject, type Subject } from '../../domain/ledger/subject.ts';
import type { FleetTools } from '../../runs/house.ts';
import { workflowManifests } from '../../workflows/workflows.ts';

type Place = Pick<FleetTools, 'ledger' | 'views' | 'repositoryName'>;

function isOpen({ status, request, isDismissed }: RunSummary): boolean {
  return status !== 'done' && !request.dryRun && !isDismissed;
}

async function toOpenRun({ views }: Place, run: RunSummary | null | undefined): Promise<OpenRun | null> {
  if (run == null || !isOpen(run)) return null;
  const workflow = workflowOf(run.request);
  if (workflow === null) return null;
  const gate = (await views.listOpenGates({ subject: run.subject })).find((one) => one.run.id === run.id);
  return { workflow, id: run.id, status: run.status, gate: gate?.question.kind ?? null };
}

/** The chains of runs that may be about an issue or a pull request: of agents, and of workflows. */
export function subjectsOf(repository: string, number: number): Subject[] {
  return [
    issueSubject(repository, number),
    ...workflowManifests.map(({ subjectOf }) => subjectOf(repository, number)),
  ];
}

/** Of the issue with that number. */
export async function findOpenRunOf(place: Place, number: number): Promise<OpenRun | null> {
  for (const { subjectOf } of workflowManifests) {
    const subject = subjectOf(place.repositoryName, number);
    const [run] = (await place.views.listRuns({ subject, doneSince: 'never' })).filter(isOpen);
    const found = await toOpenRun(place, run);
    if (found !== null) return found;
  }
  return null;
}

/** For a pull request, the run that made it. */
export async function findOpenRun(place: Place, event: FleetEvent): Promise<OpenRun | null> {
  if (!('number' in event)) return null;
  const made = await place.ledger.find('pull-request-made', issueSubject(place.repositoryName, event.number));
  if (made === null) return findOpenRunOf(place, event.number);
  return toOpenRun(place, await place.views.findRun(made.run));
}
