/** What the two built-in sets of rules have in common as stand-ins for models: they cost nothing and are always there. */
import type { z } from 'zod';
import { noUsage } from '../../domain/models/budget.ts';
import { GatewrightError } from '../../errors.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../ports/model.ts';

/** What they return may be awaited. */
type BuiltinRules = (request: ModelRequest) => unknown;

export function makeBuiltinModel(name: string, title: string, rules: BuiltinRules): Model {
  const answer = <T>(value: T): ModelAnswer<T> => ({
    value,
    reportedModel: `builtin:${name}`,
    usage: noUsage,
  });
  return {
    name: `builtin:${name}`,
    family: null,
    readPrice: async () => null,
    title,
    checkReady: async () => null,
    async answerText(request) {
      const value = await rules(request);
      if (typeof value !== 'string') {
        throw new GatewrightError(
          'model-unknown',
          `builtin:${name} does not write text, so it cannot be the ${request.role}.`,
        );
      }
      return answer(value);
    },
    async answerObject<T>(request: ModelRequest, schema: z.ZodType<T>) {
      const parsed = schema.safeParse(await rules(request));
      if (!parsed.success) {
        throw new GatewrightError(
          'model-unknown',
          `builtin:${name} gives no verdict, so it cannot be the ${request.role}.`,
        );
      }
      return answer(parsed.data);
    },
  };
}
