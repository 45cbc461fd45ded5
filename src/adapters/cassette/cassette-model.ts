/** A model that replays a cassette: the answer of that role and call, if the request is the one it was given for. */

import { canonicalJson } from '../../domain/ledger/hash.ts';
import { modelFamily } from '../../domain/models/model-family.ts';
import { promptText } from '../../domain/models/prompt-text.ts';
import type { CassetteCall } from '../../domain/recordings/cassette.ts';
import { GatewrightError } from '../../errors.ts';
import type { Model, ModelRequest } from '../../ports/model.ts';
import { openCassette } from './cassette.ts';
import { findRecorded } from './match-request.ts';

/** What of a request is hashed: what a provider would see. */
export function requestText(request: ModelRequest): string {
  return canonicalJson({
    role: request.role,
    instructions: request.instructions,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
  });
}

export function makeCassetteModel(path: string, role: string): Model {
  const { cassette, recorded } = openCassette(path, role);
  const refuse = (request: ModelRequest, why: string): never => {
    throw new GatewrightError(
      'cassette-mismatch',
      `The cassette ${path} cannot answer ${request.role} call ${request.call}: ${why}`,
    );
  };
  const findCall = (request: ModelRequest): CassetteCall => {
    const recordedCall = findRecorded(cassette.calls, {
      ...{ role: request.role, call: request.call },
      ...{ hashed: requestText(request), text: promptText(request) },
    });
    if ('mismatch' in recordedCall) return refuse(request, recordedCall.mismatch ?? 'it holds no such call.');
    const call = recordedCall.found;
    if ('quota' in call.answer) {
      const { until } = call.answer.quota;
      throw new GatewrightError('quota-exhausted', `${recorded.title} is out of quota until ${until}.`, {
        until,
      });
    }
    return call;
  };
  // A replay is free, whatever the recording cost: budgets and sums count what is really spent.
  const usageOf = (call: CassetteCall) => ({ ...call.usage, costUsd: 0 });
  return {
    name: `cassette:${recorded.name}`,
    family: modelFamily(recorded.name),
    isFree: true,
    readPrice: async () => null,
    title: `${recorded.title} (recorded)`,
    checkReady: async () => null,
    async answerText(request) {
      const call = findCall(request);
      if (!('text' in call.answer)) return refuse(request, 'its answer is an object, not a text.');
      return {
        value: call.answer.text,
        reportedModel: call.reportedModel ?? recorded.name,
        usage: usageOf(call),
      };
    },
    async answerObject(request, schema) {
      const call = findCall(request);
      if (!('object' in call.answer)) return refuse(request, 'its answer is a text, not an object.');
      const parsed = schema.safeParse(call.answer.object);
      if (!parsed.success) {
        const why = 'model-unusable-answer';
        request.onSpent?.({ credential: 'none', reportedModel: recorded.name, usage: usageOf(call), why });
        throw new GatewrightError('model-unusable-answer', `${recorded.title} answered outside the schema.`, {
          details: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
        });
      }
      return {
        value: parsed.data,
        reportedModel: call.reportedModel ?? recorded.name,
        usage: usageOf(call),
      };
    },
  };
}
