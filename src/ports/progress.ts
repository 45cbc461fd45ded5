/** What a run reports to a terminal or a log. The report changes nothing about the run. */
export type ProgressEvent =
  | { readonly kind: 'node'; readonly node: string }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'calling'; readonly role: string; readonly model: string; readonly purpose: string }
  | {
      readonly kind: 'answered';
      readonly role: string;
      readonly model: string;
      readonly seconds: number;
      readonly costUsd: number;
      /** The price of the model is not known, so the cost is not either. */
      readonly isUnpriced: boolean;
    }
  /** A coding agent at work; the reported text is untrusted. */
  | {
      readonly kind: 'working';
      readonly role: string;
      readonly turns: number;
      readonly tool: string | null;
      readonly target: string | null;
      readonly text: string | null;
    }
  /** A command that verifies work has begun. */
  | { readonly kind: 'checking'; readonly name: string }
  /** The tasks of a loop or the stages of a pipeline, whenever one begins or ends; their titles are untrusted. */
  | {
      readonly kind: 'tasks';
      readonly tasks: readonly {
        readonly id: string;
        readonly title: string;
        readonly passes: boolean;
        readonly attempts: number;
      }[];
      readonly current: string | null;
      /** What they are; tasks where it does not say. */
      readonly noun?: 'stages';
    }
  | { readonly kind: 'checked'; readonly name: string; readonly ok: boolean; readonly detail: string }
  | { readonly kind: 'saved'; readonly what: string; readonly path: string }
  | { readonly kind: 'verdict'; readonly reviewer: string; readonly text: string; readonly path: string }
  | { readonly kind: 'routed'; readonly by: string; readonly next: 'finish' | 'revise' }
  | {
      readonly kind: 'filing';
      readonly title: string;
      readonly labels: readonly string[];
      readonly repository: string;
    }
  | { readonly kind: 'filed'; readonly url: string; readonly number: number }
  | { readonly kind: 'approved'; readonly path: string; readonly number: number }
  | { readonly kind: 'moved'; readonly what: 'lineage' | 'idea' | 'superseded'; readonly to: string }
  | { readonly kind: 'recorded'; readonly file: string }
  | { readonly kind: 'committed'; readonly commit: string; readonly number: number };

export type Progress = (event: ProgressEvent) => void;

/**
 * What the program waits for outside: the network, git, commands. Adapters publish it on a channel of Node's
 * `diagnostics_channel`, so that one place can show every wait and no command has to think of it.
 */
export const waitChannel = 'gatewright.wait';

export interface WaitMessage {
  /** The same object when the wait begins and when it ends. */
  readonly wait: { readonly text: string };
  readonly isOver: boolean;
}
