/** Asks a person at the terminal to answer a gate: opens the editor, waits, shows the choices. */
import { join } from 'node:path';
import type { House } from '../../dispatch/house.ts';
import type { Decide, PersonAnswer } from '../../dispatch/settle-gate.ts';
import type { GateQuestion } from '../../domain/gate.ts';
import { sha256 } from '../../domain/hash.ts';
import { escapeForLine, escapeForTerminal } from '../../domain/untrusted-text.ts';
import { block } from './progress-view.ts';
import type { Terminal } from './terminal.ts';

const lookEvery = 400;

function iterationLine(question: GateQuestion): string {
  const verdict = question.kind === 'draft' ? '' : ` | Verdict #${question.verdicts}`;
  return `>>> Iteration ${question.iteration} | Draft #${question.drafts}${verdict}`;
}

/** Fires when somebody answers the gate from elsewhere while this terminal waits. */
function watchGate(house: House, id: string): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setInterval(async () => {
    if ((await house.ledger.find('gate-answered', id)) !== null) controller.abort();
  }, lookEvery);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

async function openFiles(house: House, terminal: Terminal, question: GateQuestion): Promise<void> {
  const paths = question.artefacts.map((artefact) => artefact.path);
  terminal.say(iterationLine(question));
  for (const path of paths) terminal.say(`>>> Opening: ${path}`);
  await house.editor.edit(paths.map((path) => join(house.repository.root, path)));
  const what = question.kind === 'draft' ? 'Draft' : 'Verdict';
  terminal.say();
  block(terminal, `${what} review complete.`);
}

async function hashFiles(house: House, question: GateQuestion): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name, path } of question.artefacts)
    hashes[name] = sha256((await house.repository.readText(path)) ?? '');
  return hashes;
}

async function askChoice(
  terminal: Terminal,
  question: GateQuestion,
  signal: AbortSignal,
): Promise<Omit<PersonAnswer, 'shown'> | null> {
  terminal.say();
  for (const choice of question.choices) terminal.say(escapeForLine(choice.label));
  terminal.say();
  const key = await terminal.choose(
    'Your choice',
    question.choices.map((choice) => choice.key),
    signal,
  );
  const choice = question.choices.find((one) => one.key === key);
  if (choice === undefined) return null;
  if (choice.takesFeedback !== true) return { choice: choice.name };
  const feedback = await terminal.askLines('What should change?', signal);
  return feedback === null ? null : { choice: choice.name, feedback };
}

/** The dialogue for a terminal; with nobody to ask it leaves every gate open. */
export function makeDialogue(house: House, terminal: Terminal): Decide {
  return async (question) => {
    if (!terminal.isInteractive) return null;
    const watch = watchGate(house, question.id);
    try {
      if (question.because !== undefined) {
        terminal.say();
        terminal.say(
          `${terminal.style('yellow', question.kind === 'filing' ? 'The issue was not filed:' : 'Note:')} ${escapeForTerminal(question.because)}`,
        );
      }
      if (question.artefacts.length > 0) await openFiles(house, terminal, question);
      const shown = await hashFiles(house, question);
      const answer = await askChoice(terminal, question, watch.signal);
      if (answer === null) {
        terminal.say('\n>>> Answered elsewhere; going on.');
        return null;
      }
      return { ...answer, shown };
    } finally {
      watch.stop();
    }
  };
}

/** Shows draft and verdict beside the running workflow, without waiting for them to be closed. */
export function makePreview(house: House, terminal: Terminal): (question: GateQuestion) => Promise<void> {
  return async (question) => {
    if (question.kind !== 'verdict') return;
    const paths = question.artefacts.map((artefact) => artefact.path);
    terminal.say(iterationLine(question));
    terminal.say('>>> Opening verdict (non-blocking):');
    for (const path of paths) terminal.say(`    ${path}`);
    await house.editor.show(paths.map((path) => join(house.repository.root, path)));
  };
}
