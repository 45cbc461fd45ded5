/** `init`: asks little, shows everything, asks once, then sets the repository up. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeJsonSchema } from '../../../config/config-schema.ts';
import { unfitForRepository } from '../../../config/judge-settings.ts';
import { type Config, loadConfig, repositoryFileName } from '../../../config/load-config.ts';
import { proposeConfig, refuseModel, schemaFile, type WantedConfig } from '../../../config/propose-config.ts';
import type { ForgeKind } from '../../../config/read-config.ts';
import type { ModelChoice } from '../../../domain/models/model-choice.ts';
import { listUsable, proposeDrafter, proposeReviewer } from '../../../domain/models/propose-models.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { House } from '../../../runs/house.ts';
import { performSetup, planSetup, type WantedFile } from '../../../setup/set-up-repository.ts';
import type { App, Surroundings } from '../app.ts';
import type { Given, Handler } from '../table/command.ts';
import { planAsJson, showPlan } from '../views/setup-view.ts';
import type { Terminal } from '../views/terminal.ts';
import { wantedLabels } from '../wanted-labels.ts';

const slashCommands = ['gatewright-issue', 'gatewright-lld', 'gatewright-status'] as const;

const lineageReadme = `# Lineage

How each issue came about: the brief, every draft, every verdict, what was filed. Gatewright writes these files and
commits them when an issue is filed. They show what the ledger records; a change here does not change the ledger.
`;

/** Asks with something to fall back on; a plain Enter takes it. */
async function askOr(terminal: Terminal, question: string, fallback: string): Promise<string> {
  const answer = ((await terminal.ask(`${question} [${fallback}]: `)) ?? '').trim();
  return answer === '' ? fallback : answer;
}

async function askForge(terminal: Terminal, proposed: ForgeKind): Promise<ForgeKind> {
  for (;;) {
    const answer = (
      await askOr(terminal, 'Where are issues filed, local or github?', proposed)
    ).toLowerCase();
    if (answer === 'local' || answer === 'github') return answer;
    terminal.say('Please answer with local or github.');
  }
}

interface Answers extends WantedConfig {
  readonly wantsSlashCommands: boolean;
}

/** Models that the person chose for themselves before, and that a repository may name. */
function ownModels(config: Config): Partial<ModelChoice> {
  return Object.fromEntries(
    (['drafter', 'reviewer'] as const).flatMap((role) => {
      const { from, value } = config.settings.get(`models.${role}`) ?? { from: 'default', value: null };
      const isFit = from !== 'default' && unfitForRepository(`models.${role}`, String(value)) === null;
      return isFit ? [[role, value]] : [];
    }),
  );
}

/** Asks for a model until it is one that may be written. */
async function askModel(
  terminal: Terminal,
  role: keyof ModelChoice,
  proposed: string,
  drafter: string,
): Promise<string> {
  const question =
    role === 'drafter' ? 'Who drafts?' : 'Who reviews? (a model of another family than the drafter)';
  for (;;) {
    const answer = await askOr(terminal, question, proposed);
    const refused = refuseModel(role, answer, drafter);
    if (refused === null) return answer;
    for (const line of [refused.message, ...refused.details, refused.hint])
      terminal.say(escapeForTerminal(line));
  }
}

/** What was given on the command line, else what is proposed or answered. */
async function chooseModels(
  given: Given,
  config: Config,
  found: Surroundings,
  terminal: Terminal | null,
): Promise<ModelChoice> {
  const usable = listUsable(found);
  terminal?.say(
    usable.length === 0
      ? 'No model was found: no claude CLI, no key of a provider. The built-in rules work without one.'
      : `Found: ${usable.join(', ')}`,
  );
  const own = ownModels(config);
  const proposedDrafter = own.drafter ?? proposeDrafter(usable);
  const drafter =
    given.text('drafter') ??
    (terminal === null
      ? proposedDrafter
      : await askModel(terminal, 'drafter', proposedDrafter, proposedDrafter));
  const isOwnFit = own.reviewer !== undefined && refuseModel('reviewer', own.reviewer, drafter) === null;
  const proposedReviewer = isOwnFit ? own.reviewer : proposeReviewer(drafter, usable);
  const reviewer =
    given.text('reviewer') ??
    (terminal === null ? proposedReviewer : await askModel(terminal, 'reviewer', proposedReviewer, drafter));
  return { drafter, reviewer };
}

async function chooseForge(given: Given, found: Surroundings, terminal: Terminal | null): Promise<ForgeKind> {
  const proposed = found.github === null ? 'local' : 'github';
  if (found.github !== null)
    terminal?.say(`The git remote "origin" is ${escapeForLine(found.github)} on GitHub.`);
  return (
    (given.text('forge') as ForgeKind | null) ??
    (terminal === null ? proposed : await askForge(terminal, proposed))
  );
}

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

/**
 * Asks for the forge, checks whether it can be reached, and asks the rest only then. A file that exists has the
 * answers: no question is asked again, and only options on the command line are compared with the file.
 */
async function settle(app: App, given: Given, config: Config, root: string): Promise<[House, Answers]> {
  const found = await app.lookAround(root);
  const mayAsk = app.terminal.isInteractive && !given.flag('yes') && !given.flag('dry-run');
  const terminal = mayAsk ? app.terminal : null;
  const hasFile = existsSync(join(root, repositoryFileName));
  const forge = hasFile
    ? (given.text('forge') as ForgeKind | null)
    : await chooseForge(given, found, terminal);
  const house = await reachForge(() =>
    app.openHouse(given.text('repo'), { forge: forge ?? config.forge, name: null }),
  );
  const models = hasFile
    ? { drafter: given.text('drafter'), reviewer: given.text('reviewer') }
    : await chooseModels(given, config, found, terminal);
  let wantsSlashCommands = given.flag('slash-commands');
  if (terminal !== null && !wantsSlashCommands && !hasFile && found.hasClaude)
    wantsSlashCommands = /^y/iu.test(await askOr(terminal, 'Slash commands for Claude Code, y or n?', 'n'));
  return [house, { forge, ...models, wantsSlashCommands }];
}

async function wantedFiles(house: House, answers: Answers): Promise<WantedFile[]> {
  const existing = await house.repository.readText(repositoryFileName);
  const config = proposeConfig(existing, answers);
  const files: WantedFile[] = [
    { path: repositoryFileName, content: config },
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
  if (given.flag('yes')) return true;
  if (!app.terminal.isInteractive)
    throw new GatewrightError('usage', 'init asks before it changes anything, and this needs a terminal.', {
      hint: 'See what it would do with --dry-run, and do it with --yes.',
    });
  return !/^n/iu.test(await askOr(app.terminal, 'Do this, y or n?', 'y'));
}

export const runInit: Handler = async (app, given) => {
  const { terminal } = app;
  const root = await app.findRoot(given.text('repo'));
  if (root === null)
    throw new GatewrightError('not-a-repository', `${process.cwd()} is not inside a git work tree.`);
  const config = loadConfig(app.config, root);
  const [house, answers] = await settle(app, given, config, root);
  const files = await wantedFiles(house, answers);
  const plan = await reachForge(() => planSetup(house, { files, labels: wantedLabels(config) }));
  const report = { repository: house.repositoryName, root, forge: house.forge.kind, ...planAsJson(plan) };
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
  await performSetup(house, plan, (what, label) => {
    if (label === null) terminal.say(`  made ${escapeForLine(what)}`);
  });
  const labels = plan.labels.filter(({ state }) => state === 'new').length;
  if (labels > 0) terminal.say(`  made ${labels} ${labels === 1 ? 'label' : 'labels'}`);
  if (given.flag('json')) terminal.printJson({ changed: true, ...report });
  else
    terminal.say(
      'Done. Commit the new files, check the rest with: gatewright doctor\nThen write an idea into ideas/active/ and start with: gatewright issue --select',
    );
  return 0;
};
