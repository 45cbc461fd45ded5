/** A comment of an agent on an issue or a pull request, made once by its key. Returns its id. */
import type { AgentContext } from './agent.ts';

export async function say(context: AgentContext, key: string, number: number, text: string): Promise<number> {
  const { effects, repository, ledger, own } = context;
  const { id } = await effects.perform(key, 'create-comment', async () => ({
    repository,
    number,
    body: await ledger.putText(text),
    author: own,
  }));
  return id;
}
