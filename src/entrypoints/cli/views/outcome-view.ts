/** Shows how a run ended: for a person, or as JSON. */

import type { GateQuestion } from '../../../domain/drafts/gate.ts';
import { answersOf, offerAnswers } from '../../../domain/drafts/gate-answers.ts';
import { describeEffect } from '../../../domain/ledger/describe-effect.ts';
import { statusWithReason } from '../../../domain/ledger/describe-entry.ts';
import type { AuthoringWorkflow } from '../../../domain/ledger/run.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { House } from '../../../runs/house.ts';
import { type RunOutcome, withoutQuestions } from '../../../workflows/authoring/drive-run.ts';
import type { App } from '../app.ts';
import type { Given } from '../table/command.ts';
import { cost } from './format.ts';
import { block } from './progress-view.ts';
import { isTerminal, type Terminal } from './terminal.ts';

async function plannedEffects(house: House, outcome: RunOutcome): Promise<string[]> {
  const entries = await house.ledger.readRun(outcome.run.id);
  return entries.flatMap((entry) =>
    entry.kind === 'effect-intended' ? [describeEffect(entry.data.effect)] : [],
  );
}

/** The questions of a draft, with what to do about them. A brief is read again; an issue that changed ends its design. */
export function listQuestions(
  terminal: Terminal,
  questions: readonly string[],
  workflow: AuthoringWorkflow,
): void {
  if (questions.length === 0) return;
  terminal.say(
    terminal.style(
      'yellow',
      `The draft has ${questions.length === 1 ? 'an open question' : `${questions.length} open questions`}:`,
    ),
  );
  const isOne = questions.length === 1;
  for (const [index, text] of questions.slice(0, 20).entries())
    terminal.say(`  ${isOne ? '-' : `${index + 1}.`} ${escapeForLine(text, 300)}`);
  if (questions.length > 20) terminal.say(`  … and ${questions.length - 20} more`);
  const [them, byNumber] = isOne ? ['it', ''] : ['them', ' by number ("1. …")'];
  const elsewhere = workflow === 'issue' ? ', in the brief' : '';
  terminal.say(
    `Answer ${them} in the draft (then tick or remove ${them})${elsewhere}, or${byNumber} as feedback to revise it.`,
  );
}

/** The sections that only a person can write. */
export function listGaps(terminal: Terminal, gaps: readonly string[]): void {
  if (gaps.length === 0) return;
  const names = gaps.map((title) => escapeForLine(title, 60)).join(', ');
  terminal.say(
    terminal.style('yellow', `The draft has ${countOf(gaps.length, 'gap')} that only you can fill:`) +
      ` ${escapeForLine(names, 600)}`,
  );
}

function sayHowToAnswer(
  terminal: Terminal,
  gate: GateQuestion,
  { workflow, suffix }: { readonly workflow: AuthoringWorkflow; readonly suffix: string },
): void {
  for (const artefact of gate.artefacts) terminal.say(`  ${artefact.name}: ${artefact.path}`);
  if (gate.because !== undefined) terminal.say(`  because: ${escapeForTerminal(gate.because)}`);
  listQuestions(terminal, gate.questions ?? [], workflow);
  listGaps(terminal, gate.gaps ?? []);
  for (const [index, { command, words, after }] of offerAnswers(gate, suffix).entries()) {
    const lead = index === 0 ? 'Answer it with' : '            or';
    terminal.say(`${lead}${after === null ? '' : `, ${escapeForLine(after, 300)}`}: ${command}${words}`);
  }
}

async function readCost(house: House, id: string) {
  const run = await house.views.findRun(id);
  const { costUsd = 0, costAtMostUsd = 0, hasUnpriced = false } = run ?? {};
  return { costUsd, costAtMostUsd, hasUnpriced, unpriced: hasUnpriced ? { hasUnpriced } : {} };
}

export async function reportOutcome(
  app: App,
  house: House,
  given: Given,
  outcome: RunOutcome,
): Promise<void> {
  const { terminal } = app;
  const { request, id } = outcome.run;
  const spent = await readCost(house, id);
  const planned = request.dryRun ? await plannedEffects(house, outcome) : [];
  if (given.flag('json')) {
    terminal.printJson({
      run: id,
      subject: outcome.run.subject,
      status: outcome.status,
      reason: outcome.reason,
      issue: request.dryRun ? null : outcome.result,
      gate: outcome.gate === null ? null : { ...outcome.gate, choices: answersOf(outcome.gate) },
      costUsd: spent.costUsd,
      ...spent.unpriced,
      ...(request.dryRun ? { planned } : {}),
    });
    return;
  }
  if (request.dryRun) {
    block(terminal, 'Dry run: this is what would be done. Nothing was changed.');
    for (const line of planned) terminal.print(escapeForLine(line, 1000));
    if (outcome.status !== 'done')
      terminal.say(
        `The run would stop here, ${outcome.status}: ${escapeForTerminal(outcome.reason.message)}`,
      );
    return;
  }
  if (outcome.result !== null) {
    terminal.say();
    block(
      terminal,
      terminal.style(['green', 'bold'], 'SUCCESS!'),
      ...(outcome.result.path === undefined
        ? [`Issue: ${terminal.link(outcome.result.url)}`]
        : [`Design: ${outcome.result.path}`, `Issue: ${terminal.link(outcome.result.url)}`]),
      `Cost: ${cost(spent)}`,
    );
    if (!isTerminal(1)) terminal.print(outcome.result.path ?? outcome.result.url);
    return;
  }
  terminal.say();
  terminal.say(
    terminal.style(
      'yellow',
      escapeForTerminal(
        statusWithReason(outcome.status, withoutQuestions(outcome.reason.message, outcome.gate)),
      ),
    ),
  );
  if (outcome.gate !== null)
    sayHowToAnswer(terminal, outcome.gate, {
      workflow: request.workflow,
      suffix: house.commandSuffix,
    });
  const when = outcome.reason.until === undefined ? '' : ` (from ${outcome.reason.until} on)`;
  terminal.say(`${outcome.gate === null ? 'Continue' : 'Or continue'} with: ${outcome.reason.resume}${when}`);
}
