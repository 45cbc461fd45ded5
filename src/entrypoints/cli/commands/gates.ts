/** `gates` and `gate answer`: everything that waits for a person, and how a run is answered from another terminal. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { answersOf } from '../../../domain/drafts/gate-answers.ts';
import { sha256, shortHash } from '../../../domain/ledger/hash.ts';
import { type AuthoringRun, matchRun, resumeCommandOf } from '../../../domain/ledger/run.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { describeHolder } from '../../../runs/acquire-lease.ts';
import { describeWaiting } from '../../../runs/describe-waiting.ts';
import { readArtefacts, recordAnswer } from '../../../runs/gates/answer-gate.ts';
import { findOpenGate, refuseLeavingOpen } from '../../../runs/gates/find-open-gate.ts';
import type { House } from '../../../runs/house.ts';
import { nothingYet, readStatus } from '../../../runs/read-status.ts';
import type { RunOutcome } from '../../../workflows/authoring/drive-run.ts';
import { requireWritePermission } from '../../../workflows/authoring/start-run.ts';
import type { App } from '../app.ts';
import { askFreshly } from '../ask-closed.ts';
import { continueAuthoring } from '../continue-answered.ts';
import { exitCodeOfStatus } from '../exit-codes.ts';
import { openHouseOf } from '../open-house.ts';
import type { Handler } from '../table/command.ts';
import { tellInterrupted } from '../tell-interrupted.ts';
import { ago } from '../views/format.ts';
import { findRunsBeside, linkSubjects } from '../views/link-subjects.ts';
import { reportOutcome } from '../views/outcome-view.ts';
import { makeProgressView } from '../views/progress-view.ts';
import { printForgeWaiting } from '../views/waiting-view.ts';

export const listGates: Handler = async (app, given) => {
  const { terminal } = app;
  const now = new Date();
  const records = await app.openViews();
  const place = { folder: process.cwd(), exists: (folder: string) => existsSync(join(folder, '.git')) };
  const { gates, asked, stopped } =
    records === null
      ? nothingYet
      : await readStatus(
          {
            ...records,
            ...place,
            ...(given.flag('fresh') ? { closed: askFreshly(app, records.views, records.closed) } : {}),
          },
          now,
        );
  if (given.flag('json')) {
    terminal.printJson([
      ...gates.map(({ run, question, askedAt }) => ({
        ...question,
        choices: answersOf(question),
        run: run.id,
        repository: run.request.repository,
        subject: run.subject,
        root: run.request.root,
        askedAt,
      })),
      ...asked.map((one) => ({
        ...{ kind: one.what, subject: one.subject, askedAt: one.at },
        ...describeWaiting(one),
      })),
    ]);
    return 0;
  }
  const more =
    stopped.length === 0
      ? ''
      : `${stopped.length} stopped ${stopped.length === 1 ? 'run' : 'runs'}: gatewright status`;
  if (gates.length + asked.length === 0) {
    terminal.say(more === '' ? 'Nothing waits for you.' : `No question waits for you; ${more}`);
    return 0;
  }
  const subjects = asked.map(({ subject }) => subject);
  const beside = await findRunsBeside(records?.views, subjects);
  linkSubjects(app, [...gates.map(({ run }) => run), ...beside], subjects);
  for (const { run, question, askedAt } of gates) {
    terminal.print(
      `${question.id}  ${question.kind} gate  "${escapeForLine(question.title, 60)}"  ${run.subject}  iteration ${question.iteration}, ${ago(askedAt, now)}`,
    );
    if (question.because !== undefined) terminal.print(`        because: ${escapeForLine(question.because)}`);
    for (const text of question.questions ?? []) terminal.print(`        open: ${escapeForLine(text, 300)}`);
    for (const artefact of question.artefacts) {
      terminal.print(
        `        ${artefact.name}: ${escapeForLine(`${run.request.root}/${artefact.path}`, 1000)} (${shortHash(artefact.hash)} when asked)`,
      );
    }
    terminal.print(
      `        choices: ${answersOf(question)
        .map((choice) => choice.name)
        .join(', ')}`,
    );
  }
  for (const one of asked) printForgeWaiting(terminal, one, now);
  if (gates.length > 0)
    terminal.print('\nAnswer with: gatewright gate answer ID --choice NAME [--feedback TEXT]');
  if (more !== '') terminal.print(`\n${more}`);
  return 0;
};

export const answerGate: Handler = async (app, given) => {
  const id = (given.args[0] ?? '').toUpperCase();
  const choiceName = given.text('choice');
  if (choiceName === null)
    throw new GatewrightError('usage', '"gate answer" needs --choice NAME.', {
      hint: 'See the choices with: gatewright gates',
    });
  const records = await app.openRecords();
  const { run, question } = await findOpenGate(records, id);
  const house = await openHouseOf(app, run);
  await requireWritePermission(house, run.request.repository);
  const choice = refuseLeavingOpen(question, choiceName);
  const expected = given.text('expect');
  if (expected !== null) {
    const texts = await readArtefacts(question, house.repository, house.ledger, false);
    const draft = sha256(texts.draft ?? '');
    if (expected.length < 8 || !draft.startsWith(expected.toLowerCase())) {
      throw new GatewrightError(
        'gate-content-changed',
        `The draft is ${shortHash(draft)} now, not ${expected}.`,
      );
    }
  }
  const feedback = given.text('feedback');
  await recordAnswer(house.ledger, house.repository, {
    runId: run.id,
    subject: run.subject,
    question,
    choice: choiceName,
    ...(feedback === null ? {} : { feedback }),
    by: 'person',
    actor: house.actor,
    shown: null,
    isConfirmed: given.flag('against-verdict'),
    isDryRun: false,
  });
  const { terminal } = app;
  terminal.say(`Recorded: ${choice?.name ?? choiceName} at gate ${id}.`);
  const holder = await house.leases.holderOf(run.subject);
  if (given.flag('no-run') || holder !== null) {
    if (holder !== null) terminal.say(`The run continues in its process: ${describeHolder(holder)}.`);
    if (given.flag('json'))
      terminal.printJson({ gate: id, choice: choice?.name ?? choiceName, run: run.id, status: 'recorded' });
    return 0;
  }
  const outcome = await matchRun<Promise<RunOutcome> | null>(run, {
    authoring: (authoring) => resumeAuthoring(app, house, authoring),
    loop: () => null,
    pipeline: () => null,
    agent: () => {
      throw new GatewrightError(
        'internal',
        `Gate ${id} belongs to a run of an agent; runs of agents have no gates.`,
      );
    },
  });
  if (outcome === null) {
    terminal.say(`Continue with: ${resumeCommandOf(run.request, run.id, house.commandSuffix)}`);
    return 0;
  }
  await reportOutcome(app, house, given, outcome);
  return exitCodeOfStatus(outcome.status);
};

function resumeAuthoring(app: App, house: House, run: AuthoringRun): Promise<RunOutcome> {
  const place = house.forge.kind === 'local' ? 'the local forge' : 'GitHub';
  return tellInterrupted(app.terminal, (note) => {
    note.set(resumeCommandOf(run.request, run.id, house.commandSuffix));
    return continueAuthoring(app, house, run, makeProgressView(app.terminal, place, run.request.workflow));
  });
}
