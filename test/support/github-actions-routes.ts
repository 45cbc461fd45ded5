/** What the small GitHub tells of its Actions, and how a workflow is started there. */
import { isAtLeast } from '../../src/domain/forge/permission.ts';
import {
  type Answer,
  type Call,
  invalid,
  notFound,
  ok,
  Refusal,
  type Route,
  requireRole,
  textOf,
} from './github-answer.ts';
import { showRun, showWorkflow, workflowId } from './github-code-shapes.ts';
import { jobLogin } from './github-job-tokens.ts';
import { apiUrl, longAgo, webUrl } from './github-repository-shape.ts';
import type { StoredRepository } from './github-state.ts';

interface KnownArtifact {
  readonly id: number;
  readonly run: number;
  readonly name: string;
  readonly bytes: number;
  readonly at: string;
}

export interface Dispatch {
  readonly repository: StoredRepository;
  readonly path: string;
  readonly ref: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly login: string;
}

/** What runs the workflows of the small GitHub. */
export interface ActionsService {
  listWorkflows(repository: StoredRepository): readonly { readonly name: string; readonly path: string }[];
  /** The number of the run; throws what GitHub says when it refuses. */
  dispatch(dispatch: Dispatch): number;
  dispatchRepository(repository: StoredRepository, type: string, payload: unknown, login: string): void;
  approve(repository: StoredRepository, run: number): boolean;
  cancel(repository: StoredRepository, run: number): boolean;
  listArtifacts(repository: StoredRepository): readonly KnownArtifact[];
}

function findWorkflow(service: ActionsService | null, { repository }: Call, id: string) {
  const found = service
    ?.listWorkflows(repository)
    .find(({ path }) => path === `.github/workflows/${id}` || String(workflowId(path)) === id);
  if (found === undefined) throw notFound();
  return found;
}

function routeWorkflows(call: Call, service: ActionsService | null): Answer {
  const { repository } = call;
  const [, , id, part] = call.path;
  if (id === undefined) {
    const list = service?.listWorkflows(repository) ?? [];
    return { status: 200, listName: 'workflows', list: list.map((one) => showWorkflow(repository, one)) };
  }
  const workflow = findWorkflow(service, call, id);
  if (part === undefined) return ok(showWorkflow(repository, workflow));
  if (part === 'runs') {
    const runs = repository.runs.filter(({ path }) => path === workflow.path);
    return {
      status: 200,
      listName: 'workflow_runs',
      list: runs.map((one) => showRun(repository, one)).reverse(),
    };
  }
  if (part !== 'dispatches' || call.method !== 'POST' || service === null) throw notFound();
  requireRole(call, 'write');
  try {
    const { ref, inputs = {}, return_run_details: isTold } = call.body;
    const run = service.dispatch({
      ...{ repository, path: workflow.path, ref: textOf(ref), login: call.login },
      inputs: inputs as Record<string, unknown>,
    });
    if (isTold !== true) return { status: 204 };
    const place = `actions/runs/${run}`;
    return ok({
      workflow_run_id: run,
      run_url: `${apiUrl(repository)}/${place}`,
      html_url: `${webUrl(repository)}/${place}`,
    });
  } catch (error) {
    throw new Refusal(422, (error as Error).message);
  }
}

function showArtifact(repository: StoredRepository, { id, run, name, bytes, at }: KnownArtifact) {
  const url = `${apiUrl(repository)}/actions/artifacts/${id}`;
  return {
    ...{ id, node_id: `A_${id}`, name, size_in_bytes: bytes, url, archive_download_url: `${url}/zip` },
    ...{ expired: false, created_at: at, expires_at: at, updated_at: at },
    workflow_run: { id: run, repository_id: repository.id, head_repository_id: repository.id },
  };
}

function listArtifacts(call: Call, service: ActionsService | null, run: string | null): Answer {
  const name = call.query.get('name');
  const all = service?.listArtifacts(call.repository) ?? [];
  const list = all.filter(
    (one) => (run === null || String(one.run) === run) && (name === null || one.name === name),
  );
  return { status: 200, listName: 'artifacts', list: list.map((one) => showArtifact(call.repository, one)) };
}

function routeRun(
  call: Call,
  service: ActionsService | null,
  id: string,
  part: string | undefined,
): Answer | null {
  const run = call.repository.runs.find((one) => String(one.id) === id);
  if (run === undefined) throw notFound();
  if (part === undefined) return ok(showRun(call.repository, run));
  if (part === 'artifacts') return listArtifacts(call, service, id);
  if (call.method !== 'POST' || (part !== 'approve' && part !== 'cancel')) return null;
  requireRole(call, 'write');
  if (part === 'approve') {
    // GitHub lets no job approve what waits for a person.
    if (call.login === jobLogin || service?.approve(call.repository, run.id) !== true)
      throw new Refusal(403, 'Resource not accessible by integration');
    return { status: 201, data: {} };
  }
  if (service?.cancel(call.repository, run.id) !== true)
    throw new Refusal(409, 'Cannot cancel a workflow run that is completed');
  return { status: 202, data: {} };
}

function routePermissions({ repository: { actions }, method, body, path, role }: Call): Answer {
  if (!isAtLeast(role, 'admin')) throw new Refusal(403, 'Must have admin rights to Repository.');
  if (path[2] === 'workflow') {
    if (method === 'GET')
      return ok({
        default_workflow_permissions: actions.defaultPermissions,
        can_approve_pull_request_reviews: actions.mayApprove,
      });
    const { default_workflow_permissions: level, can_approve_pull_request_reviews: may } = body;
    if (level === 'read' || level === 'write') actions.defaultPermissions = level;
    if (typeof may === 'boolean') actions.mayApprove = may;
    return { status: 204 };
  }
  if (path.length > 2) throw notFound();
  if (method === 'GET') return ok({ enabled: actions.isEnabled, allowed_actions: actions.allowed });
  if (typeof body.enabled !== 'boolean') throw invalid('Actions', 'enabled', 'missing_field');
  actions.isEnabled = body.enabled;
  return { status: 204 };
}

/** Of secrets the names are told, never the values. */
function listSettings(call: Call, kind: 'secrets' | 'variables'): Answer {
  if (call.method !== 'GET' || call.path.length > 2) throw notFound();
  requireRole(call, 'write');
  const dates = { created_at: longAgo, updated_at: longAgo };
  const entries = [...call.repository.actions[kind]];
  const list = entries.map(([name, value]) => ({
    name,
    ...(kind === 'variables' ? { value } : {}),
    ...dates,
  }));
  return { status: 200, listName: kind, list };
}

/** A repository of a person has none. */
function listShared(call: Call, kind: 'organization-secrets' | 'organization-variables'): Answer {
  if (call.method !== 'GET' || call.path.length > 2) throw notFound();
  requireRole(call, 'write');
  const dates = { created_at: longAgo, updated_at: longAgo };
  const names = kind === 'organization-secrets' ? [...call.repository.actions.sharedSecrets] : [];
  return {
    ...{ status: 200, listName: kind === 'organization-secrets' ? 'secrets' : 'variables' },
    list: names.map((name) => ({ name, ...dates })),
  };
}

/** Whether a job may open or approve pull requests is a setting of its own, and off until it is turned on. */
function requireApproving({ login, method, path, body, repository }: Call): void {
  if (login !== jobLogin || method !== 'POST' || path[0] !== 'pulls') return;
  const isApproval = path[2] === 'reviews' && body.event === 'APPROVE';
  if ((path.length === 1 || isApproval) && !repository.actions.mayApprove)
    throw new Refusal(403, 'GitHub Actions is not permitted to create or approve pull requests.');
}

export const makeActionsRoute =
  (findService: () => ActionsService | null): Route =>
  (call) => {
    const [first, kind, id, part] = call.path;
    const service = findService();
    if (service !== null) requireApproving(call);
    if (first === 'dispatches' && call.method === 'POST') {
      requireRole(call, 'write');
      service?.dispatchRepository(
        call.repository,
        textOf(call.body.event_type),
        call.body.client_payload ?? {},
        call.login,
      );
      return { status: 204 };
    }
    if (first !== 'actions') return null;
    if (kind === 'workflows') return routeWorkflows(call, service);
    if (kind === 'permissions') return routePermissions(call);
    if (kind === 'secrets' || kind === 'variables') return listSettings(call, kind);
    if (kind === 'organization-secrets' || kind === 'organization-variables') return listShared(call, kind);
    if (kind === 'artifacts' && id === undefined) return listArtifacts(call, service, null);
    return kind === 'runs' && id !== undefined && part !== 'jobs' ? routeRun(call, service, id, part) : null;
  };
