/** What several nodes do on the forge: comment, move the one label of the loop, push the branch. Each once by its key. */
import { loopStages } from '../../domain/forge/label-table.ts';
import { commitTree, moveBranch } from '../../runs/coding/push-work.ts';
import type { LoopContext } from './loop-context.ts';
import { headOf, readConfig } from './nodes/read-stored.ts';
import { stateMessage } from './rules/commit-message.ts';
import type { LoopState } from './state.ts';

/** The loop's labels exclude each other; `AI` itself stays, because it is the person's. */
export async function moveLabel(context: LoopContext, key: string, label: string): Promise<void> {
  const { effects, repository, request, ledger, runId } = context;
  const stage = loopStages.find(({ name }) => name === label);
  await effects.perform(`ensure/${label}`, 'ensure-label', () => ({
    ...{ repository, name: label, colour: stage?.colour ?? '7057ff' },
    ...(stage === undefined ? {} : { description: stage.description }),
  }));
  const { labels } = await context.forge.getIssue(repository, request.number);
  const others = loopStages.map(({ name }) => name).filter((name) => name !== label && labels.includes(name));
  const isShown = labels.includes(label) && others.length === 0;
  const place = `${key}/labels`;
  // A change that was cut off may have come to pass; it still needs its receipt.
  if (isShown && (await ledger.find('effect-intended', `${runId}/${place}#1`)) === null) return;
  await effects.perform(place, 'edit-labels', () => ({
    ...{ repository, number: request.number, add: [label], remove: others },
  }));
}

/**
 * A commit of ours on top of the head of the branch, pushed; returns where the branch is then. If it was pushed before,
 * the branch may have moved on.
 */
export async function pushTree(
  context: LoopContext,
  key: string,
  made: {
    readonly tree: string;
    readonly parent: string;
    readonly message: string;
    readonly branch: string;
    readonly expected: string | null;
  },
): Promise<string> {
  const { parent, branch, expected } = made;
  const pushed = await moveBranch(context, key, async () => {
    const commit = await commitTree(context, made, context.clock.now());
    return { branch, commit, expected };
  });
  return (await context.trees.findMergeBase(pushed, parent)) === pushed ? parent : pushed;
}

export interface PrdChange {
  readonly text: string;
  /** What the message of the commit says. */
  readonly what: string;
  /** Other files that go with it. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
}

/** A new prd.json on top of the head of the branch. If it was pushed before and people went on from it, theirs counts. */
export async function pushPrd(
  context: LoopContext,
  state: LoopState,
  key: string,
  { text, what, files = [] }: PrdChange,
): Promise<Pick<LoopState, 'head' | 'prd'>> {
  const { ledger, request, trees } = context;
  const { commitPrefixes, prdLocation } = await readConfig(context, state);
  const parent = headOf(state);
  const head = await pushTree(context, key, {
    ...{ branch: state.branch, parent, expected: parent },
    tree: await trees.putFiles(parent, [{ path: prdLocation, text }, ...files]),
    message: stateMessage(commitPrefixes.state, what, request.number),
  });
  return { head, prd: head === parent ? state.prd : await ledger.putText(text) };
}
