/**
 * A recording is an export of the run's ledger: everything that its artefacts came from is there already, for runs that
 * were killed and resumed too. What belongs to the machine (folders, logins, keys) is left out.
 */

import { authoringGateKinds, type GateQuestion } from '../../../domain/drafts/gate.ts';
import type { Effect, EffectResults } from '../../../domain/ledger/effect.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import type { AuthoringRequest, RunStatus } from '../../../domain/ledger/run.ts';
import { listSteps } from '../../../domain/ledger/run-steps.ts';
import { type CassetteFile, parseCassette } from '../../../domain/recordings/cassette.ts';
import { isMomentEntry, momentKey, type RecordingFile } from '../../../domain/recordings/recording.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Ledger } from '../../../ports/ledger.ts';
import { designPath, supersededPath } from '../lld/rules/design-paths.ts';
import { foldArtefacts } from '../rules/artefacts.ts';

type Texts = Pick<Ledger, 'getText'>;
type Call = NonNullable<CassetteFile['calls']>[number];

/** Lines read better than one long string, and a change in one of them shows as one. */
function toLines(text: string): string[] {
  return text.split('\n');
}

function statusOf(entries: readonly LedgerEntry[]): RunStatus {
  let status: RunStatus = 'running';
  for (const entry of entries) {
    if (entry.kind === 'run-ended') status = 'done';
    else if (entry.kind === 'run-stopped') status = entry.data.status;
    else if (entry.kind === 'run-resumed') status = 'running';
  }
  return status;
}

async function exportCalls(entries: readonly LedgerEntry[], texts: Texts): Promise<Call[]> {
  const calls: Call[] = [];
  const counts = new Map<string, number>();
  const prompts = new Map<string, string>();
  let step = 0;
  for (const entry of entries) {
    if (entry.kind === 'node-begun') step = entry.data.step;
    if (entry.kind === 'prompt-sent') prompts.set(entry.data.role, entry.data.prompt);
    if (entry.kind !== 'model-answered') continue;
    const { role, reportedModel, usage } = entry.data;
    const call = (counts.get(role) ?? 0) + 1;
    counts.set(role, call);
    const value: unknown = JSON.parse(await texts.getText(entry.data.answer));
    const prompt = entry.data.prompt ?? prompts.get(role);
    if (prompt === undefined)
      throw new GatewrightError('internal', `No prompt is known for ${role} call ${call}.`);
    calls.push({
      role,
      call,
      step,
      request: { prompt },
      reportedModel,
      answer: typeof value === 'string' ? { text: toLines(value) } : { object: value },
      usage,
    });
  }
  return calls;
}

/** The briefs that the run went on with after the first. */
async function exportBriefs(entries: readonly LedgerEntry[], texts: Texts): Promise<RecordingFile['briefs']> {
  const briefs: NonNullable<RecordingFile['briefs']> = [];
  let step = 0;
  for (const entry of entries) {
    if (entry.kind === 'node-begun') step = entry.data.step;
    if (entry.kind !== 'brief-changed') continue;
    briefs.push({ step, text: toLines(await texts.getText(entry.data.brief)) });
  }
  return briefs;
}

/** The names of the files that the checks of a design found in the repository. */
async function exportFiles(entries: readonly LedgerEntry[], texts: Texts): Promise<RecordingFile['files']> {
  const files: RecordingFile['files'] = [];
  let step = 0;
  for (const entry of entries) {
    if (entry.kind === 'node-begun') step = entry.data.step;
    if (entry.kind !== 'files-listed') continue;
    const text = await texts.getText(entry.data.files);
    files.push({ step, names: text === '' ? [] : toLines(text) });
  }
  return files;
}

/** The design that was at this path before, and the earlier ones that were moved out of the way before it. */
function exportExisting(request: AuthoringRequest, entries: readonly LedgerEntry[]): string[] {
  const { issue } = request;
  if (issue === undefined) return [];
  const design = designPath(issue.number);
  const moves = entries.flatMap((entry) =>
    entry.kind === 'effect-intended' &&
    entry.data.effect.kind === 'move-path' &&
    entry.data.effect.from === design
      ? [entry.data.effect.to]
      : [],
  );
  const earlier: string[] = [];
  for (const to of moves)
    for (let number = 1; supersededPath(issue.number, number) !== to && number < 10_000; number += 1)
      earlier.push(supersededPath(issue.number, number));
  return moves.length === 0 ? [] : [design, ...earlier];
}

async function exportGates(
  runId: string,
  isActorKept: boolean,
  entries: readonly LedgerEntry[],
  texts: Texts,
): Promise<RecordingFile['gates']> {
  const questions = new Map<string, GateQuestion>();
  const steps = new Map(listSteps(runId, entries).map(({ step }) => [makeGateId(runId, step), step]));
  const gates: RecordingFile['gates'] = [];
  for (const entry of entries) {
    if (entry.kind === 'gate-asked') questions.set(entry.data.question.id, entry.data.question);
    if (entry.kind !== 'gate-answered') continue;
    const question = questions.get(entry.data.gate);
    const step = steps.get(entry.data.gate);
    const kind = authoringGateKinds.find((one) => one === question?.kind);
    if (question === undefined || step === undefined || kind === undefined)
      throw new GatewrightError('internal', `Gate ${entry.data.gate} was answered but never asked.`);
    const { choice, by, feedback, seen } = entry.data.answer;
    const edited = question.artefacts.filter(({ name, hash }) => (seen[name] ?? hash) !== hash);
    const changes: Record<string, string[]> = {};
    for (const { name } of edited) changes[name] = toLines(await texts.getText(seen[name] ?? ''));
    gates.push({
      step,
      kind,
      choice,
      by,
      ...(isActorKept ? { actor: entry.data.answer.takenFrom?.actor ?? entry.actor } : {}),
      ...(feedback === undefined ? {} : { feedback }),
      seen,
      ...(edited.length === 0 ? {} : { texts: changes }),
    });
  }
  return gates;
}

function exportForge(entries: readonly LedgerEntry[]): RecordingFile['forge'] {
  const intents = new Map<string, Effect>();
  return entries.flatMap((entry): RecordingFile['forge'] => {
    if (entry.kind === 'effect-intended') intents.set(entry.key ?? '', entry.data.effect);
    const effect = intents.get(entry.key ?? '')?.kind;
    if (effect !== 'ensure-label' && effect !== 'create-issue') return [];
    if (entry.kind === 'effect-failed') return [{ effect, failed: entry.data }];
    if (entry.kind !== 'effect-receipted') return [];
    if (effect === 'ensure-label') return [{ effect }];
    const { number, url } = entry.data.result as EffectResults['create-issue'];
    return [{ effect, number, url }];
  });
}

export function findFiled(entries: readonly LedgerEntry[]): RecordingFile['filed'] {
  let filed: RecordingFile['filed'] = null;
  const receipted = new Set(
    entries.filter((entry) => entry.kind === 'effect-receipted').map((entry) => entry.key),
  );
  for (const entry of entries) {
    if (entry.kind !== 'effect-intended' || entry.data.effect.kind !== 'create-issue') continue;
    const { title, labels, body } = entry.data.effect;
    if (receipted.has(entry.key)) filed = { title, labels: [...labels], body };
  }
  return filed;
}

export async function exportCassette(
  ledger: Pick<Ledger, 'readRun' | 'getText'>,
  run: { readonly id: string; readonly request: AuthoringRequest },
): Promise<string> {
  const { id, request } = run;
  if (request.dryRun)
    throw new GatewrightError('usage', 'A dry run makes no files, so there is nothing to record.');
  const entries = await ledger.readRun(id);
  const calls = await exportCalls(entries, ledger);
  const models: CassetteFile['models'] = {};
  for (const { role, reportedModel = '' } of calls) {
    models[role] = { name: reportedModel, title: reportedModel };
  }
  const isOutside = request.brief.startsWith('/');
  const cassette: CassetteFile = {
    format: 'gatewright-cassette/2',
    about: `The recorded run ${id}: "${request.title}".`,
    models,
    calls,
    run: {
      id,
      workflow: request.workflow,
      slug: request.slug,
      title: request.title,
      repository: request.repository,
      status: statusOf(entries),
      strict: request.strict,
      brief: {
        path: isOutside ? (request.brief.split('/').at(-1) ?? '') : request.brief,
        text: toLines(await ledger.getText(request.briefHash)),
        isOutside,
      },
      briefs: await exportBriefs(entries, ledger),
      ...(request.issue === undefined ? {} : { issue: request.issue }),
      ...(request.contextHash === undefined
        ? {}
        : { context: toLines(await ledger.getText(request.contextHash)) }),
      files: await exportFiles(entries, ledger),
      existing: exportExisting(request, entries),
      steps: listSteps(id, entries),
      gates: await exportGates(id, request.workflow === 'lld', entries, ledger),
      forge: exportForge(entries),
      moments: entries.flatMap((entry) =>
        isMomentEntry(entry.kind) ? [{ key: momentKey(id, entry.kind, entry.key ?? ''), at: entry.at }] : [],
      ),
      artefacts: foldArtefacts(entries),
      filed: findFiled(entries),
    },
  };
  const text = `${JSON.stringify(cassette, null, 2)}\n`;
  // A recording that cannot be read again is refused.
  parseCassette(text, `of run ${id}`);
  return text;
}
