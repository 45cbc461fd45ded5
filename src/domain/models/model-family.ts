/** Which family a model belongs to. Two models of one family share blind spots, so one may not review the other. */

const families: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/claude|opus|sonnet|haiku|anthropic/iu, 'claude'],
  [/gemini|gemma|google/iu, 'gemini'],
  [/gpt|(^|[:/])o\d|codex|openai/iu, 'gpt'],
  [/llama/iu, 'llama'],
  [/mistral|mixtral|codestral|magistral|devstral/iu, 'mistral'],
  [/qwen/iu, 'qwen'],
  [/deepseek/iu, 'deepseek'],
  [/grok/iu, 'grok'],
];

/** The family of a model name; an unknown model is a family of its own. */
export function modelFamily(modelName: string): string {
  const bare = modelName.replace(/^cassette:/u, '');
  return families.find(([pattern]) => pattern.test(bare))?.[1] ?? bare.toLowerCase();
}

/** Whether the name shows a family that we know; an unknown name is only a family of its own. */
export function isKnownFamily(modelName: string): boolean {
  return families.some(([pattern]) => pattern.test(modelName));
}

/** The family of a model by the name that the ledger has for it, such as `google:gemini-3`; null for built-in rules. */
export function familyOnRecord(name: string): string | null {
  const bare = name.replace(/^record:/u, '');
  if (bare.startsWith('builtin:')) return null;
  // A provider has models of several families; the CLI runs Claude, no matter how its model is called.
  return modelFamily(bare.replace(/^(?:google|anthropic|openai):/u, ''));
}

/** Built-in rules are not models: they have no blind spots to share, so they are independent of everything. */
export function areIndependent(
  drafter: { family: string | null },
  reviewer: { family: string | null },
): boolean {
  return drafter.family === null || reviewer.family === null || drafter.family !== reviewer.family;
}
