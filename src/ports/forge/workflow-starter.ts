/** Starts workflows of the forge's own runners. Events that a job's token makes start none, so runs hand on by this. */
export interface WorkflowStarter {
  /** @param file its name in `.github/workflows`, as it is on that branch */
  start(repository: string, file: string, branch: string): Promise<void>;
}
