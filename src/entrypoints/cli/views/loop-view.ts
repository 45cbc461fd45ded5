/**
 * Shows a loop as it goes: on a terminal rows that are drawn again while lines are said above them, elsewhere one line
 * for each event.
 */
import { describeNode } from '../../../domain/ledger/node-words.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { Progress, ProgressEvent } from '../../../ports/progress.ts';
import { LiveBlock } from './live-block.ts';
import { commandOf, followLoop, noRows, type Paint, renderLoop } from './loop-rows.ts';
import type { Terminal } from './terminal.ts';

const marks = { true: ['green', '✓'], false: ['red', '✗'] } as const;

/** What is said of an event, above the rows; null when it is only shown in them. */
function lineOf(terminal: Terminal, event: ProgressEvent): string | null {
  switch (event.kind) {
    case 'node':
      return `>>> ${terminal.style('bold', describeNode(event.node))}`;
    case 'calling':
      return `    ${escapeForLine(event.model)} is ${escapeForLine(event.purpose, 200)}`;
    case 'answered':
      return `    ${escapeForLine(event.model)} answered after ${event.seconds.toFixed(0)} s`;
    case 'checked': {
      const [colour, mark] = marks[`${event.ok}`];
      return `    ${terminal.style(colour, mark)} ${escapeForLine(commandOf(event.name), 200)}: ${escapeForLine(event.detail, 400)}`;
    }
    case 'warning':
      return `${terminal.style('yellow', 'Note:')} ${escapeForTerminal(event.message)}`;
    default:
      return null;
  }
}

/** Where no line can be drawn again; what is waited for is said now and then. */
function makePlainView(terminal: Terminal): Progress {
  return (event) => {
    if (event.kind === 'tasks' || event.kind === 'checking') return;
    terminal.endWait();
    const line = lineOf(terminal, event);
    if (line !== null) terminal.say(line);
    if (event.kind === 'calling') terminal.wait(escapeForLine(event.purpose, 100));
    if (event.kind === 'working')
      terminal.wait(
        `turn ${event.turns}: ${escapeForLine([event.tool, event.target ?? event.text].filter(Boolean).join(' '), 100)}`,
      );
  };
}

export interface LoopView {
  readonly progress: Progress;
  /** A line above the rows. */
  say(text: string): void;
  /** Takes the rows off the screen: what follows says how it ended. May be called again. */
  close(): void;
}

export function makeLoopView(terminal: Terminal): LoopView {
  const live = LiveBlock.open(terminal);
  if (live === null)
    return {
      progress: makePlainView(terminal),
      say: (text) => terminal.say(text),
      close: () => terminal.endWait(),
    };
  const paint: Paint = (style, text) => terminal.style(style, text);
  let rows = noRows(Date.now());
  const draw = (): void => live.draw((width) => renderLoop(rows, Date.now(), width, paint));
  const timer = setInterval(draw, 500).unref();
  const say = (line: string): void => {
    live.erase();
    terminal.say(line);
    draw();
  };
  return {
    say,
    progress: (event) => {
      rows = followLoop(rows, event, Date.now());
      // A person is asked at a gate: the rows come back when the loop goes on.
      if (event.kind === 'node') live.setVisible(!event.node.endsWith('_gate'));
      const line = lineOf(terminal, event);
      if (line !== null) say(line);
      draw();
    },
    close: () => {
      clearInterval(timer);
      live.close();
    },
  };
}
