/** What GitHub answers, as far as we read it. Checked here, because a proxy or a login page may answer instead. */
import { z } from 'zod';
import type { ForgeComment, ForgeIssue, ForgeLabel, Permission } from '../../ports/forge.ts';

/** Null for an account that was deleted; GitHub's pages show those as "ghost". */
const person = z.object({ login: z.string() }).nullable();

export const userPayload = z.object({ login: z.string().min(1) });

export const repositoryPayload = z.object({
  permissions: z
    .object({
      admin: z.boolean(),
      maintain: z.boolean().optional(),
      push: z.boolean(),
      triage: z.boolean().optional(),
      pull: z.boolean(),
    })
    .optional(),
});

export const permissionPayload = z.object({ permission: z.string(), role_name: z.string().optional() });

export const labelPayload = z.object({
  name: z.string(),
  color: z.string(),
  description: z.string().nullish(),
});

export const issuePayload = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  user: person,
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  created_at: z.string(),
  updated_at: z.string(),
  /** As a URL spells it, so that nothing in it moves a cursor wherever it is shown. */
  html_url: z.url().transform((text) => new URL(text).href),
  /** There for pull requests only: to GitHub every pull request is an issue too. */
  pull_request: z.unknown().optional(),
});

export const commentPayload = z.object({
  id: z.int(),
  user: person,
  body: z.string().nullish(),
  created_at: z.string(),
});

export function toIssue(payload: z.infer<typeof issuePayload>): ForgeIssue {
  return {
    number: payload.number,
    title: payload.title,
    body: payload.body ?? '',
    state: payload.state,
    author: payload.user?.login ?? 'ghost',
    labels: payload.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
    createdAt: payload.created_at,
    updatedAt: payload.updated_at,
    url: payload.html_url,
  };
}

export function toComment(payload: z.infer<typeof commentPayload>): ForgeComment {
  return {
    id: payload.id,
    author: payload.user?.login ?? 'ghost',
    body: payload.body ?? '',
    createdAt: payload.created_at,
  };
}

export function toLabel(payload: z.infer<typeof labelPayload>): ForgeLabel {
  return { name: payload.name, colour: payload.color, description: payload.description ?? '' };
}

/** Our own permission, as the repository itself tells it; nobody needs special rights to ask for that. */
export function toOwnPermission({ permissions }: z.infer<typeof repositoryPayload>): Permission {
  if (permissions === undefined) return 'none';
  if (permissions.admin) return 'admin';
  if (permissions.maintain === true) return 'maintain';
  if (permissions.push) return 'write';
  if (permissions.triage === true) return 'triage';
  return permissions.pull ? 'read' : 'none';
}

/** `role_name` tells all roles apart; `permission` calls triage read and maintain write, and is right for custom roles. */
export function toPermission({ permission, role_name }: z.infer<typeof permissionPayload>): Permission {
  const levels: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
  return (
    levels.find((level) => level === role_name) ?? levels.find((level) => level === permission) ?? 'none'
  );
}
