/** `forge pr view|diff|checks`: shows a pull request. All of its text comes from other authors, so it is escaped. */
import { escapeForLine, escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';
import type { ChangedFile, Check, PullRequestDetail } from '../../../../ports/forge/forge.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Handler } from '../../table/command.ts';
import { openPullRequest } from './open-pull-request.ts';
import { shownText } from './shown-text.ts';

function sizeText({ diffStat: { files, additions, deletions } }: PullRequestDetail): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, +${additions} -${deletions}`;
}

function checksText(checks: readonly Check[]): string {
  if (checks.length === 0) return 'no checks';
  const count = (states: readonly string[]) => checks.filter((check) => states.includes(check.state)).length;
  const [failed, pending] = [count(['failure', 'cancelled']), count(['pending'])];
  return `checks: ${checks.length - failed - pending} ok, ${failed} failed, ${pending} pending`;
}

export const viewPullRequest: Handler = async (app, given) => {
  const {
    house: { forge, repositoryName },
    pull,
  } = await openPullRequest(app, given);
  const [comments, reviews, reviewComments, checks] = await Promise.all([
    forge.listComments(repositoryName, pull.number),
    forge.listReviews(repositoryName, pull.number),
    forge.listReviewComments(repositoryName, pull.number),
    forge.listChecks(repositoryName, pull.head.sha),
  ]);
  if (given.flag('json')) {
    app.terminal.printJson({ ...pull, comments, reviews, reviewComments, checks });
    return 0;
  }
  const { terminal } = app;
  const state = pull.isDraft && pull.state === 'open' ? 'draft' : pull.state;
  const labels = pull.labels.map((label) => escapeForLine(label)).join(', ') || 'no labels';
  const fit = pull.state === 'open' ? ` · ${pull.mergeable}` : '';
  terminal.print(`${escapeForLine(pull.title, 256)} #${pull.number}`);
  terminal.print(`${state} · ${escapeForLine(pull.author)} · ${pull.createdAt} · ${labels}`);
  terminal.print(
    `${pull.head.branch} (${pull.head.sha.slice(0, 12)}) → ${pull.base.branch} · ${sizeText(pull)}${fit} · ${checksText(checks)}`,
  );
  if (pull.mergeCommit !== null) terminal.print(`merged as ${pull.mergeCommit.slice(0, 12)}`);
  terminal.print(`\n${shownText(pull.body)}`);
  const said = [
    ...comments.map((one) => ({ at: one.createdAt, by: one.author, what: '', body: one.body })),
    ...reviews.map((one) => ({
      at: one.submittedAt,
      by: one.author,
      what: ` · ${one.state} ${one.commit.slice(0, 12)}`,
      body: one.body,
    })),
    ...reviewComments.map((one) => ({
      at: one.createdAt,
      by: one.author,
      what: ` · ${escapeForLine(one.path)}:${one.line ?? 'outdated'}`,
      body: one.body,
    })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const { at, by, what, body } of said)
    terminal.print(`\n— ${escapeForLine(by)} · ${at}${what}\n${shownText(body)}`);
  return 0;
};

function fileHeader(file: ChangedFile): string {
  const [path, previous] = [
    escapeForLine(file.path, 1000),
    escapeForLine(file.previousPath ?? file.path, 1000),
  ];
  const from = file.change === 'added' ? '/dev/null' : `a/${previous}`;
  const to = file.change === 'removed' ? '/dev/null' : `b/${path}`;
  const head = `diff --git a/${previous} b/${path}`;
  return file.patch === null ? `${head}\n(${file.change}; not shown)` : `${head}\n--- ${from}\n+++ ${to}`;
}

export const diffPullRequest: Handler = async (app, given) => {
  const { house, pull } = await openPullRequest(app, given);
  const files = await house.forge.listFiles(house.repositoryName, pull.number);
  if (given.flag('json')) app.terminal.printJson(files);
  else if (given.flag('name-only'))
    app.terminal.print(files.map((file) => escapeForLine(file.path, 1000)).join('\n'));
  else if (given.flag('stat')) {
    const rows = files.map((file) => [
      `+${file.additions}`,
      `-${file.deletions}`,
      file.change,
      file.previousPath === null ? file.path : `${file.previousPath} → ${file.path}`,
    ]);
    app.terminal.printTable(rows);
    app.terminal.print(sizeText(pull));
  } else
    for (const file of files)
      app.terminal.printExactly([fileHeader(file), escapeForTerminal(file.patch ?? '')].join('\n').trimEnd());
  return 0;
};

export const checkPullRequest: Handler = async (app, given) => {
  const { house, pull } = await openPullRequest(app, given);
  const checks = await house.forge.listChecks(house.repositoryName, pull.head.sha);
  if (given.flag('json')) app.terminal.printJson(checks);
  else if (checks.length === 0) app.terminal.say(`No checks on ${pull.head.sha.slice(0, 12)}.`);
  else
    app.terminal.printTable(
      checks.map(({ name, state, description, url }) => [state, name, description, url]),
    );
  const isGood = checks.every(({ state }) => ['success', 'neutral', 'skipped'].includes(state));
  return isGood ? exitCodes.done.code : exitCodes.failed.code;
};
