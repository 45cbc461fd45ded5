/**
 * What the live view of a loop shows: a row for each task with a dot for each attempt, the commands that verify it with
 * their times, the agent with its present tool, and the cost. Pure: from what was reported, and the time.
 */
import { money } from '../../../domain/text/money.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { ProgressEvent } from '../../../ports/progress.ts';
import { elapsed } from './wait-line.ts';

interface Check {
  readonly name: string;
  readonly since: number;
  /** Null while it runs. */
  readonly end: { readonly ok: boolean; readonly at: number } | null;
}

export interface LoopRows {
  readonly tasks: Extract<ProgressEvent, { kind: 'tasks' }>['tasks'];
  /** Tasks of a loop, or stages of a pipeline. */
  readonly noun: 'tasks' | 'stages';
  /** The one that is worked on. */
  readonly current: string | null;
  readonly agent: { readonly doing: string; readonly since: number } | null;
  /** Of the attempt that is judged. */
  readonly checks: readonly Check[];
  readonly costUsd: number;
  readonly begunAt: number;
}

export const noRows = (now: number): LoopRows => ({
  ...{ tasks: [], noun: 'tasks', current: null, agent: null, checks: [], costUsd: 0, begunAt: now },
});

/** Lines of a shell are shown without the shell. */
export const commandOf = (name: string): string => name.replace(/^sh -c /u, '');

function endCheck(checks: readonly Check[], name: string, ok: boolean, at: number): Check[] {
  const place = checks.findLastIndex((check) => check.name === name && check.end === null);
  if (place === -1) return [...checks, { name, since: at, end: { ok, at } }];
  return checks.map((check, index) => (index === place ? { ...check, end: { ok, at } } : check));
}

export function followLoop(rows: LoopRows, event: ProgressEvent, now: number): LoopRows {
  switch (event.kind) {
    case 'tasks':
      return {
        ...{ ...rows, tasks: event.tasks, current: event.current, checks: [] },
        noun: event.noun ?? 'tasks',
      };
    case 'calling':
      return { ...rows, checks: [], agent: { doing: `${event.model} is ${event.purpose}`, since: now } };
    case 'working': {
      const words = [event.tool, event.target ?? event.text].filter(Boolean).join(' ');
      return {
        ...rows,
        agent: { doing: `turn ${event.turns}: ${words}`, since: rows.agent?.since ?? now },
      };
    }
    case 'answered':
      return { ...rows, agent: null, costUsd: rows.costUsd + event.costUsd };
    case 'checking':
      return { ...rows, checks: [...rows.checks, { name: event.name, since: now, end: null }] };
    case 'checked':
      return { ...rows, checks: endCheck(rows.checks, event.name, event.ok, now) };
    default:
      return rows;
  }
}

export type Paint = (style: 'green' | 'red' | 'yellow' | 'dim', text: string) => string;

const mostDots = 12;
/** The others are counted: the rows have to fit on a screen. */
const mostTasks = 12;
const mostChecks = 6;

/** One dot for each attempt, the failed ones first; a ring for the one that runs. */
function dotsOf({ passes, attempts }: LoopRows['tasks'][number], isCurrent: boolean, paint: Paint): string {
  const failed = Math.max(0, attempts - (passes ? 1 : 0));
  const shown = Math.min(failed, mostDots);
  return [
    failed > shown ? `${failed - shown}+` : '',
    paint('red', '●'.repeat(shown)),
    passes && attempts > 0 ? paint('green', '●') : '',
    isCurrent && !passes ? paint('yellow', '○') : '',
  ].join('');
}

function taskRow(
  task: LoopRows['tasks'][number],
  { current, noun, tasks }: LoopRows,
  width: number,
  paint: Paint,
): string {
  const { id, title, passes, attempts } = task;
  const isCurrent = id === current;
  const longest = Math.max(...tasks.map((one) => one.id.length));
  const mark = passes
    ? paint('green', '✓')
    : isCurrent
      ? paint('yellow', '▶')
      : attempts > 0
        ? paint('red', '✗')
        : '·';
  const byHand = noun === 'tasks' && passes && attempts === 0 ? paint('dim', ' by a person') : '';
  const room = Math.max(10, width - 28 - longest);
  const words = escapeForLine(title, room).padEnd(Math.min(room, noun === 'tasks' ? 48 : 24));
  return `  ${mark} ${id.padEnd(longest)}  ${words}  ${dotsOf(task, isCurrent, paint)}${byHand}`;
}

function checkRow({ name, since, end }: Check, now: number, width: number, paint: Paint): string {
  const mark = end === null ? '…' : end.ok ? paint('green', '✓') : paint('red', '✗');
  const time = `${(((end?.at ?? now) - since) / 1000).toFixed(1)} s`;
  return `      ${mark} ${escapeForLine(commandOf(name), Math.max(10, width - 24))}  ${paint('dim', time)}`;
}

/** The tasks around the one that is worked on. */
function chooseTasks({ tasks, current }: LoopRows): { shown: LoopRows['tasks']; rest: number } {
  if (tasks.length <= mostTasks) return { shown: tasks, rest: 0 };
  const place = Math.max(
    0,
    tasks.findIndex(({ id }) => id === current),
  );
  const from = Math.min(Math.max(0, place - Math.floor(mostTasks / 2)), tasks.length - mostTasks);
  return { shown: tasks.slice(from, from + mostTasks), rest: tasks.length - mostTasks };
}

/** The lines as they are now, none wider than the screen before colours. */
export function renderLoop(rows: LoopRows, now: number, width: number, paint: Paint): string[] {
  const { tasks, noun, agent, checks, costUsd, begunAt } = rows;
  const { shown, rest } = chooseTasks(rows);
  const passed = tasks.filter(({ passes }) => passes).length;
  const figures = [
    ...(tasks.length === 0
      ? []
      : [`${passed} of ${tasks.length} ${noun} ${noun === 'tasks' ? 'passed' : 'done'}`]),
    money(costUsd),
    elapsed(now - begunAt),
  ];
  return [
    ...shown.map((task) => taskRow(task, rows, width, paint)),
    ...(rest === 0 ? [] : [`    and ${rest} more`]),
    ...checks.slice(-mostChecks).map((check) => checkRow(check, now, width, paint)),
    ...(agent === null
      ? []
      : [`    … ${escapeForLine(agent.doing, Math.max(10, width - 20))} · ${elapsed(now - agent.since)}`]),
    `  ${paint('dim', figures.join(' · '))}`,
  ];
}
