/** What there is to tell of a repository: what `status` lists as waiting and as stopped, with whose it is. */
import { hideTokens } from '../../domain/changes/hide-tokens.ts';
import { canonicalJson, sha256 } from '../../domain/ledger/hash.ts';
import { isAgentRun, nameOfRun, type RunSummary, resumeCommandOf } from '../../domain/ledger/run.ts';
import type { Matter, Urgency } from '../../domain/notifications/notification.ts';
import type { Leases } from '../../ports/leases.ts';
import type { Ledger, OpenGate, RunViews, Waiting } from '../../ports/ledger.ts';
import { describeWaiting } from '../../runs/describe-waiting.ts';
import { adviceOn } from '../../runs/explain-stop.ts';
import { gateCondition } from '../../runs/explain-subject.ts';
import type { Status } from '../../runs/read-status.ts';
import type { OwnedMatter } from './rules/plan-messages.ts';

/** What does not change as long as a run does not: reading a whole run each time would be much work. */
interface RunFacts {
  /** Who began it, and who gave the order for it. */
  readonly owners: readonly string[];
  /**
   * How often a person has moved it on: a stop after that is another one, even with the same words. The fleet's own
   * attempts do not count.
   */
  readonly moves: number;
}

export type RunMemory = Map<string, RunFacts>;

export interface MatterSources {
  readonly ledger: Pick<Ledger, 'readRun' | 'find'>;
  readonly views: Pick<RunViews, 'listRuns'>;
  readonly leases: Pick<Leases, 'holderOf'>;
  readonly memory: RunMemory;
  /** The server on which issues have pages, such as `https://github.com`; null when it is not known. */
  readonly webBase: string | null;
  readonly now: Date;
}

type Stopped = Status['stopped'][number];

/** A gate whose process is at work may be on the screen of a person right now. */
const heldGate = 300_000;
/** Looks at the newest runs about a subject for who ordered it. */
const mostRuns = 10;
const mostRemembered = 2_000;

const idOf = (...parts: readonly (string | number)[]): string =>
  sha256(canonicalJson([...parts])).slice(0, 32);

const clean = (text: string): string => hideTokens(text).slice(0, 2_000);

function urlOf(
  { webBase }: Pick<MatterSources, 'webBase'>,
  { subject, request }: Pick<RunSummary, 'subject' | 'request'>,
): string | null {
  const known = 'issue' in request ? request.issue?.url : undefined;
  if (known !== undefined && /^https:\/\/[\w.:-]+\/[\w./-]+$/u.test(known)) return known;
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#([1-9]\d*)$/u.exec(subject) ?? [];
  return request.forge === 'github' && repository !== undefined && webBase !== null
    ? `${webBase}/${repository}/issues/${number}`
    : null;
}

function costOf(run: RunSummary): number {
  return Math.round(run.costUsd * 10_000) / 10_000;
}

async function factsOf({ ledger, memory }: MatterSources, run: RunSummary): Promise<RunFacts> {
  const key = `${run.id} ${run.changedAt}`;
  const known = memory.get(key);
  if (known !== undefined) return known;
  const entries = await ledger.readRun(run.id);
  const delivery = 'delivery' in run.request ? run.request.delivery : undefined;
  const event = delivery === undefined ? null : await ledger.find('event-received', delivery);
  const moves = entries.filter(
    (entry) =>
      entry.kind === 'gate-answered' || (entry.kind === 'run-resumed' && entry.data.isByFleet !== true),
  ).length;
  const started = entries.find(({ kind }) => kind === 'run-started');
  const owners = [started?.actor, event?.actor].filter((one) => one !== undefined && one !== '');
  const facts = { owners: owners as string[], moves };
  if (memory.size >= mostRemembered) memory.clear();
  memory.set(key, facts);
  return facts;
}

async function ownersOfSubject(sources: MatterSources, subject: string): Promise<string[]> {
  const runs = await sources.views.listRuns({ subject }, { limit: mostRuns });
  const facts = await Promise.all(runs.map((run) => factsOf(sources, run)));
  return [...new Set(facts.flatMap(({ owners }) => owners))];
}

function matterOfGate(sources: MatterSources, gate: OpenGate): Matter {
  const { run, question, askedAt } = gate;
  const { what, who, command = '', advice } = gateCondition(gate);
  return {
    id: idOf('gate', question.id),
    kind: 'gate',
    urgency: 'normal',
    subject: run.subject,
    run: run.id,
    title: clean(question.title || nameOfRun(run)),
    why: clean(advice === undefined ? what : `${what}. ${advice}`),
    owner: who,
    command,
    costUsd: costOf(run),
    since: askedAt,
    url: urlOf(sources, run),
  };
}

function matterOfAsked(sources: MatterSources, asked: Waiting, run: RunSummary | undefined): Matter {
  const { why, how, command } = describeWaiting(asked);
  // The conditions of a merge are looked at again and again; the others are asked anew each time.
  const moment = asked.what === 'merge' ? '' : asked.at;
  return {
    id: idOf('asked', asked.subject, asked.what, why, how, moment),
    kind: 'asked',
    urgency: 'normal',
    subject: asked.subject,
    run: null,
    title: clean(run === undefined ? asked.subject : run.request.title),
    why: clean(how === '' ? why : `${why}. What to do: ${how}`),
    owner: 'a person with write permission',
    command,
    costUsd: null,
    since: asked.at,
    url: run === undefined ? null : urlOf(sources, { ...run, subject: asked.subject }),
  };
}

function urgencyOf({ run, standing }: Stopped): Urgency {
  if (standing === 'paused' || run.reason?.owner === 'time') return 'low';
  // The fleet resumes what was cut off by itself.
  if (isAgentRun(run) && (standing === 'interrupted' || standing === 'answered')) return 'low';
  return standing === 'blocked' || standing === 'failed' ? 'high' : 'normal';
}

async function matterOfStop(sources: MatterSources, stopped: Stopped): Promise<Matter> {
  const { run, standing, why } = stopped;
  const { reason } = run;
  // Words of a stop that time ends hold the time.
  const words = reason?.owner === 'time' ? '' : (reason?.message ?? why);
  const { advice } = adviceOn(reason, run.id);
  return {
    id: idOf('stop', run.id, standing, reason?.code ?? '', words, (await factsOf(sources, run)).moves),
    kind: 'stop',
    urgency: urgencyOf(stopped),
    subject: run.subject,
    run: run.id,
    title: clean(nameOfRun(run)),
    why: clean(advice === undefined ? why : `${why} ${advice}`),
    owner: reason?.owner === 'time' ? 'time' : 'a person',
    command: stopped.isHeld ? '' : resumeCommandOf(run.request, run.id),
    costUsd: costOf(run),
    since: run.changedAt,
    url: urlOf(sources, run),
  };
}

/** A person at the terminal of the run sees the gate there. */
async function isOnScreen({ leases, now }: MatterSources, { run, askedAt }: OpenGate): Promise<boolean> {
  const isNew = now.getTime() - new Date(askedAt).getTime() < heldGate;
  return isNew && (await leases.holderOf(run.subject)) !== null;
}

export async function gatherMatters(
  sources: MatterSources,
  status: Pick<Status, 'waiting' | 'asked' | 'stopped'>,
): Promise<{ readonly matters: readonly OwnedMatter[]; readonly nextAt: number | null }> {
  const matters: OwnedMatter[] = [];
  let nextAt: number | null = null;
  for (const gate of status.waiting) {
    if (await isOnScreen(sources, gate)) nextAt = sources.now.getTime() + 10_000;
    else
      matters.push({
        matter: matterOfGate(sources, gate),
        owners: (await factsOf(sources, gate.run)).owners,
      });
  }
  for (const asked of status.asked) {
    const [run] = await sources.views.listRuns({ subject: asked.subject }, { limit: 1 });
    const owners = await ownersOfSubject(sources, asked.subject);
    matters.push({ matter: matterOfAsked(sources, asked, run), owners });
  }
  for (const stopped of status.stopped)
    matters.push({
      matter: await matterOfStop(sources, stopped),
      owners: (await factsOf(sources, stopped.run)).owners,
    });
  return { matters, nextAt };
}
