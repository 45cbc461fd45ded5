/**
 * Which event a body is of, by the names at its top. GitHub signs the body only: an attacker who has seen the signed body
 * of one event can send it under the name of another. So a body is read under a name only if it has all that GitHub
 * always sends with that event, and nothing that GitHub sends with other events only.
 *
 * A name that GitHub does not describe for any event may stand there: GitHub adds such names without notice, and an
 * event that is refused for one would stop the fleet.
 */
interface EventKeys {
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
}

const words = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');
const keys = (always: string, sometimes = ''): EventKeys => ({
  always: words(always),
  sometimes: words(sometimes),
});

/** Of the events that agents react to. A test compares it with GitHub's description. */
export const keysOfEvent: Readonly<Record<string, EventKeys>> = {
  issues: keys('issue', 'assignee changes label milestone type'),
  issue_comment: keys('issue comment', 'changes'),
  pull_request: keys(
    'number pull_request',
    'after assignee before changes label milestone reason requested_reviewer requested_team',
  ),
  pull_request_review: keys('pull_request review', 'changes'),
  workflow_run: keys('workflow workflow_run'),
  check_run: keys('check_run', 'requested_action'),
  check_suite: keys('check_suite'),
  push: keys('after base_ref before commits compare created deleted forced head_commit pusher ref'),
  status: keys(
    'branches commit context created_at description id name sha state target_url updated_at',
    'avatar_url',
  ),
};

/** With any event. */
const everywhere: readonly string[] = words('action enterprise installation organization repository sender');

/** All names that GitHub describes at the top of its deliveries, of whatever event. */
export const describedKeys: ReadonlySet<string> = new Set(
  words(`
    account action after alert answer approver assignee avatar_url base_ref before blocked_issue blocked_issue_id
    blocked_issue_repo blocked_user blocking_issue blocking_issue_id blocking_issue_repo branch branches build changes
    check_run check_suite client_payload comment commit commit_oid commits compare completed_at context created
    created_at custom_pattern_name custom_pattern_scope definition deleted deployment deployment_callback_url
    deployment_status description discussion effective_date enterprise environment event forced forkee head_commit hook
    hook_id id inputs installation invitation issue key label location marketplace_purchase master_branch member
    membership merge_group milestone name new_property_values number old_answer old_property_values organization package
    pages parent_issue parent_issue_id parent_issue_repo personal_access_token_request previous_marketplace_purchase
    project project_card project_column projects_v2 projects_v2_item projects_v2_status_update pull_request
    pull_requests pusher pusher_type reason ref ref_type registry_package release repositories repositories_added
    repositories_removed repository repository_advisory repository_ruleset repository_selection requested_action
    requested_reviewer requested_team requester requestor review reviewers rule scope secret_types security_advisory
    sender sha since source sponsorship starred_at started_at state status sub_issue sub_issue_id sub_issue_repo
    target_type target_url team thread type updated_at user workflow workflow_job workflow_job_run workflow_job_runs
    workflow_run zen
  `),
);

/** All names that may stand at the top of an event, for each event. */
const ownKeys = new Map(
  Object.entries(keysOfEvent).map(([name, { always, sometimes }]) => [
    name,
    new Set([...everywhere, ...always, ...sometimes]),
  ]),
);

function isObject(payload: unknown): payload is Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload);
}

/** Why a body is not one of this event; nothing when it is, or when no agent reacts to the event. */
export function doubtDelivery(name: string, payload: unknown): string[] {
  const [known, own] = Object.hasOwn(keysOfEvent, name) ? [keysOfEvent[name], ownKeys.get(name)] : [];
  if (known === undefined || own === undefined) return [];
  if (!isObject(payload)) return ['(payload): GitHub sends an object'];
  return [
    ...known.always
      .filter((key) => !Object.hasOwn(payload, key))
      .map((key) => `${key}: GitHub always sends it with ${name}`),
    ...Object.keys(payload)
      .filter((key) => describedKeys.has(key) && !own.has(key))
      .map((key) => `${key}: GitHub sends it with other events only`),
  ];
}
