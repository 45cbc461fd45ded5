/** Why a subject is where it is: every condition that is not met, who can change it, and with which command. */

import type { RunSummary } from '../domain/run.ts';
import { makeSlug } from '../domain/slug.ts';
import { GatewrightError } from '../errors.ts';
import type { Leases } from '../ports/leases.ts';
import type { OpenGate, RunViews } from '../ports/ledger.ts';
import { resumeCommand } from './resume-command.ts';

interface Condition {
  readonly what: string;
  readonly who: string;
  readonly command: string;
}

export interface Explanation {
  readonly run: RunSummary;
  /** The status, told apart from a run whose process died. */
  readonly standing: RunSummary['status'] | 'interrupted';
  readonly why: string;
  /** What would move it; empty when it is done. */
  readonly conditions: readonly Condition[];
}

function fileStem(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** The run that a person means by a brief file, short name, run id, gate id, subject or issue number. */
export function findRunOf(views: RunViews, typed: string): RunSummary {
  const runs = views.listRuns();
  const byGate = views.listOpenGates().find((gate) => gate.question.id === typed.toUpperCase());
  if (byGate !== undefined) return byGate.run;
  const issue = /^(?:(.+))?#(\d+)$/u.exec(typed);
  if (issue !== null) {
    const [, repository, number] = issue;
    const found = runs.find(
      (run) =>
        run.result?.number === Number(number) &&
        (repository === undefined || run.request.repository === repository),
    );
    if (found !== undefined) return found;
  }
  let slug = typed;
  try {
    slug = makeSlug(fileStem(typed));
  } catch {
    // Not a file name; it may still be an id.
  }
  const wanted = typed.replace(/^\.\//u, '');
  const found =
    runs.find((run) => run.subject === typed || run.request.brief === wanted) ??
    runs.find((run) => run.request.slug === typed || run.request.slug === slug) ??
    runs.find((run) => typed.length >= 6 && run.id.startsWith(typed.toUpperCase()));
  if (found !== undefined) return found;
  throw new GatewrightError('subject-not-found', `Nothing is known about "${typed}".`);
}

/** A run that is called running although nobody works on it was cut off. */
export function standingOf(run: RunSummary, leases: Pick<Leases, 'holderOf'>): Explanation['standing'] {
  return run.status === 'running' && leases.holderOf(run.subject) === null ? 'interrupted' : run.status;
}

export function resumeText(run: RunSummary): string {
  return run.reason?.resume || resumeCommand(run.request, run.request.slug);
}

function gateCondition(gate: OpenGate): Condition {
  const choices = gate.question.choices
    .filter((choice) => choice.leavesOpen !== true)
    .map((choice) => choice.name);
  return {
    what: `the ${gate.question.kind} gate ${gate.question.id} has to be answered (${choices.join(' or ')})${gate.question.because === undefined ? '' : `: ${gate.question.because}`}`,
    who: `anybody with write permission on ${gate.run.request.repository}`,
    command: `gatewright gate answer ${gate.question.id} --choice ${choices[0] ?? ''}`,
  };
}

export function explainRun(run: RunSummary, views: RunViews, leases: Pick<Leases, 'holderOf'>): Explanation {
  const standing = standingOf(run, leases);
  const gate = views.listOpenGates().find((one) => one.run.id === run.id);
  const holder = leases.holderOf(run.subject);
  const conditions: Condition[] = [];
  if (standing === 'done') return { run, standing, why: run.reason?.message ?? 'finished', conditions };
  if (gate !== undefined) conditions.push(gateCondition(gate));
  if (holder !== null) {
    conditions.push({
      what: `${holder.actor} is working on it since ${holder.since} (process ${holder.process} on ${holder.host})`,
      who: holder.actor,
      command: gate === undefined ? '' : 'answer its gate; that process goes on by itself',
    });
    const why =
      gate === undefined ? 'it is being worked on right now' : 'it is being worked on and waits at a gate';
    return { run, standing, why, conditions };
  }
  if (standing === 'interrupted') {
    conditions.push({
      what: 'its process ended before it could say why',
      who: 'you',
      command: resumeText(run),
    });
    return {
      run,
      standing,
      why: `it was cut off at ${run.node ?? 'its start'}; nothing is lost`,
      conditions,
    };
  }
  if (gate === undefined || run.reason?.code !== 'gate') {
    conditions.push({
      what: run.reason?.message ?? 'it stopped',
      who: run.reason?.owner === 'time' ? 'nobody: it helps to wait, then resume' : 'you',
      command: resumeText(run),
    });
  }
  return { run, standing, why: run.reason?.message ?? 'it stopped', conditions };
}
