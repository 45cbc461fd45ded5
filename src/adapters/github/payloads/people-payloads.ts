/** What GitHub answers about people, programs and what they may do. Checked, because a proxy or a login page may answer instead. */
import { z } from 'zod';
import type { ActorKind, Association, Permission } from '../../../ports/forge/forge.ts';

/** Null for an account that was deleted; GitHub's pages show those as "ghost". */
export const person = z.object({ login: z.string(), type: z.string().optional() }).nullish();
type Person = z.infer<typeof person>;

/** GitHub may add values; an unknown one stands for no special role. */
export const association = z.string().optional();

export function toActor(one: Person): { readonly author: string; readonly authorKind: ActorKind } {
  const isBot = one?.type === 'Bot' || (one?.login.endsWith('[bot]') ?? false);
  return { author: one?.login ?? 'ghost', authorKind: isBot ? 'bot' : 'person' };
}

export function toAssociation(text: string | undefined): Association {
  switch (text) {
    case 'OWNER':
      return 'owner';
    case 'MEMBER':
      return 'member';
    case 'COLLABORATOR':
      return 'collaborator';
    case 'CONTRIBUTOR':
      return 'contributor';
    default:
      return 'none';
  }
}

export const userPayload = z.object({ login: z.string().min(1) });
export const viewerPayload = z.object({ viewer: userPayload });

export const repositoryPayload = z.object({
  id: z.int(),
  full_name: z.string(),
  node_id: z.string(),
  default_branch: z.string(),
  /** Told to those who may push. */
  allow_squash_merge: z.boolean().optional(),
  allow_merge_commit: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
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

/** Our own permission, as the repository itself tells it; reading it needs no special rights. */
export function toOwnPermission({ permissions }: z.infer<typeof repositoryPayload>): Permission {
  if (permissions === undefined) return 'none';
  if (permissions.admin) return 'admin';
  if (permissions.maintain === true) return 'maintain';
  if (permissions.push) return 'write';
  if (permissions.triage === true) return 'triage';
  return permissions.pull ? 'read' : 'none';
}

/** What an App may do, in the words for people. It can be granted less than any person has, which counts as reading. */
export function toAppPermission(granted: Readonly<Record<string, string>>): Permission {
  const writes = (name: string) => granted[name] === 'write' || granted[name] === 'admin';
  if (['contents', 'issues', 'pull_requests'].every(writes)) return 'write';
  if (writes('issues')) return 'triage';
  return 'read';
}

/** `role_name` tells all roles apart; `permission` calls triage read and maintain write, and is right for custom roles. */
export function toPermission({ permission, role_name }: z.infer<typeof permissionPayload>): Permission {
  const levels: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
  return (
    levels.find((level) => level === role_name) ?? levels.find((level) => level === permission) ?? 'none'
  );
}
