/**
 * What went between the program and the test GitHub, or came from the tests themselves, and does not fit GitHub's own
 * descriptions. The list belongs to the process: modules may be loaded more than once in one.
 */
const key = Symbol.for('gatewright.test.github-violations');

function listed(): string[] {
  const holder = globalThis as { [key]?: string[] };
  holder[key] ??= [];
  return holder[key];
}

export function addViolation(text: string): void {
  if (!listed().includes(text)) listed().push(text);
}

/** What has come together since it was last asked for. */
export function takeViolations(): string[] {
  return listed().splice(0);
}
