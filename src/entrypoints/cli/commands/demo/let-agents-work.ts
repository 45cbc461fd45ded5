/** The agents of the demo: what the forge tells is handled until nothing is left to do. */
import { handleFeed } from '../../../../fleet/handle-event.ts';
import type { PullRequest } from '../../../../ports/forge/forge.ts';
import type { House } from '../../../../runs/house.ts';
import type { App } from '../../app.ts';
import { makeFleetView } from '../../views/fleet-view.ts';
import { block } from '../../views/progress-view.ts';

export async function handleAll(app: App, house: House): Promise<void> {
  const view = makeFleetView(app.terminal);
  const own = await house.forge.whoAmI();
  await handleFeed(house, { ...view.session, own }, view.showEvent);
  view.close();
}

/** A person asks for it in a comment; the agents do everything after that. */
export async function letAgentsWork(
  app: App,
  person: House,
  repository: string,
  issue: number,
): Promise<PullRequest | null> {
  const { terminal } = app;
  const house = await app.openHouse(repository, { forge: null, name: null, asAgent: true });
  const words = `@${house.fleet.handle} please implement this.`;
  terminal.say();
  block(terminal, terminal.style('bold', `The agents: a person comments "${words}"`));
  await person.forge.createComment(person.repositoryName, issue, words);
  await handleAll(app, house);
  const own = await house.forge.whoAmI();
  const [pull] = await house.forge.listPullRequests(house.repositoryName, { state: 'all', author: own });
  return pull ?? null;
}
