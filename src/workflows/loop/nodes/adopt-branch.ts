/** The branch is shared with people: what they pushed to it is taken over before the loop goes on. */
import type { LoopContext } from '../loop-context.ts';

/** Fetches the commit that the branch is at, so that it can be built on. */
export async function adoptBranch(context: LoopContext, branch: string, commit: string): Promise<string> {
  return context.transport.fetchCommit(context.repository, commit, { branch });
}
