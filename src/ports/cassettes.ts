/** Where recordings are kept: files that a person names. */
export interface Cassettes {
  readText(file: string): Promise<string>;
  /** Why a recording of that run cannot go there; null when it can. Nothing but an earlier recording of it is replaced. */
  whyNotWritable(file: string, run: string | null): Promise<string | null>;
  /** All of it or none. Fails with `cassette-secret` when the text holds a key of this machine. */
  writeText(file: string, text: string, run: string): Promise<void>;
}
