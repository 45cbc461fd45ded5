/** Gates: what waits for an answer, what it is about, and the answer itself. */

import { sha256 } from '../../../../domain/ledger/hash.ts';
import type { EntryOf } from '../../../../domain/ledger/ledger-entry.ts';
import { GatewrightError, isGatewrightError } from '../../../../errors.ts';
import type { OpenGate } from '../../../../ports/ledger.ts';
import { readArtefacts, recordAnswer } from '../../../../runs/gates/answer-gate.ts';
import { findOpenGate, refuseLeavingOpen } from '../../../../runs/gates/find-open-gate.ts';
import { requireWritePermission } from '../../../../workflows/authoring/start-run.ts';
import type { ApiTools } from '../api-tools.ts';
import { renderGate } from '../render/render-gate.ts';
import {
  answerBody,
  answeredSchema,
  type GateDetail,
  gateDetailSchema,
  gateParams,
  gatesSchema,
} from '../schemas/gates.ts';
import { defineRoute, type Route } from './route.ts';
import { findOurRun } from './run-routes.ts';

/** Longer than any draft that a model may write. */
const longestText = 1_000_000;

/** A gate of ours, open or not. */
async function findOurGate(
  tools: ApiTools,
  id: string,
): Promise<OpenGate & { readonly isOpen: boolean; readonly answered: EntryOf<'gate-answered'> | null }> {
  const asked = await tools.ledger.find('gate-asked', id);
  const run =
    asked === null
      ? null
      : await findOurRun(tools, asked.run).catch((error: unknown) => {
          if (isGatewrightError(error, 'run-not-found')) return null;
          throw error;
        });
  if (asked === null || run === null)
    throw new GatewrightError('gate-not-found', `There is no gate ${id}.`, { hint: 'See /api/gates.' });
  const answered = await tools.ledger.find('gate-answered', id);
  const isOpen = (await tools.views.listOpenGates()).some(({ question }) => question.id === id);
  return { run, question: asked.data.question, askedAt: asked.at, isOpen, answered };
}

/** What was seen at the last gate of this kind in the run that was answered, by name. */
async function readPrevious(
  { ledger }: ApiTools,
  { question, run }: OpenGate,
): Promise<{ readonly iteration: number; readonly seen: Readonly<Record<string, string>> } | null> {
  const entries = await ledger.readRun(run.id);
  const answers = new Map(
    entries.flatMap((entry) => (entry.kind === 'gate-answered' ? [[entry.key, entry.data.answer.seen]] : [])),
  );
  const own = entries.findIndex(({ kind, key }) => kind === 'gate-asked' && key === question.id);
  for (const entry of entries.slice(0, Math.max(0, own)).toReversed()) {
    if (entry.kind !== 'gate-asked' || entry.data.question.kind !== question.kind) continue;
    const seen = answers.get(entry.key);
    if (seen !== undefined) return { iteration: entry.data.question.iteration, seen };
  }
  return null;
}

/** What each file holds: now, while the gate is open; and what was seen, when it was answered. */
async function readShown(
  tools: ApiTools,
  gate: Awaited<ReturnType<typeof findOurGate>>,
): Promise<GateDetail['artefacts']> {
  const { person, ledger } = tools;
  const { question, run, answered } = gate;
  const previous = await readPrevious(tools, gate);
  const shown: GateDetail['artefacts'] = [];
  for (const artefact of question.artefacts) {
    const { name, path, hash: askedHash } = artefact;
    const seen = answered?.data.answer.seen[name];
    const one = { ...question, artefacts: [artefact] };
    const text =
      seen === undefined
        ? await readArtefacts(one, person.repository, ledger, run.request.dryRun).then(
            (texts) => texts[name] ?? null,
            (error: unknown) => {
              if (isGatewrightError(error, 'gate-content-gone')) return null;
              throw error;
            },
          )
        : await ledger.getText(seen);
    const isShown = text !== null && text.length <= longestText;
    const before = previous?.seen[name];
    const old = before === undefined ? null : await ledger.getText(before);
    const isCompared = previous !== null && old !== null && old.length <= longestText;
    shown.push({
      name,
      path,
      askedHash,
      hash: text === null ? null : sha256(text),
      text: isShown ? text : null,
      previous: isCompared ? { iteration: previous.iteration, text: old } : null,
    });
  }
  return shown;
}

/** An answer has to name everything that it is about: nothing is approved unseen. */
function refuseUnseen({ question }: OpenGate, shown: Readonly<Record<string, string>>): void {
  const names = question.artefacts.map(({ name }) => name);
  const missing = names.filter((name) => shown[name] === undefined);
  const unknown = Object.keys(shown).filter((name) => !names.includes(name));
  if (missing.length + unknown.length === 0) return;
  throw new GatewrightError('request-invalid', 'The answer does not say what it is about.', {
    details: [
      ...missing.map((name) => `body.shown.${name}: missing`),
      ...unknown.map((name) => `body.shown.${name.slice(0, 40)}: the gate has no such artefact`),
    ],
    hint: 'Send the hash of each artefact of the gate, as /api/gates/ID shows it.',
  });
}

export const gateRoutes: readonly Route[] = [
  defineRoute({
    path: '/api/gates',
    name: 'listGates',
    about: 'Gates that wait for an answer, oldest first.',
    answer: gatesSchema,
    handle: async ({ tools }) => {
      const gates = await tools.views.listOpenGates();
      const ours = gates.filter(({ run }) => run.request.repository === tools.repositoryName);
      return { gates: ours.map(renderGate) };
    },
  }),
  defineRoute({
    path: '/api/gates/:gate',
    name: 'showGate',
    about: 'One gate with what its answer is about, and its answer if there is one.',
    params: gateParams,
    answer: gateDetailSchema,
    handle: async ({ tools }, { params }): Promise<GateDetail> => {
      const found = await findOurGate(tools, params.gate);
      const { answered } = found;
      const given = answered?.data.answer;
      return {
        gate: renderGate(found),
        state: found.isOpen ? 'open' : answered === null ? 'left' : 'answered',
        answer:
          answered === null || given === undefined
            ? null
            : {
                ...{ choice: given.choice, by: answered.actor, at: answered.at },
                feedback: given.feedback ?? null,
                seen: { ...given.seen },
              },
        artefacts: await readShown(tools, found),
      };
    },
  }),
  defineRoute({
    path: '/api/gates/:gate/answer',
    name: 'answerGate',
    about: 'Answers a gate. The first valid answer counts, and only for the content that was shown.',
    params: gateParams,
    body: answerBody,
    answer: answeredSchema,
    handle: async ({ tools }, { params, body: { choice: typed, feedback, shown, isAgainstVerdict } }) => {
      await findOurGate(tools, params.gate);
      const { person, onAnswered, repositoryName, leases } = tools;
      const gate = await findOpenGate(tools, params.gate);
      const { run, question } = gate;
      await requireWritePermission(person, repositoryName);
      refuseLeavingOpen(question, typed);
      refuseUnseen(gate, shown);
      const { choice } = await recordAnswer(person.ledger, person.repository, {
        runId: run.id,
        subject: run.subject,
        question,
        choice: typed,
        ...(feedback === undefined ? {} : { feedback }),
        by: 'person',
        actor: person.actor,
        shown,
        isConfirmed: isAgainstVerdict,
        isDryRun: run.request.dryRun,
      });
      // A process that waits at the gate sees the answer by itself; one that is about to leave it does not.
      const isHeld = (await leases.holderOf(run.subject)) !== null;
      onAnswered(run.id);
      return {
        gate: question.id,
        choice,
        run: run.id,
        continues: isHeld ? ('elsewhere' as const) : ('here' as const),
      };
    },
  }),
];
