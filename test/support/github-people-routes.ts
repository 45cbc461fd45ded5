/** What people may do in a repository of the small GitHub, as it tells. */
import { isAtLeast } from '../../src/domain/forge/permission.ts';
import { notFound, ok, type Route, requireRole } from './github-answer.ts';
import type { Documented } from './github-documented.ts';
import { showUser } from './github-repository-shape.ts';

/** @param logins of all people there are */
export const makeCollaboratorRoute =
  (logins: () => readonly string[]): Route =>
  (call) => {
    if (call.path[0] !== 'collaborators') return null;
    requireRole(call, 'write');
    const login = call.path[1] ?? '';
    if (!logins().includes(login)) throw notFound();
    const named = call.repository.roles.get(login) ?? 'none';
    const permission = { triage: 'read', maintain: 'write' }[named as string] ?? named;
    const permissions = { pull: true, push: isAtLeast(named, 'write'), admin: named === 'admin' };
    const user = { ...showUser(login), permissions, role_name: named };
    const answer: Documented['permission'] = { permission, role_name: named, user };
    return ok(answer);
  };
