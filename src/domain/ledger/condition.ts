/** Something that keeps a run, an issue or a pull request from moving: who can change it, and how. */
export interface Condition {
  readonly what: string;
  readonly who: string;
  /** A command that changes it, as it can be pasted; empty when there is none. */
  readonly command: string;
  /** What to do where no command does it, or before it. */
  readonly how?: string;
  /** What has to be put right first, where only resuming would not help. */
  readonly advice?: string;
}

/** A command, or words for a person: only what begins with our name is a command. */
export function toDo(text: string): Pick<Condition, 'command' | 'how'> {
  if (text === '') return { command: '' };
  return text.startsWith('gatewright ') ? { command: text } : { command: '', how: text };
}
