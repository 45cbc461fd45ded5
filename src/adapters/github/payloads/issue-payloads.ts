/** What GitHub answers about issues, labels, comments and reactions, as far as we read it. */
import { z } from 'zod';
import {
  type ForgeComment,
  type ForgeIssue,
  type ForgeLabel,
  type ForgeReaction,
  type IssueText,
  type LabelEvent,
  reactionContents,
} from '../../../ports/forge/forge-issues.ts';
import { webUrl } from '../client/web-url.ts';
import { association, person, toActor, toAssociation } from './people-payloads.ts';

export const labelPayload = z.object({
  name: z.string(),
  color: z.string(),
  description: z.string().nullish(),
});

/** On an issue a label may be its name alone. */
export const labelsPayload = z.array(z.union([z.string(), z.object({ name: z.string().nullish() })]));

export function toLabelNames(labels: z.infer<typeof labelsPayload>): string[] {
  return labels.map((label) => (typeof label === 'string' ? label : (label.name ?? '')));
}

export const issuePayload = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  user: person,
  author_association: association,
  labels: labelsPayload,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  html_url: webUrl,
  /** There for pull requests only: to GitHub every pull request is an issue too. */
  pull_request: z.unknown().optional(),
});

export const commentPayload = z.object({
  id: z.int(),
  user: person,
  author_association: association,
  body: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  html_url: webUrl,
});

export const issueEventPayload = z.object({
  event: z.string(),
  actor: person,
  created_at: z.string(),
  label: z.object({ name: z.string().nullish() }).nullish(),
});

export const issueTextQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) {
    title body editor { __typename login }
    timelineItems(itemTypes: [RENAMED_TITLE_EVENT], last: 1) {
      nodes { ... on RenamedTitleEvent { actor { __typename login } } }
    }
  } }
}`;

/** GraphQL gives a program's login without the ending "[bot]". */
const editor = z.object({ __typename: z.string(), login: z.string() }).nullish();

export const issueTextPayload = z.object({
  repository: z.object({
    issue: z.object({
      title: z.string(),
      body: z.string(),
      editor,
      timelineItems: z.object({ nodes: z.array(z.object({ actor: editor }).nullable()) }),
    }),
  }),
});

function toEditor(one: z.infer<typeof editor>): IssueText['bodyBy'] {
  if (one == null) return null;
  if (one.__typename !== 'Bot') return { login: one.login, kind: 'person' };
  return { login: one.login.endsWith('[bot]') ? one.login : `${one.login}[bot]`, kind: 'bot' };
}

export function toIssueText({ repository: { issue } }: z.infer<typeof issueTextPayload>): IssueText {
  const { title, body } = issue;
  const renamed = issue.timelineItems.nodes.at(-1)?.actor;
  return { title, body, titleBy: toEditor(renamed), bodyBy: toEditor(issue.editor) };
}

export const reactionPayload = z.object({ user: person, content: z.string() });

export function toIssue(payload: z.infer<typeof issuePayload>): ForgeIssue {
  return {
    number: payload.number,
    title: payload.title,
    body: payload.body ?? '',
    state: payload.state,
    ...toActor(payload.user),
    association: toAssociation(payload.author_association),
    labels: toLabelNames(payload.labels),
    assignees: (payload.assignees ?? []).map(({ login }) => login),
    createdAt: payload.created_at,
    updatedAt: payload.updated_at,
    closedAt: payload.closed_at ?? null,
    url: payload.html_url,
  };
}

export function toComment(payload: z.infer<typeof commentPayload>): ForgeComment {
  return {
    id: payload.id,
    ...toActor(payload.user),
    association: toAssociation(payload.author_association),
    body: payload.body ?? '',
    createdAt: payload.created_at,
    updatedAt: payload.updated_at,
    url: payload.html_url,
  };
}

export function toLabel(payload: z.infer<typeof labelPayload>): ForgeLabel {
  return { name: payload.name, colour: payload.color, description: payload.description ?? '' };
}

/** Null for everything that happens to an issue and is about no label. */
export function toLabelEvent(payload: z.infer<typeof issueEventPayload>): LabelEvent | null {
  const { event, actor, label, created_at: at } = payload;
  if (event !== 'labeled' && event !== 'unlabeled') return null;
  const { author, authorKind } = toActor(actor);
  return {
    label: label?.name ?? '',
    change: event === 'labeled' ? 'added' : 'removed',
    actor: author,
    actorKind: authorKind,
    at,
    // The list does not tell; the delivery does.
    head: null,
    base: null,
  };
}

/** Null for a kind that we do not know. */
export function toReaction(payload: z.infer<typeof reactionPayload>): ForgeReaction | null {
  const content = reactionContents.find((one) => one === payload.content);
  return content === undefined ? null : { content, actor: toActor(payload.user).author };
}
