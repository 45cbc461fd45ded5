/** `forge pr review|merge|update-branch`: decisions about a pull request, each bound to its last commit. */
import type { MergeMethod } from '../../../../domain/forge/forge-rules.ts';
import { longestTitle } from '../../../../domain/forge/forge-texts.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { PullRequest, PullRequestDetail, ReviewDecision } from '../../../../ports/forge/forge.ts';
import type { House } from '../../../../runs/house.ts';
import type { Given, Handler } from '../../table/command.ts';
import { bodyOf } from './forge-arguments.ts';
import { deleteItsBranch, openPullRequest } from './open-pull-request.ts';

function decisionOf(given: Given): ReviewDecision {
  const chosen = (['approve', 'request-changes', 'comment'] as const).filter((name) => given.flag(name));
  const [decision] = chosen;
  if (decision === undefined || chosen.length > 1)
    throw new GatewrightError(
      'usage',
      '"forge pr review" needs one of --approve, --request-changes, --comment.',
    );
  return decision;
}

const said = { commented: 'Commented on', approved: 'Approved', 'changes-requested': 'Asked for changes to' };

export const reviewPullRequest: Handler = async (app, given) => {
  const decision = decisionOf(given);
  const body = bodyOf(given) ?? '';
  if (decision !== 'approve' && body.trim() === '')
    throw new GatewrightError('usage', `--${decision} needs --body or --body-file.`);
  const { house, pull } = await openPullRequest(app, given);
  const review = await house.forge.createReview(house.repositoryName, pull.number, {
    commit: pull.head.sha,
    decision,
    body,
    comments: [],
  });
  if (given.flag('json')) app.terminal.printJson(review);
  else if (review.state !== 'dismissed')
    app.terminal.print(`${said[review.state]} #${pull.number} at ${review.commit.slice(0, 12)}.`);
  return 0;
};

/** The title with its number, as GitHub makes it; cut so that both fit. */
function withNumber({ title, number }: PullRequest): string {
  const end = ` (#${number})`;
  return [...title].slice(0, longestTitle - end.length).join('') + end;
}

const mergeMethods = ['squash', 'merge', 'rebase'] as const satisfies readonly MergeMethod[];

function methodOf(given: Given): MergeMethod {
  const [method, ...others] = mergeMethods.filter((name) => given.flag(name));
  if (method !== undefined && others.length === 0) return method;
  throw new GatewrightError('usage', '"forge pr merge" needs one of --squash, --merge, --rebase.', {
    hint: '--squash makes one commit of the pull request, --merge adds a merge commit, --rebase puts its commits onto the base one by one.',
  });
}

/** One that is merged stays merged: to ask for it again is no mistake, since its branch may be left to delete. */
async function mergeNow(house: House, given: Given, pull: PullRequestDetail, head: string) {
  const method = methodOf(given);
  const body = bodyOf(given);
  if (pull.state === 'merged' && pull.head.sha === head)
    return { commit: pull.mergeCommit ?? '', done: `#${pull.number} was merged before` };
  const { commit } = await house.forge.mergePullRequest(house.repositoryName, pull.number, {
    head,
    title: given.text('subject') ?? withNumber(pull),
    body: body ?? pull.body,
    methods: [method],
  });
  return { commit, done: `Merged #${pull.number} into ${pull.base.branch}` };
}

export const mergePullRequest: Handler = async (app, given) => {
  methodOf(given);
  const { house, pull } = await openPullRequest(app, given);
  const head = given.text('match-head-commit') ?? pull.head.sha;
  const { commit, done } = await mergeNow(house, given, pull, head);
  const kept = given.flag('delete-branch') ? await deleteItsBranch(house, pull, head) : null;
  if (given.flag('json'))
    app.terminal.printJson({ number: pull.number, commit, ...(kept === null ? {} : { branchStays: kept }) });
  else app.terminal.print(`${done}${commit === '' ? '' : ` as ${commit.slice(0, 12)}`}.`);
  if (kept !== null) app.terminal.say(kept);
  return 0;
};

export const updatePullRequest: Handler = async (app, given) => {
  const { house, pull } = await openPullRequest(app, given);
  const { head } = await house.forge.updateBranch(house.repositoryName, pull.number, pull.head.sha);
  if (given.flag('json')) app.terminal.printJson({ number: pull.number, head });
  else if (head === pull.head.sha) app.terminal.print(`${pull.head.branch} was up to date.`);
  else app.terminal.print(`Brought ${pull.head.branch} up to date: ${head.slice(0, 12)}.`);
  return 0;
};
