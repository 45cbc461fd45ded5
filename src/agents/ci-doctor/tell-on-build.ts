/** Tells of a stop of ci-doctor where its diagnosis would stand: on the pull request, or else on the commit. */
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext } from '../agent.ts';
import { say } from '../post-comment.ts';
import { type TellStop, writeStop } from '../stops/report-stop.ts';

/** The open pull request at that commit; null when there is none, or when just now they cannot be listed. */
async function findNumber({ forge, repository }: AgentContext, head: string): Promise<number | null> {
  try {
    const pulls = await forge.listPullRequests(repository, { state: 'open' });
    return pulls.find((pull) => pull.head.sha === head)?.number ?? null;
  } catch (error) {
    if (isGatewrightError(error)) return null;
    throw error;
  }
}

export const tellOnBuild: TellStop = async (context, { error, key }) => {
  const { effects, event, ledger, own: author, repository, runId, subject } = context;
  if (event.kind !== 'workflow-completed') return;
  const { head: commit } = event;
  const full = `${key}/${commit}`;
  if ((await effects.momentOf(full)) !== null) return;
  if (wasDoneBefore(await ledger.readWork(subject), full, runId)) return;
  const number = await context.once('stop-place', () => findNumber(context, commit));
  const facts = { what: 'The diagnosis of a failed build', person: null, words: null, branch: null };
  const text = await writeStop(context, facts, error);
  if (number !== null) await say(context, full, number, text);
  else
    await effects.perform(full, 'comment-commit', async () => ({
      ...{ repository, commit, author },
      body: await ledger.putText(text),
    }));
};
