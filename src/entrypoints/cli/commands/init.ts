/** `init`: asks little, shows everything, asks once, then sets the repository up. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeJsonSchema } from '../../../config/config-schema.ts';
import { type Config, loadConfig, repositoryFileName } from '../../../config/load-config.ts';
import {
  proposeConfig,
  proposeLocalSettings,
  schemaFile,
  type WantedCommands,
  type WantedConfig,
} from '../../../config/propose-config.ts';
import type { ForgeKind } from '../../../config/read-config.ts';
import { quoteForShell } from '../../../domain/text/quote-for-shell.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { House } from '../../../runs/house.ts';
import {
  performSetup,
  planSetup,
  type SetupPlan,
  type WantedFile,
} from '../../../setup/set-up-repository.ts';
import type { App } from '../app.ts';
import type { Given, Handler } from '../table/command.ts';
import {
  askOr,
  chooseCommands,
  chooseForge,
  chooseModels,
  type SetupDialogue,
} from '../views/setup-dialogue.ts';
import { planAsJson, showPlan } from '../views/setup-view.ts';
import { wantedLabels } from '../wanted-labels.ts';

const slashCommands = [
  ...['gatewright-issue', 'gatewright-lld', 'gatewright-status'],
  ...['il_setup', 'il_list', 'il_1_plan', 'il_2_implement', 'il_3_close'],
] as const;

const lineageReadme = `# Lineage

How each issue came about: the brief, every draft, every verdict, what was filed. Gatewright writes these files and
commits them when an issue is filed. They show what the ledger records; a change here does not change the ledger.
`;

/** A person without a token can still begin: on the local forge. */
async function reachForge<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof GatewrightError) || error.code !== 'forge-not-authenticated') throw error;
    throw new GatewrightError(error.code, error.message, {
      hint: `${error.hint}\nTo start without GitHub: gatewright init --forge local`,
      details: error.details,
      cause: error,
    });
  }
}

interface Answers extends WantedConfig {
  readonly wantsSlashCommands: boolean;
  /** Null: the user's settings for this repository stay as they are. */
  readonly commands: WantedCommands | null;
}

/**
 * Asks for the forge, checks whether it can be reached, and asks the rest only then. A file that exists has the
 * answers: no question is asked again, and only options on the command line change it.
 */
async function settle(app: App, given: Given, config: Config, root: string): Promise<[House, Answers]> {
  const { terminal } = app;
  const found = await app.lookAround(root);
  const mayAsk = terminal.isInteractive && !given.flag('yes') && !given.flag('dry-run');
  const dialogue: SetupDialogue = { terminal, mayAsk, given, config, found };
  const hasFile = existsSync(join(root, repositoryFileName));
  const forge = hasFile ? (given.text('forge') as ForgeKind | null) : await chooseForge(dialogue);
  const house = await reachForge(() =>
    app.openHouse(given.text('repo'), { forge: forge ?? config.forge, name: null }),
  );
  const models = hasFile
    ? { drafter: given.text('drafter'), reviewer: given.text('reviewer') }
    : await chooseModels(dialogue);
  const commands = await chooseCommands(dialogue, (await house.repository.readSettings()) !== null);
  let wantsSlashCommands = given.flag('slash-commands');
  if (mayAsk && !wantsSlashCommands && !hasFile && found.claude !== 'missing')
    wantsSlashCommands = /^y/iu.test(await askOr(terminal, 'Slash commands for Claude Code, y or n?', 'n'));
  return [house, { forge, ...models, commands, wantsSlashCommands }];
}

async function wantedFiles(house: House, answers: Answers): Promise<WantedFile[]> {
  const existing = await house.repository.readText(repositoryFileName);
  const config = proposeConfig(existing, answers);
  const files: WantedFile[] = [
    // Only options change a file that is there, so every difference was asked for.
    { path: repositoryFileName, content: config, isAskedFor: true },
    { path: 'ideas/active/.gitkeep', content: '', keeps: 'ideas/active' },
    { path: 'docs/lineage/README.md', content: lineageReadme, keeps: 'docs/lineage' },
  ];
  if (config.includes(schemaFile))
    files.splice(1, 0, {
      path: schemaFile,
      content: `${JSON.stringify(makeJsonSchema(), null, 2)}\n`,
    });
  for (const name of answers.wantsSlashCommands ? slashCommands : [])
    files.push({
      path: `.claude/commands/${name}.md`,
      content: await house.prompts.template(`slash-commands/${name}`),
    });
  return files;
}

async function isConfirmed(app: App, given: Given): Promise<boolean> {
  return given.flag('yes') || !/^n/iu.test(await askOr(app.terminal, 'Do this, y or n?', 'y'));
}

/** Said before the plan is shown: a plan that ends in an error reads as if it had been carried out. */
function refuseWithoutTerminal(app: App, given: Given): void {
  if (given.flag('yes') || given.flag('dry-run') || app.terminal.isInteractive) return;
  throw new GatewrightError('usage', 'init asks before it changes anything, and this needs a terminal.', {
    hint: 'See what it would do with: gatewright init --dry-run. Do it with: gatewright init --yes',
  });
}

/** The command works in the folder that the person is in, and names no file that git would refuse. */
function describeCommit(made: readonly string[], known: ReadonlySet<string>, root: string): string {
  const git = process.cwd() === root ? 'git' : `git -C ${quoteForShell(root)}`;
  const list = (paths: readonly string[]): string => paths.map(quoteForShell).join(' ');
  const added = made.filter((path) => known.has(path));
  const ignored = made.filter((path) => !known.has(path));
  const commit =
    added.length === 0
      ? ''
      : `Commit the files: ${git} add ${list(added)} && ${git} commit -m "Set up Gatewright"\n`;
  const left =
    ignored.length === 0
      ? ''
      : `Your .gitignore leaves these out; to commit them all the same: ${git} add --force ${list(ignored)}\n`;
  return commit + left;
}

async function nextSteps(house: Pick<House, 'repository'>, plan: SetupPlan): Promise<string> {
  const made = plan.files.filter(({ state }) => state === 'new' || state === 'changes');
  const { root } = house.repository;
  const known = new Set(await house.repository.listFiles());
  const commit = describeCommit(
    made.map(({ path }) => path),
    known,
    root,
  );
  return `Done. Next:\n${commit}Check the rest with: gatewright doctor\nWrite an idea into ideas/active/, then start with: gatewright issue --select`;
}

export const runInit: Handler = async (app, given) => {
  const { terminal } = app;
  const root = await app.findRoot(given.text('repo'));
  if (root === null)
    throw new GatewrightError('not-a-repository', `${process.cwd()} is not inside a git work tree.`);
  const config = loadConfig(app.config, root);
  if (given.flag('actions'))
    return (await import('./actions/init-actions.ts')).initActions(app, given, config, root);
  const [house, answers] = await settle(app, given, config, root);
  const files = await wantedFiles(house, answers);
  const { commands } = answers;
  const plan = await reachForge(() =>
    planSetup(house, {
      files,
      labels: wantedLabels(config),
      ...(commands === null
        ? {}
        : { settings: (existing: string | null) => proposeLocalSettings(existing, commands) }),
    }),
  );
  const report = { repository: house.repositoryName, root, forge: house.forge.kind, ...planAsJson(plan) };
  if (plan.isNeeded) refuseWithoutTerminal(app, given);
  if (!given.flag('json')) await showPlan(terminal, plan, report);
  if (!plan.isNeeded || given.flag('dry-run')) {
    if (given.flag('json')) terminal.printJson({ changed: false, ...report });
    else terminal.say(plan.isNeeded ? 'Dry run: nothing was changed.' : 'Nothing to do.');
    return 0;
  }
  if (!(await isConfirmed(app, given))) {
    terminal.say('Nothing was changed.');
    return 0;
  }
  // Files one by one; labels, which are many and were listed a moment ago, together.
  terminal.wait('writing files and making labels');
  await performSetup(house, plan, (what, label) => {
    if (label === null) terminal.say(`  wrote ${escapeForLine(what)}`);
  });
  terminal.endWait();
  const labels = plan.labels.filter(({ state }) => state === 'new').length;
  if (labels > 0) terminal.say(`  made ${labels} ${labels === 1 ? 'label' : 'labels'}`);
  if (given.flag('json')) terminal.printJson({ changed: true, ...report });
  else terminal.say(await nextSteps(house, plan));
  return 0;
};
