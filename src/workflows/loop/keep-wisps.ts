/**
 * Hints that hold for a short while: people add them, see them, and promote them to a discovery note or to a task. It
 * happens under the lease of the loop, between two of its steps.
 */
import type { LoopRun } from '../../domain/ledger/run.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import { say } from '../issue-runs/say.ts';
import { pushTree } from './forge-steps.ts';
import type { LoopContext, LoopSession, LoopTools } from './loop-context.ts';
import { listOwnComments } from './nodes/gather-context.ts';
import { parsePrd, readConfig, readGrants, readPrdText } from './nodes/read-stored.ts';
import { takeOverBranch } from './nodes/take-over-branch.ts';
import { writeDiscoveryNote } from './rules/comments/discovery-note.ts';
import type { CommentPrefixes } from './rules/comments/prefixes.ts';
import { isLive, longestNote, makeWispId, readWisp, type Wisp, writeWisp } from './rules/comments/wisp.ts';
import { stateMessage } from './rules/commit-message.ts';
import { enqueueDiscovered } from './rules/document/enqueue-discovered.ts';
import type { UserStory } from './rules/document/prd.ts';
import { type StandingLoop, withStandingLoop } from './with-standing-loop.ts';

export interface WispView extends Pick<Wisp, 'id' | 'taskUid' | 'note' | 'expiresAt' | 'promoted'> {
  /** The task that it is about; null when it names none that prd.json has. */
  readonly task: string | null;
  readonly isLive: boolean;
  /** How often it was written on the issue. */
  readonly count: number;
}

function refuse(message: string, hint: string): never {
  throw new GatewrightError('usage', message, { hint });
}

type Reader = Pick<LoopContext, 'forge' | 'ledger' | 'runId' | 'repository' | 'request' | 'clock'>;

/** Every wisp that this loop wrote, each once, in the order in which they came. */
export async function readWisps(
  reader: Reader,
  prefixes: CommentPrefixes,
  stories: readonly UserStory[],
): Promise<WispView[]> {
  const { forge, repository, request, clock } = reader;
  const own = await listOwnComments(reader);
  const comments = (await forge.listComments(repository, request.number)).filter(({ id }) => own.has(id));
  const byId = new Map<string, Wisp[]>();
  for (const { body } of comments) {
    const wisp = readWisp(body, prefixes);
    if (wisp !== null) byId.set(wisp.id, [...(byId.get(wisp.id) ?? []), wisp]);
  }
  return [...byId.values()].map((same) => {
    const promoted = same.some((wisp) => wisp.promoted);
    const live = same.findLast((wisp) => isLive(wisp, clock.now()));
    const { id, note, taskUid, expiresAt } = live ?? (same.at(-1) as Wisp);
    return {
      ...{ id, taskUid, note, expiresAt, promoted },
      task: stories.find(({ uid }) => uid === taskUid)?.id ?? null,
      isLive: live !== undefined && !promoted,
      count: same.length,
    };
  });
}

function storyOf({ stories }: Pick<StandingLoop, 'stories'>, task: string): UserStory {
  const story = stories.find(({ id }) => id === task);
  return (
    story ?? refuse(`prd.json has no task ${task}.`, `Its tasks: ${stories.map(({ id }) => id).join(', ')}`)
  );
}

export interface NewWisp {
  readonly note: string;
  readonly task: string | null;
  /** Null for as long as the configuration says. */
  readonly minutes: number | null;
}

/** Writes a hint on the issue; one that is there already and holds is left as it is. */
export function addWisp(
  tools: LoopTools,
  run: LoopRun,
  { note: given, task, minutes }: NewWisp,
  session: LoopSession,
): Promise<{ readonly wisp: WispView; readonly isNew: boolean }> {
  return withStandingLoop(tools, run, session, async (standing) => {
    const { context, place, prefixes, stories } = standing;
    const note = given.trim();
    if (note === '' || note.length > longestNote)
      refuse(`A hint has 1 to ${longestNote} characters.`, 'Say it in a sentence or two.');
    const taskUid = task === null ? '' : storyOf(standing, task).uid;
    const issue = context.request.number;
    const id = makeWispId(issue, taskUid, note);
    const known = (await readWisps(context, prefixes, stories)).find((wisp) => wisp.id === id);
    if (known?.promoted) refuse(`The hint ${id} was promoted already.`, 'It needs no second life as a hint.');
    if (known?.isLive) return { wisp: known, isNew: false };
    const { wispDefaultTtlMinutes } = await readConfig(context, place.state);
    const expires = context.clock.now().getTime() + (minutes ?? wispDefaultTtlMinutes) * 60_000;
    const expiresAt = new Date(expires).toISOString();
    // One that has expired may be said again.
    const count = (known?.count ?? 0) + 1;
    await say(context, `wisp/${id}/${count}`, writeWisp({ issue, taskUid, note, expiresAt }, prefixes));
    return {
      wisp: { id, taskUid, note, task, expiresAt, promoted: false, isLive: true, count },
      isNew: true,
    };
  });
}

/** The gates at which a task can be added, and the node that each comes after. */
const nodeBefore: Readonly<Record<string, string>> = {
  work_gate: 'approve',
  blocked_gate: 'replan_checkpoint',
};

const longestTitle = 60;

/** The first words of a hint. */
function titleOf(note: string): string {
  const line = escapeForLine(note, 400);
  const cut = [...line].slice(0, longestTitle).join('');
  return cut === line ? line : `${cut.replace(/\s+\S*$/u, '')} …`;
}

export interface Promotion {
  readonly id: string;
  readonly to: 'note' | 'task';
  /** The task that it is about, where the hint names none. */
  readonly task: string | null;
  /** Of a new task; none takes those of the task that it is about. */
  readonly verify: readonly string[];
  /** The login of the person who promotes it. */
  readonly person: string;
}

/** The new task on the branch, by a push that the loop takes over as one of a person; returns its id. */
async function addTask(standing: StandingLoop, wisp: WispView, { task, verify }: Promotion): Promise<string> {
  const { context, place, graph } = standing;
  const { request, trees, ledger } = context;
  const before = nodeBefore[place.node];
  if (before === undefined)
    refuse(
      `The loop of #${request.number} takes no new task where it stands.`,
      'A task can be added while the loop waits for the next one, or is blocked.',
    );
  const parent = wisp.task ?? task;
  if (parent === null) refuse('The hint names no task.', 'Say which one it came from with --task US-001.');
  const taken = { ...place.state, ...(await takeOverBranch(context, place.state)) };
  const text = await readPrdText(context, taken);
  const story = storyOf({ stories: parsePrd(text).userStories }, parent);
  const { commands } = await readGrants(context, taken);
  const foreign = verify.filter((command) => !commands.includes(command));
  if (foreign.length > 0)
    refuse(
      `No approved plan holds the command "${escapeForLine(foreign[0] ?? '', 200)}".`,
      `A task from a hint takes commands of the approved plan:\n${commands.map((one) => `  ${one}`).join('\n')}`,
    );
  const verifyCommands = verify.length > 0 ? verify : story.verifyCommands;
  const {
    added,
    skipped,
    text: next,
  } = enqueueDiscovered(
    text,
    story,
    [
      {
        ...{ title: titleOf(wisp.note), description: wisp.note, source: 'wisp_promotion', verifyCommands },
        acceptanceCriteria: verifyCommands.map((command) => `\`${command}\` passes`),
      },
    ],
    commands,
  );
  const [made] = added;
  if (made === undefined) {
    const known = parsePrd(text).userStories.find(
      ({ discoveredFrom, description }) => discoveredFrom === story.uid && description === wisp.note,
    );
    // It was pushed before, and the rest was cut off.
    if (known !== undefined) return known.id;
    refuse(
      'No task came of the hint.',
      skipped[0]?.why ?? 'The task that it is about has no approved command.',
    );
  }
  const config = await readConfig(context, taken);
  const head = taken.head ?? '';
  const pushed = await pushTree(context, `wisp/${wisp.id}/task`, {
    ...{ branch: taken.branch, parent: head, expected: head },
    tree: await trees.putFiles(head, [{ path: config.prdLocation, text: next }]),
    message: stateMessage(config.commitPrefixes.state, `add ${made.id} from a wisp`, request.number),
  });
  const prd = await ledger.putText(next);
  await graph.returnTo(before, async ({ state }) => ({ ...state, head: pushed, prd }));
  return made.id;
}

/** Makes a hint last. The hint itself is written once more, as promoted, and is told to no agent any more. */
export function promoteWisp(
  tools: LoopTools,
  run: LoopRun,
  promotion: Promotion,
  session: LoopSession,
): Promise<{ readonly task: string | null }> {
  return withStandingLoop(tools, run, session, async (standing) => {
    const { context, prefixes, stories } = standing;
    const { id, to, person } = promotion;
    const { number } = context.request;
    const wisp = (await readWisps(context, prefixes, stories)).find((one) => one.id === id);
    if (wisp === undefined)
      refuse(
        `The loop of #${number} has no hint ${escapeForLine(id, 60)}.`,
        `See them with: gatewright loop wisp list ${number}`,
      );
    if (wisp.promoted)
      refuse(`The hint ${id} was promoted already.`, `See: gatewright loop wisp list ${number}`);
    if (!wisp.isLive)
      refuse(`The hint ${id} has expired.`, `Say it again with: gatewright loop wisp add ${number} "TEXT"`);
    const about = wisp.task ?? promotion.task;
    let task: string | null = null;
    if (to === 'task') task = await addTask(standing, wisp, promotion);
    else {
      const at = context.clock.now().toISOString();
      const note = { taskId: about ?? '', at, pattern: wisp.note, files: [], impacts: '' };
      await say(context, `wisp/${id}/note`, writeDiscoveryNote(note, prefixes));
    }
    const data = { wisp: id, to, task, by: person };
    await context.record({ kind: 'wisp-promoted', key: `${context.runId}/wisp/${id}`, data });
    const { note, expiresAt, taskUid } = wisp;
    const said = { issue: number, taskUid, note, expiresAt: expiresAt ?? '', promoted: true };
    await say(context, `wisp/${id}/promoted`, writeWisp(said, prefixes));
    return { task };
  });
}
