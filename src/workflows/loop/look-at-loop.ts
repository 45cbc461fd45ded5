/** What a loop would do next, without doing it: for the commands that only look. */
import type { LoopRun } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import { type LoopTools, makeLoopContext } from './loop-context.ts';
import { prepareClose } from './nodes/close-loop.ts';
import { gatherContext } from './nodes/gather-context.ts';
import { parsePrd, readPrdText } from './nodes/read-stored.ts';
import { chooseTask } from './rules/document/choose-task.ts';
import type { Prd } from './rules/document/prd.ts';
import type { LoopState } from './state.ts';

/** Nothing is written: every effect and entry is refused for want of a lease. */
const noLease = {
  subject: '',
  holder: { actor: '', host: '', process: 0, since: '' },
  token: -1,
  renew: async () => false,
  release: async () => undefined,
};

async function openToLook(tools: LoopTools, { id, subject, request, startedAt }: LoopRun) {
  const session = { own: tools.actor, progress: () => undefined };
  return makeLoopContext(tools, { id, subject, request, startedAt }, session, noLease);
}

/** Null while it has not come so far. */
async function readLoopState(tools: LoopTools, run: LoopRun): Promise<LoopState | null> {
  const { openLoopGraph } = await import('./graph.ts');
  const context = await openToLook(tools, run);
  return (await openLoopGraph(context, await tools.openCheckpoints()).look())?.state ?? null;
}

export interface LoopView {
  readonly state: LoopState;
  readonly prd: Prd | null;
}

export async function viewLoop(tools: LoopTools, run: LoopRun): Promise<LoopView | null> {
  const state = await readLoopState(tools, run);
  if (state === null) return null;
  const prd = state.prd === null ? null : parsePrd(await readPrdText(tools, state));
  return { state, prd };
}

/** What closing the loop would do, and what speaks against it. */
export async function previewClose(tools: LoopTools, run: LoopRun) {
  const view = await viewLoop(tools, run);
  const { number } = run.request;
  if (view === null || view.prd === null)
    throw new GatewrightError('usage', `The loop of #${number} has no approved plan yet.`, {
      hint: `See what it waits for with: gatewright loop status ${number}`,
    });
  const { state } = view;
  if (state.result !== null) return { isClosed: true, pullRequest: state.result } as const;
  const context = await openToLook(tools, run);
  const { open, isTested, report, folder, title, base, config } = await prepareClose(context, state, null);
  return {
    isClosed: false,
    ...{ open, isTested, needsForce: open.length > 0 || !isTested, report },
    archive: ['prd.json', 'issue-comments.md', 'SUMMARY.md'].map((name) => `${folder}${name}`),
    removes: config.prdLocation,
    pullRequest: { title, head: state.branch, base },
  } as const;
}

/** Just what the next agent of that task would be told; without a task, of the one that comes next. */
export async function previewContext(tools: LoopTools, run: LoopRun, task: string | null) {
  const view = await viewLoop(tools, run);
  if (view === null || view.prd === null)
    throw new GatewrightError('usage', `The loop of #${run.request.number} has no approved plan yet.`, {
      hint: `See what it waits for with: gatewright loop status ${run.request.number}`,
    });
  const { state, prd } = view;
  const next = chooseTask(prd, state.ceiling);
  const wanted = task ?? (next.kind === 'task' ? next.story.id : null);
  if (wanted === null || !prd.userStories.some(({ id }) => id === wanted))
    throw new GatewrightError(
      'usage',
      wanted === null ? 'No task is left.' : `prd.json has no task ${wanted}.`,
      {
        hint: `Its tasks: ${prd.userStories.map(({ id }) => id).join(', ')}`,
      },
    );
  return gatherContext(await openToLook(tools, run), state, { task: wanted });
}
