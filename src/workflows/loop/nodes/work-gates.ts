/** The questions while the work goes on: whether to go on, and what to do about a task that cannot. */
import type { GateAnswer, GateQuestion } from '../../../domain/drafts/gate.ts';
import type { LoopContext } from '../loop-context.ts';
import type { LoopState } from '../state.ts';
import { askAbout, leaveOpen } from './plan-gates.ts';

const skip = {
  name: 'skip',
  key: 'K',
  label: 's[K]ip a task: name it and say why ("US-003: …")',
  takesFeedback: true,
} as const;

/** The word of a person; what it leaves out is said in the report, and the pull request is judged as every other one. */
const closeEarly = {
  name: 'close',
  key: 'C',
  label: '[C]lose early, with what is there: say why',
  takesFeedback: true,
} as const;

const closingEarly = (feedback: string): Partial<LoopState> => ({
  route: 'close',
  forced: feedback,
  because: '',
});

export function askToGoOn(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'work',
    choices: [
      { name: 'next', key: 'N', label: '[N]ext task only' },
      { name: 'loop', key: 'L', label: '[L]oop: one task after the other until something needs you' },
      skip,
      closeEarly,
      leaveOpen,
    ],
  });
}

export function applyGoOn(_: LoopState, { choice, feedback = '' }: GateAnswer): Partial<LoopState> {
  if (choice === 'skip') return { route: 'skip', feedback };
  if (choice === 'close') return closingEarly(feedback);
  return { pace: choice === 'loop' ? 'loop' : 'next', route: 'select', because: '' };
}

export function askAboutBlocked(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'blocked',
    choices: [
      { name: 'retry', key: 'R', label: '[R]etry, with guidance if you give any', takesFeedback: true },
      {
        name: 'replan',
        key: 'P',
        label: 're[P]lan what is left: say what should change',
        takesFeedback: true,
      },
      skip,
      closeEarly,
      leaveOpen,
    ],
  });
}

export function applyBlocked(state: LoopState, { choice, feedback = '' }: GateAnswer): Partial<LoopState> {
  if (choice === 'skip') return { route: 'skip', feedback };
  if (choice === 'close') return closingEarly(feedback);
  if (choice === 'replan') return { route: 'plan', feedback, because: '' };
  // A retry gives the tasks as many attempts as they had.
  return {
    ...{ route: 'select', pace: 'loop', because: '', feedback, debugAttempts: 0 },
    ceiling: state.ceiling * 2,
  };
}

export function askAboutTesting(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'testing',
    choices: [
      { name: 'works', key: 'W', label: '[W]orks' },
      { name: 'issue', key: 'I', label: '[I]ssue: say what is wrong', takesFeedback: true },
      closeEarly,
      { name: 'later', key: 'L', label: '[L]ater', leavesOpen: true },
    ],
  });
}

/** The three answers of the debug questions, one on each line; a report in plain words is a description. */
function readReport(feedback: string, by: string): NonNullable<LoopState['report']> {
  const [type = '', location = '', ...rest] = feedback.split('\n');
  const description = rest.join('\n').trim();
  return description === ''
    ? { type: 'Other', location: '', description: feedback.trim(), by }
    : { type: type.trim(), location: location.trim(), description, by };
}

export function applyTesting(_: LoopState, { choice, feedback = '' }: GateAnswer): Partial<LoopState> {
  if (choice === 'works') return { route: 'verified', because: '' };
  if (choice === 'close') return closingEarly(feedback);
  return { route: 'debug', report: readReport(feedback, ''), because: '' };
}

export function askToClose(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'close',
    choices: [{ name: 'close', key: 'C', label: '[C]lose: report, archive, pull request' }, leaveOpen],
  });
}

export function applyClose(): Partial<LoopState> {
  return { route: 'close' };
}

export function askAboutMerge(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'merge',
    choices: [{ name: 'check', key: 'C', label: '[C]heck whether it is merged' }, leaveOpen],
  });
}

export function applyMerge(): Partial<LoopState> {
  return { route: 'merge' };
}
