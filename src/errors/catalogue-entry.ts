/** What the catalogue says about one kind of failure. */
export type Retry = 'never' | 'later' | 'after-human';

export interface CatalogueEntry {
  /** Whether the same call may succeed: on its own later, after a person did something, or never. */
  readonly retry: Retry;
  /** What went wrong, in general. The thrown error carries the particular message. */
  readonly meaning: string;
  /** What a person does about it when the thrower knows nothing better. */
  readonly hint: string;
}
