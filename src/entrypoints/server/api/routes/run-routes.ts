/** Runs: lists, one of them with why it is where it is, and what happened in it. */
import { describeEntry } from '../../../../domain/ledger/describe-entry.ts';
import { makeGateId } from '../../../../domain/ledger/ids.ts';
import type { LedgerEntry } from '../../../../domain/ledger/ledger-entry.ts';
import { isAgentRun, isAuthoringRun, type RunSummary } from '../../../../domain/ledger/run.ts';
import { listSteps, nameSteps } from '../../../../domain/ledger/run-steps.ts';
import { isSubjectOf } from '../../../../domain/ledger/subject.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import { explainRun } from '../../../../runs/explain-subject.ts';
import type { ApiTools } from '../api-tools.ts';
import { renderRun, renderRuns } from '../render/render-run.ts';
import {
  runDetailSchema,
  runParams,
  runsQuery,
  runsSchema,
  timelineQuery,
  timelineSchema,
} from '../schemas/runs.ts';
import { defineRoute, type Route } from './route.ts';

const longestSentence = 800;

/** Those of another repository are not there, whatever their id is. */
export async function findOurRun({ views, repositoryName }: ApiTools, id: string): Promise<RunSummary> {
  const run = await views.findRun(id);
  if (run?.request.repository === repositoryName) return run;
  throw new GatewrightError('run-not-found', `There is no run ${id}.`, {
    hint: 'See the runs in /api/runs.',
  });
}

/** The names of the steps and questions of a run, by the key of the entry that begins them: what a fork is told. */
function nameBeginnings(run: RunSummary, entries: readonly LedgerEntry[]): ReadonlyMap<string, string> {
  if (isAgentRun(run)) {
    const keys = entries.flatMap(({ kind, key = '' }) => (kind === 'model-answered' ? [key] : []));
    const own = keys.filter((key) => key.startsWith(`${run.id}/`));
    return new Map(own.map((key) => [key, key.slice(run.id.length + 1)]));
  }
  const steps = isAuthoringRun(run) ? nameSteps(listSteps(run.id, entries)) : [];
  return new Map(
    steps.flatMap(({ step, name }) => [
      [`${run.id}/${step}`, name] as const,
      [makeGateId(run.id, step), name] as const,
    ]),
  );
}

export const runRoutes: readonly Route[] = [
  defineRoute({
    path: '/api/runs',
    name: 'listRuns',
    about: 'Runs of the repository, newest first.',
    query: runsQuery,
    answer: runsSchema,
    handle: async ({ tools }, { query: { state, workflow, subject, number, before, limit } }) => {
      if (subject !== undefined && !isSubjectOf(tools.repositoryName, subject))
        return { runs: [], next: null };
      // One more than wanted says whether there is another page.
      const found = await tools.views.listRuns(
        {
          repository: tools.repositoryName,
          ...(state === 'open' ? { doneSince: 'never' } : {}),
          ...(workflow === undefined ? {} : { workflows: [workflow] }),
          ...(subject === undefined ? {} : { subject }),
          ...(number === undefined ? {} : { issue: number }),
        },
        { limit: limit + 1, ...(before === undefined ? {} : { before }) },
      );
      const page = found.slice(0, limit);
      const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
      return { runs: await renderRuns(tools, page, await tools.views.listOpenGates()), next };
    },
  }),
  defineRoute({
    path: '/api/runs/:run',
    name: 'showRun',
    about: 'One run, why it is where it is, and what would move it.',
    params: runParams,
    answer: runDetailSchema,
    handle: async ({ tools }, { params }) => {
      const run = await findOurRun(tools, params.run);
      const gates = (await tools.views.listOpenGates()).filter((gate) => gate.run.id === run.id);
      const { standing, why, conditions } = await explainRun(run, gates, tools.leases);
      const ids = gates.map(({ question }) => question.id);
      return { run: renderRun(run, standing), why, conditions: [...conditions], gates: ids };
    },
  }),
  defineRoute({
    path: '/api/runs/:run/timeline',
    name: 'showTimeline',
    about: 'What happened in a run, oldest first, as the ledger has it.',
    params: runParams,
    query: timelineQuery,
    answer: timelineSchema,
    handle: async ({ tools }, { params, query: { after, limit } }) => {
      const run = await findOurRun(tools, params.run);
      const all = await tools.ledger.readRun(run.id);
      const names = nameBeginnings(run, all);
      const entries = all.slice(after, after + limit).map((entry, index) => {
        const { at, kind, actor, subject, seq, hash, key = '' } = entry;
        const begins = kind === 'node-begun' || kind === 'gate-asked' || kind === 'model-answered';
        return {
          ...{ at, kind, actor, subject, seq, hash },
          place: after + index + 1,
          what: escapeForLine(describeEntry(entry), longestSentence),
          step: begins ? (names.get(key) ?? null) : null,
        };
      });
      return { entries, next: after + limit < all.length ? after + limit : null };
    },
  }),
];
