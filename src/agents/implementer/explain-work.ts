/** Why work on an issue does not go on: what holds it, which limit is reached, whose answer is missing. Changes nothing. */

import { convergenceWords } from '../../domain/changes/convergence-words.ts';
import { findHeldRun } from '../../domain/fleet/held-run.ts';
import { type ImplementerHistory, readHistory } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { type Condition, toDo } from '../../domain/ledger/condition.ts';
import type { FleetEntryData } from '../../domain/ledger/fleet-entries.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { optionsOfRun, resumeCommandOf } from '../../domain/ledger/run.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { isGatewrightError } from '../../errors.ts';
import type { ForgeIssue } from '../../ports/forge/forge.ts';
import type { Explained, ExplainedNumber, ExplainPlace } from '../agent.ts';
import { describeFailed, findFailed, seeOutput } from '../pull-requests/failed-command.ts';
import { sayThere } from '../pull-requests/say-there.ts';
import { readWorkEntries } from '../read-work-entries.ts';

const { hold } = labelNames;
const writers = 'a person with write permission';

function isHeld({ labels }: Pick<ForgeIssue, 'labels'>): boolean {
  return labels.some((label) => label.toLowerCase() === hold);
}

/** How to take the label off: a command where there is no page to do it on. */
function releaseCommand({ forge, commandSuffix }: ExplainPlace, number: number): string {
  return forge.kind === 'local'
    ? `gatewright forge issue edit ${number} --remove-label ${hold}${commandSuffix}`
    : 'remove the label';
}

/** A command that continues a run names the models that the run was started with. */
async function optionsOf({ ledger }: ExplainPlace, run: string): Promise<string> {
  const begun = (await ledger.readRun(run)).find((entry) => entry.kind === 'run-started');
  return begun?.kind === 'run-started' ? optionsOfRun(begun.data.request) : '';
}

/** Work that the label keeps from beginning, or that was not resumed since it is gone. */
async function heldConditions(
  place: ExplainPlace,
  issue: ForgeIssue,
  run: string | null,
): Promise<Condition[]> {
  if (run === null) return [];
  const waiting = 'the implementer has not started the ordered work';
  return isHeld(issue)
    ? [
        {
          what: `${waiting}: the label "${hold}" blocks it`,
          who: writers,
          ...toDo(releaseCommand(place, issue.number)),
        },
      ]
    : [
        {
          what: `${waiting} while the label "${hold}" was on it`,
          who: 'you',
          command: resumeCommandOf(
            { workflow: 'agent' },
            run,
            `${await optionsOf(place, run)}${place.commandSuffix}`,
          ),
        },
      ];
}

/** The limits of this agent, as people read them. */
const limitNames: Readonly<Partial<Record<FleetEntryData['limit-reached']['what'], string>>> = {
  continue: 'continue',
  fix: 'correction',
  conflict: 'update',
};

function limitConditions(
  entries: readonly LedgerEntry[],
  history: ImplementerHistory,
  continueCommand: string,
): Condition[] {
  const reached = entries.findLast(
    (entry) => entry.kind === 'limit-reached' && Object.hasOwn(limitNames, entry.data.what),
  );
  if (reached?.kind !== 'limit-reached' || reached.seq < history.order) return [];
  const { what, limit, because } = reached.data;
  const { [what]: name = what } = limitNames;
  return [
    {
      what:
        because === undefined
          ? `reached the ${name} limit (${limit}) since the last order`
          : `after ${countOf(limit, 'correction')} since the last order, ${convergenceWords[because]}`,
      who: writers,
      ...toDo(continueCommand),
    },
  ];
}

function issueConditions(
  place: ExplainPlace,
  issue: ForgeIssue,
  history: ImplementerHistory,
  { isHeldTold, isTaken }: { readonly isHeldTold: boolean; readonly isTaken: boolean },
): Condition[] {
  const { number } = issue;
  const conditions: Condition[] = [];
  if (isHeld(issue) && !isHeldTold)
    conditions.push({
      what: `the label "${hold}" blocks it`,
      who: writers,
      ...toDo(releaseCommand(place, number)),
    });
  if (history.openPlan !== null)
    conditions.push({
      what: 'its plan waits for an answer',
      who: writers,
      ...toDo(sayThere(place, number, 'approve')),
    });
  if (history.orderedBy === null && !isTaken)
    conditions.push({
      what: 'it has no order for an agent',
      who: writers,
      ...toDo(sayThere(place, number, 'please implement this')),
    });
  return conditions;
}

/** Which of the pull requests that were made for it are still open. */
async function findOpened(
  { forge, repository }: ExplainPlace,
  { pulls }: ImplementerHistory,
): Promise<number[]> {
  const opened: number[] = [];
  for (const { number } of pulls)
    try {
      if ((await forge.getPullRequest(repository, number)).state === 'open') opened.push(number);
    } catch (error) {
      if (!isGatewrightError(error, 'forge-not-found')) throw error;
    }
  return opened;
}

/** The project's own command failed on the head of the pull request, by the run that pushed it. */
async function failedConditions(place: ExplainPlace, number: number): Promise<Condition[]> {
  const head = (await place.forge.getPullRequest(place.repository, number)).head.sha;
  const last = await findFailed(place, number, head);
  if (last === null) return [];
  const again = sayThere(place, number, 'continue').replace(/^gatewright /u, 'run: gatewright ');
  return [
    {
      what: await describeFailed(place, last, head),
      who: 'the person who fixes it, or the agent implementer on an order',
      ...toDo(`${seeOutput(last, place.commandSuffix)}; then push a fix, or ${again}`),
    },
  ];
}

export async function explainWork(
  place: ExplainPlace,
  { issue, isPullRequest, isTaken }: ExplainedNumber,
): Promise<Explained> {
  const subject = issueSubject(place.repository, issue.number);
  const entries = await readWorkEntries(place.ledger, subject);
  const history = readHistory(entries, '');
  const held = await heldConditions(place, issue, findHeldRun(await place.ledger.readState(subject)));
  const limits = limitConditions(entries, history, sayThere(place, issue.number, 'continue'));
  if (isPullRequest)
    return { conditions: [...held, ...limits, ...(await failedConditions(place, issue.number))] };
  const opened = await findOpened(place, history);
  if (opened.length > 0) return { conditions: [...held, ...limits], movesWith: opened };
  const isHeldTold = held.length > 0;
  return {
    conditions: [...held, ...limits, ...issueConditions(place, issue, history, { isHeldTold, isTaken })],
  };
}
