/** `learnings`: what agents have learned about a repository, and how people correct it. */

import type { ForgeKind } from '../../../config/read-config.ts';
import { confidenceAt, type Learning, sortLearnings } from '../../../domain/learnings/learnings.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { House } from '../../../runs/house.ts';
import { requirePerson } from '../../../workflows/issue-runs/drive-issue-run.ts';
import {
  editLearning,
  type LearningChange,
  removeLearning,
} from '../../../workflows/pipeline/change-learnings.ts';
import { readLearnings } from '../../../workflows/pipeline/read-learnings.ts';
import type { App } from '../app.ts';
import { personOf } from '../person-of.ts';
import type { Given, Handler } from '../table/command.ts';

function openHouse(app: App, given: Given): Promise<House> {
  const forge = given.text('forge') as ForgeKind | null;
  return app.openHouse(given.text('repo'), { forge, name: null, asAgent: true });
}

/** Only people who may decide about the repository correct what agents read. */
async function openToChange(app: App, given: Given): Promise<{ house: House; change: LearningChange }> {
  const house = await openHouse(app, given);
  const person = personOf(app, house, await house.forge.whoAmI());
  await requirePerson(house, person);
  return { house, change: { repository: house.repositoryName, id: given.args[0] ?? '', person } };
}

function shown({ id, content }: Learning): string {
  return `${id} "${escapeForLine(content, 400)}"`;
}

export const listLearnings: Handler = async (app, given) => {
  const { terminal } = app;
  const house = await openHouse(app, given);
  const now = house.clock.now().toISOString();
  const learnings = sortLearnings(await readLearnings(house.ledger, house.repositoryName), now);
  if (given.flag('json'))
    terminal.printJson(
      learnings.map((learning) => ({ ...learning, confidence: confidenceAt(learning, now) })),
    );
  else if (learnings.length === 0)
    terminal.say(`Nothing has been learned about ${house.repositoryName} yet.`);
  else
    terminal.printTable(
      learnings.map((learning) => [
        ...[learning.id, confidenceAt(learning, now).toFixed(2), `seen ${learning.seen}×`],
        escapeForLine(learning.file ?? '-', 60),
        escapeForLine(learning.content, 400),
      ]),
    );
  return 0;
};

export const editOneLearning: Handler = async (app, given) => {
  const { house, change } = await openToChange(app, given);
  const learning = await editLearning(house.ledger, change, given.text('text') ?? '');
  if (given.flag('json')) app.terminal.printJson(learning);
  else app.terminal.say(`Changed: ${shown(learning)}`);
  return 0;
};

export const removeOneLearning: Handler = async (app, given) => {
  const { house, change } = await openToChange(app, given);
  const learning = await removeLearning(house.ledger, change, given.text('reason') ?? '');
  const left = (await readLearnings(house.ledger, house.repositoryName)).length;
  if (given.flag('json')) app.terminal.printJson({ removed: learning.id, left });
  else app.terminal.say(`Removed: ${shown(learning)}. ${countOf(left, 'learning')} left.`);
  return 0;
};
