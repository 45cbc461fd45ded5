/** The Claude Code CLI is led step by step; how far it is, and where it works, is told from what it sends. */
import type { CassetteWork } from '../../src/domain/recordings/cassette-work.ts';
import {
  answerWith,
  type Reply,
  type SeenRequest,
  type ToolUse,
  useTool,
} from '../support/scripted-provider.ts';

interface Conversation {
  readonly messages?: readonly { readonly role: string }[];
}

/** The next thing that an agent does, told from how far its conversation has come. */
export function takeNextStep(seen: SeenRequest, stepsIn: (folder: string) => readonly ToolUse[]): Reply {
  const { messages = [] } = JSON.parse(seen.text) as Conversation;
  const done = messages.filter(({ role }) => role === 'assistant').length;
  const folder = /[Ww]orking directory: ([^\s"\\]+)/u.exec(seen.text)?.[1] ?? '';
  const use = stepsIn(folder)[done];
  return use === undefined ? answerWith(seen, 'Done.') : useTool(seen, use);
}

/** The end of the work, in the schema that was asked for. */
export function endWith(input: object): ToolUse {
  return { name: 'StructuredOutput', input };
}

/** The CLI overwrites no file that it has not read. */
export function writeFile(file_path: string, content: string, isThere: boolean): ToolUse[] {
  const writing = { name: 'Write', input: { file_path, content } };
  return isThere ? [{ name: 'Read', input: { file_path } }, writing] : [writing];
}

/** What a recorded agent writes, done by the CLI. */
export function writeSteps(folder: string, steps: CassetteWork['steps'], isThere: boolean): ToolUse[] {
  return steps.flatMap((step) =>
    'write' in step ? writeFile(`${folder}/${step.write}`, step.content, isThere) : [],
  );
}
