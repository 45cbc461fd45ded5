/** Warns, once, when a pull request is too large to be reviewed well. The lines are counted by the forge; no model is asked. */

import { labelNames } from '../../domain/forge/labels.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { type Agent, requireNumber } from '../agent.ts';
import { withStopsTold } from '../stops/report-stop.ts';
import { tellOnNumber } from '../stops/tell-on-number.ts';

/** More than this, and reviewers begin to skim. */
const mostLines = 400;

export const prSizeGuardian: Agent = withStopsTold(tellOnNumber('Measuring this', null), {
  name: 'pr-size-guardian',
  async run(context) {
    const { repository, forge, effects, ledger } = context;
    const number = requireNumber(context);
    const pull = await context.once('facts', async () => {
      const { state, labels, diffStat } = await forge.getPullRequest(repository, number);
      return { state, labels: [...labels], ...diffStat };
    });
    if (pull.state !== 'open') return { message: `nothing to do: #${number} is ${pull.state}` };
    if (pull.labels.includes(labelNames.templateSync))
      return { message: `#${number} brings files of a template; its size is not judged` };
    const lines = pull.additions + pull.deletions;
    if (lines <= mostLines) return { message: `#${number} changes ${countOf(lines, 'line')}, which is fine` };
    const entries = await ledger.readWork(context.subject);
    const hasWarned = wasDoneBefore(entries, 'size-warning', context.runId);
    if (hasWarned)
      return { message: `#${number} changes ${countOf(lines, 'line')}; its author was told before` };
    const text = `This pull request changes **${countOf(lines, 'line')}** in ${countOf(pull.files, 'file')}; above ${mostLines}, reviews miss more than they find. If it can be split into changes that stand on their own, please do.\n`;
    await effects.perform('size-warning', 'create-comment', async () => ({
      repository,
      number,
      body: await ledger.putText(text),
      author: context.own,
    }));
    return { message: `#${number} changes ${countOf(lines, 'line')}; its author was told` };
  },
});
