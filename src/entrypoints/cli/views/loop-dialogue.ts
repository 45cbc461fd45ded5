/** Asks a person at the terminal about a loop: shows the plan or the reason, and takes the answer. */
import type { GateQuestion } from '../../../domain/drafts/gate.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { Ledger } from '../../../ports/ledger.ts';
import type { Dialogue, PersonAnswer } from '../../../runs/gates/resolve-gate.ts';
import { issueTypes } from '../../../workflows/loop/rules/comments/checkpoint-comments.ts';
import { askChoice, sayAnsweredElsewhere, whileOpen } from './gate-dialogue.ts';
import type { Terminal } from './terminal.ts';

/** An answer that the command line gives to the gate of one kind, once. */
export interface PresetAnswer {
  readonly kind: GateQuestion['kind'];
  readonly choice: string;
  readonly feedback?: string;
}

/** The three questions of a test report, joined as the gate takes them. */
async function askForReport(terminal: Terminal, signal: AbortSignal): Promise<string | null> {
  terminal.say(`What kind of problem is it? ${issueTypes.join(' / ')}`);
  const type = await terminal.ask('Type: ', signal);
  if (type === null) return null;
  const location = await terminal.ask('Where? The task, such as US-002, or a place: ', signal);
  if (location === null) return null;
  const description = await terminal.askLines('What happens, and what should happen?', signal);
  return description === null ? null : [type.trim() || 'Other', location.trim(), description].join('\n');
}

function showQuestion(terminal: Terminal, question: GateQuestion, texts: readonly string[]): void {
  for (const text of texts) terminal.say(escapeForTerminal(text));
  if (question.because !== undefined)
    terminal.say(`${terminal.style('yellow', 'Note:')} ${escapeForLine(question.because, 1000)}`);
  for (const text of question.questions ?? []) terminal.say(`  - ${escapeForLine(text, 300)}`);
}

export function makeLoopDialogue(
  ledger: Ledger,
  terminal: Terminal,
  preset: PresetAnswer | null,
): Dialogue & { readonly isUsed: () => boolean } {
  let isUsed = false;
  const presetFor = ({ kind }: GateQuestion): PresetAnswer | null =>
    isUsed || preset?.kind !== kind ? null : preset;
  const takePreset = (question: GateQuestion, shown: PersonAnswer['shown']): PersonAnswer | null => {
    const given = presetFor(question);
    if (given === null) return null;
    isUsed = true;
    const { choice, feedback } = given;
    return { choice, ...(feedback === undefined ? {} : { feedback }), shown };
  };
  return {
    isUsed: () => isUsed,
    look: null,
    confirm: async () => false,
    ends: (question) => presetFor(question)?.choice === 'stop',
    async decide(question) {
      const shown = Object.fromEntries(question.artefacts.map(({ name, hash }) => [name, hash]));
      const given = takePreset(question, shown);
      if (given !== null) return given;
      // What the command asked for is done; the next question is for the next command.
      if (!terminal.isInteractive || isUsed) return null;
      const texts: string[] = [];
      for (const { hash } of question.artefacts) texts.push(await ledger.getText(hash));
      return whileOpen({ ledger }, question, async (signal) => {
        showQuestion(terminal, question, texts);
        const words = (choice: string) =>
          question.kind === 'testing' && choice === 'issue'
            ? askForReport(terminal, signal)
            : terminal.askLines('Your words:', signal);
        const answer = await askChoice(terminal, question, signal, words);
        if (answer === null) sayAnsweredElsewhere(terminal);
        return answer === null ? null : { ...answer, shown };
      });
    },
  };
}
