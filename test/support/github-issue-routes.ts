/** Labels, issues, comments, events, assignees and reactions of the small GitHub. */

import { isAtLeast } from '../../src/domain/forge/permission.ts';
import { reactionContents } from '../../src/ports/forge/forge-issues.ts';
import {
  type Answer,
  type Call,
  created,
  invalid,
  listed,
  notFound,
  ok,
  Refusal,
  type Route,
  requirePresent,
  requireRole,
  textOf,
  textsOf,
} from './github-answer.ts';
import type { Documented } from './github-documented.ts';
import { apiUrl, showUser } from './github-repository-shape.ts';
import { showComment, showIssue, showLabel, showLabels } from './github-shapes.ts';
import type { StoredIssue } from './github-state.ts';

function findIssue({ repository }: Call, number: string | undefined): StoredIssue {
  const issue = repository.issues.find((one) => String(one.number) === number);
  if (issue === undefined) throw notFound();
  requirePresent(issue);
  return issue;
}

function routeLabels(call: Call): Answer {
  const { repository, body, state } = call;
  if (call.method === 'GET')
    return listed([...repository.labels.values()].map((one) => showLabel(repository, one)));
  if (!isAtLeast(call.role, 'write')) throw notFound();
  const name = textOf(body.name);
  if (name === '') throw invalid('Label', 'name', 'missing_field');
  if (repository.labels.has(name.toLowerCase())) throw invalid('Label', 'name', 'already_exists');
  return created(showLabel(repository, state.addLabel(repository, name, body.color, body.description)));
}

function listIssues({ repository, query }: Call): Answer {
  const [state, creator, label, since] = ['state', 'creator', 'labels', 'since'].map((name) =>
    query.get(name),
  );
  const issues = repository.issues
    .filter(
      (issue) =>
        issue.gone === null &&
        (state === 'all' || issue.state === (state ?? 'open')) &&
        (creator == null || issue.author === creator) &&
        (label == null || issue.labels.some((one) => one.toLowerCase() === label.toLowerCase())) &&
        (since == null || Date.parse(issue.updatedAt) >= Date.parse(since)),
    )
    .reverse();
  return listed(issues.map((issue) => showIssue(repository, issue)));
}

function routeIssues(call: Call): Answer {
  if (call.method === 'GET') return listIssues(call);
  const { repository, state, body } = call;
  const title = textOf(body.title);
  if (title.trim() === '') throw invalid('Issue', 'title', 'missing_field');
  // Whoever may not label is not told so: the labels are dropped.
  const labels = isAtLeast(call.role, 'triage') ? textsOf(body.labels) : [];
  const issue = state.addIssue(repository, call.login, title, textOf(body.body), labels);
  return created(showIssue(repository, issue));
}

function routeComments(call: Call, issue: StoredIssue): Answer {
  const { repository, state } = call;
  if (call.method === 'GET') return listed(issue.comments.map((one) => showComment(repository, issue, one)));
  const comment = state.addComment(issue, call.login, textOf(call.body.body));
  return created(showComment(repository, issue, comment));
}

/** One comment, by its id alone. */
function routeComment(call: Call): Answer {
  const { repository, state } = call;
  const [, , id = '', rest] = call.path;
  for (const issue of repository.issues) {
    const comment = issue.comments.find((one) => String(one.id) === id);
    if (comment === undefined) continue;
    if (rest === 'reactions') return routeReactions(call, `comment ${id}`);
    if (call.method === 'PATCH') {
      if (comment.author !== call.login) requireRole(call, 'write');
      comment.body = textOf(call.body.body);
      comment.updatedAt = state.now();
    }
    return ok(showComment(repository, issue, comment));
  }
  throw notFound();
}

/** Answers a second reaction of the same kind with the first. */
export function routeReactions(call: Call, target: string): Answer {
  const { repository, state } = call;
  const known = repository.reactions.get(target) ?? [];
  const show = (one: (typeof known)[number]): Documented['reaction'] => ({
    id: one.id,
    node_id: `REA_${one.id}`,
    content: one.content,
    user: showUser(one.author),
    created_at: one.at,
  });
  if (call.method === 'GET') return listed(known.map(show));
  const content = textOf(call.body.content);
  if (!reactionContents.some((one) => one === content)) throw invalid('Reaction', 'content', 'invalid');
  const same = known.find((one) => one.content === content && one.author === call.login);
  if (same !== undefined) return ok(show(same));
  const reaction = { id: state.nextId(), content, author: call.login, at: state.now() };
  repository.reactions.set(target, [...known, reaction]);
  return created(show(reaction));
}

function routeIssueLabels(call: Call, issue: StoredIssue): Answer {
  const { repository, state, login } = call;
  if (!isAtLeast(call.role, 'triage')) throw new Refusal(403, 'Must have triage access to Repository.');
  if (call.method === 'POST') state.putLabels(repository, issue, textsOf(call.body.labels), login);
  else if (call.path.length === 3) for (const name of [...issue.labels]) state.dropLabel(issue, name, login);
  else if (!state.dropLabel(issue, call.path[3] ?? '', login)) throw new Refusal(404, 'Label does not exist');
  return ok(showLabels(repository, issue));
}

/** Who may not be assigned, and who may not assign, are left out without a word. */
function routeAssignees(call: Call, issue: StoredIssue): Answer {
  const { repository } = call;
  const names = textsOf(call.body.assignees);
  if (isAtLeast(call.role, 'triage')) {
    const others = issue.assignees.filter((one) => !names.includes(one));
    const assignable = names.filter((name) => isAtLeast(repository.roles.get(name) ?? 'none', 'triage'));
    issue.assignees = call.method === 'POST' ? [...others, ...assignable] : others;
    issue.updatedAt = call.state.now();
    for (const assignee of call.method === 'POST' ? assignable : [])
      call.state.addEvent(issue, 'assigned', call.login, { assignee });
  }
  return { status: call.method === 'POST' ? 201 : 200, data: showIssue(repository, issue) };
}

function showEvents({ repository }: Call, issue: StoredIssue): Answer {
  return listed(
    issue.events
      .filter(({ event }) => event !== 'synchronized')
      .map(({ id, event, actor, at, label }) => ({
        id,
        node_id: `EV_${id}`,
        url: `${apiUrl(repository)}/issues/events/${id}`,
        event,
        actor: showUser(actor),
        created_at: at,
        commit_id: null,
        commit_url: null,
        performed_via_github_app: null,
        ...(label === undefined
          ? {}
          : { label: { name: label, color: repository.labels.get(label.toLowerCase())?.color ?? 'ededed' } }),
      })),
  );
}

/** Rewriting needs more than opening and closing. Also of pull requests. */
export function changeIssue(call: Call, issue: StoredIssue): void {
  const isRewrite = ['title', 'body', 'base'].some((name) => call.body[name] !== undefined);
  if (issue.author !== call.login && !isAtLeast(call.role, isRewrite ? 'write' : 'triage'))
    throw new Refusal(403, 'Must have admin rights to Repository.');
  if (call.body.state === 'open' && issue.pull !== null) requireReopenable(call, issue);
  call.state.change(issue, call.body, call.login);
}

function requireReopenable({ repository }: Call, issue: StoredIssue): void {
  const { pull } = issue;
  if (pull === null || issue.state === 'open') return;
  const refuse = (message: string) => invalid('PullRequest', 'state', 'invalid', message);
  if (pull.mergedAt !== null) throw refuse('The pull request is merged.');
  if (repository.git.resolve(`refs/heads/${pull.head}`) === null)
    throw refuse(`The ${pull.head} branch was deleted.`);
  const isSame = (one: StoredIssue) =>
    one !== issue && one.state === 'open' && one.pull?.head === pull.head && one.pull.base === pull.base;
  if (repository.issues.some(isSame)) throw refuse('There is an open pull request already.');
}

export const routeIssueParts: Route = (call) => {
  const [first, number, part] = call.path;
  if (first === 'labels') return routeLabels(call);
  if (first !== 'issues') return null;
  if (number === undefined) return routeIssues(call);
  if (number === 'comments') return routeComment(call);
  const issue = findIssue(call, number);
  if (part === 'comments') return routeComments(call, issue);
  if (part === 'labels') return routeIssueLabels(call, issue);
  if (part === 'assignees') return routeAssignees(call, issue);
  if (part === 'events') return showEvents(call, issue);
  if (part === 'reactions') return routeReactions(call, `issue ${number}`);
  if (part !== undefined) throw notFound();
  if (call.method === 'PATCH') changeIssue(call, issue);
  return ok(showIssue(call.repository, issue));
};
