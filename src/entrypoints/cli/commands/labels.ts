/** `labels list` and `labels sync`. */
import { loadConfig } from '../../../config/load-config.ts';
import type { ForgeKind } from '../../../config/read-config.ts';
import { performSetup, planSetup } from '../../../dispatch/set-up-repository.ts';
import { labelTable } from '../../../domain/labels.ts';
import { escapeForLine } from '../../../domain/untrusted-text.ts';
import type { Handler } from '../command.ts';
import { tableText } from '../format.ts';
import { isMade, labelRows } from '../label-view.ts';
import { labelsAsJson, showLabels } from '../setup-view.ts';
import { wantedLabels } from '../wanted-labels.ts';

export const listLabelTable: Handler = async (app, given) => {
  if (given.flag('json'))
    app.terminal.printJson(labelTable.map((label) => ({ ...label, isMade: isMade(label) })));
  else app.terminal.print(tableText(labelRows()));
  return 0;
};

export const syncLabels: Handler = async (app, given) => {
  const { terminal } = app;
  const repository = given.text('repo');
  const house = await app.openHouse(repository, {
    forge: given.text('forge') as ForgeKind | null,
    name: null,
  });
  const labels = wantedLabels(loadConfig(app.config, await app.findRoot(repository)));
  const plan = await planSetup(house, { files: [], labels });
  const report = {
    repository: house.repositoryName,
    forge: house.forge.kind,
    labels: labelsAsJson(plan.labels),
  };
  const isDry = given.flag('dry-run');
  if (!given.flag('json')) showLabels(terminal, plan.labels, report);
  if (plan.isNeeded && !isDry)
    await performSetup(house, plan, (what) => terminal.say(`  made ${escapeForLine(what)}`));
  if (given.flag('json')) {
    terminal.printJson({ changed: plan.isNeeded && !isDry, ...report });
    return 0;
  }
  if (plan.labels.some(({ state }) => state === 'differs'))
    terminal.say(
      'A label that is there keeps its colour and description; change it on the forge if you want ours.',
    );
  terminal.say(!plan.isNeeded ? 'Nothing to do.' : isDry ? 'Dry run: nothing was changed.' : 'Done.');
  return 0;
};
