/** `status`: one screen, at once. Loads nothing but the views. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { labelNames } from '../../../domain/forge/labels.ts';
import { describeNode } from '../../../domain/ledger/node-words.ts';
import { agentOf, isAgentRun, nameOfRun, type RunSummary } from '../../../domain/ledger/run.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { DeliveryCount } from '../../../ports/inbox.ts';
import type { UnsentMessage } from '../../../ports/notifications/notification-channel.ts';
import { describeWaiting } from '../../../runs/describe-waiting.ts';
import { adviceOn } from '../../../runs/explain-stop.ts';
import { resumeText } from '../../../runs/explain-subject.ts';
import { nothingYet, readStatus, type Status } from '../../../runs/read-status.ts';
import type { App } from '../app.ts';
import { askFreshly, notAsked, showsElsewhere } from '../ask-closed.ts';
import type { Handler } from '../table/command.ts';
import { ago, boundNote, cost } from '../views/format.ts';
import { findRunsBeside, linkSubjects } from '../views/link-subjects.ts';
import { describeUnsent } from '../views/notifications/told-view.ts';
import { printForgeWaiting, printGateLines } from '../views/waiting-view.ts';

const shownAtMost = 10;

/** What every list of runs says about one. */
function facts({ id, request, costUsd, costAtMostUsd }: RunSummary) {
  const { title, repository } = request;
  return { run: id, title, agent: agentOf(request), repository, costUsd, costAtMostUsd };
}

function toJson({ waiting, asked, running, stopped, dismissed, gone, today }: Status) {
  return {
    waiting: waiting.map(({ run, question, askedAt }) => ({
      gate: question.id,
      kind: question.kind,
      run: run.id,
      title: question.title,
      repository: run.request.repository,
      askedAt,
      costUsd: run.costUsd,
      costAtMostUsd: run.costAtMostUsd,
    })),
    waitingOnForge: asked.map((one) => {
      const { subject, what, at } = one;
      const { why, how, command } = describeWaiting(one);
      return { subject, what, since: at, why, how, command };
    }),
    running: running.map((run) => ({ ...facts(run), node: run.node })),
    stopped: stopped.map(({ run, standing, isHeld }) => ({
      ...facts(run),
      status: standing,
      reason: run.reason,
      held: isHeld,
      resume: isHeld ? '' : resumeText(run),
    })),
    dismissed: dismissed.map((run) => ({ ...facts(run), resume: resumeText(run) })),
    gone: gone.map((run) => ({ ...facts(run), root: run.request.root })),
    today,
  };
}

/** Who can move a stopped run on. What a command began is resumed by no other process than a person's. */
function ownerOf(run: RunSummary): string {
  const { reason } = run;
  if (reason?.owner !== 'time') return 'you';
  if (!isAgentRun(run)) return reason.until === undefined ? 'you, in a while' : `you, after ${reason.until}`;
  return reason.until === undefined ? 'no person: wait a while' : `no person: wait until ${reason.until}`;
}

function printStatus({ terminal }: App, status: Status, now: Date): void {
  const { waiting, asked, running, stopped, dismissed, gone, today } = status;
  const line = (mark: string, title: string, ...rest: readonly string[]): void =>
    terminal.print(` ${mark} ${escapeForLine(title, 44).padEnd(44)}  ${rest.join(' · ')}`);
  const where = ({ request }: RunSummary): string => escapeForLine(request.repository);
  const cut = (count: number, command: string): void => {
    if (count > shownAtMost) terminal.print(`   … and ${count - shownAtMost} more: ${command}`);
  };
  terminal.print(`Waiting for you (${waiting.length + asked.length})`);
  for (const gate of waiting.slice(0, shownAtMost)) printGateLines(terminal, gate, now);
  for (const one of asked.slice(0, shownAtMost)) printForgeWaiting(terminal, one, now);
  cut(Math.max(waiting.length, asked.length), 'gatewright gates');
  terminal.print(`Running (${running.length})`);
  for (const run of running.slice(0, shownAtMost)) {
    const doing = run.node === null ? (isAgentRun(run) ? 'working' : 'starting') : describeNode(run.node);
    line(terminal.style('green', '▶'), nameOfRun(run), where(run), doing, ago(run.startedAt, now), cost(run));
  }
  cut(running.length, 'gatewright runs');
  terminal.print(`Stopped (${stopped.length})`);
  for (const { run, standing, why, isHeld } of stopped.slice(0, shownAtMost)) {
    line(
      terminal.style('red', '▲'),
      nameOfRun(run),
      where(run),
      `${standing}: ${escapeForLine(why, 300)}`,
      cost(run),
    );
    const { advice } = adviceOn(run.reason, run.id);
    if (advice !== undefined && !isHeld) terminal.print(`   fix: ${escapeForLine(advice, 500)}`);
    terminal.print(
      isHeld
        ? `   who: you · first remove the label "${labelNames.hold}" from ${escapeForLine(run.subject)}`
        : `   who: ${ownerOf(run)} · continue: ${resumeText(run)}`,
    );
  }
  cut(stopped.length, 'gatewright runs');
  if (dismissed.length > 0) terminal.print(`Put aside (${dismissed.length}): gatewright runs`);
  for (const run of gone.slice(0, shownAtMost))
    terminal.print(
      `The folder of ${run.id} is not where it was (${escapeForLine(run.request.root, 200)}). Go to the folder where it is now, or put it back, and continue there (${resumeText(run)}); or give the run up for good: gatewright runs cancel ${run.id}`,
    );
  cut(gone.length, 'gatewright runs');
  const { filed, designs, agents, costAtMostUsd } = today;
  const parts = [
    `${filed} filed`,
    ...(designs > 0 ? [`${designs} ${designs === 1 ? 'design' : 'designs'} approved`] : []),
    ...(agents > 0 ? [`${agents} ${agents === 1 ? 'run' : 'runs'} of agents done`] : []),
    `${cost(today)}${boundNote(costAtMostUsd)}`,
  ];
  terminal.print(`Today: ${parts.join(' · ')}`);
}

/** What came in and what goes out beside the work, where something of it does not get on. */
function printTroubles(
  terminal: App['terminal'],
  { waiting, setAside }: DeliveryCount,
  unsent: readonly UnsentMessage[],
): void {
  if (waiting + setAside > 0)
    terminal.print(
      `Webhooks: ${waiting} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'} in the inbox${setAside === 0 ? '' : `, ${setAside} ${setAside === 1 ? 'file was' : 'files were'} set aside (gatewright doctor)`}`,
    );
  for (const line of describeUnsent(unsent)) terminal.print(`Notifications: ${line}`);
}

export const showStatus: Handler = async (app, given) => {
  const now = new Date();
  const { terminal } = app;
  const records = await app.openViews();
  const place = { folder: process.cwd(), exists: (folder: string) => existsSync(join(folder, '.git')) };
  const isFresh = given.flag('fresh');
  const closed =
    records === null || !isFresh ? records?.closed : askFreshly(app, records.views, records.closed);
  const status =
    records === null || closed === undefined
      ? nothingYet
      : await readStatus({ ...records, ...place, closed }, now);
  const isUnasked = !isFresh && records !== null && (await showsElsewhere(records.views, status));
  const renamed = (await records?.views.listRenamed()) ?? [];
  const deliveries = records?.countDeliveries() ?? { waiting: 0, setAside: 0 };
  const unsent = records?.listUnsent() ?? [];
  if (given.flag('json')) {
    terminal.printJson({
      ...(renamed.length === 0 ? {} : { renamed }),
      ...toJson(status),
      deliveries,
      ...(unsent.length === 0 ? {} : { unsent }),
      ...(isUnasked ? { note: notAsked } : {}),
    });
    return 0;
  }
  for (const { repository, name } of renamed)
    terminal.print(
      `${escapeForLine(repository)} has the new name ${escapeForLine(name)}. When no run is open any more: git remote set-url origin ...`,
    );
  const subjects = status.asked.map(({ subject }) => subject);
  linkSubjects(
    app,
    [
      ...[...status.waiting, ...status.stopped].map(({ run }) => run),
      ...status.running,
      ...(await findRunsBeside(records?.views, subjects)),
    ],
    subjects,
  );
  printStatus(app, status, now);
  if (isUnasked) terminal.print(notAsked);
  printTroubles(terminal, deliveries, unsent);
  if (records === null)
    terminal.print('\nNothing yet. Start with: gatewright issue --brief FILE   (or try: gatewright demo)');
  return 0;
};
