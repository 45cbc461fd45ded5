/** What the issue leaves open, as a comment that a maintainer can reply to. */

export function writeScopeQuestions(questions: readonly string[], handle: string): string {
  return [
    '## Questions before the plan',
    '',
    ...questions.map((text, index) => `${index + 1}. ${text}`),
    '',
    `A person with write permission answers in a comment here; \`@${handle} plan\` plans without answers. Where no fleet runs, run \`gatewright loop plan\` again then.`,
  ].join('\n');
}
