/** `forge issue …`: the local forge's issues, in the words of gh. A person acts here, as themselves. */
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { ForgeIssue } from '../../../../ports/forge/forge.ts';
import type { App } from '../../app.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Given, Handler } from '../../table/command.ts';
import { ago } from '../../views/format.ts';
import { bodyOf, limitOf, namesOf, sortingOf } from './forge-arguments.ts';
import { readIssueNumber } from './issue-number.ts';
import { shownText } from './shown-text.ts';
import { tellUnchanged } from './tell-unchanged.ts';

function printIssue(app: App, given: Given, issue: ForgeIssue): number {
  if (given.flag('json')) app.terminal.printJson(issue);
  else app.terminal.print(issue.url);
  return 0;
}

export const createIssue: Handler = async (app, given) => {
  const title = given.text('title');
  if (title === null) throw new GatewrightError('usage', '"forge issue create" needs --title.');
  const house = await openLocalHouse(app, given);
  const labels = namesOf(given, 'label');
  return printIssue(
    app,
    given,
    await house.forge.createIssue(house.repositoryName, { title, body: bodyOf(given) ?? '', labels }),
  );
};

export const listIssues: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const [state, label, author] = [given.text('state'), given.text('label'), given.text('author')];
  const found = await house.forge.listIssues(house.repositoryName, {
    ...(state === null ? {} : { state: state as 'open' | 'closed' | 'all' }),
    ...(label === null ? {} : { label }),
    ...(author === null ? {} : { author }),
  });
  const issues = found.slice(0, limitOf(given));
  if (given.flag('json')) app.terminal.printJson(issues);
  else if (issues.length === 0) app.terminal.say(`No issues in ${house.repositoryName}.`);
  else {
    const now = new Date();
    app.terminal.printTable(
      issues.map((issue) => [
        `#${issue.number}`,
        issue.state,
        issue.title,
        issue.labels.join(', '),
        `${ago(issue.updatedAt, now)} ago`,
      ]),
    );
  }
  return 0;
};

export const viewIssue: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const number = readIssueNumber(given.args[0]);
  const issue = await house.forge.getIssue(house.repositoryName, number);
  const comments = await house.forge.listComments(house.repositoryName, number);
  if (given.flag('json')) {
    app.terminal.printJson({ ...issue, comments });
    return 0;
  }
  app.terminal.print(`${escapeForLine(issue.title, 256)} #${issue.number}`);
  app.terminal.print(
    `${issue.state} · ${escapeForLine(issue.author)} · ${issue.createdAt} · ${issue.labels.map((label) => escapeForLine(label)).join(', ') || 'no labels'}`,
  );
  app.terminal.print(`\n${shownText(issue.body)}`);
  for (const { author, createdAt, body } of comments)
    app.terminal.print(`\n— ${escapeForLine(author)} · ${createdAt}\n${shownText(body)}`);
  return 0;
};

export const commentOnIssue: Handler = async (app, given) => {
  const number = readIssueNumber(given.args[0]);
  const body = bodyOf(given);
  if (body === null) throw new GatewrightError('usage', '"forge issue comment" needs --body or --body-file.');
  const house = await openLocalHouse(app, given);
  const comment = await house.forge.createComment(house.repositoryName, number, body);
  if (given.flag('json')) app.terminal.printJson(comment);
  else app.terminal.print(`Commented on #${number}.`);
  return 0;
};

async function setState(app: App, given: Given, state: 'open' | 'closed'): Promise<number> {
  const number = readIssueNumber(given.args[0]);
  const house = await openLocalHouse(app, given);
  const before = await house.forge.getIssue(house.repositoryName, number);
  if (before.state === state) app.terminal.say(`#${number} is ${state} already.`);
  const comment = given.text('comment');
  if (comment !== null) await house.forge.createComment(house.repositoryName, number, comment);
  return printIssue(app, given, await house.forge.editIssue(house.repositoryName, number, { state }));
}

export const closeIssue: Handler = (app, given) => setState(app, given, 'closed');

export const reopenIssue: Handler = (app, given) => setState(app, given, 'open');

export const editIssue: Handler = async (app, given) => {
  const number = readIssueNumber(given.args[0]);
  const [title, body] = [given.text('title'), bodyOf(given)];
  const sorting = sortingOf(given);
  if (title === null && body === null && Object.values(sorting).flat().length === 0) {
    throw new GatewrightError(
      'usage',
      '"forge issue edit" needs something to change: --title, --body, --add-label, --remove-label, --add-assignee, --remove-assignee.',
    );
  }
  const house = await openLocalHouse(app, given);
  const before = await house.forge.getIssue(house.repositoryName, number);
  const issue = await house.forge.editIssue(house.repositoryName, number, {
    ...(title === null ? {} : { title }),
    ...(body === null ? {} : { body }),
    ...sorting,
  });
  tellUnchanged(app.terminal, before, issue, sorting);
  return printIssue(app, given, issue);
};
