/** `runs`, `runs show`, `runs cancel` and `runs dismiss`. */

import { labelNames } from '../../../domain/forge/labels.ts';
import { statusWithReason } from '../../../domain/ledger/describe-entry.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import {
  isAgentRun,
  isAuthoringRun,
  matchRequest,
  nameOfRun,
  type RunSummary,
} from '../../../domain/ledger/run.ts';
import { listSteps, nameSteps } from '../../../domain/ledger/run-steps.ts';
import { endLines } from '../../../domain/text/command-output.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError, toGatewrightError } from '../../../errors.ts';
import type { Fence } from '../../../ports/ledger.ts';
import { cancelRun, dismissRun } from '../../../runs/end-run.ts';
import { findRunOf, resumeText, standingOf } from '../../../runs/explain-subject.ts';
import { findRunToEnd, type PersonPlace } from '../../../runs/find-run-to-end.ts';
import type { App } from '../app.ts';
import { openHouseOf } from '../open-house.ts';
import type { Handler } from '../table/command.ts';
import { summariseEntry } from '../views/entry-summary.ts';
import { ago, boundNote, cost } from '../views/format.ts';
import { linkSubjects } from '../views/link-subjects.ts';
import { printRuns } from '../views/runs-view.ts';

export const listRuns: Handler = async (app, given) => {
  const records = await app.openViews();
  const known = (await records?.views.listRuns()) ?? [];
  const gates = (await records?.views.listOpenGates()) ?? [];
  const runs = await Promise.all(
    known
      .filter((run) => given.flag('all') || !run.request.dryRun)
      .map(async (run) => ({
        ...run,
        status: records === null ? run.status : await standingOf(run, gates, records.leases),
      })),
  );
  if (given.flag('json')) {
    app.terminal.printJson(runs);
    return 0;
  }
  if (runs.length === 0) {
    app.terminal.say('No runs yet. Start with: gatewright issue --brief FILE');
    return 0;
  }
  const now = new Date();
  linkSubjects(app, runs);
  printRuns(app.terminal, [
    ['RUN', 'STATUS', 'AGE', 'COST', 'SUBJECT', 'TITLE', 'WHY'],
    ...runs.map((run) => [
      run.id,
      run.status,
      ago(run.startedAt, now),
      cost(run),
      run.subject,
      nameOfRun(run).slice(0, 60),
      run.reason?.message ?? '',
    ]),
  ]);
  return 0;
};

/** A fork of an agent's run begins at a question to a model. */
function nameOfQuestion(run: RunSummary, { kind, key }: LedgerEntry): string | undefined {
  const isQuestion = isAgentRun(run) && kind === 'model-answered' && key?.startsWith(`${run.id}/`) === true;
  return isQuestion ? key?.slice(run.id.length + 1) : undefined;
}

export const showRun: Handler = async (app, given) => {
  const records = await app.openRecords('look');
  const typed = given.args[0] ?? '';
  const run = await findRunOf(records.views, typed, process.cwd());
  const entries: LedgerEntry[] = await records.ledger.readRun(run.id);
  if (entries.length === 0) throw new GatewrightError('run-not-found', `No run matches "${typed}".`);
  const standing = await standingOf(run, await records.views.listOpenGates(), records.leases);
  const { terminal } = app;
  if (given.flag('json')) {
    terminal.printJson({
      ...run,
      status: standing,
      entries,
    });
    return 0;
  }
  const { request } = run;
  linkSubjects(app, [run]);
  const title = escapeForLine(request.title);
  const what = matchRequest(request, {
    authoring: ({ workflow }) => `${workflow} workflow on "${title}"`,
    agent: ({ agent }) => `${agent} for ${title}`,
    loop: ({ number }) => `loop of #${number} "${title}"`,
    pipeline: ({ number }) => `pipeline of #${number} "${title}"`,
  });
  terminal.print(`Run ${run.id}: ${what}`);
  const why = run.reason === null ? standing : statusWithReason(standing, run.reason.message);
  terminal.print(`${escapeForLine(why)} · ${cost(run)}${boundNote(run.costAtMostUsd)} · ${run.subject}`);
  terminal.print();
  // Steps of other workflows are not named by people: only an authoring run can be replayed from one.
  const steps = isAuthoringRun(run) ? nameSteps(listSteps(run.id, entries)) : [];
  const names = new Map(
    steps.flatMap(({ step, name }) => [
      [`${run.id}/${step}`, name] as const,
      [makeGateId(run.id, step), name] as const,
    ]),
  );
  for (const entry of entries) {
    const begins = entry.kind === 'node-begun' || entry.kind === 'gate-asked';
    const name = begins ? names.get(entry.key ?? '') : nameOfQuestion(run, entry);
    const step = name === undefined ? '' : `  (${name})`;
    terminal.print(`${entry.at.slice(11, 19)}  ${summariseEntry(entry)}${step}`);
    if (entry.kind === 'command-verified' && entry.data.exitCode !== 0)
      for (const line of endLines(await records.ledger.getText(entry.data.output)))
        terminal.print(`          ${line}`);
  }
  if (run.reason?.resume) terminal.print(`\nContinue with: ${run.reason.resume}`);
  return 0;
};

/** Undoes what only the run itself would have undone; what cannot be reached now does not keep a person from ending it. */
async function tidyUp(app: App, run: RunSummary, fence: Fence): Promise<string | null> {
  if (isAuthoringRun(run)) return null;
  let handle: string | null = null;
  try {
    const { tidyUpCancelled } = await import('../../../fleet/tidy-up-cancelled.ts');
    const house = await openHouseOf(app, run, true);
    ({ handle } = house.fleet);
    await tidyUpCancelled(house, run, fence);
  } catch (error) {
    const why = escapeForLine(toGatewrightError(error).message, 300);
    app.terminal.say(
      `Not tidied up (its working copy, ${isAgentRun(run) ? `the label "${labelNames.working}"` : 'the label of its stage'}): ${why}`,
    );
  }
  return handle;
}

async function placeOf(app: App): Promise<PersonPlace> {
  return { folder: process.cwd(), root: await app.findRoot(null).catch(() => null) };
}

export const cancelOneRun: Handler = async (app, given) => {
  const records = await app.openRecords();
  const run = await findRunToEnd(records.views, given.args[0] ?? '', await placeOf(app));
  const holder = await records.leases.holderOf(run.subject);
  await cancelRun(records, run, (fence) => tidyUp(app, run, fence));
  if (given.flag('json')) app.terminal.printJson({ run: run.id, subject: run.subject, status: 'cancelled' });
  else app.terminal.print(`Cancelled ${run.id} (${escapeForLine(nameOfRun(run), 100)}).`);
  if (holder !== null && run.status === 'running')
    app.terminal.say(
      `Process ${holder.process} on ${escapeForLine(holder.host)} worked on it; it ends within a few seconds and changes nothing more.`,
    );
  return 0;
};

export const dismissOneRun: Handler = async (app, given) => {
  const records = await app.openRecords();
  const run = await findRunToEnd(records.views, given.args[0] ?? '', await placeOf(app));
  await dismissRun(records, run);
  // What a person cancelled cannot be resumed; put aside, its work waits for no person.
  const resume = run.status === 'done' ? '' : resumeText(run);
  if (given.flag('json'))
    app.terminal.printJson({ run: run.id, subject: run.subject, status: 'dismissed', resume });
  else
    app.terminal.print(
      `Put ${run.id} aside (${escapeForLine(nameOfRun(run), 100)}).${resume === '' ? '' : ` Resume it with: ${resume}`}`,
    );
  return 0;
};
