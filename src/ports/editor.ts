/** A person's editor. */
export interface Editor {
  /** The command that will be used, or null when none can be found. */
  readonly command: string | null;
  /** The command that the person set, whether or not it can be run; null when they set none. */
  readonly chosen: string | null;
  /** Opens the files and waits until the person is done. */
  edit(paths: readonly string[]): Promise<void>;
  /** Shows files or a folder without waiting; does nothing for an editor that needs the terminal for itself. */
  show(paths: readonly string[]): Promise<boolean>;
}
