/** Makes links of the issues and pull requests that a list of runs names, as far as their addresses are known. */
import type { RunSummary } from '../../../domain/ledger/run.ts';
import type { RunViews } from '../../../ports/ledger.ts';
import type { App } from '../app.ts';

/** The server that people see, from an address that the forge once gave us. */
function originOf(url: string | undefined): string | null {
  return /^(https?:\/\/[^/]+)\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/u.exec(url ?? '')?.[1] ?? null;
}

type LinkedRun = Pick<RunSummary, 'subject' | 'request' | 'result'>;

function addressesOf({ request, result }: LinkedRun): readonly (string | undefined)[] {
  return [result?.url, 'issue' in request ? request.issue?.url : undefined];
}

export function linkSubjects(
  { terminal, config }: Pick<App, 'terminal' | 'config'>,
  runs: readonly LinkedRun[],
  subjects: readonly string[] = [],
): void {
  // Where another server than GitHub's own is set, only the addresses that it gave us are known.
  const usual = config.given.environment.has('forge.apiUrl') ? null : 'https://github.com';
  const origins = new Map<string, string>();
  for (const run of runs) {
    const { repository, forge = 'local' } = run.request;
    const known = addressesOf(run).map(originOf);
    for (const url of addressesOf(run)) if (url !== undefined) terminal.link(url);
    const origin = known.find((one) => one !== null) ?? (forge === 'github' ? usual : null);
    if (origin !== null && !origins.has(repository)) origins.set(repository, origin);
  }
  for (const subject of [...runs.map((run) => run.subject), ...subjects]) {
    const [, repository = '', number] = /^([\w.-]+\/[\w.-]+)#([1-9]\d*)$/u.exec(subject) ?? [];
    const origin = origins.get(repository);
    // A forge leads from the address of an issue to that of the pull request with the same number.
    if (number !== undefined && origin !== undefined)
      terminal.link(`${origin}/${repository}/issues/${number}`);
  }
}

/** The newest run in each repository of these subjects, which says where the repository is. */
export async function findRunsBeside(
  views: Pick<RunViews, 'listRuns'> | undefined,
  subjects: readonly string[],
): Promise<RunSummary[]> {
  const repositories = new Set(subjects.map((subject) => subject.split('#')[0] ?? ''));
  const found = [...repositories].map(
    async (repository) => (await views?.listRuns({ repository }, { limit: 1 })) ?? [],
  );
  return (await Promise.all(found)).flat();
}
