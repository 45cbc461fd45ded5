/** Comments on the issue of a run, once by its key. */
import type { IssueRequest } from './issue-run.ts';
import type { RunContext } from './run-context.ts';

type Saying = Pick<RunContext<IssueRequest, never>, 'effects' | 'repository' | 'ledger' | 'own' | 'request'>;

export async function say(context: Saying, key: string, text: string): Promise<number> {
  const { effects, repository, ledger, own, request } = context;
  const { id } = await effects.perform(key, 'create-comment', async () => ({
    ...{ repository, number: request.number, author: own },
    body: await ledger.putText(text),
  }));
  return id;
}
