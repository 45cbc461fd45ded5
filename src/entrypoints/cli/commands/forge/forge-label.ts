/** `forge label …`. */
import { labelColour } from '../../../../domain/forge/label-table.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Handler } from '../../table/command.ts';

export const listLabels: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const labels = await house.forge.listLabels(house.repositoryName);
  if (given.flag('json')) app.terminal.printJson(labels);
  else if (labels.length === 0) app.terminal.say(`No labels in ${house.repositoryName}.`);
  else app.terminal.printTable(labels.map((label) => [label.name, `#${label.colour}`, label.description]));
  return 0;
};

export const createLabel: Handler = async (app, given) => {
  const name = given.args[0] ?? '';
  const house = await openLocalHouse(app, given);
  const label = {
    name,
    colour: (given.text('color') ?? labelColour(name)).replace(/^#/u, ''),
    description: given.text('description') ?? '',
  };
  const { created } = await house.forge.ensureLabel(house.repositoryName, label);
  if (given.flag('json')) app.terminal.printJson({ ...label, created });
  else
    app.terminal.print(
      created ? `Made the label "${name}".` : `The label "${name}" exists already; it was left as it is.`,
    );
  return 0;
};
