/** `labels list` and `labels sync`. */
import { loadConfig } from '../../../config/load-config.ts';
import type { ForgeKind } from '../../../config/read-config.ts';
import { labelTable } from '../../../domain/forge/label-table.ts';
import { performSetup, planSetup } from '../../../setup/set-up-repository.ts';
import type { Handler } from '../table/command.ts';
import { isMade, labelRows } from '../views/label-view.ts';
import { labelsAsJson, showLabels } from '../views/setup-view.ts';
import { wantedLabels } from '../wanted-labels.ts';

export const listLabelTable: Handler = async (app, given) => {
  if (given.flag('json'))
    app.terminal.printJson(labelTable.map((label) => ({ ...label, isMade: isMade(label) })));
  else app.terminal.printTable(labelRows());
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
  const isMaking = plan.isNeeded && !isDry;
  if (given.flag('json')) {
    if (isMaking) await performSetup(house, plan, () => undefined);
    terminal.printJson({ changed: isMaking, ...report });
    return 0;
  }
  await showLabels(
    terminal,
    plan.labels,
    report,
    isMaking ? (onMade) => performSetup(house, plan, (_, label) => label && onMade(label)) : undefined,
  );
  if (plan.labels.some(({ state }) => state === 'differs'))
    terminal.say(
      'An existing label keeps its colour and description; change it on the forge if you want ours.',
    );
  const made = plan.labels.filter(({ state }) => state === 'new').length;
  terminal.say(
    !plan.isNeeded
      ? 'Nothing to do.'
      : isDry
        ? 'Dry run: nothing was changed.'
        : `Made ${made} ${made === 1 ? 'label' : 'labels'}.`,
  );
  return 0;
};
