/** Why a subject is where it is: every condition that is not met, who can change it, and with which command. */

import {
  answersOf,
  isAgainstApproval,
  isUnfinishedDraft,
  offerAnswers,
} from '../domain/drafts/gate-answers.ts';
import { answersToPipeline } from '../domain/drafts/pipeline-answers.ts';
import { makeSlug } from '../domain/drafts/slug.ts';
import { type Condition, toDo } from '../domain/ledger/condition.ts';
import { describeNode } from '../domain/ledger/node-words.ts';
import { beginCommandOf, optionsOfRun, type RunSummary, resumeCommandOf } from '../domain/ledger/run.ts';
import { GatewrightError } from '../errors.ts';
import type { Leases } from '../ports/leases.ts';
import type { OpenGate, RunViews } from '../ports/ledger.ts';
import { cancelledBy } from './end-run.ts';
import { adviceOn } from './explain-stop.ts';
import { findRunsById } from './find-run.ts';

/** The status of a run, with two more values: its process died, or its gate was answered since. */
export type Standing = RunSummary['status'] | 'interrupted' | 'answered';

export interface Explanation {
  readonly run: RunSummary;
  readonly standing: Standing;
  readonly why: string;
  /** What would move it; empty when it is done. */
  readonly conditions: readonly Condition[];
}

function fileStem(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Of several that fit, the one of the repository that the person is in; newest first otherwise. */
function preferHere(runs: readonly RunSummary[], folder: string): RunSummary | undefined {
  const isHere = (run: RunSummary): boolean => `${folder}/`.startsWith(`${run.request.root}/`);
  return runs.find(isHere) ?? runs[0];
}

/**
 * The run that a person means by a brief file, short name, run id, gate id, subject or issue number. Each is looked for in
 * turn: of the runs, only those that fit are read.
 */
export async function findRunOf(views: RunViews, typed: string, folder: string): Promise<RunSummary> {
  const byGate = (await views.listOpenGates()).find((gate) => gate.question.id === typed.toUpperCase());
  if (byGate !== undefined) return byGate.run;
  const [, repository, number] = /^(?:(.+))?#(\d+)$/u.exec(typed) ?? [];
  const slugs = [typed];
  try {
    slugs.push(makeSlug(fileStem(typed)));
  } catch {
    // Not a file name; it may still be an id.
  }
  const ofIssue = (issue: string | undefined): Promise<RunSummary[]> =>
    issue === undefined
      ? Promise.resolve([])
      : views.listRuns({ issue: Number(issue), ...(repository === undefined ? {} : { repository }) });
  const byId = async (): Promise<RunSummary[]> => {
    const found = await findRunsById(views, typed);
    if (found.length <= 1) return found;
    throw new GatewrightError('usage', `${found.length} run ids start with "${typed}".`, {
      hint: 'Give a few more characters.',
    });
  };
  for (const find of [
    () => ofIssue(number),
    () => views.listRuns({ subject: typed }),
    () => views.listRuns({ brief: typed.replace(/^\.\//u, '') }),
    () => views.listRuns({ slugs }),
    byId,
    // Without "#", which shells need quoted, it is an issue number if nothing else has that name.
    () => ofIssue(/^\d+$/u.exec(typed)?.[0]),
  ]) {
    const run = preferHere(await find(), folder);
    if (run !== undefined) return run;
  }
  throw new GatewrightError('subject-not-found', `Gatewright knows nothing about "${typed}".`);
}

/**
 * How a run really stands. A run with the status "running" but without a lease was cut off, and so was one whose program
 * a person stopped (Ctrl-C). A run that waits for a gate which has an answer by now only has to be resumed.
 */
export async function standingOf(
  run: RunSummary,
  openGates: readonly OpenGate[],
  leases: Pick<Leases, 'holderOf'>,
): Promise<Standing> {
  if (run.status === 'running')
    return (await leases.holderOf(run.subject)) === null ? 'interrupted' : 'running';
  if (run.status !== 'waiting' || openGates.some((gate) => gate.run.id === run.id)) return run.status;
  if (run.reason?.code === 'cancelled') return 'interrupted';
  return run.reason?.code === 'gate' ? 'answered' : 'waiting';
}

export function resumeText(run: RunSummary): string {
  return run.reason?.resume || resumeCommandOf(run.request, run.id, optionsOfRun(run.request));
}

/** What a gate waits for. The command is one that is not refused: approving needs a verdict that approves. */
export function gateCondition({ question, run }: OpenGate, suffix = ''): Condition {
  const { id, kind, because, decision, questions = [], gaps = [], artefacts, advice } = question;
  const isAgainst = isAgainstApproval(question);
  const isUnfinished = isUnfinishedDraft(question);
  const verdict = isAgainst && decision != null ? `the verdict says ${decision}` : undefined;
  const asked = questions.length === 0 ? undefined : `the draft asks: ${questions.join(' · ')}`;
  const missing = gaps.length === 0 ? undefined : `the draft has gaps: ${gaps.join(' · ')}`;
  const why = because ?? asked ?? missing ?? verdict;
  const offered = offerAnswers(question, suffix);
  const { request } = run;
  // Those of a pipeline answer it and go on in one.
  const [own] =
    request.workflow === 'pipeline'
      ? answersToPipeline(question, request.number, `${optionsOfRun(request)}${suffix}`)
      : [];
  const names = answersOf(question).map(({ name }) => name);
  const [draft] = artefacts;
  const send = offered.find(({ choice }) => choice === 'send')?.command ?? '';
  return {
    what: `the ${kind} gate ${id} has to be answered (${names.join(' or ')})${why === undefined ? '' : `: ${why}`}`,
    who: `a person with write permission on ${run.request.repository}`,
    command: own ?? (isUnfinished ? resumeText(run) : (offered[0]?.command ?? '')),
    ...(advice === undefined ? {} : { advice }),
    ...(isUnfinished
      ? { advice: `Edit ${draft?.path ?? 'the draft'} first, then continue or send it: ${send}` }
      : {}),
    ...(isAgainst
      ? { advice: 'Read the verdict and the draft first; see their files with: gatewright gates' }
      : {}),
  };
}

/** A run that a person gave up does not go on; the same work can be begun again. */
function cancelledCondition(run: RunSummary): Condition[] {
  const by = cancelledBy(run);
  if (by === null) return [];
  return [
    {
      what: `${by} cancelled it at ${run.changedAt}; it cannot be resumed`,
      who: 'you',
      ...toDo(beginCommandOf(run.request)),
    },
  ];
}

export async function explainRun(
  run: RunSummary,
  openGates: readonly OpenGate[],
  leases: Pick<Leases, 'holderOf'>,
): Promise<Explanation> {
  const standing = await standingOf(run, openGates, leases);
  const gate = openGates.find((one) => one.run.id === run.id);
  const holder = await leases.holderOf(run.subject);
  const conditions: Condition[] = [];
  if (standing === 'done') {
    const why = run.reason?.message ?? 'finished';
    return { run, standing, why, conditions: cancelledCondition(run) };
  }
  if (gate !== undefined) conditions.push(gateCondition(gate));
  if (holder !== null) {
    conditions.push({
      what: `${holder.actor} is working on it since ${holder.since} (process ${holder.process} on ${holder.host})`,
      who: holder.actor,
      ...toDo(gate === undefined ? '' : 'answer its gate; that process then continues'),
    });
    const why =
      gate === undefined ? 'a process is working on it now' : 'a process works on it and waits at a gate';
    return { run, standing, why, conditions };
  }
  if (standing === 'interrupted') {
    conditions.push({
      what: run.reason?.message ?? 'its process ended without a reason',
      who: 'you',
      command: resumeText(run),
      ...adviceOn(run.reason, run.id),
    });
    const step = run.node === null ? 'at its start' : `while it was at this step: ${describeNode(run.node)}`;
    const where = gate === undefined ? step : `while it asked at the ${gate.question.kind} gate`;
    const why = run.reason?.message ?? `its process was cut off ${where}; nothing is lost`;
    return { run, standing, why, conditions };
  }
  if (standing === 'answered') {
    const why = 'its gate was answered; the run has to be resumed';
    return {
      run,
      standing,
      why,
      conditions: [{ what: 'a person has to resume it', who: 'you', command: resumeText(run) }],
    };
  }
  if (gate === undefined || run.reason?.code !== 'gate') {
    conditions.push({
      what: run.reason?.message ?? 'it stopped',
      who: run.reason?.owner === 'time' ? 'no person: wait, then resume it' : 'you',
      command: resumeText(run),
      ...adviceOn(run.reason, run.id),
    });
  }
  return { run, standing, why: run.reason?.message ?? 'it stopped', conditions };
}
