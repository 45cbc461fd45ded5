/**
 * What the models say in the loop of the little internet, as the Claude Code CLI gets it. They answer from what they are
 * shown and remember nothing: one task fails twice and then passes, another never passes until it is planned anew, agents
 * leave hints and find a task, and what testing finds is mended.
 */
import { taskReportSchema } from '../../src/workflows/loop/rules/task-report.ts';
import { plan, report, typed } from '../support/loop-cassette.ts';
import { hints } from '../support/loop-scenario.ts';
import { answerWith, type Reply, type SeenRequest, type ToolUse } from '../support/scripted-provider.ts';
import { endWith, takeNextStep, writeSteps } from './claude-steps.ts';

const { task } = typed;
/** The CLI takes no answer in which a field is missing, even one that has a default. */
const reporting = (more: object = {}): ToolUse => endWith(taskReportSchema.parse(report(more)));

const first = plan(
  [task('difference'), task('product', { dependsOn: [1] }), task('quotient'), task('power')],
  { globalVerifyCommands: [] },
);
const second = plan([task('quotient', { title: 'Add quotient once more' })], { globalVerifyCommands: [] });

const found = {
  ...{ title: 'Also negate', description: 'Write negate in src/negate.ts.' },
  acceptanceCriteria: ['`node --test test/difference.test.ts` passes'],
  verifyCommands: ['node --test test/difference.test.ts'],
};

function writeFiles(folder: string, name: string, isRight: boolean, isThere: boolean): ToolUse[] {
  return writeSteps(folder, typed.write(name, isRight), isThere);
}

function workOn(id: string, attempt: number, folder: string): ToolUse[] {
  const isThere = attempt > 1;
  switch (id) {
    case 'US-001':
      return [
        ...writeFiles(folder, 'difference', attempt === 3, isThere),
        reporting({
          ...(attempt === 1 ? { wisp: { note: hints.lasting, minutes: 600 } } : {}),
          ...(attempt === 3 ? { discovered: [found] } : {}),
        }),
      ];
    case 'US-002':
      return [...writeFiles(folder, 'product', true, isThere), reporting()];
    case 'US-003':
      return [
        ...writeFiles(folder, 'quotient', false, isThere),
        reporting(attempt === 1 ? { wisp: { note: hints.passing, minutes: 1 } } : {}),
      ];
    case 'US-004':
      return [...writeFiles(folder, 'power', true, isThere), reporting()];
    case 'US-005':
      return [...writeFiles(folder, 'negate', true, isThere), reporting()];
    default:
      return [...writeFiles(folder, 'quotient', true, isThere), reporting()];
  }
}

function mend(folder: string): ToolUse[] {
  const file_path = `${folder}/src/difference.ts`;
  return [
    { name: 'Read', input: { file_path } },
    { name: 'Edit', input: { file_path, old_string: 'a - b', new_string: 'a - b - 0' } },
    reporting(),
  ];
}

/** Of which task and of which attempt the request is; null when it is of none. */
export function taskOf({ text }: SeenRequest): { readonly id: string; readonly attempt: number } | null {
  const [, id, attempt] = /Your task, (US-\d+) of issue #\d+ \(attempt (\d+)\)/u.exec(text) ?? [];
  return id === undefined || text.includes('who mends a problem') ? null : { id, attempt: Number(attempt) };
}

export function answerLoop(seen: SeenRequest): Reply {
  const { text } = seen;
  const next = (uses: (folder: string) => ToolUse[]): Reply => takeNextStep(seen, uses);
  if (text.includes('You review a change to a software project'))
    return next(() => [endWith({ summary: 'Fine.', findings: [] })]);
  if (text.includes('plans work on one issue as a list of small tasks'))
    return next(() => [endWith(text.includes('What a maintainer asks for now') ? second : first)]);
  if (text.includes('who mends a problem')) return next(mend);
  const working = taskOf(seen);
  if (working === null) return answerWith(seen, 'Hello.');
  return next((folder) => workOn(working.id, working.attempt, folder));
}
