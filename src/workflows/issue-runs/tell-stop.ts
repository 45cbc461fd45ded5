/** Tells a person on the issue that a run stopped for a reason that a person has to remove: once for each cause. */
import { needsPerson, stopComment } from '../../domain/fleet/stop-comment.ts';
import type { EntryKind } from '../../domain/ledger/ledger-entry.ts';
import { resumeCommandOf } from '../../domain/ledger/run.ts';
import type { GatewrightError } from '../../errors.ts';
import { describeDetails } from '../../runs/explain-stop.ts';
import type { IssueRequest } from './issue-run.ts';
import type { RunContext } from './run-context.ts';
import { say } from './say.ts';

type Telling = Pick<
  RunContext<IssueRequest, never>,
  'effects' | 'repository' | 'ledger' | 'own' | 'request' | 'runId' | 'settings'
>;

export async function tellStop(
  context: Telling,
  { noun, progress }: { readonly noun: string; readonly progress: readonly EntryKind[] },
  error: GatewrightError,
  { isGivenUp = false }: { readonly isGivenUp?: boolean } = {},
): Promise<void> {
  if (!isGivenUp && !needsPerson(error)) return;
  const { ledger, runId, settings, request } = context;
  const entries = await ledger.readRun(runId);
  const usages = entries.flatMap((entry) =>
    entry.kind === 'model-answered' || entry.kind === 'model-failed' ? [entry.data.usage] : [],
  );
  const moved = entries.filter(({ kind }) => progress.includes(kind)).length;
  const { code, output, hint, until } = error;
  const message = `${error.message}${describeDetails(error)}`;
  const text = stopComment({
    ...{ what: `The ${noun} of this`, code, message, output, hint, until },
    person: entries.findLast(({ kind }) => kind === 'gate-answered' || kind === 'run-started')?.actor ?? null,
    handle: settings.handle,
    words: 'continue',
    command: resumeCommandOf(request, runId),
    branch: null,
    costUsd: usages.reduce((sum, { costUsd }) => sum + costUsd, 0),
    isUnpriced: usages.some(({ isUnpriced }) => isUnpriced) ? true : undefined,
  });
  await say(context, `${isGivenUp ? 'given-up' : 'stopped'}/${code}-${moved}`, text);
}
