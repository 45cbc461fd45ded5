/** `actions apply`: records what woke the workflow run and goes on with open runs, with the answers of a proposal if there is one. */
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { proposalCaps } from '../../../../domain/proposals/proposal.ts';
import { GatewrightError } from '../../../../errors.ts';
import { describeJob } from '../../../../fleet/proposals/describe-job.ts';
import { type JobEnd, runJob } from '../../../../fleet/proposals/run-job.ts';
import { receiveEvent } from '../../../../fleet/receive-event.ts';
import { recogniseRepository } from '../../../../fleet/recognise-repository.ts';
import type { FleetSession } from '../../../../fleet/run-agent.ts';
import type { House } from '../../../../runs/house.ts';
import type { App } from '../../app.ts';
import { exitCodes } from '../../exit-codes.ts';
import { listenForStop } from '../../listen-for-stop.ts';
import type { Handler } from '../../table/command.ts';
import { annotationLine } from '../../views/actions/annotations.ts';
import { writeStepSummary } from '../../views/actions/step-summary.ts';
import { makeFleetView } from '../../views/fleet-view.ts';
import { type OpenJob, openJob } from './open-job.ts';

function readProposal(typed: string | null): Uint8Array | null {
  if (typed === null) return null;
  const file = resolve(typed);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new GatewrightError('usage', `There is no file ${typed}.`, {
      hint: 'Give the file that `gatewright actions propose --out FILE` wrote in the job before.',
    });
  // One byte more than is allowed is enough to be refused.
  return readFileSync(file).subarray(0, proposalCaps.bytes + 1);
}

/** The words are fixed, so that no line of the file can be of another author. */
function writeOutput(file: string | null, next: JobEnd['next']): void {
  if (file !== null) appendFileSync(file, `next=${next}\n`);
}

async function tell(
  app: App,
  house: House,
  job: OpenJob,
  end: JobEnd,
  touched: readonly string[],
): Promise<void> {
  const told = await describeJob(house, { outcomes: end.applied?.outcomes ?? [] }, touched);
  for (const remark of told.remarks)
    app.terminal.printCommand(annotationLine({ level: 'warning', ...remark }));
  if (end.refused !== null)
    app.terminal.printCommand(`::error title=Gatewright::${end.refused.replace(/[%\r\n]/gu, ' ')}`);
  if (job.summaryFile === null) return;
  const links = { workflowRun: job.url, repository: house.repositoryName };
  appendFileSync(job.summaryFile, writeStepSummary(end, told, links));
}

export const apply: Handler = async (app, given) => {
  const bytes = readProposal(given.text('proposal'));
  const house = await app.openHouse(null, { forge: null, name: null, asAgent: true });
  const own = await house.forge.whoAmI();
  const job = await openJob(app, given, house, own);
  // The local forge has no names that others could take.
  if (house.eventFeed === null) await recogniseRepository(house);
  const view = makeFleetView(app.terminal);
  const stop = listenForStop(view.say);
  const touched: string[] = [];
  const onStart: FleetSession['onStart'] = (run, isResumed) => {
    touched.push(run.id);
    view.session.onStart?.(run, isResumed);
  };
  try {
    for (const event of job.events) await receiveEvent(house, event);
    const session = { ...view.session, own, signal: stop.signal, onStart };
    const end = await runJob(house, job, bytes, session);
    await tell(app, house, job, end, touched);
    writeOutput(job.outputFile, end.next);
    if (stop.signal.aborted) return exitCodes.misused.code;
    if (end.refused !== null) throw new GatewrightError('proposal-refused', end.refused);
    view.say(`next: ${end.next}`);
    // Only the last job fails over what could not be handled: before it, models would not be asked for all the rest.
    const [failure] = end.applied?.failures ?? [];
    if (failure !== undefined && end.next === 'done') throw failure.error;
    return exitCodes.done.code;
  } finally {
    stop.close();
    view.close();
  }
};
