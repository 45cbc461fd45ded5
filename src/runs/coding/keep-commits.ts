/** Workspaces whose commits are kept as work of a run: the run may go on from them on another machine. */
import type { KeptWork } from '../../ports/proposals/kept-work.ts';
import type { Workspaces } from '../../ports/workspace.ts';

/** @param kept missing where what a run makes stays on this machine */
export function keepCommits(workspaces: Workspaces, run: string, kept: KeptWork | undefined): Workspaces {
  if (kept === undefined) return workspaces;
  return {
    open: (...given) => workspaces.open(...given),
    takeSnapshot: (...given) => workspaces.takeSnapshot(...given),
    takeEarlySnapshot: (...given) => workspaces.takeEarlySnapshot(...given),
    listChanges: (...given) => workspaces.listChanges(...given),
    diff: (...given) => workspaces.diff(...given),
    readFile: (...given) => workspaces.readFile(...given),
    mergeTrees: (...given) => workspaces.mergeTrees(...given),
    mergeWithMarkers: (...given) => workspaces.mergeWithMarkers(...given),
    commit: async (wanted) => {
      const commit = await workspaces.commit(wanted);
      await kept.keep(run, { commit });
      return commit;
    },
    remove: (...given) => workspaces.remove(...given),
  };
}
