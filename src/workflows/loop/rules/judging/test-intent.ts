/** Whether an agent that changed tests says what each of them is to show. */

interface TestIntent {
  readonly test: string;
  readonly why: string;
}

interface TestIntentRule {
  readonly requiredWhenTestsChanged: boolean;
  readonly enforce: boolean;
}

/** A word of it has to be one. */
const isSaid = ({ test, why }: TestIntent): boolean => test.trim() !== '' && /[\p{L}\p{N}]{2}/u.test(why);

export function judgeTestIntent(
  intents: readonly TestIntent[],
  changedTests: readonly string[],
  { requiredWhenTestsChanged, enforce }: TestIntentRule,
): { readonly failures: readonly string[]; readonly warnings: readonly string[] } {
  if (!requiredWhenTestsChanged || changedTests.length === 0 || intents.some(isSaid))
    return { failures: [], warnings: [] };
  const few = changedTests.slice(0, 3).join(', ');
  const more = changedTests.length > 3 ? ` and ${changedTests.length - 3} more` : '';
  const missing = [
    `Test intent: the agent does not say what the tests are to show that it changed (${few}${more}).`,
  ];
  return enforce ? { failures: missing, warnings: [] } : { failures: [], warnings: missing };
}
