/** Something that goes wrong at the test GitHub. */
/** What happens to the next request that it fits. */
export interface Fault {
  readonly method?: string;
  readonly path?: RegExp;
  /** How many requests that it fits pass before it happens. */
  readonly after?: number;
  /** How many requests it happens to; once if it does not say. */
  readonly times?: number;
  /** Answered instead of doing anything. */
  readonly answer?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** Why GitHub itself would not answer so. What does not say it is held to what GitHub publishes. */
    readonly deviates?: string;
  };
  /** The connection breaks: before anything was done, or after it was done and before anybody was told. */
  readonly reset?: 'before' | 'after';
  /** Called when it happens. */
  readonly onHit?: () => void;
}
