/**
 * Shows what agents do as it happens: one line when a run begins or ends, and on a terminal a live line for each agent
 * at work.
 */

import { describeRefusal } from '../../../domain/ledger/describe-refusal.ts';
import { agentOf } from '../../../domain/ledger/run.ts';
import { money } from '../../../domain/text/money.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { EventOutcome } from '../../../fleet/handle-event.ts';
import type { FleetSession } from '../../../fleet/run-agent.ts';
import type { OpenEvent } from '../../../ports/ledger.ts';
import type { Progress } from '../../../ports/progress.ts';
import { adviceOn } from '../../../runs/explain-stop.ts';
import { clockTime } from './format.ts';
import { writeTo } from './output-stream.ts';
import { isTerminal, type Terminal } from './terminal.ts';
import { elapsed } from './wait-line.ts';
import type { Waits } from './waits.ts';

/** A run of an agent or of a workflow. */
type ShownRun = Parameters<NonNullable<FleetSession['onStart']>>[0];
type ShownOutcome = Parameters<NonNullable<FleetSession['onEnd']>>[0];

interface Working {
  readonly run: ShownRun;
  readonly since: number;
  doing: string;
  costUsd: number;
}

export interface FleetView {
  readonly session: Pick<FleetSession, 'onStart' | 'onEnd' | 'onLost' | 'progressOf' | 'onUnreadable'>;
  showEvent(outcome: EventOutcome): void;
  /** A line above the live ones. */
  say(text: string): void;
  close(): void;
}

const marks = { done: '✓', waiting: '●', paused: '⏸', blocked: '▲', failed: '✗', running: '…' } as const;
const colours = {
  done: 'green',
  waiting: 'yellow',
  paused: 'yellow',
  blocked: 'yellow',
  failed: 'red',
  running: 'cyan',
} as const;

function nameOf({ request }: Pick<ShownRun, 'request'>): string {
  const { workflow, number } = request;
  const name = agentOf(request) ?? workflow;
  return number === null ? name : `${name} #${number}`;
}

const mostWaits = 3;

class LiveLines {
  readonly working = new Map<string, Working>();
  readonly #isLive: boolean;
  readonly #waits: Waits;
  #drawn = 0;

  constructor(isLive: boolean, waits: Waits) {
    this.#isLive = isLive;
    this.#waits = waits;
    // Two parts that draw their lines again would erase each other's.
    if (isLive) waits.pause();
  }

  close(): void {
    this.erase();
    if (this.#isLive) this.#waits.resume();
  }

  erase(): void {
    if (this.#drawn > 0) writeTo(2, `\u001B[${this.#drawn}A\u001B[0J`);
    this.#drawn = 0;
  }

  draw(): void {
    if (!this.#isLive) return;
    this.erase();
    const width = process.stderr.columns || 80;
    for (const { run, since, doing, costUsd } of this.working.values()) {
      const seconds = Math.round((Date.now() - since) / 1000);
      const cost = costUsd > 0 ? ` ${money(costUsd)}` : '';
      this.#write(`… ${nameOf(run)}  ${seconds} s${cost}  ${escapeForLine(doing, 200)}`, width);
    }
    for (const { text, milliseconds } of this.#waits.list().slice(-mostWaits))
      this.#write(`… ${escapeForLine(text, 200)} · ${elapsed(milliseconds)}`, width);
  }

  #write(line: string, width: number): void {
    writeTo(2, `${[...line].slice(0, width - 1).join('')}\n`);
    this.#drawn += 1;
  }
}

export function makeFleetView(terminal: Terminal, isQuiet = false): FleetView {
  const live = new LiveLines(!isQuiet && isTerminal(2), terminal.waits);
  const timer = setInterval(() => live.draw(), 1000).unref();
  const say = (text: string): void => {
    if (isQuiet) return;
    live.erase();
    terminal.say(`${terminal.style('dim', clockTime(new Date()))} ${text}`);
    live.draw();
  };
  const follow = (run: ShownRun, doing: string, costUsd = 0): void => {
    const working = live.working.get(run.id);
    if (working === undefined) return;
    working.doing = doing;
    working.costUsd += costUsd;
  };
  const progressOf =
    (run: ShownRun): Progress =>
    (event) => {
      switch (event.kind) {
        case 'calling':
          follow(run, `${event.model} is ${event.purpose}`);
          return say(`  ${nameOf(run)}: ${escapeForLine(event.model)} is ${event.purpose}`);
        case 'answered':
          return follow(run, `${event.model} answered`, event.costUsd);
        case 'working':
          return follow(
            run,
            `turn ${event.turns}: ${[event.tool, event.target ?? event.text].filter(Boolean).join(' ')}`,
          );
        case 'checked':
          return say(
            `  ${nameOf(run)}: ${event.ok ? terminal.style('green', '✓') : terminal.style('red', '✗')} ${escapeForLine(event.name)}: ${escapeForLine(event.detail, 800)}`,
          );
        case 'warning':
          return say(`  ${nameOf(run)}: ${escapeForLine(event.message, 300)}`);
        default:
          return;
      }
    };
  const onStart = (run: ShownRun, isResumed: boolean): void => {
    live.working.set(run.id, { run, since: Date.now(), doing: '', costUsd: 0 });
    say(
      `▶ ${terminal.style('bold', nameOf(run))} ${isResumed ? 'resumes' : `for ${escapeForLine(run.request.title, 100)}`}`,
    );
  };
  const onEnd = ({ run, status, reason, result }: ShownOutcome): void => {
    // The lines that follow are about the same repository.
    if (result !== null) terminal.linkNumber(result.url);
    live.working.delete(run.id);
    say(
      `${terminal.style(colours[status], marks[status])} ${nameOf(run)}: ${escapeForLine(reason.message, 1000)}`,
    );
    const { advice } = adviceOn(reason, run.id);
    if (advice !== undefined && status !== 'waiting') say(`  what to do: ${advice}`);
    if (reason.resume !== '' && status !== 'paused') say(`  continue with: ${reason.resume}`);
  };
  const onLost = (run: ShownRun): void => {
    live.working.delete(run.id);
    say(
      `${terminal.style('yellow', '⊘')} ${nameOf(run)}: another process took the lease while this one was stopped; this one ended and changed nothing more. See: gatewright status`,
    );
  };
  const onUnreadable = ({ delivery, subject }: OpenEvent): void =>
    say(
      `${terminal.style('yellow', '⊘')} ${escapeForLine(subject)}: what was received as ${escapeForLine(delivery)} cannot be read; no agent acts on it`,
    );
  return {
    session: { onStart, onEnd, onLost, progressOf, onUnreadable },
    showEvent: ({ event, refused }) => {
      const about = 'number' in event ? ` #${event.number}` : '';
      // That agents do not follow our own words is no news.
      for (const refusal of refused.filter(({ because }) => because !== 'own'))
        say(`${terminal.style('yellow', '⊘')}${about} ${escapeForLine(describeRefusal(refusal), 250)}`);
    },
    say,
    close: () => {
      clearInterval(timer);
      live.close();
    },
  };
}
