/** Names the way on without a model, where a model stops a run that a built-in rule could continue. */
import { GatewrightError, isGatewrightError } from '../../errors.ts';

/** What works without any model. */
export const withoutModel = {
  drafter: '--drafter builtin:outline',
  reviewer: '--reviewer builtin:checklist',
} as const;

/** Runs a question to a model; what it fails with also says which option replaces the model. */
export async function offerBuiltin<T>(role: keyof typeof withoutModel, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    // A limit of quota passes by itself, and so does an overload; these do not.
    if (!isGatewrightError(error, 'model-not-authenticated', 'model-not-installed', 'model-unknown'))
      throw error;
    const { code, message, details, output, resumeWith, until } = error;
    throw new GatewrightError(code, message, {
      ...{ details, resumeWith, cause: error },
      ...(output === null ? {} : { output }),
      ...(until === null ? {} : { until }),
      hint: `${error.hint} Or go on without a model: add ${withoutModel[role]} to the command below.`,
    });
  }
}
