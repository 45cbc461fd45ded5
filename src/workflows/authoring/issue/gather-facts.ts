/** Reads, once and before the run begins, what its drafter is told about the repository and its draft is checked against. */
import { isGatewrightError } from '../../../errors.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import type { RepositoryFacts } from './rules/repository-facts.ts';

const mostFiles = 20_000;
const longestReadme = 4_000;
/** A repository may have thousands of open issues; those that moved lately are the ones a brief may speak of. */
const recentDays = 180;

type Tools = Pick<AuthoringTools, 'repository' | 'repositoryName' | 'forge' | 'clock'>;

/** What the forge does not give is left out: the checks of N1 say what is wrong with it. */
async function orNothing<T>(reading: Promise<T[]>): Promise<T[] | null> {
  try {
    return await reading;
  } catch (error) {
    if (!isGatewrightError(error)) throw error;
    return null;
  }
}

export async function gatherFacts({
  repository,
  repositoryName,
  forge,
  clock,
}: Tools): Promise<RepositoryFacts> {
  const since = new Date(clock.now().getTime() - recentDays * 86_400_000).toISOString();
  const files = await repository.listFiles();
  const readme = files.find((path) => /^readme(?:\.(?:md|markdown|rst|txt))?$/iu.test(path));
  const labels = await orNothing(forge.listLabels(repositoryName));
  const issues = await orNothing(forge.listIssues(repositoryName, { state: 'open', updatedSince: since }));
  return {
    files: files.slice(0, mostFiles),
    labels: (labels ?? []).map(({ name }) => name),
    issues: (issues ?? []).slice(0, 1_000).map(({ number, title }) => ({ number, title })),
    readme: readme === undefined ? '' : ((await repository.readText(readme)) ?? '').slice(0, longestReadme),
    isPartial: files.length > mostFiles,
  };
}
