/** What waits for a person, as `status` and `gates` show it: each with its place and with what to do. */
import { offerAnswers } from '../../../domain/drafts/gate-answers.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { OpenGate, Waiting } from '../../../ports/ledger.ts';
import { describeWaiting } from '../../../runs/describe-waiting.ts';
import { ago, cost } from './format.ts';
import type { Terminal } from './terminal.ts';

export function printGateLines(terminal: Terminal, gate: OpenGate, now: Date): void {
  const { run, question, askedAt } = gate;
  const { id, kind, iteration, title } = question;
  const place = escapeForLine(run.request.repository);
  terminal.print(
    ` ${terminal.style('yellow', '●')} ${escapeForLine(title, 44).padEnd(44)}  ${place} · ${kind} gate ${id} · iteration ${iteration} · ${ago(askedAt, now)} · ${cost(run)}`,
  );
  const offered = offerAnswers(question);
  // The paths of a gate are those of its repository.
  const isElsewhere = !`${process.cwd()}/`.startsWith(`${run.request.root}/`);
  if (isElsewhere && offered.some(({ after }) => after !== null))
    terminal.print(`   in: ${escapeForLine(run.request.root, 300)}`);
  for (const [index, { command, words, after }] of offered.entries())
    terminal.print(
      `   ${index === 0 ? 'answer' : 'or'}${after === null ? '' : `, ${escapeForLine(after, 300)}`}: ${command}${words}`,
    );
}

export function printForgeWaiting(terminal: Terminal, waiting: Waiting, now: Date): void {
  const { why, how, command } = describeWaiting(waiting);
  terminal.print(
    ` ${terminal.style('yellow', '●')} ${escapeForLine(waiting.subject, 100)} · ${ago(waiting.at, now)}`,
  );
  terminal.print(`   ${escapeForLine(why, 300)}`);
  terminal.print(`   ${escapeForLine(how, 500)}`);
  terminal.print(`   more: ${escapeForLine(command, 300)}`);
}
