/** `status`: one screen, at once. Loads nothing but the views. */

import { loopLimit } from '../../../domain/fleet/loop-limit.ts';
import { agentOf, isAgentRun, nameOfRun, type RunSummary } from '../../../domain/ledger/run.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { resumeText } from '../../../runs/explain-subject.ts';
import { nothingYet, readStatus } from '../../../runs/read-status.ts';
import type { Handler } from '../table/command.ts';
import { ago, boundNote, cost } from '../views/format.ts';

const shownAtMost = 10;

const waitsFor = {
  plan: 'its plan waits for an answer',
  continue: `reached the continue limit (${loopLimit})`,
  fix: `reached the correction limit (${loopLimit}); its review is not clean`,
  conflict: `reached the update limit (${loopLimit}); it conflicts with its base`,
} as const;

/** What to say on the forge so that it goes on. */
function answerTo(what: keyof typeof waitsFor, handle: string | null): string {
  const call = `@${handle ?? 'the agent'}`;
  return what === 'plan' ? `${call} approve (or what to change)` : `${call} continue (or what to do)`;
}

export const showStatus: Handler = async (app, given) => {
  const now = new Date();
  const { terminal } = app;
  const records = await app.openViews();
  const status = records === null ? nothingYet : await readStatus(records, now);
  const { gates: waiting, asked, running, stopped, today } = status;

  const renamed = (await records?.views.listRenamed()) ?? [];

  if (given.flag('json')) {
    terminal.printJson({
      ...(renamed.length === 0 ? {} : { renamed }),
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
      waitingOnForge: asked.map(({ subject, what, at, handle }) => ({
        ...{ subject, what, since: at },
        comment: answerTo(what, handle),
      })),
      running: running.map((run) => ({
        run: run.id,
        title: run.request.title,
        agent: agentOf(run.request),
        repository: run.request.repository,
        node: run.node,
        costUsd: run.costUsd,
        costAtMostUsd: run.costAtMostUsd,
      })),
      stopped: stopped.map(({ run, standing }) => ({
        run: run.id,
        title: run.request.title,
        agent: agentOf(run.request),
        repository: run.request.repository,
        status: standing,
        reason: run.reason,
        resume: resumeText(run),
        costUsd: run.costUsd,
        costAtMostUsd: run.costAtMostUsd,
      })),
      today,
    });
    return 0;
  }

  // Numbers are only clear where there is but one repository.
  const places = new Set(
    [...running, ...stopped.map(({ run }) => run)].map(({ request }) => request.repository),
  );
  const where = (run: RunSummary): string =>
    places.size > 1 ? `${escapeForLine(run.request.repository)} · ` : '';
  const line = (mark: string, title: string, rest: string): void =>
    terminal.print(` ${mark} ${escapeForLine(title, 44).padEnd(44)}  ${rest}`);
  const cut = (count: number): void => {
    if (count > shownAtMost) terminal.print(`   … and ${count - shownAtMost} more: gatewright runs`);
  };
  for (const { repository, name } of renamed)
    terminal.print(
      `${escapeForLine(repository)} has the new name ${escapeForLine(name)}. When no run is open any more: git remote set-url origin ...`,
    );
  terminal.print(`Waiting for you (${waiting.length + asked.length})`);
  for (const { run, question, askedAt } of waiting.slice(0, shownAtMost)) {
    line(
      '●',
      question.title,
      `${question.kind} gate ${question.id} · iteration ${question.iteration} · ${ago(askedAt, now)} · ${cost(run)}`,
    );
    const choices = question.choices.filter((choice) => choice.leavesOpen !== true).map(({ name }) => name);
    terminal.print(`   answer: gatewright gate answer ${question.id} --choice ${choices.join('|')}`);
  }
  cut(waiting.length);
  for (const { subject, what, at, handle } of asked.slice(0, shownAtMost)) {
    line('●', subject, `${waitsFor[what]} · ${ago(at, now)}`);
    terminal.print(`   comment there: ${answerTo(what, handle)}`);
  }
  if (asked.length > shownAtMost) terminal.print(`   … and ${asked.length - shownAtMost} more`);
  terminal.print(`Running (${running.length})`);
  for (const run of running.slice(0, shownAtMost))
    line(
      '▶',
      nameOfRun(run),
      `${where(run)}${run.node ?? (isAgentRun(run) ? 'working' : 'starting')} · ${ago(run.startedAt, now)} · ${cost(run)}`,
    );
  cut(running.length);
  terminal.print(`Stopped (${stopped.length})`);
  for (const { run, standing, why } of stopped.slice(0, shownAtMost)) {
    line('▲', nameOfRun(run), `${where(run)}${standing}: ${escapeForLine(why, 100)}`);
    terminal.print(`   continue: ${resumeText(run)}`);
  }
  cut(stopped.length);
  const { filed, designs, agents, costAtMostUsd } = today;
  terminal.print(
    `Today: ${filed} filed · ${designs > 0 ? `${designs} ${designs === 1 ? 'design' : 'designs'} approved · ` : ''}${agents > 0 ? `${agents} ${agents === 1 ? 'run' : 'runs'} of agents done · ` : ''}${cost(today)}${boundNote(costAtMostUsd)}`,
  );
  if (records === null)
    terminal.print('\nNothing yet. Start with: gatewright issue --brief FILE   (or try: gatewright demo)');
  return 0;
};
