/** What a loop would do next, without doing it: for the commands that only look. */
import { sha256 } from '../../domain/ledger/hash.ts';
import type { LoopRun } from '../../domain/ledger/run.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import { readWisps, type WispView } from './keep-wisps.ts';
import { type LoopContext, type LoopTools, makeLoopContext } from './loop-context.ts';
import { prepareClose } from './nodes/close-loop.ts';
import { gatherContext } from './nodes/gather-context.ts';
import { listByWord, parsePrd, readConfig, readPrdText } from './nodes/read-stored.ts';
import { takeOverBranch } from './nodes/take-over-branch.ts';
import { choosePrefixes } from './rules/comments/prefixes.ts';
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

function openToLook(tools: LoopTools, { id, subject, request, startedAt }: LoopRun): LoopContext {
  const session = { own: tools.actor, progress: () => undefined };
  const context = makeLoopContext(tools, { id, subject, request, startedAt }, session, noLease);
  // What looking makes of texts stays in this process.
  const texts = new Map<string, string>();
  const { ledger } = tools;
  return {
    ...context,
    record: async () => undefined,
    ledger: {
      readRun: (run) => ledger.readRun(run),
      find: (kind, key) => ledger.find(kind, key),
      getText: async (hash) => texts.get(hash) ?? ledger.getText(hash),
      putText: async (text) => {
        const hash = sha256(text);
        texts.set(hash, text);
        return hash;
      },
    },
  };
}

/** What people pushed to the branch meanwhile is what the loop goes on from; where it cannot, what it knows is shown. */
async function lookAtBranch(context: LoopContext, state: LoopState): Promise<LoopState> {
  if (state.head === null || state.result !== null) return state;
  try {
    return { ...state, ...(await takeOverBranch(context, state)) };
  } catch (error) {
    if (isGatewrightError(error)) return state;
    throw error;
  }
}

export interface LoopView {
  readonly state: LoopState;
  readonly prd: Prd | null;
  /** Tasks that passed by the word of a person, and by no command. */
  readonly byWord: ReadonlySet<string>;
}

interface OpenView extends LoopView {
  readonly context: LoopContext;
}

async function openView(tools: LoopTools, run: LoopRun): Promise<OpenView | null> {
  const { openLoopGraph } = await import('./graph.ts');
  const context = openToLook(tools, run);
  const place = await openLoopGraph(context, await tools.openCheckpoints()).look();
  if (place === null) return null;
  const state = await lookAtBranch(context, place.state);
  const prd = state.prd === null ? null : parsePrd(await readPrdText(context, state));
  return { context, state, prd, byWord: await listByWord(context) };
}

/** Null while it has not come so far. */
export async function viewLoop(tools: LoopTools, run: LoopRun): Promise<LoopView | null> {
  const view = await openView(tools, run);
  return view === null ? null : { state: view.state, prd: view.prd, byWord: view.byWord };
}

async function viewApproved(tools: LoopTools, run: LoopRun): Promise<OpenView & { readonly prd: Prd }> {
  const view = await openView(tools, run);
  const { number } = run.request;
  if (view === null || view.prd === null)
    throw new GatewrightError('usage', `The loop of #${number} has no approved plan yet.`, {
      hint: `See what it waits for with: gatewright loop status ${number}`,
    });
  return { ...view, prd: view.prd };
}

/** The hints of a loop, those that expired or were promoted too. */
export async function viewWisps(tools: LoopTools, run: LoopRun): Promise<WispView[]> {
  const { context, state, prd } = await viewApproved(tools, run);
  const { commentPrefixes } = await readConfig(context, state);
  return readWisps(context, choosePrefixes(commentPrefixes), prd.userStories);
}

/** What closing the loop would do, and what speaks against it. */
export async function previewClose(tools: LoopTools, run: LoopRun) {
  const { context, state } = await viewApproved(tools, run);
  if (state.result !== null) return { isClosed: true, pullRequest: state.result } as const;
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
  const { context, state, prd } = await viewApproved(tools, run);
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
  return gatherContext(context, state, { task: wanted });
}
