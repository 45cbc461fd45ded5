/**
 * The files of a repository decide what the checks find in a design, so the list that a run has read goes into the
 * ledger.
 */
import { sha256 } from '../../../domain/ledger/hash.ts';
import type { Fence } from '../../../ports/ledger.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import type { AuthoringContext } from '../definition.ts';
import type { Run } from '../drive-run.ts';

/** The repository as workflows see it; what it lists is noted whenever it is not what it listed before. */
export function noteFiles(house: AuthoringTools, run: Run, fence: Fence): AuthoringContext['repository'] {
  const { repository, ledger, actor } = house;
  let last: string | null = null;
  return {
    listFolder: (path) => repository.listFolder(path),
    readText: (path) => repository.readText(path),
    exists: (path) => repository.exists(path),
    checkReady: (paths) => repository.checkReady(paths),
    async listFiles() {
      const names = await repository.listFiles();
      const text = names.join('\n');
      const hash = sha256(text);
      if (hash !== last) {
        await ledger.putText(text);
        const data = { files: hash, count: names.length };
        ledger.defer({ subject: run.subject, run: run.id, actor, kind: 'files-listed', data }, fence);
        last = hash;
      }
      return names;
    },
  };
}
