/** What a run keeps of its repository, so that it is found again when the folder was moved. */
import type { Repository } from '../../ports/repository.ts';

export async function readHome({
  repository,
}: {
  readonly repository: Pick<Repository, 'identify'>;
}): Promise<{ readonly home?: string }> {
  const home = await repository.identify();
  return home === null ? {} : { home };
}
