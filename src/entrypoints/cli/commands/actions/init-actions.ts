/** `init --actions`: the files with which the agents work on GitHub Actions. */
import { randomBytes } from 'node:crypto';
import { agentManifests } from '../../../../agents/agents.ts';
import type { Config } from '../../../../config/load-config.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import {
  type PlannedActionsFile,
  planActionsFiles,
  readPlainFile,
} from '../../../../setup/actions/generate/plan-files.ts';
import { readStamp } from '../../../../setup/actions/generate/rules/stamp.ts';
import { wantedFiles, workflowPathOf } from '../../../../setup/actions/generate/rules/wanted-files.ts';
import { performSetup } from '../../../../setup/set-up-repository.ts';
import type { App } from '../../app.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Given } from '../../table/command.ts';
import { askOr } from '../../views/setup-dialogue.ts';
import { chooseActionsOptions } from './actions-options.ts';
import { actionsPlanAsJson, describeNextSteps, showActionsPlan } from './actions-view.ts';

function isGenerated(root: string, path: string): boolean {
  const found = readPlainFile(root, path);
  return found !== null && 'text' in found && readStamp(found.text) !== null;
}

/** Of the files that a person changed, those that may be replaced all the same. */
async function chooseOverwritten(
  app: App,
  given: Given,
  edited: readonly PlannedActionsFile[],
): Promise<ReadonlySet<string>> {
  const chosen = new Set(given.texts('overwrite'));
  const open = edited.filter(({ path }) => !chosen.has(path));
  if (open.length === 0) return chosen;
  if (!app.terminal.isInteractive || given.flag('yes'))
    throw new GatewrightError('file-edited', 'Files that a person changed would be replaced.', {
      details: open.map(({ path }) => path),
      hint: `See what would change with: gatewright init --actions --check. Replace one with: gatewright init --actions --yes${open.map(({ path }) => ` --overwrite ${path}`).join('')}`,
    });
  for (const { path } of open)
    if (
      /^y/iu.test(
        await askOr(app.terminal, `A person changed ${escapeForLine(path)}. Replace it, y or n?`, 'n'),
      )
    )
      chosen.add(path);
  return chosen;
}

async function isConfirmed(app: App, given: Given): Promise<boolean> {
  if (given.flag('yes')) return true;
  if (app.terminal.isInteractive) return !/^n/iu.test(await askOr(app.terminal, 'Do this, y or n?', 'y'));
  throw new GatewrightError('usage', 'init asks before it changes anything, and this needs a terminal.', {
    hint: 'See what it would do with: gatewright init --actions --check. Do it with: gatewright init --actions --yes',
  });
}

async function write(app: App, given: Given, files: readonly PlannedActionsFile[]): Promise<void> {
  // Files only: nothing is asked of GitHub, so that this works before there is a token.
  const house = await app.openHouse(given.text('repo'), { forge: 'local', name: null });
  const planned = files.map(({ path, content, existing }) => ({
    ...{ path, content, existing },
    state: existing === null ? ('new' as const) : ('changes' as const),
  }));
  await performSetup(house, { files: planned, labels: [], settings: null, isNeeded: true }, (path) =>
    app.terminal.say(`  wrote ${escapeForLine(path)}`),
  );
}

export async function initActions(app: App, given: Given, config: Config, root: string): Promise<number> {
  const { terminal } = app;
  if (given.flag('ledger-key')) {
    terminal.printExactly(randomBytes(32).toString('hex'));
    return exitCodes.done.code;
  }
  const options = chooseActionsOptions(
    { agents: given.text('agents'), runner: given.text('runner'), source: given.text('source') },
    { app, config, root },
  );
  const plan = planActionsFiles(root, wantedFiles(agentManifests, options));
  const [unfit, edited, easy] = [
    plan.filter(({ state }) => state === 'unfit'),
    plan.filter(({ state }) => state === 'edited'),
    plan.filter(({ state }) => state === 'new' || state === 'changes'),
  ];
  const left = agentManifests
    .filter(({ name }) => !options.agents.includes(name))
    .map(({ name }) => workflowPathOf(name))
    .filter((path) => isGenerated(root, path));
  const isCurrent = unfit.length + edited.length + easy.length === 0;
  const asJson = given.flag('json');
  if (asJson) terminal.printJson({ isCurrent, ...actionsPlanAsJson(plan) });
  else showActionsPlan(terminal, plan);
  for (const path of left)
    terminal.say(`${path} is of an agent that you did not choose. To switch it off: git rm ${path}`);
  if (isCurrent && !asJson) terminal.say('Nothing to do.');
  if (given.flag('check')) return isCurrent ? exitCodes.done.code : exitCodes.failed.code;
  if (isCurrent || given.flag('dry-run')) return exitCodes.done.code;
  const overwritten = await chooseOverwritten(app, given, edited);
  const chosen = [...easy, ...edited.filter(({ path }) => overwritten.has(path))];
  if (chosen.length > 0 && (await isConfirmed(app, given))) {
    await write(app, given, chosen);
    if (!asJson) terminal.say(describeNextSteps(chosen.map(({ path }) => path)));
  } else terminal.say('Nothing was changed.');
  for (const { path, why } of unfit)
    terminal.say(`${escapeForLine(path)} was left as it is: ${escapeForLine(why)}.`);
  return unfit.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
}
