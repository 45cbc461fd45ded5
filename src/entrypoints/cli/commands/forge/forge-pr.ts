/** `forge pr …`: opens, lists and changes the local forge's pull requests, in the words of gh. */
import { GatewrightError } from '../../../../errors.ts';
import type { PullRequest } from '../../../../ports/forge/forge.ts';
import type { App } from '../../app.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Given, Handler } from '../../table/command.ts';
import { ago } from '../../views/format.ts';
import { bodyOf, limitOf, namesOf, sortingOf } from './forge-arguments.ts';
import { currentBranch, deleteItsBranch, openPullRequest } from './open-pull-request.ts';
import { tellUnchanged } from './tell-unchanged.ts';

function printPullRequest(app: App, given: Given, pull: PullRequest): number {
  if (given.flag('json')) app.terminal.printJson(pull);
  else app.terminal.print(pull.url);
  return 0;
}

export const createPullRequest: Handler = async (app, given) => {
  const title = given.text('title');
  if (title === null) throw new GatewrightError('usage', '"forge pr create" needs --title.');
  const body = bodyOf(given) ?? '';
  const house = await openLocalHouse(app, given);
  const { forge, repositoryName } = house;
  const pull = await forge.createPullRequest(repositoryName, {
    title,
    body,
    head: given.text('head') ?? (await currentBranch(house, given, '--head BRANCH')),
    base: given.text('base') ?? (await forge.defaultBranch(repositoryName)),
    isDraft: given.flag('draft'),
  });
  const labels = namesOf(given, 'label');
  if (labels.length === 0) return printPullRequest(app, given, pull);
  await forge.editIssue(repositoryName, pull.number, { addLabels: labels });
  return printPullRequest(app, given, await forge.getPullRequest(repositoryName, pull.number));
};

export const listPullRequests: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const state = given.text('state') as 'open' | 'closed' | 'merged' | 'all' | null;
  const narrow = Object.fromEntries(
    ['label', 'author', 'head', 'base'].flatMap((name) => {
      const value = given.text(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const found = await house.forge.listPullRequests(house.repositoryName, {
    ...narrow,
    state: state === 'merged' ? 'closed' : (state ?? 'open'),
  });
  const wanted = state === 'merged' ? found.filter((pull) => pull.state === 'merged') : found;
  const pulls = wanted.slice(0, limitOf(given));
  if (given.flag('json')) app.terminal.printJson(pulls);
  else if (pulls.length === 0) app.terminal.say(`No pull requests in ${house.repositoryName}.`);
  else {
    const now = new Date();
    app.terminal.printTable(
      pulls.map((pull) => [
        `#${pull.number}`,
        pull.isDraft && pull.state === 'open' ? 'draft' : pull.state,
        pull.title,
        pull.head.branch,
        pull.labels.join(', '),
        `${ago(pull.updatedAt, now)} ago`,
      ]),
    );
  }
  return 0;
};

export const commentOnPullRequest: Handler = async (app, given) => {
  const body = bodyOf(given);
  if (body === null) throw new GatewrightError('usage', '"forge pr comment" needs --body or --body-file.');
  const { house, pull } = await openPullRequest(app, given);
  const comment = await house.forge.createComment(house.repositoryName, pull.number, body);
  if (given.flag('json')) app.terminal.printJson(comment);
  else app.terminal.print(`Commented on #${pull.number}.`);
  return 0;
};

export const editPullRequest: Handler = async (app, given) => {
  const [title, body, base] = [given.text('title'), bodyOf(given), given.text('base')];
  const change = {
    ...(title === null ? {} : { title }),
    ...(body === null ? {} : { body }),
    ...(base === null ? {} : { base }),
  };
  const sorting = sortingOf(given);
  const isSorted = Object.values(sorting).flat().length > 0;
  if (Object.keys(change).length === 0 && !isSorted)
    throw new GatewrightError(
      'usage',
      '"forge pr edit" needs something to change: --title, --body, --base, --add-label, --remove-label, --add-assignee, --remove-assignee.',
    );
  const {
    house: { forge, repositoryName },
    pull: { number },
  } = await openPullRequest(app, given);
  if (Object.keys(change).length > 0) await forge.editPullRequest(repositoryName, number, change);
  if (isSorted) {
    const before = await forge.getIssue(repositoryName, number);
    const after = await forge.editIssue(repositoryName, number, sorting);
    tellUnchanged(app.terminal, before, after, sorting);
  }
  return printPullRequest(app, given, await forge.getPullRequest(repositoryName, number));
};

export const readyPullRequest: Handler = async (app, given) => {
  const { house, pull } = await openPullRequest(app, given);
  const change = { isDraft: given.flag('undo') };
  if (pull.isDraft === change.isDraft)
    app.terminal.say(`#${pull.number} is ${pull.isDraft ? 'a draft' : 'ready for review'} already.`);
  return printPullRequest(
    app,
    given,
    await house.forge.editPullRequest(house.repositoryName, pull.number, change),
  );
};

async function setState(app: App, given: Given, state: 'open' | 'closed'): Promise<number> {
  const { house, pull } = await openPullRequest(app, given);
  const { forge, repositoryName } = house;
  if (pull.state === state) app.terminal.say(`#${pull.number} is ${state} already.`);
  const comment = given.text('comment');
  if (comment !== null) await forge.createComment(repositoryName, pull.number, comment);
  const changed = await forge.editPullRequest(repositoryName, pull.number, { state });
  if (given.flag('delete-branch')) {
    const kept = await deleteItsBranch(house, pull, changed.head.sha);
    if (kept !== null) app.terminal.say(kept);
  }
  return printPullRequest(app, given, changed);
}

export const closePullRequest: Handler = (app, given) => setState(app, given, 'closed');

export const reopenPullRequest: Handler = (app, given) => setState(app, given, 'open');
