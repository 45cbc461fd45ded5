/** `forge run …`: builds that ran outside, reported to the local forge. */
import { GatewrightError } from '../../../../errors.ts';
import type { CheckState } from '../../../../ports/forge/forge.ts';
import type { House } from '../../../../runs/house.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Given, Handler } from '../../table/command.ts';
import { ago } from '../../views/format.ts';
import { limitOf, readGivenFile } from './forge-arguments.ts';
import { currentBranch } from './open-pull-request.ts';

/** The branch that was built, and its last commit. */
async function findBuilt(house: House, given: Given) {
  const branch = given.text('branch') ?? (await currentBranch(house, given, '--branch NAME'));
  const found = await house.forge.getBranch(house.repositoryName, branch);
  if (found !== null) return { branch, commit: found.sha };
  throw new GatewrightError('forge-not-found', `${house.repositoryName} has no branch "${branch}".`);
}

export const reportRun: Handler = async (app, given) => {
  const name = given.args[0] ?? '';
  const conclusion = given.text('conclusion');
  if (conclusion !== 'success' && conclusion !== 'failure')
    throw new GatewrightError('usage', '"forge run report" needs --conclusion success or failure.');
  const file = given.text('log');
  const log = file === null ? '' : readGivenFile(file);
  const house = await openLocalHouse(app, given);
  const { branch, commit } = await findBuilt(house, given);
  const build = {
    name,
    branch,
    commit,
    conclusion,
    step: given.text('step') ?? name,
    log,
  } as const;
  const id = await house.reportBuild(build);
  if (given.flag('json')) app.terminal.printJson({ id, name, branch, commit, conclusion, step: build.step });
  else app.terminal.print(`Reported ${name} at ${commit.slice(0, 12)} (${branch}): ${conclusion}.`);
  return 0;
};

export const reportCheck: Handler = async (app, given) => {
  const name = given.args[0] ?? '';
  const state = given.text('state') as CheckState | null;
  if (state === null) throw new GatewrightError('usage', '"forge check report" needs --state STATE.');
  const house = await openLocalHouse(app, given);
  const { branch, commit } = await findBuilt(house, given);
  const check = {
    ...{ name, commit, state },
    description: given.text('description') ?? '',
    url: given.text('url') ?? '',
  };
  await house.reportCheck(check);
  if (given.flag('json')) app.terminal.printJson({ ...check, branch });
  else app.terminal.print(`Reported ${name} at ${commit.slice(0, 12)} (${branch}): ${state}.`);
  return 0;
};

export const listRuns: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const branch = given.text('branch');
  const found = await house.forge.listWorkflowRuns(house.repositoryName, branch === null ? {} : { branch });
  const runs = found.slice(0, limitOf(given));
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
