/**
 * Takes the place of a model when a recorded run is replayed. Its answers come from the record; for further questions
 * it has none.
 */
import { GatewrightError } from '../../errors.ts';
import type { Model, ModelRequest } from '../../ports/model.ts';

export function makeRecordedModel(role: string): Model {
  const refuse = async ({ call }: ModelRequest): Promise<never> => {
    throw new GatewrightError('cassette-mismatch', `The recording has no answer to ${role} call ${call}.`, {
      hint: 'The recorded run had ended or taken another path at this point.',
    });
  };
  return {
    name: `record:${role}`,
    family: null,
    readPrice: async () => null,
    title: `the recorded ${role}`,
    checkReady: async () => null,
    answerText: refuse,
    answerObject: refuse,
  };
}
