/** Asks a person at the terminal to answer a gate: opens the editor, waits, shows the choices. */
import { join } from 'node:path';
import type { GateQuestion } from '../../../domain/drafts/gate.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import type { AuthoringWorkflow } from '../../../domain/ledger/run.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { VerdictNow } from '../../../runs/gates/read-gate-verdict.ts';
import type { Decide, Dialogue, Look, PersonAnswer } from '../../../runs/gates/resolve-gate.ts';
import type { House } from '../../../runs/house.ts';
import { listGaps, listQuestions } from './outcome-view.ts';
import { block } from './progress-view.ts';
import type { Terminal } from './terminal.ts';

const lookEvery = 400;

function iterationLine(question: GateQuestion): string {
  const verdict = question.kind === 'draft' ? '' : ` | Verdict #${question.verdicts}`;
  return `>>> Iteration ${question.iteration} | Draft #${question.drafts}${verdict}`;
}

/** Fires when the gate is answered from elsewhere while this terminal waits. */
function watchGate(house: Pick<House, 'ledger'>, id: string): { signal: AbortSignal; stop: () => void } {
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

export async function askChoice(
  terminal: Terminal,
  question: GateQuestion,
  signal: AbortSignal,
  askForWords = (_choice: string) => terminal.askLines('What should change?', signal),
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
  const feedback = await askForWords(choice.name);
  return feedback === null ? null : { choice: choice.name, feedback };
}

/** Watches the gate while a person is asked about it. */
export async function whileOpen<T>(
  house: Pick<House, 'ledger'>,
  question: GateQuestion,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const watch = watchGate(house, question.id);
  try {
    return await ask(watch.signal);
  } finally {
    watch.stop();
  }
}

export function sayAnsweredElsewhere(terminal: Terminal): void {
  terminal.say('\n>>> Answered in another process; continuing.');
}

function sayUnclear(terminal: Terminal, unclear: string): void {
  terminal.say();
  terminal.say(
    `${terminal.style('yellow', 'The verdict cannot be read, so it decides nothing:')} ${escapeForLine(unclear, 400)}`,
  );
}

const consequences = {
  APPROVED: 'the run continues with this draft',
  REVISE: 'the draft goes back to the drafter',
  DISCUSS: 'you are asked',
} as const;

function sayVerdict(terminal: Terminal, { decision, isEdited }: VerdictNow): void {
  if (decision !== null) {
    const whose = isEdited ? 'The verdict as you edited it' : 'The verdict';
    terminal.say(`${whose} says ${decision}: ${consequences[decision]}.`);
  }
  terminal.say('If you do not agree, edit the verdict file first: the edited file counts.');
}

/** Enter, E or M; null when the gate was answered elsewhere. */
async function askHowToGoOn(terminal: Terminal, signal: AbortSignal): Promise<'' | 'e' | 'm' | null> {
  for (;;) {
    const typed = await terminal.ask(
      'Enter to continue, [E]dit and wait, [M]anual - leave it here: ',
      signal,
    );
    const key = typed?.trim().toLowerCase() ?? null;
    if (key === null || key === '' || key === 'e' || key === 'm') return key;
    terminal.say('Please press Enter, or answer with E or M.');
  }
}

/** Shows draft and verdict beside the running workflow; it goes on when the person says so, with the file as it is then. */
function makeLook(house: House, terminal: Terminal): Look {
  return (question, verdict) =>
    whileOpen(house, question, async (signal) => {
      const paths = question.artefacts.map((artefact) => artefact.path);
      const files = paths.map((path) => join(house.repository.root, path));
      if (verdict.unclear !== null) sayUnclear(terminal, verdict.unclear);
      if (!verdict.isEdited || verdict.unclear !== null) {
        terminal.say(iterationLine(question));
        terminal.say('>>> Opening verdict (non-blocking):');
        for (const path of paths) terminal.say(`    ${path}`);
        await house.editor.show(files);
      }
      sayVerdict(terminal, verdict);
      const key = await askHowToGoOn(terminal, signal);
      if (key === null) sayAnsweredElsewhere(terminal);
      if (key === null) return 'answered-elsewhere';
      if (key === 'e') await house.editor.edit(files);
      return ({ '': 'go-on', e: 'look-again', m: 'leave-open' } as const)[key];
    });
}

function makeDecide(house: House, terminal: Terminal, workflow: AuthoringWorkflow): Decide {
  return async (question, unclear) => {
    if (!terminal.isInteractive) return null;
    return whileOpen(house, question, async (signal) => {
      if (question.because !== undefined) {
        terminal.say();
        terminal.say(
          `${terminal.style('yellow', question.kind === 'filing' ? 'The issue was not filed:' : 'Note:')} ${escapeForTerminal(question.because)}`,
        );
      }
      if (unclear !== null) sayUnclear(terminal, unclear);
      listQuestions(terminal, question.questions ?? [], workflow);
      listGaps(terminal, question.gaps ?? []);
      if (question.artefacts.length > 0) await openFiles(house, terminal, question);
      const shown = await hashFiles(house, question);
      const answer = await askChoice(terminal, question, signal);
      if (answer === null) {
        sayAnsweredElsewhere(terminal);
        return null;
      }
      return { ...answer, shown };
    });
  };
}

/** The dialogue for a terminal; without a person to ask it leaves every gate open that no policy answers. */
export function makeDialogue(house: House, terminal: Terminal, workflow: AuthoringWorkflow): Dialogue {
  return {
    decide: makeDecide(house, terminal, workflow),
    look: terminal.isInteractive ? makeLook(house, terminal) : null,
    async confirm(what) {
      terminal.say();
      terminal.say(`${terminal.style('yellow', 'Against the verdict:')} ${escapeForLine(what, 400)}`);
      return (await terminal.choose('Approve anyway?', ['Y', 'N'])) === 'Y';
    },
  };
}
