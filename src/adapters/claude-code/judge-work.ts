/** What came of a piece of work: the end of the process and what the CLI said about it become one outcome. */

import type { z } from 'zod';
import type { Usage } from '../../domain/models/budget.ts';
import { listMisfits } from '../../domain/models/describe-misfit.ts';
import { isReportedAsAsked } from '../../domain/models/reported-model.ts';
import { countOf } from '../../domain/text/count-of.ts';
import type { CodingFailure, CodingOutcome, CodingTask, CodingTools } from '../../ports/coding-agent.ts';
import type { OwnedExit } from '../system/owned-process.ts';
import type { ClaudeConclusion } from './claude-stream.ts';
import type { AttemptEnd } from './credential-tier.ts';

export const readingTools: readonly string[] = ['Read', 'Glob', 'Grep'];
/** The tool that carries an answer in a schema. */
const answerTool = 'StructuredOutput';

/** A text without secrets, and not too long. */
type Clean = (text: string, longest?: number) => string;

export function failed(why: CodingFailure, detail: string): CodingOutcome<never> {
  return { kind: 'failed', why, detail };
}

/** Failures that another credential may not meet with: a provider serves them differently, and a plan has its models. */
const perhapsOfTheCredential: readonly CodingFailure[] = ['overload', 'crash', 'unknown-model'];

/** What an outcome means for the choice of the next credential. */
export function endOf(outcome: CodingOutcome<unknown>, usage: Pick<Usage, 'turns'>): AttemptEnd {
  if (outcome.kind !== 'failed') return outcome.kind;
  if (outcome.why === 'not-authenticated') return 'not-authenticated';
  return perhapsOfTheCredential.includes(outcome.why) && usage.turns === 0 ? 'unreached' : 'failed';
}

/** Whether everything that it tried, of what its task is about, was denied. */
function wasKeptFromActing(conclusion: ClaudeConclusion, tools: CodingTools): boolean {
  const counts = (tool: string): boolean =>
    tool !== answerTool && (tools.mode === 'plan' || !readingTools.includes(tool));
  const uses = [...conclusion.toolUses].filter(([tool]) => counts(tool));
  const tried = uses.reduce((sum, [, number]) => sum + number, 0);
  const denied = conclusion.denials.filter(({ tool }) => counts(tool)).length;
  return denied > 0 && denied >= tried;
}

function judgeError(status: number | null, detail: string, resetsAt: Date | null): CodingOutcome<never> {
  if (status === 429) return { kind: 'quota', until: resetsAt?.toISOString() ?? null };
  if (status === 401 || status === 403) return failed('not-authenticated', detail);
  if (status === 404) return failed('unknown-model', detail);
  const isRefusal = status !== null && status >= 400 && status < 500 && status !== 408;
  return isRefusal ? { kind: 'refused', by: 'model', detail } : failed('overload', detail);
}

export function judgeWork<T>(
  exit: OwnedExit,
  conclusion: ClaudeConclusion,
  task: CodingTask,
  schema: z.ZodType<T> | null,
  clean: Clean,
  /** The name of the model. */
  asked: string,
): CodingOutcome<T> {
  if (exit.kind === 'not-started')
    return failed('not-installed', 'the Claude Code CLI is not installed or cannot be started');
  if (exit.kind === 'timeout')
    return failed(
      'timeout',
      `not done within ${countOf(Math.round(task.limitMilliseconds / 1000), 'second')}`,
    );
  if (exit.kind === 'aborted') return failed('aborted', 'it was told to stop');
  const { end, reportedModel, resetsAt } = conclusion;
  switch (end.kind) {
    case 'turns-exhausted':
      return { kind: 'turns-exhausted' };
    case 'cost-exhausted':
      return failed('budget', `it reached the limit of ${task.costLimitUsd ?? 0} USD`);
    case 'refusal':
      return { kind: 'refused', by: 'model', detail: clean(end.said) };
    case 'api-error':
      return judgeError(end.status, clean(end.said.replaceAll(/\s+/gu, ' ').trim()), resetsAt);
    case 'unusable': {
      const said = clean(exit.complaint.trim());
      const detail = said === '' ? end.why : `${end.why}; it said: ${said}`;
      return failed(exit.code === 0 ? 'garbage' : 'crash', detail);
    }
  }
  if (!isReportedAsAsked(asked, reportedModel))
    return failed('wrong-model', `"${reportedModel}" answered instead`);
  if (wasKeptFromActing(conclusion, task.tools)) {
    const denied = conclusion.denials.map(({ tool, target }) => `${tool} ${target}`).join(', ');
    return { kind: 'refused', by: 'permissions', detail: clean(denied) };
  }
  const text = clean(end.text, end.text.length);
  if (schema === null) return { kind: 'finished', text, object: null };
  const parsed = schema.safeParse(end.structured);
  return parsed.success
    ? { kind: 'finished', text, object: parsed.data }
    : {
        ...{ kind: 'failed', why: 'garbage', detail: 'the answer does not fit the schema' },
        problems: listMisfits(parsed.error).map((one) => clean(one)),
      };
}
