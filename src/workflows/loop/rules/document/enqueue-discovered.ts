/**
 * Puts tasks into prd.json that an agent found while it worked on another one: each once, behind its parent, and only with
 * commands that a person has approved. The agent's words are untrusted; a command that is not approved byte for byte never
 * gets into the file.
 */
import { isPlainPath } from '../../../../domain/changes/plain-path.ts';
import type { Json } from '../../../../domain/ledger/hash.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import { editJson, type JsonEdit } from './edit-json.ts';
import { type Prd, readPrd, type UserStory } from './prd.ts';
import { type discoverySources, mostStories } from './prd-schema.ts';
import { discoveryFingerprint, makeTaskUid } from './task-uid.ts';
import { makeStoryId } from './write-prd.ts';

export interface DiscoveredTask {
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  readonly verifyCommands: readonly string[];
  readonly files?: readonly string[] | undefined;
  /** Where it was found; a task log if nothing is said. */
  readonly source?: (typeof discoverySources)[number];
}

interface AwaitingApproval {
  readonly task: DiscoveredTask;
  /** The commands that no person has approved; none when the task names no command at all. */
  readonly commands: readonly string[];
  /** The same for a second report of the same task. */
  readonly fingerprint: string;
}

export interface Enqueued {
  readonly text: string;
  readonly added: readonly UserStory[];
  readonly skipped: readonly { readonly title: string; readonly why: string }[];
  readonly needsApproval: readonly AwaitingApproval[];
}

/** An agent that finds more while it does one task should have its plan looked at by a person. */
const mostOfParent = 10;

function parse(text: string): Prd {
  const read = readPrd(text);
  if ('prd' in read) return read.prd;
  throw new GatewrightError('prd-invalid', 'The file prd.json cannot take a new task.', {
    details: read.problems.map(({ path, message }) => `${path} ${message}`.trim()),
  });
}

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;

/** The words of a found task as prd.json can hold them. */
function clean(task: DiscoveredTask): DiscoveredTask {
  return {
    title: escapeForLine(task.title, 120),
    description: cut(task.description, 4000),
    acceptanceCriteria: task.acceptanceCriteria
      .filter((criterion) => criterion.trim() !== '')
      .slice(0, 20)
      .map((criterion) => cut(criterion, 500)),
    verifyCommands: [...new Set(task.verifyCommands)],
    files: (task.files ?? []).filter(isPlainPath).slice(0, 50),
    source: task.source ?? 'task_log',
  };
}

/** A task list that grows: what is in it already, and what comes next. */
class Queue {
  readonly edits: JsonEdit[] = [];
  readonly #prd: Prd;
  readonly #parent: UserStory;
  readonly #uids: Set<string>;
  readonly #prints: Set<string>;
  #ofParent: number;
  #lastId: number;

  constructor(prd: Prd, parent: UserStory) {
    this.#prd = prd;
    this.#parent = parent;
    const children = prd.userStories.filter(({ discoveredFrom }) => discoveredFrom === parent.uid);
    this.#uids = new Set(prd.userStories.map(({ uid }) => uid));
    this.#prints = new Set(children.map((story) => this.printOf(story)));
    this.#ofParent = children.length;
    this.#lastId = Math.max(...prd.userStories.map(({ id }) => Number(id.slice('US-'.length))));
  }

  printOf(task: Pick<DiscoveredTask, 'title' | 'description' | 'acceptanceCriteria'>): string {
    return discoveryFingerprint({ ...task, parentUid: this.#parent.uid });
  }

  isKnown(print: string): boolean {
    return this.#prints.has(print);
  }

  remember(print: string): void {
    this.#prints.add(print);
  }

  whyFull(): string | null {
    if (this.#ofParent >= mostOfParent) return `${this.#parent.id} has found ${mostOfParent} tasks already`;
    if (this.#prd.userStories.length + this.edits.length >= mostStories)
      return `prd.json holds ${mostStories} tasks`;
    return this.#lastId >= 999_999 ? 'there is no id left' : null;
  }

  add(task: DiscoveredTask, verifyCommands: readonly string[]): void {
    this.#ofParent += 1;
    this.#lastId += 1;
    const origin = { issue: this.#prd.issueNumber, title: task.title, discoveredFrom: this.#parent.uid };
    let ordinal = this.#ofParent;
    // A task that a person took out has left its place free, but its name may still be used.
    while (this.#uids.has(makeTaskUid({ ...origin, ordinal }))) ordinal += 1;
    const uid = makeTaskUid({ ...origin, ordinal });
    this.#uids.add(uid);
    const value: Json = {
      id: makeStoryId(this.#lastId),
      uid,
      priority: this.#parent.priority + 1,
      title: task.title,
      description: task.description,
      files: [...(task.files ?? [])],
      dependsOn: [this.#parent.id],
      discoveredFrom: this.#parent.uid,
      discoverySource: task.source ?? 'task_log',
      acceptanceCriteria: [...task.acceptanceCriteria],
      verifyCommands: [...verifyCommands],
      passes: false,
      attempts: 0,
      lastAttempt: null,
    };
    this.edits.push({ path: ['userStories', this.#prd.userStories.length + this.edits.length], value });
  }
}

/**
 * Adds what is new. A task without commands gets the approved ones of its parent: without any it could never be proven.
 * A task with another command, or without any, waits for a person in `needsApproval`.
 */
export function enqueueDiscovered(
  text: string,
  parent: UserStory,
  found: readonly DiscoveredTask[],
  approvedCommands: readonly string[],
): Enqueued {
  const prd = parse(text);
  const own = prd.userStories.find(({ id, uid }) => id === parent.id && uid === parent.uid);
  if (own === undefined)
    throw new GatewrightError('prd-invalid', `${parent.id} is not in prd.json any more.`);
  const approved = new Set(approvedCommands);
  const inherited = own.verifyCommands.filter((command) => approved.has(command));
  const queue = new Queue(prd, own);
  const skipped: { title: string; why: string }[] = [];
  const needsApproval: AwaitingApproval[] = [];
  for (const given of found) {
    const task = clean(given);
    const print = queue.printOf(task);
    const unknown = task.verifyCommands.filter((command) => !approved.has(command));
    const commands = task.verifyCommands.length > 0 ? task.verifyCommands : inherited;
    const why =
      task.title === '' ? 'it has no title' : queue.isKnown(print) ? 'it is known already' : queue.whyFull();
    if (why !== null) {
      skipped.push({ title: task.title, why });
      continue;
    }
    queue.remember(print);
    if (unknown.length > 0 || commands.length === 0)
      needsApproval.push({ task, commands: unknown, fingerprint: print });
    else queue.add(task, commands);
  }
  if (queue.edits.length === 0) return { text, added: [], skipped, needsApproval };
  const edited = editJson(text, queue.edits);
  const added = parse(edited).userStories.slice(prd.userStories.length);
  return { text: edited, added, skipped, needsApproval };
}
