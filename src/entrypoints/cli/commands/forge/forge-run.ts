/** `forge run …`: builds that ran outside, reported to the local forge. */
import { GatewrightError } from '../../../../errors.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Handler } from '../../table/command.ts';
import { ago } from '../../views/format.ts';
import { readGivenFile } from './forge-arguments.ts';
import { currentBranch } from './open-pull-request.ts';

export const reportRun: Handler = async (app, given) => {
  const name = given.args[0] ?? '';
  const conclusion = given.text('conclusion');
  if (conclusion !== 'success' && conclusion !== 'failure')
    throw new GatewrightError('usage', '"forge run report" needs --conclusion success or failure.');
  const file = given.text('log');
  const log = file === null ? '' : readGivenFile(file);
  const house = await openLocalHouse(app, given);
  const branch = given.text('branch') ?? (await currentBranch(house, given, '--branch NAME'));
  const found = await house.forge.getBranch(house.repositoryName, branch);
  if (found === null)
    throw new GatewrightError('forge-not-found', `${house.repositoryName} has no branch "${branch}".`);
  const build = {
    name,
    branch,
    commit: found.sha,
    conclusion,
    step: given.text('step') ?? name,
    log,
  } as const;
  const id = await house.reportBuild(build);
  if (given.flag('json'))
    app.terminal.printJson({ id, name, branch, commit: build.commit, conclusion, step: build.step });
  else app.terminal.print(`Reported ${name} at ${found.sha.slice(0, 12)} (${branch}): ${conclusion}.`);
  return 0;
};

export const listRuns: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const branch = given.text('branch');
  const runs = await house.forge.listWorkflowRuns(house.repositoryName, branch === null ? {} : { branch });
  const now = house.clock.now();
  if (given.flag('json')) app.terminal.printJson(runs);
  else if (runs.length === 0) app.terminal.say(`No builds of ${house.repositoryName}.`);
  else
    app.terminal.printTable(
      runs.map((run) => [
        String(run.id),
        run.conclusion ?? run.status,
        run.name,
        run.branch,
        run.headSha.slice(0, 12),
        ago(run.createdAt, now),
      ]),
    );
  return 0;
};
