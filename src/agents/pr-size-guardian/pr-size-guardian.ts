/** Warns, once, when a pull request is too large to be reviewed well. The lines are counted by the forge; no model is asked. */

import { labelNames } from '../../domain/forge/labels.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { type Agent, type AgentContext, requireNumber } from '../agent.ts';
import { withStopsTold } from '../stops/report-stop.ts';
import { tellOnNumber } from '../stops/tell-on-number.ts';

/** More than this, and reviewers begin to skim. */
const mostLines = 400;

/** What only keeps how the work came about is not reviewed, and does not count. Only files that were added so are. */
async function countArchived(
  { forge, ledger, repository }: AgentContext,
  number: number,
): Promise<{ readonly lines: number; readonly files: number }> {
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  const { archive = [] } = made?.data ?? {};
  if (archive.length === 0) return { lines: 0, files: 0 };
  const files = (await forge.listFiles(repository, number)).filter(
    ({ path, change }) => change === 'added' && archive.includes(path),
  );
  return { lines: files.reduce((sum, { additions }) => sum + additions, 0), files: files.length };
}

export const prSizeGuardian: Agent = withStopsTold(tellOnNumber('Measuring this', null), {
  name: 'pr-size-guardian',
  async run(context) {
    const { repository, forge, effects, ledger } = context;
    const number = requireNumber(context);
    const pull = await context.once('facts', async () => {
      const { state, labels, diffStat } = await forge.getPullRequest(repository, number);
      const archived = await countArchived(context, number);
      return { state, labels: [...labels], ...diffStat, archived };
    });
    if (pull.state !== 'open') return { message: `nothing to do: #${number} is ${pull.state}` };
    if (pull.labels.includes(labelNames.templateSync))
      return { message: `#${number} brings files of a template; its size is not judged` };
    const { archived } = pull;
    const lines = pull.additions + pull.deletions - archived.lines;
    const beside =
      archived.lines === 0
        ? ''
        : ` (besides ${countOf(archived.lines, 'line')} of its archive, which do not count)`;
    if (lines <= mostLines) return { message: `#${number} changes ${countOf(lines, 'line')}, which is fine` };
    const entries = await ledger.readWork(context.subject);
    const hasWarned = wasDoneBefore(entries, 'size-warning', context.runId);
    if (hasWarned)
      return { message: `#${number} changes ${countOf(lines, 'line')}; its author was told before` };
    const text = `This pull request changes **${countOf(lines, 'line')}** in ${countOf(pull.files - archived.files, 'file')}${beside}; above ${mostLines}, reviews miss more than they find. If it can be split into changes that stand on their own, please do.\n`;
    await effects.perform('size-warning', 'create-comment', async () => ({
      repository,
      number,
      body: await ledger.putText(text),
      author: context.own,
    }));
    return { message: `#${number} changes ${countOf(lines, 'line')}; its author was told` };
  },
});
